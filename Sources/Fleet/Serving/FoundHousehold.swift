import PostgreSQL

/// What a replica must know of a household before each request.
public struct FoundHousehold: Hashable, Sendable {
    public let id: Int64
    public let name: String
    /// The number of commits.
    public let version: Int64
    /// Differs if the settings do.
    public let settings: Int64
}

extension Households {
    /// The household of a name; one round trip.
    public func find(_ name: String) throws -> FoundHousehold? {
        try database.withConnection { connection in
            try connection.run(
                """
                SELECT h.id, l.version, hashtextextended(h.settings, 0)
                FROM fleet.households h JOIN fleet.leases l ON l.household_id = h.id WHERE h.name = $1
                """, [.string(name)]
            ) {
                FoundHousehold(
                    id: $0.bigint(0) ?? 0, name: name, version: $0.bigint(1) ?? 0, settings: $0.bigint(2) ?? 0)
            }.first
        }
    }
}
