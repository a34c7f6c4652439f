import Chronology
import Foundation
import IMAP
import Ledger
import Logging
import Profiles
import Settings
import Synchronization
import Testing
import YAMLSource

@testable import Ingest
@testable import Store
@testable import Upkeep

/// The mailboxes that are woken for retries and requested rescans.
@Suite final class PendingWorkTaskTests: Sendable {
    private struct Mailbox: MailboxWatcher {
        let name: String
        let folders = ["INBOX"]
        let wake = Wake()
        func runOnce() throws {}
        func followClock() {}
        func run() {}
    }

    private let clock = Mutex(UnixTime(seconds: 1_767_600_000))
    private let folder = FileManager.default.temporaryDirectory.appending(path: "pending-work-\(UUID().uuidString)")
    private let states = MailboxStates()
    private let mailboxes = [Mailbox(name: "one"), Mailbox(name: "two")]

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for mailbox in mailboxes { set(.watching, of: mailbox.name) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func set(_ state: MailboxHealth.State, of mailbox: String) {
        states.set(MailboxHealth(mailbox: mailbox, state: state, since: clock.withLock { $0 }), within: nil)
    }

    private func advance(_ seconds: Int64) { clock.withLock { $0 = $0 + seconds } }

    /// A ledger in which a mail of each mailbox failed at these seconds.
    private func ledger(_ failures: [String: Int64]) throws -> Store {
        let store = try Store(path: folder.appending(path: "ledger.db").path, readOnly: false) { [self] in
            clock.withLock { $0 }
        }
        for (mailbox, seconds) in failures.sorted(by: { $0.value < $1.value }) {
            let key = FolderKey(mailbox: mailbox, folder: "INBOX")
            try store.mailboxes.setCursor(FolderCursor(uidValidity: 1, nextUID: 9), of: key)
            advance(seconds)
            let location = MailLocation(mailbox: mailbox, folder: "INBOX", uidValidity: 1, uid: 1)
            _ = try store.recording.record([
                MailEntry(at: location, Decision(.failed(.notFetched("the server has no text for it")))) { _ in }
            ])
            advance(-seconds)
        }
        return store
    }

    private func job(_ store: Store) throws -> UpkeepJob {
        let yaml = "database: \(store.path)\nparsers: parsers\n"
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let context = UpkeepContext(
            store: store,
            settings: try Settings(
                YAMLFile(path: folder.appending(path: "spendwise.yaml").path, bytes: Array(yaml.utf8))),
            profiles: ProfilesInForce(try ProfileSet(directories: [], samples: false)),
            mailboxes: { [mailboxes] in mailboxes }, states: states, logger: logger
        ) { [] }
        return UpkeepJob(PendingWorkTask(context), logger: logger)
    }

    /// The names of the mailboxes that a run wakes.
    private func woken(_ job: UpkeepJob) -> [String] {
        job.run(isStopped: { false })
        return mailboxes.filter { $0.wake.consume() }.map(\.name)
    }

    private func secondsLeft(_ job: UpkeepJob) -> Double? { job.nextDue.map { $0.remaining / .seconds(1) } }

    @Test func aMailboxIsWokenWhenItsRetryIsDue() throws {
        let job = try job(ledger(["one": 0, "two": 20]))
        #expect(woken(job) == [])
        // A minute after the failure.
        let first = try #require(secondsLeft(job))
        #expect((50...60).contains(first))
        advance(60)
        #expect(woken(job) == ["one"])
        let second = try #require(secondsLeft(job))
        #expect((10...20).contains(second))
        // Not again while the mailbox is at it.
        advance(20)
        #expect(woken(job) == ["two"])
        #expect(woken(job) == [])
        let pause = try #require(secondsLeft(job))
        #expect((50...60).contains(pause))
    }

    @Test func withoutFailedMailsNothingIsDue() throws {
        let job = try job(ledger([:]))
        #expect(woken(job) == [] && job.nextDue == nil)
    }

    /// A wake would end the pause after a fault.
    @Test(arguments: MailboxHealth.State.allCases) func aMailboxThatIsNotReadIsNotWoken(
        state: MailboxHealth.State
    ) throws {
        let job = try job(ledger(["one": 0]))
        advance(60)
        set(state, of: "one")
        #expect(woken(job) == ([.watching, .reading].contains(state) ? ["one"] : []))
        set(.watching, of: "one")
        #expect(woken(job) == ([.watching, .reading].contains(state) ? [] : ["one"]))
    }

    @Test func aRequestWakesItsMailboxOnce() throws {
        let store = try ledger([:])
        let job = try job(store)
        try store.rescans.request(of: FolderKey(mailbox: "two", folder: "INBOX"), bank: nil, since: nil)
        #expect(woken(job) == ["two"])
        #expect(woken(job) == [])
        try store.rescans.request(of: FolderKey(mailbox: "two", folder: "INBOX"), bank: "hdfc", since: nil)
        #expect(woken(job) == ["two"])
    }

    /// The rows of a mailbox that the settings no longer name stay in the ledger.
    @Test func aMailboxThatIsNotReadHereIsNotWaitedFor() throws {
        let job = try job(ledger(["former": 0]))
        #expect(woken(job) == [])
        #expect(job.nextDue != nil)
        advance(60)
        #expect(woken(job) == [] && job.nextDue == nil)
    }

    @Test func aLedgerThatCannotBeReadIsReadAgain() throws {
        let store = try ledger(["one": 0])
        let job = try job(store)
        try store.writeDatabase { try PreparedStatement($0, "DROP INDEX processed_emails_due").run { _ in } }
        #expect(woken(job) == [])
        let left = try #require(secondsLeft(job))
        #expect((50...60).contains(left))
    }
}
