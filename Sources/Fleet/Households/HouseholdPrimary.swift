import PostgreSQL
import Store
import Synchronization

/// Commits what a leased household's working copy writes, if the lease is still held and the copy is of the newest
/// version.
final class HouseholdPrimary: LedgerPrimary {
    /// SQLSTATE of `fleet.begin_commit` for a lease that has ended.
    static let leaseEnded = "SWF01"

    private let database: FleetDatabase
    private let lease: Lease
    /// The number of commits that the copy contains.
    private let version: Mutex<Int64>

    init(_ database: FleetDatabase, _ lease: Lease, version: Int64) {
        (self.database, self.lease) = (database, lease)
        self.version = Mutex(version)
    }

    func commit(_ changes: LedgerChanges) throws(PrimaryError) {
        try version.withLock { version throws(PrimaryError) in
            let statements = [lease.beginning(of: version)] + Self.statements(changes)
            do { try send(statements) } catch let error as UncertainCommit {
                // The connection was lost. Another one knows whether the commit was made.
                if try !isCommitted(version, after: error) { try once(statements) }
            } catch { throw PrimaryError(error) }
            version += 1
        }
    }

    private static func statements(_ changes: LedgerChanges) -> [PostgresStatement] {
        // Foreign keys are checked at the end, so the order of the tables does not matter.
        changes.tables.flatMap { change in
            let writes = TableWrites(table: change.table)
            return writes.deletions(change.removed) + writes.insertions(change.written)
        }
    }

    /// The connection was lost while the server may have committed.
    private struct UncertainCommit: Error { let reason: PostgresError }

    private func send(_ statements: [PostgresStatement]) throws {
        try database.withConnection { connection in
            do throws(PostgresError) { try connection.commit(statements) } catch {
                throw error.isConnectionLost ? UncertainCommit(reason: error) : error
            }
        }
    }

    /// The second attempt, after which nothing is known if the connection is lost again.
    private func once(_ statements: [PostgresStatement]) throws(PrimaryError) {
        do { try send(statements) } catch let error as UncertainCommit {
            throw PrimaryError(endsCopy: true, "\(error.reason)")
        } catch { throw PrimaryError(error) }
    }

    /// Waits for a transaction of the lost connection, which holds the lease's row, and compares the version. If that
    /// transaction begins later, the version refuses it.
    private func isCommitted(_ version: Int64, after lost: UncertainCommit) throws(PrimaryError) -> Bool {
        let found: Int64?
        do {
            database.closeIdle()
            found = try database.withConnection { connection in
                try connection.run(
                    """
                    SELECT version FROM fleet.leases
                    WHERE household_id = $1 AND worker_id = $2 AND fence = $3 FOR UPDATE
                    """, lease.values
                ) { $0.bigint(0) }.first ?? nil
            }
        } catch { throw PrimaryError(endsCopy: true, "\(lost.reason)") }
        guard let found, found == version || found == version + 1 else { throw .leaseEnded }
        return found > version
    }
}

extension PrimaryError {
    static let leaseEnded = PrimaryError(
        endsCopy: true, "the lease of the household has ended; its mailboxes are read by the worker that holds it now")

    /// A fault after which the server has written nothing.
    fileprivate init(_ error: any Error) {
        if let error = error as? PostgresError, error.state == HouseholdPrimary.leaseEnded {
            self = .leaseEnded
        } else {
            self.init(endsCopy: false, "PostgreSQL: \(error)")
        }
    }
}
