import PostgreSQL

/// The limits of mail servers, and how much of them is used.
public struct ProviderTable: Sendable {
    /// A mail server with the connections of the fleet: one for each mailbox under a lease.
    public struct Provider: Hashable, Sendable {
        public let host: String
        /// Mailboxes of all households at this host.
        public let mailboxes: Int64
        /// Connections of all workers together.
        public let used: Int64
        /// The most connections of one worker.
        public let mostOfWorker: Int64
        /// `nil` means no limit.
        public let fleetLimit: Int64?
        public let workerLimit: Int64?
    }

    private let database: FleetDatabase

    public init(_ database: FleetDatabase) { self.database = database }

    /// Sets the limits of a mail server; `nil` means no limit. They bind what is leased from then on: a lower limit
    /// takes no lease away.
    public func set(_ host: String, fleet: Int64?, worker: Int64?) throws {
        try database.withConnection { connection in
            try connection.run(
                """
                INSERT INTO fleet.providers (host, fleet_connections, worker_connections) VALUES ($1, $2, $3)
                ON CONFLICT (host) DO UPDATE
                  SET fleet_connections = excluded.fleet_connections, worker_connections = excluded.worker_connections
                """, [.string(host.lowercased()), .bigint(fleet), .bigint(worker)])
        }
    }

    /// Removes the limits of a mail server.
    ///
    /// - Returns: false if it has none.
    public func remove(_ host: String) throws -> Bool {
        try database.withConnection { connection in
            try !connection.run(
                "DELETE FROM fleet.providers WHERE host = $1 RETURNING host", [.string(host.lowercased())]
            ) { $0.text(0) }.isEmpty
        }
    }

    /// The hosts of all mailboxes, and those with limits, by name.
    public func all() throws -> [Provider] { try database.withConnection { try Self.all($0) } }

    static func all(_ connection: PostgresConnection) throws -> [Provider] {
        try connection.run(
            """
            WITH used AS (
              SELECT lower(m.host) AS host, l.worker_id, count(*) AS mailboxes
              FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id)
              WHERE l.worker_id IS NOT NULL GROUP BY 1, 2
            ), placed AS (SELECT lower(host) AS host, count(*) AS mailboxes FROM fleet.mailboxes GROUP BY 1)
            SELECT host, coalesce(placed.mailboxes, 0),
              coalesce((SELECT sum(u.mailboxes) FROM used u WHERE u.host = h.host), 0)::bigint,
              coalesce((SELECT max(u.mailboxes) FROM used u WHERE u.host = h.host), 0),
              p.fleet_connections, p.worker_connections
            FROM (SELECT host FROM placed UNION SELECT host FROM fleet.providers) h
            LEFT JOIN placed USING (host) LEFT JOIN fleet.providers p USING (host)
            ORDER BY host COLLATE "C"
            """
        ) {
            Provider(
                host: $0.text(0) ?? "", mailboxes: $0.bigint(1) ?? 0, used: $0.bigint(2) ?? 0,
                mostOfWorker: $0.bigint(3) ?? 0, fleetLimit: $0.bigint(4), workerLimit: $0.bigint(5))
        }
    }
}
