import PostgreSQL
public import Store
import Synchronization

/// Commits what a working copy of a household writes, if its writer may and the copy is of the newest version, and
/// passes on what other copies committed.
public final class HouseholdPrimary: LedgerPrimary {
    /// SQLSTATE of `fleet.begin_commit` for a lease that has ended.
    static let leaseEnded = "SWF01"
    /// SQLSTATE for a copy that misses commits of others.
    static let isBehind = "SWF02"
    /// SQLSTATE of `fleet.begin_edit` for a household that is gone, or of an earlier version after a restore.
    static let householdGone = "SWF03"

    private let database: FleetDatabase
    private let writer: HouseholdWriter
    /// Names this copy's commits.
    private let number = Int64.random(in: 1 ... .max)
    /// SQLite admits one write transaction at a time, and only those change it.
    private let known: Mutex<CommitMark>

    /// The newest commit that the copy contains.
    public var mark: CommitMark { known.withLock { $0 } }
    public var version: Int64 { mark.version }

    init(_ database: FleetDatabase, _ writer: HouseholdWriter, _ mark: CommitMark) {
        (self.database, self.writer) = (database, writer)
        known = Mutex(mark)
    }

    public func commit(_ changes: LedgerChanges) throws(PrimaryError) {
        let mark = mark
        let next = mark.version + 1
        let statements =
            [writer.beginning(on: mark, by: number)] + Self.statements(changes)
            + ChangeLog.addition(changes, version: next, writer: number)
        do throws(Fault) { try send(statements) } catch {
            guard case .uncertain(let reason) = error else { throw error.primary }
            // The connection was lost. Another one knows whether the commit was made.
            if try !isCommitted(next, after: reason) { try again(statements, next) }
        }
        known.withLock { $0 = CommitMark(version: next, writer: number) }
    }

    private static func statements(_ changes: LedgerChanges) -> [PostgresStatement] {
        // Foreign keys are checked at the end, so the order of the tables does not matter.
        changes.tables.flatMap { change in
            let writes = TableWrites(table: change.table)
            return writes.deletions(change.removed) + writes.insertions(change.written)
        }
    }

    private enum Fault: Error {
        /// The connection was lost while the server may have committed.
        case uncertain(PostgresError)
        /// The server has written nothing.
        case refused(any Error)

        var primary: PrimaryError {
            switch self {
            case .uncertain(let reason): PrimaryError(.ended, "\(reason)")
            case .refused(let error): PrimaryError(error)
            }
        }
    }

    private func send(_ statements: [PostgresStatement]) throws(Fault) {
        do {
            try database.withConnection { connection in
                do throws(PostgresError) { try connection.commit(statements) } catch {
                    throw error.isConnectionLost ? Fault.uncertain(error) : Fault.refused(error)
                }
            }
        } catch let fault as Fault { throw fault } catch { throw .refused(error) }
    }

    /// The second attempt, after which nothing is known if the connection is lost again.
    private func again(_ statements: [PostgresStatement], _ next: Int64) throws(PrimaryError) {
        do throws(Fault) { try send(statements) } catch {
            let fault = error.primary
            // The first attempt may have arrived after all, before this one.
            guard fault.effect == .isBehind, try isCommitted(next, after: fault) else { throw fault }
        }
    }

    /// Waits for a transaction of the lost connection, which holds the lease's row, and looks for its commit. If that
    /// transaction begins later, the version refuses it or the next attempt.
    private func isCommitted(_ next: Int64, after lost: any Error) throws(PrimaryError) -> Bool {
        do {
            database.closeIdle()
            return try database.withConnection { connection in
                try connection.transaction {
                    try connection.name(household: writer.household)
                    let version = try connection.run(
                        "SELECT version FROM fleet.leases WHERE household_id = $1 FOR UPDATE",
                        [.bigint(writer.household)]
                    ) { $0.bigint(0) }
                    guard let version = version.first ?? nil else { throw PrimaryError.householdGone }
                    if version < next { return false }
                    guard let found = try ChangeLog.writer(of: next, connection) else {
                        throw PrimaryError(.ended, "\(lost)")
                    }
                    return found == number
                }
            }
        } catch let error as PrimaryError { throw error } catch { throw PrimaryError(.ended, "\(lost)") }
    }

    public func confirm() throws(PrimaryError) {
        guard case .worker(let lease) = writer else { return }
        let found: [Int64?]
        do {
            found = try database.withConnection { connection in
                try connection.run(
                    """
                    SELECT household_id FROM fleet.leases l JOIN fleet.workers w ON w.id = l.worker_id
                    WHERE household_id = $1 AND worker_id = $2 AND fence = $3 AND fleet.is_live(w.seen_at)
                    """, lease.values
                ) { $0.bigint(0) }
            }
        } catch { throw PrimaryError(error) }
        if found.isEmpty { throw .leaseEnded }
    }

    public func catchUp(
        in tables: [String: LedgerTable], _ apply: (LedgerChanges.TableChanges) throws -> Void
    ) throws {
        do {
            let newest = try database.withConnection { connection in
                try connection.transaction(PostgresConnection.snapshot) {
                    try connection.name(household: writer.household)
                    return try pass(to: apply, tables, connection)
                }
            }
            known.withLock { $0 = newest }
        } catch let error as PostgresError { throw PrimaryError(error) }
    }

    /// - Returns: the newest commit of the snapshot.
    private func pass(
        to apply: (LedgerChanges.TableChanges) throws -> Void, _ tables: [String: LedgerTable],
        _ connection: PostgresConnection
    ) throws -> CommitMark {
        let found = try connection.run(
            "SELECT \(CommitMark.columns) FROM fleet.leases l WHERE household_id = $1", [.bigint(writer.household)]
        ) { CommitMark($0, at: 0) }
        let mark = mark
        guard let newest = found.first ?? nil, mark.isContinued(by: newest) else {
            throw PrimaryError.householdGone
        }
        guard newest != mark else { return newest }
        let changed = try ChangeLog.changes(after: mark, until: newest.version, connection)
        // The sequences last: an insertion into another table changes them.
        let sequences = LedgerTable.sequences.name
        for (name, keys) in changed.tables.sorted(by: { $0.key != sequences && $1.key == sequences }) {
            guard let table = tables[name] else {
                throw PrimaryError(.ended, "the change log names a table of another version of the program")
            }
            try pass(to: apply, Array(keys), of: table, connection)
        }
        return newest
    }

    private func pass(
        to apply: (LedgerChanges.TableChanges) throws -> Void, _ keys: [[LedgerValue]], of table: LedgerTable,
        _ connection: PostgresConnection
    ) throws {
        var change = LedgerChanges.TableChanges(table: table)
        change.removed = keys
        try apply(change)
        change.removed = []
        let writes = TableWrites(table: table)
        for statement in writes.selections(keys) {
            change.written = try connection.run(statement.sql, statement.values, writes.row)
            try apply(change)
        }
    }
}

extension PrimaryError {
    static let leaseEnded = PrimaryError(
        .ended, "the lease of the household has ended; its mailboxes are read by the worker that holds it now")
    fileprivate static let householdGone = PrimaryError(.ended, "the household was removed or restored")

    /// A fault after which the server has written nothing.
    fileprivate init(_ error: any Error) {
        switch (error as? PostgresError)?.state {
        case HouseholdPrimary.leaseEnded: self = .leaseEnded
        case HouseholdPrimary.isBehind: self.init(.isBehind, "others have committed to the household: try again")
        case HouseholdPrimary.householdGone: self = .householdGone
        default: self.init(.nothing, "PostgreSQL: \(error)")
        }
    }
}
