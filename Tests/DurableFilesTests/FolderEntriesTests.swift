import DurableFiles
import Foundation
import Testing

@Suite struct FolderEntriesTests {
    @Test func namesInTheOrderOfTheirBytes() throws {
        let folder = NSTemporaryDirectory() + "folder-entries-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder + "/b", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(FolderEntries.names(folder + "/b") == [])
        for name in ["é", "a", ".hidden", "Z", String(repeating: "n", count: 255)] {
            #expect(FileManager.default.createFile(atPath: folder + "/" + name, contents: nil))
        }
        #expect(
            FolderEntries.names(folder) == [".hidden", "Z", "a", "b", String(repeating: "n", count: 255), "é"])
        for (path, reason) in [("/none", ENOENT), ("/a", ENOTDIR)] {
            let names = FolderEntries.names(folder + path)
            let code = errno
            #expect(names == nil && code == reason)
        }
    }

    @Test func linksOfAFolder() throws {
        let folder = NSTemporaryDirectory() + "links-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder + "/b", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(filePath: folder + "/a"))
        #expect(FolderEntries.links(folder) == [])
        for (name, target) in [("toFile", "a"), ("toFolder", "b"), ("toNothing", "c")] {
            try FileManager.default.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: target)
        }
        #expect(FolderEntries.links(folder).sorted() == ["toFile", "toFolder", "toNothing"])
        for path in ["/a", "/c"] { #expect(FolderEntries.links(folder + path) == []) }
    }
}
