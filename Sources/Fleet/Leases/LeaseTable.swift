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
            let held = try connection.run(
                """
                UPDATE fleet.leases l SET expires_at = clock_timestamp() + make_interval(secs => $2)
                FROM fleet.households h
                WHERE worker_id = $1 AND expires_at > clock_timestamp() AND h.id = l.household_id
                RETURNING l.household_id, h.revision
                """, [.bigint(worker), .double(Double(Self.seconds))]
            ) { ($0.bigint(0) ?? 0, $0.bigint(1) ?? 0) }
            return draining.first.map {
                Renewal(revisions: Dictionary(uniqueKeysWithValues: held), isDraining: $0)
            }
        }
    }

    /// Leases free households: up to the worker's fair share, and beyond it, up to its capacity, those that nobody took
    /// for ``fairSeconds``. A worker that drains gets none.
    public func acquire(_ worker: Int64) throws -> [Lease] {
        try database.withConnection { connection in
            try connection.run(Self.endDead, [.double(Double(Self.seconds))])
            return try connection.run(
                Self.acquisition,
                [
                    .bigint(worker), .double(Double(Self.seconds)), .double(Double(Self.fairSeconds)),
                    .string(Store.newestMigration),
                ]
            ) { Lease(household: $0.bigint(0) ?? 0, worker: worker, fence: $0.bigint(1) ?? 0) }
        }
    }

    /// A household that the worker should give back, because it has more than its share and another worker less.
    public func surplus(of worker: Int64) throws -> Int64? {
        try database.withConnection { connection in
            try connection.run(Self.surplus, [.bigint(worker), .double(Double(Self.seconds))]) { $0.bigint(0) }.first
                ?? nil
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

extension LeaseTable {
    /// Removes workers that do not renew, with their leases' end, and closes their connections: one that is stopped
    /// within a transaction keeps its locks, and others wait for them.
    private static let endDead = """
        WITH dead AS (
          DELETE FROM fleet.workers WHERE seen_at <= clock_timestamp() - make_interval(secs => $1) RETURNING id
        )
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity, dead
        WHERE usename = current_user AND application_name = 'spendwise-fleet ' || dead.id
        """

    /// Live workers, and the mailboxes of each under its leases.
    private static let workers = """
        live AS (
          SELECT w.id, w.capacity, (
            SELECT count(*) FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id)
            WHERE l.worker_id = w.id AND l.expires_at > clock_timestamp()) AS held
          FROM fleet.workers w
          WHERE NOT w.is_draining AND w.seen_at > clock_timestamp() - make_interval(secs => $2)
        ), share AS (
          SELECT ceil(
            (SELECT count(*) FROM fleet.mailboxes)::numeric / (SELECT greatest(count(*), 1) FROM live)) AS fair
        )
        """

    private static let acquisition = """
        WITH \(workers), room AS (
          SELECT capacity - held AS most, least(capacity, fair) - held AS fair FROM live, share WHERE id = $1
        ), free AS (
          SELECT l.household_id, l.expires_at FROM fleet.leases l
          WHERE l.expires_at <= clock_timestamp()
            AND (SELECT h.ledger_migration FROM fleet.households h WHERE h.id = l.household_id) = $4
            AND (SELECT count(*) FROM fleet.mailboxes m WHERE m.household_id = l.household_id)
              BETWEEN 1 AND (SELECT most FROM room)
          ORDER BY l.expires_at, l.household_id
          LIMIT (SELECT most FROM room WHERE most > 0)
          FOR UPDATE SKIP LOCKED
        ), sized AS (
          SELECT household_id, free.expires_at, sum(count(*)) OVER (ORDER BY free.expires_at, household_id) AS total
          FROM free JOIN fleet.mailboxes USING (household_id) GROUP BY household_id, free.expires_at
        )
        UPDATE fleet.leases l
        SET worker_id = $1, fence = fence + 1, expires_at = clock_timestamp() + make_interval(secs => $2)
        FROM sized, room
        WHERE l.household_id = sized.household_id
          AND (total <= fair OR total <= most AND sized.expires_at <= clock_timestamp() - make_interval(secs => $3))
        RETURNING l.household_id, l.fence
        """

    private static let surplus = """
        WITH \(workers)
        SELECT l.household_id FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id), live, share
        WHERE live.id = $1 AND l.worker_id = $1 AND l.expires_at > clock_timestamp()
          AND EXISTS (SELECT FROM live other WHERE other.held < least(other.capacity, fair))
        GROUP BY l.household_id, l.fence, held, fair
        HAVING held - count(*) >= fair
        ORDER BY count(*), l.household_id
        LIMIT 1
        """
}
