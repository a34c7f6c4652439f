public import Chronology
import PostgreSQL
import Store

extension Households {
    /// A household in a list.
    public struct Summary: Hashable, Sendable {
        public let name: String
        public let mailboxes: Int64
        public let addedAt: UnixTime
        /// The newest migration of its ledger.
        public let ledgerMigration: String
        /// Number of times that its settings and passwords were set.
        public let revision: Int64
    }

    /// All households by name.
    public func all() throws -> [Summary] {
        try database.withConnection { connection in
            try connection.run(
                """
                SELECT h.name, (SELECT count(*) FROM fleet.mailboxes m WHERE m.household_id = h.id),
                  extract(epoch FROM h.created_at)::bigint, h.ledger_migration, h.revision
                FROM fleet.households h ORDER BY h.name COLLATE "C"
                """
            ) {
                Summary(
                    name: $0.text(0) ?? "", mailboxes: $0.bigint(1) ?? 0, addedAt: UnixTime(seconds: $0.bigint(2) ?? 0),
                    ledgerMigration: $0.text(3) ?? "", revision: $0.bigint(4) ?? 0)
            }
        }
    }

    /// A mailbox in a list, with the health that its worker wrote last: at each change and once a minute.
    public struct Mailbox: Hashable, Sendable {
        public let household: String
        public let name: String
        public let host: String
        /// `nil` if no worker has read it yet.
        public let state: String?
        /// The fault and its remedy.
        public let reason: String?
        /// The server's last answer.
        public let lastSuccess: UnixTime?
        /// True if a worker should have written the state again by now.
        public let isOverdue: Bool
    }

    /// The mailboxes of one household, or of all, by household and name.
    public func mailboxes(of household: String? = nil) throws -> [Mailbox] {
        try database.withConnection { connection in
            try connection.transaction("READ ONLY") {
                if let household {
                    let found = try connection.run(
                        "SELECT 1::bigint FROM fleet.households WHERE name = $1", [.string(household)]
                    ) { $0.bigint(0) }
                    if found.isEmpty { throw Self.unknown(household) }
                }
                return try connection.run(
                    """
                    SELECT h.name, m.name, m.host, s.state, s.reason, s.last_probe_at,
                      (s.state <> 'stopped' AND s.due_at::timestamptz < clock_timestamp())::int::bigint
                    FROM fleet.households h JOIN fleet.mailboxes m ON m.household_id = h.id
                    LEFT JOIN fleet.mailbox_health($1) s ON s.household_id = h.id AND s.mailbox = m.name
                    WHERE $1 IS NULL OR h.name = $1
                    ORDER BY h.name COLLATE "C", m.name COLLATE "C"
                    """, [.text(household.map { Array($0.utf8) })]
                ) {
                    Mailbox(
                        household: $0.text(0) ?? "", name: $0.text(1) ?? "", host: $0.text(2) ?? "", state: $0.text(3),
                        reason: $0.text(4), lastSuccess: $0.text(5).flatMap { UnixTime(iso: $0) },
                        isOverdue: $0.bigint(6) == 1)
                }
            }
        }
    }

    /// A household with its lease.
    public struct Status: Hashable, Sendable {
        public let household: String
        /// `nil` if no worker holds its lease.
        public let worker: String?
        public let mailboxes: Int64
        /// Number of commits.
        public let version: Int64
        /// Seconds until the lease ends, or since then if negative.
        public let seconds: Int64
        /// Why nobody reads it; `nil` if a worker does.
        public let wait: WaitReason?
    }

    /// All households by name, with their leases.
    public func status() throws -> [Status] {
        try database.withConnection { connection in
            try connection.transaction(PostgresConnection.snapshot) {
                let providers = try ProviderTable.all(connection)
                let workers = try Self.workers(connection)
                var needed: [Int64: [String: Int64]] = [:]
                try connection.each(
                    """
                    SELECT m.household_id, p.host, count(*) FROM fleet.mailboxes m
                    JOIN fleet.providers p ON p.host = lower(m.host) GROUP BY 1, 2
                    """
                ) { row in
                    if let household = row.bigint(0), let host = row.text(1) {
                        needed[household, default: [:]][host] = row.bigint(2)
                    }
                }
                return try connection.run(
                    """
                    SELECT h.name, CASE WHEN fleet.is_live(w.seen_at) THEN w.name END,
                      (SELECT count(*) FROM fleet.mailboxes m WHERE m.household_id = h.id),
                      l.version, extract(epoch FROM
                        coalesce(w.seen_at + fleet.lease_length(), l.free_since) - clock_timestamp())::bigint, h.id,
                      (h.ledger_migration = $1)::int::bigint
                    FROM fleet.households h JOIN fleet.leases l ON l.household_id = h.id
                    LEFT JOIN fleet.workers w ON w.id = l.worker_id
                    ORDER BY h.name COLLATE "C"
                    """, [.string(Store.newestMigration)]
                ) { row in
                    let wait = WaitReason(
                        mailboxes: row.bigint(2) ?? 0, hasPresentTables: row.bigint(6) == 1,
                        connections: needed[row.bigint(5) ?? 0] ?? [:], workers: workers, providers: providers)
                    return Status(
                        household: row.text(0) ?? "", worker: row.text(1), mailboxes: row.bigint(2) ?? 0,
                        version: row.bigint(3) ?? 0, seconds: row.bigint(4) ?? 0,
                        wait: row.isNull(1) ? (row.bigint(4) ?? 0) > 0 ? .removal : wait : nil)
                }
            }
        }
    }

    /// Live workers that do not drain.
    private static func workers(_ connection: PostgresConnection) throws -> [WaitReason.Worker] {
        var workers: [Int64: WaitReason.Worker] = [:]
        try connection.each(
            """
            SELECT w.id, w.capacity - (
                SELECT count(*) FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id)
                WHERE l.worker_id = w.id), lower(m.host), count(m.host)
            FROM fleet.workers w
            LEFT JOIN fleet.leases l ON l.worker_id = w.id
            LEFT JOIN fleet.mailboxes m ON m.household_id = l.household_id
            WHERE NOT w.is_draining AND fleet.is_live(w.seen_at)
            GROUP BY w.id, lower(m.host)
            """
        ) { row in
            guard let id = row.bigint(0) else { return }
            workers[id, default: WaitReason.Worker(room: row.bigint(1) ?? 0)].used[row.text(2) ?? ""] = row.bigint(3)
        }
        return Array(workers.values)
    }
}
