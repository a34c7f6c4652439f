import Foundation
import Processes
import Testing

@testable import Settings

@Suite struct InstalledFilesTests {
    @Test(arguments: [
        ("/usr/bin/spendwised", "/usr/share/spendwise"),
        ("/usr/local/bin/parserctl", "/usr/local/share/spendwise"),
        ("/usr/local/bin/spendwised (deleted)", "/usr/local/share/spendwise"),
        ("/opt/spend wise/bin/spendwised", "/opt/spend wise/share/spendwise"),
        ("/bin/spendwised", "/share/spendwise"),
        ("/home/asha/spendwise/.build/release/spendwised", "/usr/share/spendwise"),
        ("", "/usr/share/spendwise"),
    ])
    func sharedFolderBelongsToThePrefix(program: String, folder: String) {
        #expect(InstalledFiles.shared(forProgram: program) == folder)
    }

    @Test(arguments: [
        ("/usr/bin/spendwised", "/usr/libexec/spendwise/reader"),
        ("/usr/local/bin/parserctl (deleted)", "/usr/local/libexec/spendwise/reader"),
        ("/opt/spend wise/bin/spendwised", "/opt/spend wise/libexec/spendwise/reader"),
        ("/bin/spendwised", "/libexec/spendwise/reader"),
        ("/home/asha/spendwise/.build/release/spendwised", "/home/asha/spendwise/.build/release/reader"),
        ("", "/reader"),
    ])
    func readersBelongToThePrefix(program: String, path: String) {
        #expect(InstalledFiles.reader(named: "reader", forProgram: program) == path)
    }

    @Test func programIsTheRunningExecutable() {
        #expect(InstalledFiles.program.hasPrefix("/"))
    }

    /// The program, the units and the man pages name the same file, whatever SYSCONFDIR is.
    @Test(arguments: [("/etc", "/usr"), ("/opt/etc", "/opt/spendwise")])
    func installedConfigurationIsRead(folder: String, prefix: String) throws {
        let root = NSTemporaryDirectory() + "installed-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: root) }
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        // Another program takes the place of all, which need not have been built here.
        let programs = ["spendwised", "parserctl", "spendwise-pdf"].map { root + "/" + $0 }
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        for path in programs { try FileManager.default.copyItem(atPath: "/bin/true", toPath: path) }
        let arguments = [
            "make", "-s", "-C", source, "install", "DESTDIR=\(root)", "PREFIX=\(prefix)", "SYSCONFDIR=\(folder)",
            "BUILT=\(root)",
        ]
        _ = try ChildProcess(
            "/usr/bin/make", arguments: arguments, inheritsEnvironment: true, seconds: 120, outputBytes: 1 << 20
        ).run()
        let file = folder + "/spendwise/spendwise.yaml"
        #expect(InstalledFiles.configuration(inShared: root + prefix + "/share/spendwise") == file)
        #expect(FileManager.default.fileExists(atPath: root + file))
        for path in ["bin/spendwised", "bin/parserctl", "libexec/spendwise/spendwise-pdf"] {
            #expect(FileManager.default.isExecutableFile(atPath: "\(root)\(prefix)/\(path)"), "\(path)")
        }
        for page in [
            "share/man/man8/spendwised.8", "lib/systemd/system/spendwise-ingest.service",
            "lib/systemd/system/spendwise-web.service",
        ] {
            let text = try String(contentsOfFile: "\(root)\(prefix)/\(page)", encoding: .utf8)
            #expect(text.contains(file), "\(page)")
            #expect(folder == "/etc" || !text.contains(" /etc/spendwise"), "\(page)")
        }
        let folders = try String(contentsOfFile: "\(root)\(prefix)/lib/tmpfiles.d/spendwise.conf", encoding: .utf8)
        #expect(folders.contains("\(folder)/spendwise/credentials"))
    }

    @Test func configurationWithoutAnInstallation() {
        #expect(InstalledFiles.configuration(inShared: "/nonexistent") == "/etc/spendwise/spendwise.yaml")
    }
}
