import PostgreSQL

/// What a replica must know of a household before each request.
public struct FoundHousehold: Hashable, Sendable {
    public let id: Int64
    public let name: String
    /// The newest commit.
    public let mark: CommitMark
    /// Differs if the settings do.
    public let settings: Int64
}

extension Households {
    /// The household of a name; one round trip.
    public func find(_ name: String) throws -> FoundHousehold? {
        try database.withConnection { connection in
            try connection.run(
                """
                SELECT h.id, hashtextextended(h.settings, 0), \(CommitMark.columns)
                FROM fleet.households h JOIN fleet.leases l ON l.household_id = h.id WHERE h.name = $1
                """, [.string(name)]
            ) { row in
                CommitMark(row, at: 2).map {
                    FoundHousehold(id: row.bigint(0) ?? 0, name: name, mark: $0, settings: row.bigint(1) ?? 0)
                }
            }.first ?? nil
        }
    }

    /// The newest commits of some households; one round trip. A household that is gone has none.
    public func marks(of households: [Int64]) throws -> [Int64: CommitMark] {
        try database.withConnection { connection in
            let rows = try connection.run(
                "SELECT l.household_id, \(CommitMark.columns) FROM fleet.leases l WHERE l.household_id = ANY ($1)",
                [.bigints(households)]
            ) { row in CommitMark(row, at: 1).map { (row.bigint(0) ?? 0, $0) } }
            return Dictionary(rows.compactMap(\.self)) { first, _ in first }
        }
    }
}
