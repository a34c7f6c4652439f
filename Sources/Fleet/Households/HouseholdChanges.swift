import PostgreSQL

extension Households {
    /// Replaces the settings of a household. The worker that reads it starts it anew at its next renewal.
    ///
    /// The rows of the ledger stay, those of a mailbox that the settings no longer name included, as they do when a
    /// mailbox is removed from spendwise.yaml(5).
    ///
    /// - Parameters:
    ///   - settings: YAML for the worker.
    ///   - mailboxes: names and hosts of the mailboxes in `settings`.
    ///   - receivers: those of the receivers of notifications. The secrets of others are deleted.
    ///   - statements: the names of the passwords of statements. Others are deleted.
    public func set(
        _ name: String, settings: String, mailboxes: [(name: String, host: String)],
        receivers: [(name: String, host: String)] = [], statements: [String] = []
    ) throws {
        try database.withConnection { connection in
            try connection.transaction {
                let ids = try connection.run(
                    "UPDATE fleet.households SET settings = $2, revision = revision + 1 WHERE name = $1 RETURNING id",
                    [.string(name), .string(settings)]
                ) { $0.bigint(0) }
                guard let id = ids.first ?? nil else { throw Self.unknown(name) }
                try connection.write(mailboxes, of: id)
                try connection.keepSecrets(of: receivers, statements, household: id)
            }
        }
    }

    /// Deletes a household with every row of its ledger, in one transaction. A worker that reads it can commit nothing
    /// from then on, and deletes its copy at its next renewal.
    ///
    /// Takes a minute for a ledger of 100,000 mails with as many transactions: PostgreSQL looks for the referring rows
    /// of each row.
    public func remove(_ name: String) throws {
        try database.withConnection { connection in
            let id = try endLease(of: name, connection)
            try connection.transaction {
                try connection.run("SET LOCAL statement_timeout = 0")
                try connection.name(household: id)
                let tables = try connection.run(
                    "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'ledger' ORDER BY tablename"
                ) { $0.text(0) ?? "" }
                for table in tables {
                    try connection.run("DELETE FROM ledger.\(table) WHERE household_id = $1", [.bigint(id)])
                }
                try connection.run("DELETE FROM fleet.households WHERE id = $1", [.bigint(id)])
            }
        }
    }

    /// Takes the lease of a household from its worker, and from all others for an hour: then the household is free
    /// again, if this program did not delete it.
    ///
    /// A commit of the worker holds the row of the lease: it ends before, or is refused.
    private func endLease(of name: String, _ connection: PostgresConnection) throws -> Int64 {
        let ids = try connection.run(
            """
            UPDATE fleet.leases l
            SET worker_id = NULL, fence = fence + 1, free_since = clock_timestamp() + interval '1 hour'
            FROM fleet.households h WHERE h.id = l.household_id AND h.name = $1 RETURNING h.id
            """, [.string(name)]
        ) { $0.bigint(0) }
        guard let id = ids.first ?? nil else { throw Self.unknown(name) }
        return id
    }
}

extension PostgresConnection {
    /// Makes these the mailboxes of a household. What belongs to one that stays on its host stays, too.
    func write(_ mailboxes: [(name: String, host: String)], of household: Int64) throws {
        let (names, hosts) = Self.texts(mailboxes)
        try run(
            """
            DELETE FROM fleet.mailboxes WHERE household_id = $1
              AND (name, host) NOT IN (SELECT * FROM unnest($2::text[], $3::text[]))
            """, [.bigint(household), .texts(names), .texts(hosts)])
        try run(
            """
            INSERT INTO fleet.mailboxes (household_id, name, host)
            SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING
            """, [.bigint(household), .texts(names), .texts(hosts)])
    }

    /// Deletes the secrets of all receivers and the passwords of all statements but these.
    fileprivate func keepSecrets(
        of receivers: [(name: String, host: String)], _ statements: [String], household: Int64
    ) throws {
        let (names, hosts) = Self.texts(receivers)
        try run(
            """
            DELETE FROM fleet.receiver_secrets WHERE household_id = $1
              AND (receiver, host) NOT IN (SELECT * FROM unnest($2::text[], $3::text[]))
            """, [.bigint(household), .texts(names), .texts(hosts)])
        try run(
            "DELETE FROM fleet.statement_passwords WHERE household_id = $1 AND statement <> ALL ($2::text[])",
            [.bigint(household), .texts(statements.map { Array($0.utf8) })])
    }

    private static func texts(_ pairs: [(name: String, host: String)]) -> (names: [[UInt8]], hosts: [[UInt8]]) {
        (pairs.map { Array($0.name.utf8) }, pairs.map { Array($0.host.utf8) })
    }
}
