import PostgreSQL

/// Figures over the whole fleet.
struct FleetSummary: Hashable, Sendable {
    /// Mailboxes by their state in ``MailboxHealth``; `unread` before the first reading, `overdue` if a worker should
    /// have written the state again.
    var mailboxes: [String: Int64] = [:]
    /// Seconds since the last answer of the server whose last answer is the oldest.
    var oldestSuccess: Double?
    var households: Int64 = 0
    var householdsWithoutWorker: Int64 = 0
    var workers: Int64 = 0
    var providers: [ProviderTable.Provider] = []

    init() {}

    init(_ database: FleetDatabase) throws {
        (mailboxes, oldestSuccess, households, householdsWithoutWorker, workers) = try database.withConnection {
            connection in
            let states = try connection.run(
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
            let counts =
                try connection.run(
                    """
                    SELECT count(*), count(*) FILTER (WHERE w.id IS NULL), (
                      SELECT count(*) FROM fleet.workers
                      WHERE seen_at > clock_timestamp() - make_interval(secs => $1))
                    FROM fleet.leases l
                    LEFT JOIN fleet.workers w ON w.id = l.worker_id AND l.expires_at > clock_timestamp()
                    """, [.double(Double(LeaseTable.seconds))]
                ) { ($0.bigint(0) ?? 0, $0.bigint(1) ?? 0, $0.bigint(2) ?? 0) }.first ?? (0, 0, 0)
            return (
                Dictionary(uniqueKeysWithValues: states.map { ($0.state, $0.count) }),
                states.compactMap { $0.age }.max(),
                counts.0, counts.1, counts.2
            )
        }
        providers = try ProviderTable(database).all()
    }
}
