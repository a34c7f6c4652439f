import Testing

@testable import PCRE2

@Suite struct RequiredLiteralsTests {
    static let definitions = ["rupees": "Rs | INR", "said": "(?: was | is ) \\s debited", "open": "(a"].mapValues {
        PatternNeeds(of: $0)
    }

    @Test(arguments: [
        ("spent \\s at", "spent at"), ("\\s to \\s", "-"), ("a \\s bc", "a bc"),
        ("\\s+ spent \\s? at", "( spentat |  spent at)"), ("(?: x ) \\s spent", "x spent"), ("Spent", "spent"),
        ("favou?r", "(favor | favour)"), ("ab", "-"), ("(?: debited | credited )", "(debited | credited)"),
        ("(?: debited | \\d+ )", "-"), ("(?: debited )?", "-"), ("(?: debited ){1,3}", "debited"),
        ("(?: debited ){0,3}", "-"), ("(?! never ) always", "always"),
        ("(?= ahead ) foo", "(ahead & foo)"), ("foo (?! ahead )", "foo"), ("foo (?= ahead )? bar", "foobar"),
        ("foo (?<= behind )", "foo"), ("(?<! before ) foo", "foo"), ("(?<amount> total )", "total"),
        ("(?> atom )", "atom"),
        ("(?&said)", "(is debited | was debited)"), ("(?&rupees) \\s foo", "(rs foo | inr foo)"),
        ("(?&missing) foo", "foo"), ("foo # bar\n baz", "foobaz"), ("foo [a-z\\]] bar", "(foo & bar)"),
        ("foo [[:alpha:]]+ bar", "(foo & bar)"), ("a+bcd", "abcd"), ("abc+d", "abc"), ("abc{0}def", "def"),
        ("abcd{2}", "abcdd"), ("foo (?: bar | bars | a \\s bar )", "(foobar | fooa bar)"), ("x{y}z", "x{y}z"),
        ("card\\.", "card."), ("\\x41bcd", "bcd"), ("\\x{41}bcd", "bcd"), ("\\12345", "-"), ("(?i:Foo)", "foo"),
        ("(?i)Foo", "foo"), ("(?x)foo", "foo"), ("(?xx)foo", "-"), ("(foo", "-"), ("foo)", "-"),
        ("\\Qfoo\\E", "-"), ("(?(1)abc|def)", "-"), ("(?#comment) abc", "abc"), ("(*SKIP)abc", "-"), ("abc|", "-"),
        ("", "-"), ("(?&open) abc", "abc"), ("\\bfoo\\b", "foo"), ("^foo$", "foo"),
        ("CAFÉ", "caf"), ("(is|was) \\s debited .{0,20} a/c", "((is debited | was debited) & a/c)"),
    ]) func requirements(source: String, expected: String) {
        #expect(PatternNeeds(of: source, definitions: Self.definitions).literals.description == expected)
    }

    @Test func alternativesKeepWhatEachOfThemRequires() {
        let needs = PatternNeeds(of: "card \\s (?: was \\s declined | could \\s not \\s be \\s used )")
        #expect(needs.literals.description == "(card was declined | card could not be used)")
    }

    /// Characters and lines before the last word that is named, then of the whole.
    @Test(arguments: [
        ("foo", "0/0 3/0"), ("\\d{1,3} foo", "3/0 6/0"), ("\\s foo", "0/0 4/1"), ("\\s+ foo", "*/* */*"),
        ("\\s? foo", "1/1 4/1"), (". ? foo", "1/0 4/0"), (".* foo", "*/0 */0"), ("[^.]+ foo", "*/* */*"),
        ("[^.\\n]+ foo", "*/0 */0"),
        ("[^\\s]{2} foo", "2/0 5/0"), ("[\\s\\S]{0,40} foo", "40/40 43/40"), ("[a-z ]{4} foo", "4/0 7/0"),
        ("[[:alpha:]] foo", "1/1 4/1"), ("(?: a | \\s\\s ){2} foo", "0/0 7/4"), ("(?: \\d* )? foo", "*/0 */0"),
        ("(?&said) foo", "0/0 14/1"), ("(?&missing) foo", "*/* */*"), ("(?= .{9} ) foo", "0/0 3/0"),
        ("(?<! a ) ^ \\b foo", "0/0 3/0"), ("(x) \\1 foo", "*/* */*"), ("\\x41 foo", "1/1 4/1"), ("\\R foo", "2/1 5/1"),
        ("foo \\. {3} bar", "0/0 9/0"), ("a? foo", "1/0 4/0"), ("é foo", "1/0 4/0"), ("\\x{2019}s foo", "1/1 5/1"),
        ("[\\t-~] foo", "1/1 4/1"), ("a # b\n+ foo", "*/0 */0"), ("(?: foo | x ) bar", "0/0 6/0"),
        ("(?: .. foo ){1,2} z", "2/0 11/0"), ("\\p{L}\\p{Lu} foo", "2/2 5/2"), ("a{2,} foo", "*/0 */0"),
        ("(is|was) \\s debited .{0,20} a/c", "31/1 34/1"),
    ]) func howFar(source: String, expected: String) {
        func text(_ extent: Extent) -> String {
            [extent.characters, extent.lines].map { $0 == .max ? "*" : "\($0)" }.joined(separator: "/")
        }
        func last(_ literals: RequiredLiterals) -> Extent? {
            switch literals {
            case .nothing: nil
            case .word(_, let extent): extent
            case .all(let list), .any(let list): list.last.flatMap(last)
            case .behind(let extent, let inside): last(inside.behind(extent))
            }
        }
        let needs = PatternNeeds(of: source, definitions: Self.definitions)
        #expect((last(needs.literals).map(text) ?? "-") + " " + text(needs.extent) == expected)
    }

    @Test(arguments: [
        (Extent(characters: 2, lines: 0), 5, 3), (Extent(characters: .max, lines: 0), 5, 3),
        (Extent(characters: .max, lines: 1), 5, 0), (Extent(characters: 3, lines: 1), 5, 2),
        (Extent(characters: 4, lines: 2), 5, 0),
        (Extent.unbounded, 99, 0), (Extent.none, 5, 5),
    ]) func starts(extent: Extent, offset: Int, expected: Int) {
        // Bytes: é is 0 and 1, the line feed 2.
        #expect(Array("é\nabcd".utf8).withUnsafeBufferPointer { extent.start(before: offset, in: $0) } == expected)
    }
}
