import Testing

@testable import InternetMessage

/// The embedded table of named character references against its file.
@Suite struct NamedReferenceTests {
    /// The lines without comments.
    private static let lines: [Substring] = String(decoding: PackageResources.named_references_txt, as: UTF8.self)
        .split(separator: "\n").filter { !$0.hasPrefix("#") }

    @Test func isSortedAndComplete() {
        #expect(Self.lines.count == 2231)
        let names = Self.lines.compactMap { $0.split(separator: " ").first.map { Array($0.utf8) } }
        #expect(zip(names, names.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test func findsEveryName() throws {
        for line in Self.lines {
            let words = line.split(separator: " ")
            let name = Array(try #require(words.first).utf8)
            let found = NamedReferences.longestMatch((name + [ASCII.space]).span, from: 0, end: name.count)
            let match = try #require(found)
            #expect(match.length == name.count)
            let scalars = [match.first] + (match.second.map { [$0] } ?? [])
            #expect(scalars == words.dropFirst().compactMap { UInt32($0, radix: 16) }, "\(line)")
        }
    }

    @Test(arguments: ["#", "zzz", "nbs", "0", ""])
    func findsNoOther(_ name: String) {
        let bytes = Array(name.utf8)
        let match = NamedReferences.longestMatch(bytes.span, from: 0, end: bytes.count)
        #expect(match == nil)
    }
}
