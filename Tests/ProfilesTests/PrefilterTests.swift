import Chronology
import ChronologyFixture
import InternetMessage
import PCRE2
import ProfileFixture
import Testing

@testable import Profiles

/// The prefilter only spares work: it changes nothing that is found.
@Suite struct PrefilterTests {
    @Test func skippedPatternsDoNotMatch() throws {
        let matcher = try #require(Matcher())
        let words = try ShippedProfiles.all.get().common.words
        let banks = try ShippedProfiles.all.get()
        for group in (banks.banks + banks.shared).map(\.own) {
            let conditions = group.templates.flatMap { [$0.match.body, $0.match.unless].compactMap(\.self) }
            let wholes = try conditions.map { try #require($0.pattern) }
            let patterns = group.templates.flatMap { template -> [TextPattern] in
                if case .transaction(let extraction) = template.kind {
                    extraction.bodies + extraction.fields.map(\.pattern)
                } else {
                    []
                }
            }
            // Every third sample is enough to meet every word, and each pattern meets most of them.
            let texts = group.templates.flatMap(\.samples).enumerated().filter { $0.offset.isMultiple(of: 3) }.map {
                Message(parsing: $0.element.message()).text.bytes
            }
            for text in texts {
                let searched = SearchedText(text, words: words)
                for (condition, whole) in zip(conditions, wholes) {
                    #expect(
                        try matcher.firstMatch(of: whole, in: text) == searched.holds(condition, with: matcher),
                        "\(group.folder): \(whole.source.suffix(200))")
                }
                for pattern in patterns {
                    let code = try pattern.ready()
                    let whole = try matcher.firstMatch(of: code, in: text) ? matcher.range(of: 0) : nil
                    let spared = try searched.match(pattern, with: matcher) ? matcher.range(of: 0) : nil
                    #expect(whole == spared, "\(group.folder): \(code.source.suffix(200))")
                }
            }
        }
    }

    static func found(_ source: String, _ text: String) throws -> String? {
        let words = Vocabulary()
        let pattern = TextPattern(
            try Pattern("(?imx)" + source), RequirementCode(PatternNeeds(of: source).literals, words: words),
            words: words)
        let matcher = try #require(Matcher())
        let bytes = Array(text.utf8)
        guard try SearchedText(bytes, words: words).match(pattern, with: matcher), let range = matcher.range(of: 0)
        else { return nil }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// The first match is found, whichever word locates it.
    @Test(arguments: [
        (#"\d+ \s spent"#, "1 2 spent 33 spent", "2 spent"),
        (#"\d+ \s (?: spent | paid )"#, "aa 1 paid 2 spent", "1 paid"),
        (#"^ .* spent"#, "one\ntwo spent\nthree spent", "two spent"),
        (#"[\s\S]+ spent"#, "one\ntwo spent x", "one\ntwo spent"),
        (#"spent .* card"#, "card spent on card", "spent on card"), (#"é{1,3} \s spent"#, "a éé spent", "éé spent"),
        (#"\S{1,9} \s spent"#, "\u{1F600}é spent", "\u{1F600}é spent"),
        (#"spent | \d{3}"#, "x 123 spent", "123"), (#"(?<= a \s ) \d \s spent"#, "1 spent a 2 spent", "2 spent"),
        (#"spent"#, String(repeating: "spend ", count: 90) + "spent", "spent"), (#"spent"#, "Spend", nil),
        (#"spent \s \d"#, String(repeating: "spent x ", count: 90) + "spent 5", "spent 5"),
    ]) func theFirstMatchIsFound(source: String, text: String, expected: String?) throws {
        #expect(try Self.found(source, text) == expected)
    }
}
