import Chronology
import ChronologyFixture
import Store
import Synchronization
import Testing

@testable import Ingest

@Suite struct HealthTests {
    private static func notes() throws -> (Book, MailboxStates, HealthReporter) {
        let (book, states) = (try Book(), MailboxStates())
        return (book, states, HealthReporter(mailbox: "personal", probeSeconds: 240, store: book.store, states: states))
    }

    /// Every report in the database is a commit: only lasting changes are written.
    @Test func onlyLastingChangesAreWritten() throws {
        let (book, states, notes) = try Self.notes()
        func written() throws -> [String] {
            try book.store.mailboxes.health().map { "\($0.state) \($0.reason ?? "") \($0.attempts)" }
        }
        try notes.report(.connecting)
        #expect(try written() == ["connecting  0"])
        try notes.report(.reading, answered: true)
        #expect(try written() == ["connecting  0"] && states.all.map(\.state) == [.reading])
        try notes.report(.watching, answered: true)
        #expect(try written() == ["watching  0"])
        try notes.report(.reading, answered: true)
        try notes.report(.watching, "a folder is gone", answered: true)
        #expect(try written() == ["watching a folder is gone 0"])
        try notes.report(.waiting, "no line", attempts: 2, pause: 3.5)
        let row = try #require(try book.store.mailboxes.health().first)
        #expect(try written() == ["waiting no line 2"] && row.lastProbe != nil)
        #expect(row.nextAttempt.map { $0 - row.since } ?? 0 >= 4)
        try notes.report(.stopped)
        #expect(try book.store.mailboxes.health().map(\.due) == [nil])
    }

    /// A row that is written less often promises less.
    @Test func aRowPromisesTheTimeForWhichItIsFresh() throws {
        func row(fresh seconds: Int64) throws -> (isRewritten: Bool, promise: Int64) {
            let store = try Book().store
            let notes = HealthReporter(
                mailbox: "personal", probeSeconds: 240, freshSeconds: seconds, store: store, states: MailboxStates())
            try notes.report(.watching, answered: true)
            try notes.report(.watching, answered: true, newMail: true)
            let row = try #require(try store.mailboxes.health().first)
            return (row.lastMail != nil, try #require(row.due) - #require(row.lastProbe))
        }
        let (often, seldom) = (try row(fresh: 0), try row(fresh: 900))
        #expect(often.isRewritten && !seldom.isRewritten)
        #expect(seldom.promise == often.promise + 900)
    }

    @Test func theWatchdogIsNotifiedWhileEveryThreadIsInTime() throws {
        let (_, states, notes) = try Self.notes()
        try notes.report(.watching, answered: true)
        #expect(states.areAlive)
        states.set(MailboxHealth(mailbox: "family", state: .watching, since: 0), within: -2)
        #expect(!states.areAlive, "one that hangs is enough")
        states.set(MailboxHealth(mailbox: "family", state: .refused, since: 0), within: 960)
        #expect(states.areAlive, "an expected wait is not overdue")
        states.set(MailboxHealth(mailbox: "family", state: .stopped, since: 0), within: nil)
        #expect(states.areAlive)
    }

    /// Received bytes restart the time limit of a step, and are not written otherwise.
    @Test func receivedBytesExtendATimeLimit() throws {
        let time = Mutex<Int64>(1000)
        let states = MailboxStates { time.withLock { $0 } }
        let notes = HealthReporter(mailbox: "personal", probeSeconds: 240, store: try Book().store, states: states)
        try notes.report(.waiting, "no line", attempts: 2)
        try notes.report(.connecting)
        for _ in 0..<30 {
            time.withLock { $0 += 100 }
            #expect(states.areAlive)
            notes.heard()
        }
        #expect(states.all.map(\.state) == [.connecting] && states.all.first?.lastProbe != nil)
        time.withLock { $0 += 200 }
        #expect(!states.areAlive)
        notes.heard()
        #expect(states.areAlive)
    }

    private final class Wall: Sendable {
        let now = Atomic(SystemClock.realTime.seconds)
        let elapsed = Atomic(SystemClock.bootTime.seconds)

        var clock: ClockWatch {
            ClockWatch(
                now: { UnixTime(seconds: self.now.load(ordering: .relaxed)) },
                elapsed: { self.elapsed.load(ordering: .relaxed) })
        }

        func pass(_ seconds: Int64) {
            now.add(seconds, ordering: .relaxed)
            elapsed.add(seconds, ordering: .relaxed)
        }
    }

    /// The clock is set an hour forward, or three days back: nothing seems overdue, and nothing is in the future.
    @Test(arguments: [3600, -3 * 86_400] as [Int64]) func settingTheClockMovesAllTimes(jump: Int64) throws {
        let (book, states, wall) = (try Book(), MailboxStates(), Wall())
        let notes = HealthReporter(
            mailbox: "personal", probeSeconds: 240, store: book.store, states: states, clock: wall.clock)
        try notes.report(.watching, answered: true, newMail: true)
        wall.pass(30)
        let before = try #require(try book.store.mailboxes.health().first)
        notes.followClock()
        #expect(try book.store.mailboxes.health() == [before])
        wall.now.add(jump, ordering: .relaxed)
        let now = UnixTime(seconds: wall.now.load(ordering: .relaxed))
        #expect(before.isOverdue(at: now))
        notes.followClock()
        let after = try #require(try book.store.mailboxes.health().first)
        #expect(!after.isOverdue(at: now))
        #expect(after.lastProbe == now - 30 && after.lastMail == now - 30 && after.since == now - 30)
        #expect(after.due == before.due.map { $0 + jump } && states.all == [after])
        // Also if the mailbox's own thread is the first to detect it.
        wall.now.add(-jump, ordering: .relaxed)
        try notes.report(.reading, answered: true)
        #expect(try book.store.mailboxes.health().map(\.lastMail) == [before.lastMail])
    }

    @Test func aDatabaseThatCannotBeWrittenIsReported() throws {
        let (book, _, _) = try Self.notes()
        let readOnly = try Store(path: book.path, readOnly: true)
        let notes = HealthReporter(mailbox: "personal", probeSeconds: 240, store: readOnly, states: MailboxStates())
        #expect(throws: StoreError.self) { try notes.report(.connecting) }
    }
}
