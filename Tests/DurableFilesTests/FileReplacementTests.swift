import DurableFiles
import Foundation
import Glibc
import Testing

@Suite struct FileReplacementTests {
    /// A separate folder for each test.
    final class Folder {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "durable-files-\(UInt64.random(in: 0 ... .max))"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

        func mode(_ name: String) -> mode_t {
            var status = stat()
            return stat(path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : 0
        }

        func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }
    }

    @Test func createsAndReplaces() throws {
        let folder = try Folder()
        let file = FileReplacement(folder.path + "/a", mode: .exactly(0o640))
        try file.write(Array("one".utf8))
        try file.write(Array("second".utf8))
        #expect(try folder.text("a") == "second" && folder.mode("a") == 0o640)
        #expect(try folder.names() == ["a"])
        #expect(file.folder == folder.path)
    }

    @Test func permissions() throws {
        let folder = try Folder()
        try FileReplacement(folder.path + "/secret", mode: .exactly(0o600)).write([1])
        try FileReplacement(folder.path + "/new", mode: .newFile).write([1])
        try FileReplacement(folder.path + "/kept", mode: .kept).write([1])
        let usual = folder.mode("new")
        #expect(folder.mode("secret") == 0o600 && usual & 0o600 == 0o600 && folder.mode("kept") == usual)
        chmod(folder.path + "/kept", 0o604)
        try FileReplacement(folder.path + "/kept", mode: .kept).write([2])
        #expect(folder.mode("kept") == 0o604)
    }

    @Test func aSymbolicLinkStaysALink() throws {
        let folder = try Folder()
        try FileReplacement(folder.path + "/file", mode: .newFile).write([1])
        symlink("file", folder.path + "/link")
        try FileReplacement(folder.path + "/link", mode: .newFile).write(Array("through".utf8))
        #expect(try folder.text("file") == "through")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link") == "file")
    }

    @Test func aMissingFolderIsAnErrorOfCreation() throws {
        let folder = try Folder()
        let error = #expect(throws: FileWriteError.self) {
            try FileReplacement(folder.path + "/none/a", mode: .newFile).write([1])
        }
        #expect(error?.step == .create && error?.code == ENOENT && error?.description == "No such file or directory")
    }

    @Test func aFailedRenameLeavesNoTemporaryFile() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path + "/a", withIntermediateDirectories: false)
        let error = #expect(throws: FileWriteError.self) {
            try FileReplacement(folder.path + "/a", mode: .newFile).write([1])
        }
        #expect(error?.step == .rename && error?.code == EISDIR)
        #expect(try folder.names() == ["a"])
    }

    @Test func installsAFileOfAnotherProgram() throws {
        let folder = try Folder()
        let (part, file) = (FileReplacement.unusedPath(beside: folder.path + "/a", "part-"), folder.path + "/a")
        #expect(part.hasPrefix(file + ".part-") && part != FileReplacement.unusedPath(beside: file, "part-"))
        try FileReplacement(file, mode: .newFile).write(Array("old".utf8))
        try Data("new".utf8).write(to: URL(filePath: part))
        try FileReplacement.install(part, as: file)
        #expect(try folder.text("a") == "new" && folder.names() == ["a"])
        let missing = #expect(throws: FileWriteError.self) { try FileReplacement.install(part, as: file) }
        #expect(missing?.code == ENOENT)
        try FileManager.default.createDirectory(atPath: folder.path + "/b", withIntermediateDirectories: false)
        let refused = #expect(throws: FileWriteError.self) { try FileReplacement.install(file, as: folder.path + "/b") }
        #expect(try refused?.step == .rename && folder.text("a") == "new", "the file keeps its name")
    }

    @Test func aFullDiskIsReported() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let error = #expect(throws: FileWriteError.self) {
            try FileOutput.write([1, 2, 3], to: descriptor)
        }
        #expect(error?.step == .write && error?.code == ENOSPC)
    }
}
