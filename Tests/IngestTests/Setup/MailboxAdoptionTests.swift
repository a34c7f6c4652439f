import Access
import Chronology
import Foundation
import GRDB
import IMAP
import Logging
import Profiles
import Store
import Synchronization
import Testing

@testable import Ingest
@testable import Settings

/// The mail reader's part of a mailbox that is added on the page, without a server.
@Suite final class MailboxAdoptionTests {
    private final class Threads: MailboxThreads {
        struct Refusal: Error {}

        private let names = Mutex<[String]>([])
        let refuses: Bool
        init(refuses: Bool = false) { self.refuses = refuses }

        var running: [String] { names.withLock { $0 } }

        func start(_ mailbox: MailboxSettings) throws {
            if refuses { throw Refusal() }
            names.withLock { if !$0.contains(mailbox.name) { $0.append(mailbox.name) } }
        }

        /// The thread has ended at the second request.
        func stop(_ mailbox: String) -> Bool {
            names.withLock { names in
                let isRunning = names.contains(mailbox)
                names.removeAll { $0 == mailbox }
                return !isRunning
            }
        }
    }

    private static let secret = Array("quiet-otter-29-lamps".utf8)
    private let folder = NSTemporaryDirectory() + "adoption-" + UUID().uuidString
    private let store: Store
    private var place: AddedMailboxes { AddedMailboxes(folder: folder + "/state") }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try Store(path: folder + "/ledger.db")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func settings() throws -> Settings {
        try """
        database: ledger.db
        parsers: parsers
        mailboxes:
          - { name: configured, host: imap.example.com, user: a, password_file: p, authserv_id: mx.example.com }
        """.write(toFile: folder + "/spendwise.yaml", atomically: true, encoding: .utf8)
        return try Settings(path: folder + "/spendwise.yaml")
    }

    private func adoption() throws -> MailboxAdoption {
        try MailboxAdoption(
            place, settings: try settings(), store: store,
            profiles: ProfilesInForce(try ProfileSet(directories: [], samples: false)), logger: Logger(label: "test"))
    }

    /// Asks as the page does, and accepts.
    private func accepted(_ name: String = "personal", sealedFor host: String = "imap.example.com") throws -> Int64 {
        let key = try #require(try store.mailboxSetups.sealingKey().flatMap { SealingKey($0) })
        var server = MailboxSetup.Server(
            name: name, host: host, port: 993, tls: .implicit, user: "asha", authority: nil)
        let sealed = try #require(key.seal(Self.secret, for: server.context))
        server.host = "imap.example.com"
        let setup = MailboxSetup(
            server, address: "", folder: "INBOX", sinceDays: 90, sealedTo: key.text, sealed: sealed.text)
        let id = try store.mailboxSetups.ask(setup, at: .now)
        try store.mailboxSetups.tested(
            id,
            MailboxFinding(
                folder: "INBOX", folders: ["INBOX"], messages: 0, bankMails: 0, banks: [], proposals: [],
                proposed: nil))
        try store.mailboxSetups.accept(id, folder: "Bank", authservID: "mx.example.com", verifies: false, at: .now)
        return id
    }

    private struct Missing: Error {}

    @Test func anAcceptedMailboxIsWrittenAndStarted() throws {
        let (adoption, threads) = (try adoption(), Threads())
        let id = try accepted()
        adoption.pass(threads)
        #expect(threads.running == ["personal"])
        let setup = try #require(try store.mailboxSetups.find(id))
        #expect(setup.state == .used && setup.sealed == nil)
        let read = try place.read(beside: try settings()).mailboxes
        #expect(read.map(\.name) == ["personal"] && read[0].folders == ["Bank"])
        guard case .password(let source) = read[0].login else { throw Missing() }
        #expect(try source.read() == Self.secret)
        #expect(try store.mailboxSetups.added() == [AddedMailbox(read[0])])
        #expect(read[0].authentication == .authservID("mx.example.com"))
    }

    /// The next start has the same key, so what was sealed before opens.
    @Test func theKeyStays() throws {
        _ = try adoption()
        let id = try accepted()
        try adoption().pass(Threads())
        #expect(try store.mailboxSetups.find(id)?.state == .used)
    }

    @Test func aPasswordSealedForAnotherServerIsRefused() throws {
        let (adoption, threads) = (try adoption(), Threads())
        let id = try accepted(sealedFor: "imap.other.example")
        adoption.pass(threads)
        let setup = try #require(try store.mailboxSetups.find(id))
        #expect(setup.state == .refused && setup.fault == .sealed && setup.sealed == nil)
        #expect(threads.running.isEmpty && !FileManager.default.fileExists(atPath: place.path))
    }

    @Test func anotherKeyIsRefused() throws {
        _ = try adoption()
        let id = try accepted()
        try FileManager.default.removeItem(atPath: place.key.path)
        try adoption().pass(Threads())
        #expect(try store.mailboxSetups.find(id)?.fault == .sealed)
    }

    @Test func aNameOfTheConfigurationIsRefused() throws {
        let (adoption, threads) = (try adoption(), Threads())
        let id = try accepted("configured")
        adoption.pass(threads)
        #expect(try store.mailboxSetups.find(id)?.fault == .name)
        #expect(try place.read(beside: try settings()).mailboxes.isEmpty)
    }

    /// A crash after the files are written, before the ledger knows.
    @Test func theNextStartFinishesWhatACrashInterrupted() throws {
        let adoption = try adoption()
        let id = try accepted()
        let row = try #require(try store.mailboxSetups.find(id))
        adoption.pass(Threads())
        try DatabaseQueue(path: store.path).write { db in
            try db.execute(
                sql: "UPDATE mailbox_setups SET state = 'accepted', sealed = ? WHERE id = ?",
                arguments: [row.sealed, id])
            try db.execute(sql: "DELETE FROM added_mailboxes")
        }
        let threads = Threads()
        let loaded = place.load(beside: try settings(), into: store, logger: Logger(label: "test"))
        #expect(loaded.map(\.name) == ["personal"])
        for mailbox in loaded { try threads.start(mailbox) }
        try self.adoption().pass(threads)
        #expect(threads.running == ["personal"])
        #expect(try store.mailboxSetups.find(id)?.state == .used)
        #expect(try place.read(beside: try settings()).mailboxes.count == 1)
    }

    @Test func aMailboxThatCannotBeStartedLeavesNoFiles() throws {
        let adoption = try adoption()
        let id = try accepted()
        adoption.pass(Threads(refuses: true))
        #expect(try store.mailboxSetups.find(id)?.fault == .other)
        #expect(try place.read(beside: try settings()).mailboxes.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: place.folder + "/mailboxes/personal"))
    }

    @Test func aRemovalWaitsForTheThread() throws {
        let (adoption, threads) = (try adoption(), Threads())
        _ = try accepted()
        adoption.pass(threads)
        try store.mailboxSetups.requestRemoval(of: "personal", at: .now)
        adoption.pass(threads)
        #expect(try store.mailboxSetups.added().count == 1)
        adoption.pass(threads)
        #expect(try store.mailboxSetups.added().isEmpty)
        #expect(try place.read(beside: try settings()).mailboxes.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: place.folder + "/mailboxes/personal"))
    }

    /// The row of a mailbox that cannot be read says why.
    @Test func aProblemIsStoredWithItsMailbox() throws {
        let adoption = try adoption()
        _ = try accepted()
        adoption.pass(Threads())
        let text = try String(contentsOfFile: place.path, encoding: .utf8)
        try text.replacing("name: personal", with: "name: configured").replacing(
            "name: \"personal\"", with: "name: configured"
        )
        .write(toFile: place.path, atomically: true, encoding: .utf8)
        #expect(place.load(beside: try settings(), into: store, logger: Logger(label: "test")).isEmpty)
        let rows = try store.mailboxSetups.added()
        #expect(rows.map(\.name) == ["configured"])
        #expect(rows.allSatisfy { $0.problem?.contains("two mailboxes are named 'configured'") ?? false })
    }

    @Test func aServerThatRepeatsThePasswordIsNotQuoted() {
        let error = IMAPError(.loginDenied, retry: .afterReconfiguration, what: "NO quiet-otter-29-lamps is wrong")
        let secret = String(decoding: Self.secret, as: UTF8.self)
        #expect(!MailboxAdoption.words(of: error, without: ["lamp", secret]).contains("otter"))
        #expect(MailboxAdoption.words(of: error, without: ["other"]).contains("is wrong"))
    }
}
