import PostgreSQL

/// Figures over the whole fleet.
struct FleetSummary: Hashable, Sendable {
    /// What the workers wrote about the mailboxes. It costs a question for each household, one after another, because
    /// of row-level security.
    struct Health: Hashable, Sendable {
        /// Mailboxes by their state in ``MailboxHealth``; `unread` before the first reading, `overdue` if a worker
        /// should have written the state again.
        var mailboxes: [String: Int64] = [:]
        /// Seconds since the last answer of the server whose last answer is the oldest.
        var oldestSuccess: Double?
    }

    var health = Health()
    var households: Int64 = 0
    var householdsWithoutWorker: Int64 = 0
    var workers: Int64 = 0
    var providers: [ProviderTable.Provider] = []

    init() {}

    init(_ database: FleetDatabase, _ health: Health) throws {
        self.health = health
        (households, householdsWithoutWorker, workers) = try database.withConnection { connection in
            try connection.run(
                """
                SELECT count(*), count(*) FILTER (WHERE w.id IS NULL), (
                  SELECT count(*) FROM fleet.workers WHERE fleet.is_live(seen_at))
                FROM fleet.leases l
                LEFT JOIN fleet.workers w ON w.id = l.worker_id AND fleet.is_live(w.seen_at)
                """
            ) { ($0.bigint(0) ?? 0, $0.bigint(1) ?? 0, $0.bigint(2) ?? 0) }.first ?? (0, 0, 0)
        }
        providers = try ProviderTable(database).all()
    }
}

extension FleetSummary.Health {
    init(_ database: FleetDatabase) throws {
        let states = try database.withConnection { connection in
            try connection.run(
                """
                SELECT CASE WHEN s.state IS NULL THEN 'unread'
                  WHEN s.state <> 'stopped' AND s.due_at::timestamptz < clock_timestamp() THEN 'overdue'
                  ELSE s.state END, count(*),
                  extract(epoch FROM clock_timestamp() - min(s.last_probe_at::timestamptz))::double precision
                FROM fleet.mailboxes m
                LEFT JOIN fleet.mailbox_health() s ON s.household_id = m.household_id AND s.mailbox = m.name
                GROUP BY 1
                """
            ) { (state: $0.text(0) ?? "", count: $0.bigint(1) ?? 0, age: $0.double(2)) }
        }
        mailboxes = Dictionary(uniqueKeysWithValues: states.map { ($0.state, $0.count) })
        oldestSuccess = states.compactMap { $0.age }.max()
    }
}
