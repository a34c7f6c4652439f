import PostgreSQL

/// Who commits to a household.
enum HouseholdWriter: Hashable, Sendable {
    /// A worker, for as long as it holds the lease.
    case worker(Lease)
    /// A replica that serves the household of this number.
    case replica(Int64)

    var household: Int64 {
        switch self {
        case .worker(let lease): lease.household
        case .replica(let household): household
        }
    }

    /// The first statement of a commit on the state `version`. It names the household to row-level security.
    func beginning(of version: Int64) -> PostgresStatement {
        switch self {
        case .worker(let lease): lease.beginning(of: version)
        case .replica(let household):
            PostgresStatement("SELECT fleet.begin_edit($1, $2)", [.bigint(household), .bigint(version)])
        }
    }
}
