import Foundation
import Testing

/// A maintainer opens files by name and folders by topic. Two files of one name, or a folder too long to survey, defeat
/// that.
@Suite struct RoomTests {
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// Largest number of Swift files in one folder.
    static let largestFolder = 20

    /// Paths of all Swift files of the package, relative to its root.
    static let files: [String] = ["Sources", "Tests"].flatMap { top in
        FileManager.default.enumerator(atPath: package.appending(path: top).path)?.compactMap { path -> String? in
            guard let path = path as? String, path.hasSuffix(".swift") else { return nil }
            return "\(top)/\(path)"
        } ?? []
    }

    @Test func fileNamesAreUnique() {
        let byName = Dictionary(grouping: Self.files) { String($0.split(separator: "/").last ?? "") }
        #expect(!byName.isEmpty)
        for (name, paths) in byName where paths.count > 1 {
            Issue.record("\(name) occurs \(paths.count) times: \(paths.sorted().joined(separator: " "))")
        }
    }

    @Test func foldersAreSmall() {
        let byFolder = Dictionary(grouping: Self.files) { $0.split(separator: "/").dropLast().joined(separator: "/") }
        for (folder, files) in byFolder {
            #expect(files.count <= Self.largestFolder, "\(folder) holds \(files.count) Swift files; divide it by topic")
        }
    }
}
