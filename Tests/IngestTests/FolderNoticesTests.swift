import DurableFiles
import Glibc
import Testing

@testable import Ingest

/// Notices of the kernel about a folder.
@Suite struct FolderNoticesTests {
    private final class Folder {
        let path: String

        init() throws {
            var template = Array("/tmp/spendwise-notices-XXXXXX".utf8CString)
            path = try #require(
                template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } })
            for name in ["tmp", "new"] { mkdir(path + "/" + name, 0o700) }
        }

        deinit {
            for folder in ["tmp", "new", "moved"] {
                for name in FolderEntries.names("\(path)/\(folder)") ?? [] { unlink("\(path)/\(folder)/\(name)") }
                rmdir("\(path)/\(folder)")
            }
            rmdir(path)
        }

        func write(_ name: String) {
            let descriptor = open("\(path)/\(name)", O_CREAT | O_WRONLY, 0o600)
            _ = Glibc.write(descriptor, "x", 1)
            close(descriptor)
        }
    }

    @Test func deliveriesAreDetected() throws {
        let folder = try Folder()
        let notices = try #require(FolderNotices())
        try #require(notices.watch(folder.path + "/new", as: 4))
        #expect(notices.read() == [])
        folder.write("tmp/1")
        rename(folder.path + "/tmp/1", folder.path + "/new/1")
        #expect(notices.read() == [.file(folder: 4, name: "1")])
        folder.write("tmp/2")
        link(folder.path + "/tmp/2", folder.path + "/new/2")
        #expect(notices.read() == [.begun(folder: 4, name: "2")])
        folder.write("new/3")
        #expect(notices.read() == [.begun(folder: 4, name: "3"), .file(folder: 4, name: "3")])
        rename(folder.path + "/new/3", folder.path + "/new/3:2,S")
        #expect(notices.read() == [.file(folder: 4, name: "3:2,S")])
        unlink(folder.path + "/new/3:2,S")
        mkdir(folder.path + "/new/sub", 0o700)
        rmdir(folder.path + "/new/sub")
        #expect(notices.read() == [])
    }

    @Test func missingFolderIsDetected() throws {
        let folder = try Folder()
        let notices = try #require(FolderNotices())
        #expect(!notices.watch(folder.path + "/nothing", as: 0))
        try #require(notices.watch(folder.path + "/new", as: 0))
        rename(folder.path + "/new", folder.path + "/moved")
        #expect(notices.read().contains(.gone))
    }

    @Test func fileKeepsItsNumberWhenItsFlagsChange() {
        let id = MaildirFolder.File.id(ofName: "1767600000.M1P2.host,S=312")
        #expect(MaildirFolder.File.id(ofName: "1767600000.M1P2.host,S=312:2,FS") == id)
        #expect(MaildirFolder.File.id(ofName: "1767600000.M1P3.host,S=312") != id)
        let file = MaildirFolder.File(directory: "/x", name: "1767600000.M1P2.host,S=312:2,")
        #expect(file.map { MaildirFolder.File.id($0.place) } == id)
        #expect(MaildirFolder.File(directory: "/x", name: ".hidden") == nil)
    }
}
