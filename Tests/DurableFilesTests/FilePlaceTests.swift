import Foundation
import Testing

@testable import DurableFiles

@Suite struct FilePlaceTests {
    @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b", "a"), ("/a/", "/a"), ("", ".")])
    func theFolderOfAPath(path: String, folder: String) { #expect(FilePlace.folder(of: path) == folder) }

    @Test func theTargetOfALink() throws {
        let folder = try #require(FilePlace.target(of: NSTemporaryDirectory())) + "/place-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(filePath: folder + "/file"))
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "file")
        #expect(FilePlace.target(of: folder + "/link") == folder + "/file")
        #expect(FilePlace.target(of: folder + "/gone") == nil)
    }
}
