import Foundation
import Testing

/// Paths and file names that the documents mention exist, so that a renamed file is renamed in them, too.
@Suite struct DocumentTests {
    static let package = RoomTests.package
    static let documents = ["CONTRIBUTING.md", "INTERNALS.md"]

    /// The texts in backticks of one line.
    static func quoted(_ text: some StringProtocol) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: package.appending(path: path), encoding: .utf8)
    }

    /// A bare `Name.swift` is a file anywhere in the package: names are unique.
    static func exists(_ name: String) -> Bool {
        name.contains("/")
            ? FileManager.default.fileExists(atPath: package.appending(path: name).path)
            : RoomTests.files.contains { $0.hasSuffix("/" + name) }
    }

    static func isPath(_ name: String) -> Bool {
        guard !name.contains(" "), !name.contains("<"), !name.contains("*") else { return false }
        let folders = ["Sources/", "Tests/", "parsers/", "config/", "man/", "scripts/", "systemd/", "demo-mailbox/"]
        return name.hasSuffix(".swift") || folders.contains { name.hasPrefix($0) }
    }

    @Test(arguments: documents) func pathsOfDocumentsExist(document: String) throws {
        for (index, line) in try Self.text(document).split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            for name in Self.quoted(line) where Self.isPath(name) {
                #expect(Self.exists(name), "\(document):\(index + 1): \(name) does not exist")
            }
        }
    }

    /// The README of a target names the imports of the ladder's row, and files of the target.
    @Test(arguments: LadderTests.ladder.keys.sorted()) func readmeAgreesWithTheLadder(target: String) throws {
        let row = try #require(LadderTests.ladder[target])
        let lines = try Self.text("Sources/\(target)/README.md").split(separator: "\n")
        let imports = try #require(
            lines.first { $0.hasPrefix("Imports: ") }, "\(target)/README.md: no 'Imports: ' line")
        #expect(Set(Self.quoted(imports)) == row.ours.union(row.outside), "Sources/\(target)/README.md")
        let start = try #require(
            lines.first { $0.hasPrefix("Start with ") }, "\(target)/README.md: no 'Start with ' line")
        for name in Self.quoted(start) {
            #expect(
                RoomTests.files.contains { $0.hasPrefix("Sources/\(target)/") && $0.hasSuffix("/" + name) },
                "Sources/\(target)/README.md: \(name) does not exist")
        }
    }
}
