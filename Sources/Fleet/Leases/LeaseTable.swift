import PostgreSQL
import Store

/// The leases of all households. All times are those of the database, so that the clocks of workers do not matter.
public struct LeaseTable: Sendable {
    /// Seconds for which a lease lasts without renewal. A worker renews every ``renewalSeconds``, so that one late
    /// renewal loses nothing; with the pause between two looks of another worker, a killed one is replaced within 30.
    public static let seconds: Int64 = 25
    public static let renewalSeconds = 10
    /// Seconds after which a free household goes to any worker with room, beyond its fair share.
    static let fairSeconds: Int64 = 10

    private let database: FleetDatabase

    public init(_ database: FleetDatabase) { self.database = database }

    /// Adds a worker.
    ///
    /// - Parameters:
    ///   - name: for people.
    ///   - capacity: the most mailboxes that it reads.
    /// - Returns: its number.
    public func register(_ name: String, capacity: Int) throws -> Int64 {
        try database.withConnection { connection in
            let id = try connection.run(
                "INSERT INTO fleet.workers (name, capacity) VALUES ($1, $2) RETURNING id",
                [.string(name), .bigint(Int64(capacity))]
            ) { $0.bigint(0) }
            guard let id = id.first ?? nil else { throw FleetError("the worker was not registered") }
            return id
        }
    }

    /// What a renewal found.
    public struct Renewal: Hashable, Sendable {
        /// The households whose leases the worker holds, with their ``Household/revision``.
        public var revisions: [Int64: Int64]
        /// True if the worker shall give back what it has and end.
        public var isDraining: Bool

        /// The households whose leases the worker holds.
        public var held: Set<Int64> { Set(revisions.keys) }
    }

    /// Renews all leases that have not ended.
    ///
    /// - Returns: `nil` if the worker was removed because it did not renew in time.
    public func renew(_ worker: Int64) throws -> Renewal? {
        try database.withConnection { connection in
            let draining = try connection.run(
                "UPDATE fleet.workers SET seen_at = clock_timestamp() WHERE id = $1 RETURNING is_draining::int::bigint",
                [.bigint(worker)]
            ) { $0.bigint(0) == 1 }
            // A commit locks the lease of its household, and a renewal that waited for it with the others locked would
            // make their commits wait. So those are renewed one by one afterwards, and few commits run at a time.
            var held = try connection.run(
                Self.renewFree, [.bigint(worker), .double(Double(Self.seconds))], Self.renewed)
            let busy = try connection.run(
                """
                SELECT household_id FROM fleet.leases
                WHERE worker_id = $1 AND expires_at > clock_timestamp() AND household_id <> ALL ($2)
                """, [.bigint(worker), .bigints(held.map(\.household))]
            ) { $0.bigint(0) ?? 0 }
            for household in busy {
                held += try connection.run(
                    Self.renewOne, [.bigint(worker), .double(Double(Self.seconds)), .bigint(household)], Self.renewed)
            }
            return draining.first.map {
                Renewal(
                    revisions: Dictionary(held.map { ($0.household, $0.revision) }) { $1 }, isDraining: $0)
            }
        }
    }

    private static func renewed(_ row: PostgresRow) -> (household: Int64, revision: Int64) {
        (row.bigint(0) ?? 0, row.bigint(1) ?? 0)
    }

    /// Leases free households: up to the worker's fair share, and beyond it, up to its capacity, those that nobody took
    /// for ``fairSeconds``, as far as the limits of their mail servers allow. A worker that drains gets none.
    ///
    /// - Parameter most: the most households to lease now.
    public func acquire(_ worker: Int64, atMost most: Int = .max) throws -> [Lease] {
        try database.withConnection { connection in
            try connection.run(Self.endDead, [.double(Double(Self.seconds))])
            return try connection.transaction {
                // Two workers must not exceed a limit together: the second begins when the leases of the first are
                // there.
                let hasLimits = try !connection.run("SELECT 1::bigint FROM fleet.providers LIMIT 1") { $0.bigint(0) }
                    .isEmpty
                if hasLimits { try connection.run("SELECT pg_advisory_xact_lock($1)", [.bigint(Self.limitLock)]) }
                let chosen = try choose(for: worker, hasLimits: hasLimits, connection).prefix(most)
                if chosen.isEmpty { return [] }
                return try connection.run(
                    """
                    UPDATE fleet.leases
                    SET worker_id = $1, fence = fence + 1, expires_at = clock_timestamp() + make_interval(secs => $2)
                    WHERE household_id = ANY ($3) RETURNING household_id, fence
                    """, [.bigint(worker), .double(Double(Self.seconds)), .bigints(Array(chosen))]
                ) { Lease(household: $0.bigint(0) ?? 0, worker: worker, fence: $0.bigint(1) ?? 0) }
            }
        }
    }

    /// Any number that no other program of the database uses for pg_advisory_xact_lock.
    private static let limitLock: Int64 = 0x5350_4E44_4C4D

    /// Locks the rows of the free households and chooses among them.
    private func choose(
        for worker: Int64, hasLimits: Bool, _ connection: PostgresConnection
    ) throws -> [Int64] {
        var (fair, most) = (Int64(0), Int64(0))
        var candidates = try connection.run(
            Self.candidates,
            [
                .bigint(worker), .double(Double(Self.seconds)), .double(Double(Self.fairSeconds)),
                .string(Store.newestMigration),
            ]
        ) { row in
            (fair, most) = (row.bigint(3) ?? 0, row.bigint(4) ?? 0)
            return LeaseChoice.Candidate(
                household: row.bigint(0) ?? 0, mailboxes: row.bigint(2) ?? 0, isOverdue: row.bigint(1) == 1)
        }
        if candidates.isEmpty { return [] }
        var left: [String: Int64] = [:]
        if hasLimits {
            var needed: [Int64: [String: Int64]] = [:]
            try connection.each(
                Self.needs, [.bigint(worker), .bigints(candidates.map(\.household))]
            ) { row in
                guard let household = row.bigint(0), let host = row.text(1) else { return }
                needed[household, default: [:]][host] = row.bigint(2)
                left[host] = row.bigint(3)
            }
            for index in candidates.indices {
                candidates[index].connections = needed[candidates[index].household] ?? [:]
            }
        }
        var choice = LeaseChoice(fair: fair, most: most, left: left)
        return choice.choose(from: candidates)
    }

    /// Households that the worker should give back, because it has more than its share and another worker less.
    public func surplus(of worker: Int64) throws -> [Int64] {
        try database.withConnection { connection in
            try connection.run(
                Self.surplus, [.bigint(worker), .double(Double(Self.seconds)), .bigint(Self.mostGiven)]
            ) { $0.bigint(0) ?? 0 }
        }
    }

    /// Households that a worker gives back at a time: nobody reads them for some seconds.
    private static let mostGiven: Int64 = 64

    /// The numbers of commits of the households that a worker has leased.
    public func versions(leasedBy worker: Int64) throws -> [Int64: Int64] {
        try database.withConnection { connection in
            let rows = try connection.run(
                "SELECT household_id, version FROM fleet.leases WHERE worker_id = $1", [.bigint(worker)]
            ) { ($0.bigint(0) ?? 0, $0.bigint(1) ?? 0) }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    /// Gives a lease back, for others to take at once. Does nothing if it has ended.
    public func release(_ lease: Lease) throws {
        try database.withConnection { connection in
            try connection.run(
                """
                UPDATE fleet.leases SET worker_id = NULL, expires_at = clock_timestamp()
                WHERE household_id = $1 AND worker_id = $2 AND fence = $3
                """, lease.values)
        }
    }

    /// Gives all leases of a worker back and removes it, at its end.
    public func unregister(_ worker: Int64) throws {
        try database.withConnection { connection in
            try connection.transaction {
                try connection.run(
                    "UPDATE fleet.leases SET worker_id = NULL, expires_at = clock_timestamp() WHERE worker_id = $1",
                    [.bigint(worker)])
                try connection.run("DELETE FROM fleet.workers WHERE id = $1", [.bigint(worker)])
            }
        }
    }

    /// Asks a worker to give its leases back and end, as SIGTERM does.
    ///
    /// - Returns: false if no worker has the name.
    public func drain(_ name: String) throws -> Bool {
        try database.withConnection { connection in
            try !connection.run(
                "UPDATE fleet.workers SET is_draining = true WHERE name = $1 RETURNING id", [.string(name)]
            ) { $0.bigint(0) }.isEmpty
        }
    }
}
