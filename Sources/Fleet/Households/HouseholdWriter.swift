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

    /// The first statement of a commit on the state that `known` made. It names the household to row-level security.
    ///
    /// - Parameter number: the random number of the copy.
    func beginning(on known: CommitMark, by number: Int64) -> PostgresStatement {
        let values: [PostgresValue] = [
            .bigint(household), .bigint(known.version), .bigint(known.writer), .bigint(number),
        ]
        return switch self {
        case .worker(let lease):
            PostgresStatement(
                "SELECT fleet.begin_commit($1, $2, $3, $4, $5, $6)",
                values + [.bigint(lease.worker), .bigint(lease.fence)])
        case .replica: PostgresStatement("SELECT fleet.begin_edit($1, $2, $3, $4)", values)
        }
    }
}
