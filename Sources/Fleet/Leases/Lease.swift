import PostgreSQL

/// The right of one worker to read a household's mailboxes and write its ledger, for as long as the worker renews it.
public struct Lease: Hashable, Sendable {
    public let household: Int64
    public let worker: Int64
    /// Counts the leases of the household: a commit with another number is refused.
    public let fence: Int64

    /// The parameters of a statement that finds this lease.
    var values: [PostgresValue] { [.bigint(household), .bigint(worker), .bigint(fence)] }
}
