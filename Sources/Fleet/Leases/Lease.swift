import PostgreSQL

/// The right of one worker to read a household's mailboxes and write its ledger, for as long as the worker renews it.
public struct Lease: Hashable, Sendable {
    public let household: Int64
    public let worker: Int64
    /// Counts the leases of the household: a commit with another number is refused.
    public let fence: Int64

    /// The parameters of a statement that finds this lease.
    var values: [PostgresValue] { [.bigint(household), .bigint(worker), .bigint(fence)] }

    /// The first statement of a commit on the state `version`.
    func beginning(of version: Int64) -> PostgresStatement {
        PostgresStatement("SELECT fleet.begin_commit($1, $2, $3, $4)", values + [.bigint(version)])
    }
}
