import ChronologyFixture
import GRDB
import Ledger
import Synchronization
import Testing

@testable import Store

@Suite struct WorkingCopyTests {
    /// A primary in memory: the rows that its commits left, by table and key.
    private final class Mirror: LedgerPrimary {
        struct State {
            var rows: [String: [[LedgerValue]: [LedgerValue]]] = [:]
            /// The keys of the commits of all copies.
            var log: [[(table: String, keys: [[LedgerValue]])]] = []
            /// Of this mirror's own copy.
            var commits = 0
            var fault: PrimaryError?
            /// Called before a commit counts.
            var look: (@Sendable () -> Void)?
        }

        /// Shared with the mirrors of other copies.
        final class Shared: Sendable { let state = Mutex(State()) }

        let shared: Shared
        private let known: Atomic<Int64>

        init(beside other: Mirror? = nil) {
            shared = other?.shared ?? Shared()
            known = Atomic(other?.version ?? 0)
        }

        var version: Int64 { known.load(ordering: .acquiring) }

        func commit(_ changes: LedgerChanges) throws(PrimaryError) {
            let (fault, look, newest) = shared.state.withLock { ($0.fault, $0.look, $0.log.count) }
            if let fault { throw fault }
            guard newest == version else { throw PrimaryError(.isBehind, "behind") }
            look?()
            shared.state.withLock { state in
                state.commits += 1
                state.log.append(
                    changes.tables.map { change in
                        (
                            change.table.name,
                            change.removed + change.written.map { row in change.table.key.map { row[$0] } }
                        )
                    })
                known.store(Int64(state.log.count), ordering: .releasing)
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

        func confirm() throws(PrimaryError) {}

        func catchUp(
            in tables: [String: LedgerTable], _ apply: (LedgerChanges.TableChanges) throws -> Void
        ) throws {
            let (rows, log) = shared.state.withLock { ($0.rows, $0.log) }
            var keys: [String: Set<[LedgerValue]>] = [:]
            for (table, changed) in log.dropFirst(Int(version)).joined() { keys[table, default: []].formUnion(changed) }
            for table in tables.values.sorted(by: { $1.name == LedgerTable.sequences.name && $0.name != $1.name }) {
                guard let keys = keys[table.name] else { continue }
                var change = LedgerChanges.TableChanges(table: table)
                change.removed = Array(keys)
                change.written = keys.compactMap { rows[table.name]?[$0] }
                try apply(change)
            }
            known.store(Int64(log.count), ordering: .releasing)
        }

        /// Begins with the rows of a ledger.
        func fill(from store: Store) throws {
            for (table, rows) in try WorkingCopyTests.rows(of: store) {
                shared.state.withLock { $0.rows[table] = rows }
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
        let mirror: Mirror
        let store: Store
        let inbox = FolderKey(mailbox: "personal", folder: "INBOX")

        /// - Parameter other: another copy of the same rows.
        init(beside other: Copy? = nil) throws {
            mirror = Mirror(beside: other?.mirror)
            if other == nil { try mirror.fill(from: Store(path: folder.path + "/empty.db")) }
            let rows = mirror.shared.state.withLock { $0.rows }
            try LedgerRowCopy.write(folder.database, isCopy: true) { table, body in
                for row in (rows[table.name] ?? [:]).values { try body(row) }
            }
            store = try Store(
                path: folder.database, readOnly: false, primary: mirror, now: { 1_767_600_000 })
        }

        func expectMirrored() throws {
            let mirrored = mirror.shared.state.withLock { $0.rows.filter { !$1.isEmpty } }
            #expect(try WorkingCopyTests.rows(of: store) == mirrored)
        }
    }

    @Test func aCopyHasTheTablesOfALedger() throws {
        func tables(_ store: Store) throws -> [String] {
            try store.readDatabase { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema
                        UNION ALL SELECT 'page size ' || page_size FROM pragma_page_size
                        UNION ALL SELECT 'application ' || application_id FROM pragma_application_id
                        UNION ALL SELECT 'migration ' || identifier FROM grdb_migrations ORDER BY 1
                        """)
            }
        }
        let folder = Folder()
        let ledger = try Store(path: folder.path + "/ledger.db")
        #expect(try tables(Copy().store) == tables(ledger))
    }

    @Test func aCopyHasNoRowsButThoseOfThePrimary() throws {
        let folder = Folder()
        try LedgerRowCopy.write(folder.database, isCopy: true) { _, _ in }
        #expect(try WorkingCopyTests.rows(of: Store(path: folder.database)).isEmpty)
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
        copy.mirror.shared.state.withLock {
            $0.look = {
                let count = try? Store(path: path, readOnly: true).readDatabase { db in
                    try PreparedStatement(db, "SELECT count(*) FROM processed_emails").first({ _ in }) { $0.int(0) }
                }
                #expect(count == 0)
            }
        }
        try copy.store.recording.record([mail(1, decision())])
        #expect(copy.mirror.shared.state.withLock { $0.commits } == 1)
    }

    @Test func nothingChangedNeedsNoCommit() throws {
        let copy = try Copy()
        try copy.store.recording.record([])
        _ = try copy.store.mailboxes.cursor(of: copy.inbox)
        #expect(copy.mirror.shared.state.withLock { $0.commits } == 0)
    }

    @Test func aFaultOfThePrimaryRollsBack() throws {
        let copy = try Copy()
        copy.mirror.shared.state.withLock { $0.fault = PrimaryError(.nothing, "no answer") }
        let error = #expect(throws: StoreError.self) { try copy.store.recording.record([mail(1, decision())]) }
        #expect(error?.message == "no answer")
        #expect(!copy.store.hasEnded)
        try copy.expectMirrored()
        copy.mirror.shared.state.withLock { $0.fault = nil }
        #expect(try copy.store.recording.record([mail(1, decision())]).first?.isNew == true)
        try copy.expectMirrored()
    }

    @Test func anUncertainCommitEndsTheCopy() throws {
        let copy = try Copy()
        copy.mirror.shared.state.withLock { $0.fault = PrimaryError(.ended, "lost") }
        #expect(throws: StoreError.self) { try copy.store.recording.record([mail(1, decision())]) }
        #expect(copy.store.hasEnded)
        copy.mirror.shared.state.withLock { $0.fault = nil }
        let error = #expect(throws: StoreError.self) { try copy.store.recording.record([mail(2, decision())]) }
        #expect(error?.message.contains("the working copy has ended") == true)
        #expect(copy.mirror.shared.state.withLock { $0.commits } == 0)
    }

    @Test func aTransactionOfSeveralCallsIsOneCommit() throws {
        let copy = try Copy()
        try copy.store.write { store in
            try store.recording.record([mail(1, decision())])
            try store.recording.record([mail(2, decision(.review))])
        }
        #expect(copy.mirror.shared.state.withLock { $0.commits } == 1)
        try copy.expectMirrored()
    }

    @Test func numbersOfDeletedRowsAreNotUsedAgain() throws {
        let copy = try Copy()
        let insert = "INSERT INTO saved_searches (name, query, created_at) VALUES ('a', 'b', 'c')"
        try copy.store.writeDatabase { try PreparedStatement($0, insert).run { _ in } }
        try copy.expectMirrored()
        try copy.store.writeDatabase { try PreparedStatement($0, "DELETE FROM saved_searches").run { _ in } }
        let rows = copy.mirror.shared.state.withLock { $0.rows }
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

    @Test func whatAnotherCopyWroteArrivesWithoutTriggersAndCascades() throws {
        let copy = try Copy()
        let other = try Copy(beside: copy)
        let first = try copy.store.recording.record([mail(1, decision()), mail(2, decision(.review))])
        #expect(try other.store.catchUp(to: 1))
        try other.expectMirrored()
        // Nothing is new.
        #expect(try !other.store.catchUp(to: 1))
        // The counters of triggers come once, and a changed parent keeps its children and its place.
        let waiting = try #require(first[1].transactionID)
        #expect(try other.store.review.accept(.transaction(waiting), group: "g"))
        #expect(try copy.store.catchUp(to: 2))
        try copy.expectMirrored()
        #expect(try copy.store.integrityDefects() == [])
        try copy.store.writeDatabase { db in
            try PreparedStatement(db, "DELETE FROM main.processed_emails WHERE uid = 1").run { _ in }
        }
        #expect(try other.store.catchUp(to: 3))
        try other.expectMirrored()
        // Triggers and foreign keys are in force for the copy's own writes.
        try other.store.recording.record([mail(3, decision())])
        try other.expectMirrored()
        #expect(try other.store.integrityDefects() == [])
    }

    @Test func aTransactionThatCameTooLateRunsAgainOnTheNewState() throws {
        let copy = try Copy()
        let other = try Copy(beside: copy)
        try copy.store.recording.record([mail(1, decision())])
        var runs = 0
        let known = try other.store.write { store in
            runs += 1
            return try store.recording.record([mail(1, decision()), mail(2, decision())]).map(\.isNew)
        }
        #expect(runs == 2)
        #expect(known == [false, true])
        #expect(!other.store.hasEnded)
        try other.expectMirrored()
        #expect(try copy.store.catchUp(to: 2))
        try copy.expectMirrored()
    }

    @Test func aCopyThatDoesNotFitEnds() throws {
        let copy = try Copy()
        let other = try Copy(beside: copy)
        try copy.store.recording.record([mail(1, decision())])
        // A row of the file that the primary does not know has the name of the one that comes.
        try other.store.writer.write { db in
            try PreparedStatement(
                db, "INSERT INTO saved_searches (id, name, query, created_at) VALUES (7, 'a', 'b', 'c')"
            ).run { _ in }
        }
        try copy.store.writeDatabase {
            try PreparedStatement($0, "INSERT INTO saved_searches (name, query, created_at) VALUES ('a', 'x', 'y')").run
            { _ in }
        }
        #expect(throws: StoreError.self) { try other.store.catchUp(to: 2) }
        #expect(other.store.hasEnded)
    }
}
