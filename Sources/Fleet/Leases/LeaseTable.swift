import PostgreSQL
import Store

/// The leases of all households. All times are those of the database, so that the clocks of workers do not matter.
///
/// A lease has no end of its own: it lasts until it is given back, or until another worker ends this one.
public struct LeaseTable: Sendable {
    /// Seconds after its last renewal in which others may not end a worker: `fleet.lease_length()`. It renews every
    /// ``renewalSeconds``, so that one late renewal loses nothing; with the pause between two looks of another worker,
    /// a killed one is replaced within 30.
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

    /// A lease, with the ``Household/revision`` of its household.
    public struct Held: Hashable, Sendable {
        public let lease: Lease
        public let revision: Int64
    }

    /// What a renewal found.
    public struct Renewal: Hashable, Sendable {
        /// The leases of the worker by household.
        public var held: [Int64: Held]
        /// True if the worker shall give back what it has and end.
        public var isDraining: Bool
        /// True if the renewal before was more than ``seconds`` ago. Another worker could have ended this one, and did
        /// not.
        public var isLate: Bool
    }

    /// Renews a worker, and with it all of its leases.
    ///
    /// - Returns: `nil` if others ended it because it did not renew in time.
    public func renew(_ worker: Int64) throws -> Renewal? {
        try database.withConnection { connection in
            let found = try connection.run(Self.renewal, [.bigint(worker)]) {
                (isDraining: $0.bigint(0) == 1, isLate: $0.bigint(1) == 1)
            }
            guard let found = found.first else { return nil }
            let held = try connection.run(
                """
                SELECT l.household_id, l.fence, h.revision
                FROM fleet.leases l JOIN fleet.households h ON h.id = l.household_id WHERE l.worker_id = $1
                """, [.bigint(worker)]
            ) { row in
                let lease = Lease(household: row.bigint(0) ?? 0, worker: worker, fence: row.bigint(1) ?? 0)
                return (lease.household, Held(lease: lease, revision: row.bigint(2) ?? 0))
            }
            return Renewal(
                held: Dictionary(uniqueKeysWithValues: held), isDraining: found.isDraining, isLate: found.isLate)
        }
    }

    /// Ends the workers that have not renewed for ``seconds``, which frees their households.
    ///
    /// Do not call it within ``seconds`` of the caller's start, of a fault of the database, or of a late renewal of the
    /// caller: while PostgreSQL is unavailable no worker can renew, and each needs that time to do so afterwards.
    public func endDead() throws {
        try database.withConnection { connection in
            let isDead = try connection.run(
                "SELECT 1::bigint FROM fleet.workers WHERE NOT fleet.is_live(seen_at) LIMIT 1"
            ) { $0.bigint(0) }
            if isDead.isEmpty { return }
            try connection.run(Self.closeDead)
            try connection.run(Self.endDead)
        }
    }

    /// Leases free households: up to the worker's fair share, and beyond it, up to its capacity, those that nobody took
    /// for ``fairSeconds``, as far as the limits of their mail servers allow. A worker that drains gets none.
    ///
    /// - Parameter most: the most households to lease now.
    public func acquire(_ worker: Int64, atMost most: Int = 1000) throws -> [Lease] {
        try database.withConnection { connection in
            // Nearly always none is. To count the mailboxes of all workers for the share costs more than everything
            // else that a worker asks.
            let isFree = try connection.run(
                "SELECT 1::bigint FROM fleet.leases WHERE worker_id IS NULL AND free_since <= clock_timestamp() LIMIT 1"
            ) { $0.bigint(0) }
            if isFree.isEmpty { return [] }
            return try connection.transaction {
                // Two workers must not exceed a limit together: the second begins when the leases of the first are
                // there.
                let hasLimits = try !connection.run("SELECT 1::bigint FROM fleet.providers LIMIT 1") { $0.bigint(0) }
                    .isEmpty
                if hasLimits { try connection.run("SELECT pg_advisory_xact_lock($1)", [.bigint(Self.limitLock)]) }
                let chosen = try choose(for: worker, atMost: most, hasLimits: hasLimits, connection).prefix(most)
                if chosen.isEmpty { return [] }
                let leased = try connection.run(
                    """
                    UPDATE fleet.leases
                    SET worker_id = $1, fence = fence + 1 WHERE household_id = ANY ($2) RETURNING household_id, fence
                    """, [.bigint(worker), .bigints(Array(chosen))]
                ) { Lease(household: $0.bigint(0) ?? 0, worker: worker, fence: $0.bigint(1) ?? 0) }
                try connection.run(Self.holding, [.bigint(worker)])
                return leased
            }
        }
    }

    /// Any number that no other program of the database uses for pg_advisory_xact_lock.
    private static let limitLock: Int64 = 0x5350_4E44_4C4D

    /// Free households that are looked at for each one that may be leased: not all of them fit together.
    private static let looks = 4

    /// Locks the rows of free households and chooses among them.
    private func choose(
        for worker: Int64, atMost most: Int, hasLimits: Bool, _ connection: PostgresConnection
    ) throws -> [Int64] {
        var (fair, room) = (Int64(0), Int64(0))
        var candidates = try connection.run(
            Self.candidates,
            [
                .bigint(worker), .double(Double(Self.fairSeconds)), .string(Store.newestMigration),
                .bigint(Int64(most * Self.looks)),
            ]
        ) { row in
            (fair, room) = (row.bigint(3) ?? 0, row.bigint(4) ?? 0)
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
        var choice = LeaseChoice(fair: fair, most: room, left: left)
        return choice.choose(from: candidates)
    }

    /// Households that the worker should give back, because it has more than its share and another worker less.
    public func surplus(of worker: Int64) throws -> [Int64] {
        try database.withConnection { connection in
            try connection.run(Self.surplus, [.bigint(worker), .bigint(Self.mostGiven)]) { $0.bigint(0) ?? 0 }
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
                UPDATE fleet.leases SET worker_id = NULL, free_since = clock_timestamp()
                WHERE household_id = $1 AND worker_id = $2 AND fence = $3
                """, lease.values)
            try connection.run(Self.holding, [.bigint(lease.worker)])
        }
    }

    /// Gives all leases of a worker back and removes it, at its end.
    public func unregister(_ worker: Int64) throws {
        try database.withConnection { connection in
            try connection.transaction {
                try connection.run(
                    "UPDATE fleet.leases SET worker_id = NULL, free_since = clock_timestamp() WHERE worker_id = $1",
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
