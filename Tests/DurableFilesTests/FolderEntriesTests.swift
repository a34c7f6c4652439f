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
}
