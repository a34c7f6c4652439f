import Testing

@testable import PCRE2

@Suite struct RequiredLiteralsTests {
    static let definitions = ["rupees": "Rs | INR", "said": "(?: was | is ) \\s debited", "loop": "abc (?&loop)?", "open": "(a"]

    @Test(arguments: [
        ("spent \\s at", .word("spent")), ("Spent", .word("spent")), ("favou?r", .word("favo")), ("ab", .nothing), ("(?: debited | credited )", .any([.word("debited"), .word("credited")])),
        ("(?: debited | \\d+ )", .nothing), ("(?: debited )?", .nothing), ("(?: debited ){1,3}", .word("debited")), ("(?: debited ){0,3}", .nothing), ("(?! never ) always", .word("always")),
        ("(?= ahead ) foo", .word("foo")), ("(?<! before ) foo", .word("foo")), ("(?<amount> total )", .word("total")), ("(?> atom )", .word("atom")),
        ("(?&said)", .word("debited")), ("(?&rupees) \\s foo", .word("foo")), ("(?&missing) foo", .word("foo")), ("foo # bar\n baz", .word("foobaz")), ("foo [a-z\\]] bar", .all([.word("foo"), .word("bar")])),
        ("foo [[:alpha:]]+ bar", .all([.word("foo"), .word("bar")])), ("a+bcd", .word("bcd")), ("abc+d", .word("abc")), ("abc{0}def", .word("def")), ("abcd{2}", .word("abcd")), ("x{y}z", .word("x{y}z")),
        ("card\\.", .word("card.")), ("\\x41bcd", .word("bcd")), ("\\x{41}bcd", .word("bcd")), ("\\12345", .nothing), ("(?i:Foo)", .word("foo")), ("(?i)Foo", .word("foo")), ("(foo", .nothing), ("foo)", .nothing),
        ("\\Qfoo\\E", .nothing), ("(?(1)abc|def)", .nothing), ("(?#comment) abc", .nothing), ("(*SKIP)abc", .nothing), ("abc|", .nothing), ("", .nothing), ("(?&open) abc", .word("abc")), ("\\bfoo\\b", .word("foo")), ("^foo$", .word("foo")),
        ("CAFÉ", .word("caf")),
    ]) func requirements(source: String, expected: RequiredLiterals) {
        #expect(RequiredLiterals(of: source, definitions: Self.definitions) == expected)
    }

    @Test func alternativesKeepWhatEachOfThemRequires() {
        let required = RequiredLiterals(of: "card (?: was \\s declined | could \\s not \\s be \\s used )")
        #expect(required == .all([.word("card"), .any([.all([.word("was"), .word("declined")]), .all([.word("could"), .word("not"), .word("used")])])]))
    }

    @Test func aPieceThatCallsItselfEnds() {
        #expect(RequiredLiterals(of: "(?&loop)", definitions: Self.definitions) == .word("abc"))
    }
}
