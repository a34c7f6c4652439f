import Foundation
import Glibc
import IMAP
import Ledger
import Logging
import Settings
import Store
import Testing
import YAMLSource

@testable import Ingest

/// A watched Maildir whose folders appear and disappear. The poll interval is an hour, so that no test depends on it.
@Suite struct MaildirLoopTests {
    private final class World {
        let folder: TemporaryFolder
        let book: Book
        let loop: MaildirLoop
        private let ended = DispatchSemaphore(value: 0)

        init(folders: [String]) throws {
            (folder, book) = (try TemporaryFolder(), try Book())
            let yaml = """
                database: x
                parsers: x
                mailboxes:
                  - { name: personal, maildir: \(folder.path)/above/Mail, folders: \(folders), poll: 1h, authentication: trust-delivery }
                """
            let settings = try Settings(YAMLFile(path: "test.yaml", bytes: Array(yaml.utf8)))
            loop = MaildirLoop(
                settings: try #require(settings.maildirs.first), context: try Sample.context(book))
        }

        func make(_ name: String = "") throws {
            for directory in ["new", "cur", "tmp"] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder.path)/above/Mail/\(name)/\(directory)", withIntermediateDirectories: true)
            }
        }

        func deliver(_ number: Int, to name: String = "") throws {
            let path = "\(folder.path)/above/Mail/\(name)"
            try Data(Sample.alert(number)).write(to: URL(filePath: "\(path)/tmp/\(number)"))
            rename("\(path)/tmp/\(number)", "\(path)/new/\(number)")
        }

        func start() {
            Thread { [loop, ended] in
                loop.run()
                ended.signal()
            }.start()
        }

        func stop() {
            loop.wake.stop()
            ended.wait()
        }

        /// - Returns: true if there are so many rows within half a minute.
        func has(_ count: Int) throws -> Bool {
            for _ in 0..<3000 {
                if try book.store.mails.latest(Set(Outcome.allCases), limit: 10).count == count { return true }
                usleep(10_000)
            }
            return false
        }
    }

    @Test func aMissingFolderDoesNotBlockOthers() throws {
        let world = try World(folders: ["INBOX", "Bank"])
        try world.make()
        try world.deliver(1)
        world.start()
        defer { world.stop() }
        #expect(try world.has(1))
        try world.make("Bank")
        try world.deliver(2, to: "Bank")
        world.loop.wake.wake()
        #expect(try world.has(2))
        try world.deliver(3, to: "Bank")
        #expect(try world.has(3), "reported")
    }

    /// The kernel watches the old folder, and reports nothing.
    @Test func aFolderAboveIsReplaced() throws {
        let world = try World(folders: ["INBOX"])
        try world.make()
        try world.deliver(1)
        world.start()
        defer { world.stop() }
        #expect(try world.has(1))
        rename(world.folder.path + "/above", world.folder.path + "/away")
        try world.make()
        try world.deliver(2)
        world.loop.wake.wake()
        #expect(try world.has(2))
        try world.deliver(3)
        #expect(try world.has(3), "reported")
    }
}
