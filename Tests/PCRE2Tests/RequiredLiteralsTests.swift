import Testing

@testable import PCRE2

@Suite struct RequiredLiteralsTests {
    static let definitions = ["rupees": "Rs | INR", "said": "(?: was | is ) \\s debited", "open": "(a"].mapValues { RequiredLiterals(of: $0) }

    @Test(arguments: [
        ("spent \\s at", "spent"), ("Spent", "spent"), ("favou?r", "favo"), ("ab", "-"), ("(?: debited | credited )", "(debited | credited)"),
        ("(?: debited | \\d+ )", "-"), ("(?: debited )?", "-"), ("(?: debited ){1,3}", "debited"), ("(?: debited ){0,3}", "-"), ("(?! never ) always", "always"),
        ("(?= ahead ) foo", "foo"), ("(?<! before ) foo", "foo"), ("(?<amount> total )", "total"), ("(?> atom )", "atom"),
        ("(?&said)", "debited"), ("(?&rupees) \\s foo", "foo"), ("(?&missing) foo", "foo"), ("foo # bar\n baz", "foobaz"), ("foo [a-z\\]] bar", "(foo & bar)"),
        ("foo [[:alpha:]]+ bar", "(foo & bar)"), ("a+bcd", "bcd"), ("abc+d", "abc"), ("abc{0}def", "def"), ("abcd{2}", "abcd"), ("x{y}z", "x{y}z"),
        ("card\\.", "card."), ("\\x41bcd", "bcd"), ("\\x{41}bcd", "bcd"), ("\\12345", "-"), ("(?i:Foo)", "foo"), ("(?i)Foo", "foo"), ("(foo", "-"), ("foo)", "-"),
        ("\\Qfoo\\E", "-"), ("(?(1)abc|def)", "-"), ("(?#comment) abc", "-"), ("(*SKIP)abc", "-"), ("abc|", "-"), ("", "-"), ("(?&open) abc", "abc"), ("\\bfoo\\b", "foo"), ("^foo$", "foo"),
        ("CAFÉ", "caf"),
    ]) func requirements(source: String, expected: String) {
        #expect(RequiredLiterals(of: source, definitions: Self.definitions).description == expected)
    }

    @Test func alternativesKeepWhatEachOfThemRequires() {
        let required = RequiredLiterals(of: "card (?: was \\s declined | could \\s not \\s be \\s used )")
        #expect(required == .all([.word("card"), .any([.all([.word("was"), .word("declined")]), .all([.word("could"), .word("not"), .word("used")])])]))
    }

}
