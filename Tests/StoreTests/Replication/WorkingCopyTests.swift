import ChronologyFixture
import Ledger
import Synchronization
import Testing

@testable import Store

@Suite struct WorkingCopyTests {
    /// A primary in memory: the rows that its commits left, by table and key.
    private final class Mirror: LedgerPrimary {
        struct State {
            var rows: [String: [[LedgerValue]: [LedgerValue]]] = [:]
            var commits = 0
            var fault: PrimaryError?
            /// Called before a commit counts.
            var look: (@Sendable () -> Void)?
        }

        let state = Mutex(State())

        func commit(_ changes: LedgerChanges) throws(PrimaryError) {
            let (fault, look) = state.withLock { ($0.fault, $0.look) }
            if let fault { throw fault }
            look?()
            state.withLock { state in
                state.commits += 1
                for change in changes.tables {
                    var rows = state.rows[change.table.name] ?? [:]
                    for key in change.removed { #expect(rows.removeValue(forKey: key) != nil, "\(change.table.name)") }
                    for row in change.written {
                        let former = rows.updateValue(row, forKey: change.table.key.map { row[$0] })
                        #expect(former == nil, "\(change.table.name)")
                    }
                    state.rows[change.table.name] = rows
                }
            }
        }

        /// Begins with the rows of a ledger.
        func fill(from store: Store) throws {
            for (table, rows) in try WorkingCopyTests.rows(of: store) {
                state.withLock { $0.rows[table] = rows }
            }
        }
    }

    private static func rows(of store: Store) throws -> [String: [[LedgerValue]: [LedgerValue]]] {
        try store.read { store in
            var all: [String: [[LedgerValue]: [LedgerValue]]] = [:]
            for table in try store.tables() {
                try store.eachRow(of: table) { row in all[table.name, default: [:]][table.key.map { row[$0] }] = row }
            }
            return all
        }
    }

    private struct Copy {
        let folder = Folder()
        let mirror = Mirror()
        let store: Store
        let inbox = FolderKey(mailbox: "personal", folder: "INBOX")

        init() throws {
            try mirror.fill(from: Store(path: folder.path + "/empty.db"))
            let rows = mirror.state.withLock { $0.rows }
            try LedgerRowCopy.write(folder.database) { table, body in
                for row in (rows[table.name] ?? [:]).values { try body(row) }
            }
            store = try Store(
                path: folder.database, readOnly: false, primary: mirror, now: { 1_767_600_000 })
        }

        func expectMirrored() throws {
            let mirrored = mirror.state.withLock { $0.rows.filter { !$1.isEmpty } }
            #expect(try WorkingCopyTests.rows(of: store) == mirrored)
        }
    }

    @Test func thePrimaryHasEveryChange() throws {
        let copy = try Copy()
        try copy.expectMirrored()
        let first = try copy.store.recording.record(
            [
                mail(1, decision()), mail(2, decision(.review)), mail(3, decision(.ignored, nil)),
                mail(4, Decision(.unclaimed)),
            ],
            advancing: (copy.inbox, FolderCursor(uidValidity: 1, nextUID: 5)))
        try copy.expectMirrored()
        // Triggers count, links and cascades follow.
        let waiting = try #require(first[1].transactionID)
        #expect(try copy.store.review.accept(.transaction(waiting), group: "g"))
        try copy.expectMirrored()
        _ = try copy.store.journal.undo(group: "g")
        try copy.expectMirrored()
        try copy.store.writeDatabase { db in
            try PreparedStatement(db, "UPDATE processed_emails SET id = 'x' || id WHERE uid = 4").run { _ in }
            try PreparedStatement(db, "DELETE FROM main.processed_emails WHERE uid = 3").run { _ in }
        }
        try copy.expectMirrored()
        #expect(try copy.store.integrityDefects() == [])
    }

    @Test func thePrimaryCommitsFirst() throws {
        let copy = try Copy()
        let path = copy.folder.database
        copy.mirror.state.withLock {
            $0.look = {
                let count = try? Store(path: path, readOnly: true).readDatabase { db in
                    try PreparedStatement(db, "SELECT count(*) FROM processed_emails").first({ _ in }) { $0.int(0) }
                }
                #expect(count == 0)
            }
        }
        try copy.store.recording.record([mail(1, decision())])
        #expect(copy.mirror.state.withLock { $0.commits } == 1)
    }

    @Test func nothingChangedNeedsNoCommit() throws {
        let copy = try Copy()
        try copy.store.recording.record([])
        _ = try copy.store.mailboxes.cursor(of: copy.inbox)
        #expect(copy.mirror.state.withLock { $0.commits } == 0)
    }

    @Test func aFaultOfThePrimaryRollsBack() throws {
        let copy = try Copy()
        copy.mirror.state.withLock { $0.fault = PrimaryError(endsCopy: false, "no answer") }
        let error = #expect(throws: StoreError.self) { try copy.store.recording.record([mail(1, decision())]) }
        #expect(error?.message == "no answer")
        #expect(!copy.store.hasEnded)
        try copy.expectMirrored()
        copy.mirror.state.withLock { $0.fault = nil }
        #expect(try copy.store.recording.record([mail(1, decision())]).first?.isNew == true)
        try copy.expectMirrored()
    }

    @Test func anUncertainCommitEndsTheCopy() throws {
        let copy = try Copy()
        copy.mirror.state.withLock { $0.fault = PrimaryError(endsCopy: true, "lost") }
        #expect(throws: StoreError.self) { try copy.store.recording.record([mail(1, decision())]) }
        #expect(copy.store.hasEnded)
        copy.mirror.state.withLock { $0.fault = nil }
        let error = #expect(throws: StoreError.self) { try copy.store.recording.record([mail(2, decision())]) }
        #expect(error?.message.contains("the working copy has ended") == true)
        #expect(copy.mirror.state.withLock { $0.commits } == 0)
    }

    @Test func aTransactionOfSeveralCallsIsOneCommit() throws {
        let copy = try Copy()
        try copy.store.write { store in
            try store.recording.record([mail(1, decision())])
            try store.recording.record([mail(2, decision(.review))])
        }
        #expect(copy.mirror.state.withLock { $0.commits } == 1)
        try copy.expectMirrored()
    }

    @Test func numbersOfDeletedRowsAreNotUsedAgain() throws {
        let copy = try Copy()
        let insert = "INSERT INTO saved_searches (name, query, created_at) VALUES ('a', 'b', 'c')"
        try copy.store.writeDatabase { try PreparedStatement($0, insert).run { _ in } }
        try copy.expectMirrored()
        try copy.store.writeDatabase { try PreparedStatement($0, "DELETE FROM saved_searches").run { _ in } }
        let rows = copy.mirror.state.withLock { $0.rows }
        let path = copy.folder.path + "/next.db"
        try Store.write(path) { table, body in for row in (rows[table.name] ?? [:]).values { try body(row) } }
        let next = try Store(path: path)
        try next.writeDatabase { try PreparedStatement($0, insert).run { _ in } }
        let id = try next.readDatabase {
            try PreparedStatement($0, "SELECT id FROM saved_searches").first({ _ in }) { $0.int(0) }
        }
        #expect(id == 2)
    }

    @Test func aFileIsNeverReplacedAndNoPartIsLeft() throws {
        struct Stop: Error {}
        let folder = Folder()
        #expect(throws: Stop.self) { try Store.write(folder.database) { _, _ in throw Stop() } }
        #expect(folder.files == [])
        _ = try Store(path: folder.database)
        #expect(throws: StoreError.self) { try Store.write(folder.database) { _, _ in } }
        #expect(folder.files.contains("ledger.db"))
    }
}
