import InternetMessage
import PCRE2
import Testing

@testable import Profiles

/// The prefilter only spares work: it changes nothing that is found.
@Suite struct PrefilterTests {
    @Test func whatIsSparedWouldNotHaveMatched() throws {
        let matcher = try #require(Matcher())
        for group in try ShippedProfiles.all.get().banks.flatMap({ [$0.own] + $0.shared }) {
            let patterns = group.templates.flatMap { template -> [TextPattern] in
                var list = [template.match.body, template.match.unless].compactMap(\.self)
                if case .transaction(let extraction) = template.kind { list += extraction.bodies }
                return list
            }
            // Every third sample is enough to meet every word, and each pattern meets most of them.
            let texts = group.templates.flatMap(\.samples).enumerated().filter { $0.offset.isMultiple(of: 3) }.map { Message(parsing: $0.element.message()).text.bytes }
            for text in texts {
                let verdict = group.prefilter.look(at: text)
                for pattern in patterns {
                    let whole = try matcher.firstMatch(of: pattern.pattern, in: text) ? matcher.range(of: 0) : nil
                    let spared = try verdict.allows(pattern.number) && verdict.match(pattern, with: matcher) ? matcher.range(of: 0) : nil
                    #expect(whole == spared, "\(group.folder): \(pattern.pattern.source.suffix(200))")
                }
            }
        }
    }

    static func found(_ source: String, _ text: String) throws -> String? {
        let pattern = TextPattern(pattern: try Pattern("(?imx)" + source), literals: PatternNeeds(of: source).literals)
        let group = TemplateGroup(folder: "bank", [Template(name: "bank/x", kind: .ignore(.otp), match: .init(body: pattern), samples: [], path: "")])
        let numbered = try #require(group.templates.first?.match.body)
        let matcher = try #require(Matcher())
        let bytes = Array(text.utf8)
        let verdict = group.prefilter.look(at: bytes)
        guard verdict.allows(numbered.number), try verdict.match(numbered, with: matcher), let range = matcher.range(of: 0) else { return nil }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// The first match is found, whichever of the words says where to look.
    @Test(arguments: [
        (#"\d+ \s spent"#, "1 2 spent 33 spent", "2 spent"), (#"\d+ \s (?: spent | paid )"#, "aa 1 paid 2 spent", "1 paid"), (#"^ .* spent"#, "one\ntwo spent\nthree spent", "two spent"),
        (#"[\s\S]+ spent"#, "one\ntwo spent x", "one\ntwo spent"), (#"spent .* card"#, "card spent on card", "spent on card"), (#"é{1,3} \s spent"#, "a éé spent", "éé spent"), (#"\S{1,9} \s spent"#, "\u{1F600}é spent", "\u{1F600}é spent"),
        (#"spent | \d{3}"#, "x 123 spent", "123"), (#"(?<= a \s ) \d \s spent"#, "1 spent a 2 spent", "2 spent"), (#"spent"#, String(repeating: "spend ", count: 90) + "spent", "spent"), (#"spent"#, "Spend", nil),
        (#"spent \s \d"#, String(repeating: "spent x ", count: 90) + "spent 5", "spent 5"),
    ]) func theFirstMatchIsFound(source: String, text: String, expected: String?) throws {
        #expect(try Self.found(source, text) == expected)
    }
}
