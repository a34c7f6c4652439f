import PostgreSQL
import PostgresFixture
import Testing

@testable import Fleet
@testable import Store

@Suite(.enabled(if: FleetSample.isPossible, FleetSample.need)) struct SchemaTests {
    @Test func migratingTwiceChangesNothing() throws {
        let sample = try FleetSample()
        try sample.database.migrate()
        try sample.database.check()
        let numbers = try sample.database.withConnection {
            try $0.run("SELECT number FROM fleet.migrations ORDER BY 1") { $0.bigint(0) }
        }
        #expect(numbers == (1...9).map { $0 })
    }

    /// The length of a lease is defined twice: in the schema, for statements, and in the program, for timers.
    @Test func theLengthOfALeaseIsTheSameInBoth() throws {
        let seconds = try FleetSample().database.withConnection {
            try $0.run("SELECT extract(epoch FROM fleet.lease_length())::bigint") { $0.bigint(0) }
        }
        #expect(seconds == [LeaseTable.seconds])
    }

    @Test func twoProgramsMigrateAtOnce() async throws {
        let conninfo = try PostgresFixture.database()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { try FleetDatabase(conninfo).migrate() } }
            try await group.waitForAll()
        }
        try FleetDatabase(conninfo).check()
    }

    @Test func anEmptyDatabaseIsRefused() throws {
        let database = FleetDatabase(try PostgresFixture.database())
        let error = #expect(throws: FleetError.self) { try database.check() }
        #expect(error?.description.contains("spendwise-fleet migrate") == true)
    }

    @Test func aNewerSchemaIsRefused() throws {
        let sample = try FleetSample()
        try sample.sql("INSERT INTO fleet.migrations (number) VALUES (99)")
        for attempt in [sample.database.check, sample.database.migrate] {
            let error = #expect(throws: FleetError.self) { try attempt() }
            #expect(error?.description.contains("newer version (migration 99") == true)
        }
    }

    /// What a newer program has added is no reason to stop the older ones.
    @Test func aNewerSchemaThatOnlyAddsIsAccepted() throws {
        let sample = try FleetSample()
        let known = FleetSchema.newest
        try sample.sql(
            "INSERT INTO fleet.migrations (number, oldest_program) VALUES (98, $1), (99, $1)", [.bigint(Int64(known))])
        try sample.database.check()
        try sample.database.migrate()
        try sample.sql("UPDATE fleet.migrations SET oldest_program = 98 WHERE number = 98")
        #expect(throws: FleetError.self) { try sample.database.check() }
    }

    @Test func anOlderSchemaIsRefused() throws {
        let sample = try FleetSample()
        let known = FleetSchema.newest
        try sample.sql("DELETE FROM fleet.migrations WHERE number > 1")
        let error = #expect(throws: FleetError.self) { try sample.database.check() }
        #expect(error?.description.contains("1 of \(known) migrations") == true)
    }

    @Test func tablesAreNotChangedUnderRunningWorkers() throws {
        let sample = try FleetSample()
        let worker = try sample.leases.register("one", capacity: 1)
        try sample.sql("DELETE FROM fleet.migrations WHERE number > 2")
        let error = #expect(throws: FleetError.self) { try sample.database.migrate() }
        #expect(error?.description.contains("running (one): stop them first") == true)
        try sample.leases.unregister(worker)
        // Its tables are there already.
        let duplicate = #expect(throws: PostgresError.self) { try sample.database.migrate() }
        #expect(duplicate?.state == "42701")
    }

    @Test func aRoleAboveRowLevelSecurityIsRefused() throws {
        let sample = try FleetSample()
        let database = FleetDatabase(PostgresFixture.administrator(of: sample.conninfo))
        let error = #expect(throws: FleetError.self) { try database.check() }
        #expect(error?.description.contains("row-level security") == true)
    }

    /// Every table of the ledger is here with its columns, types, key, unique indexes and foreign keys. If this fails
    /// after a migration of SQLite, the schema of fleets needs one, too.
    @Test func theTablesAreThoseOfTheLedger() throws {
        let sample = try FleetSample()
        let ledger = try sample.ledger("ledger")
        let tables = try ledger.read { try $0.tables() }
        let found = try sample.database.withConnection { connection in
            try connection.run(
                """
                SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
                WHERE table_schema = 'ledger' ORDER BY table_name COLLATE "C", ordinal_position
                """
            ) { "\($0.text(0) ?? "").\($0.text(1) ?? "") \($0.text(2) ?? "") \($0.text(3) ?? "")" }
        }
        let types: [LedgerTable.ColumnType: String] = [
            .integer: "bigint", .real: "double precision", .text: "text", .blob: "bytea",
        ]
        let expected = tables.sorted { $0.name < $1.name }.flatMap { table in
            ["\(table.name).household_id bigint NO"]
                + table.columns.map {
                    "\(table.name).\($0.name) \(types[$0.type] ?? "") \($0.isRequired ? "NO" : "YES")"
                }
        }
        #expect(found.sorted() == expected.sorted())
    }

    @Test func keysAreThoseOfTheLedger() throws {
        let sample = try FleetSample()
        let ledger = try sample.ledger("ledger")
        let keys = Set(
            try ledger.read { try $0.tables() }.map { table in
                "\(table.name) household_id \(table.key.map { table.columns[$0].name }.joined(separator: " "))"
            })
        let (found, counts) = try sample.database.withConnection { connection in
            let found = try connection.run(
                """
                SELECT c.relname || ' ' || string_agg(a.attname, ' ' ORDER BY array_position(i.indkey, a.attnum))
                FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = c.oid
                  AND a.attnum = ANY (i.indkey)
                WHERE i.indisprimary AND c.relnamespace = 'ledger'::regnamespace GROUP BY c.relname
                """
            ) { $0.text(0) ?? "" }
            let counts = try connection.run(
                """
                SELECT (SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND connamespace = 'ledger'::regnamespace),
                  (SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
                   WHERE i.indisunique AND NOT i.indisprimary AND c.relnamespace = 'ledger'::regnamespace),
                  (SELECT count(*) FROM pg_class WHERE relnamespace = 'ledger'::regnamespace AND relkind = 'r'
                    AND NOT (relrowsecurity AND relforcerowsecurity))
                """
            ) { [$0.bigint(0), $0.bigint(1), $0.bigint(2)] }
            return (Set(found), counts.first)
        }
        #expect(found == keys)
        let foreignKeys: Int64? = try value(
            ledger,
            "SELECT count(*) FROM sqlite_schema s, pragma_foreign_key_list(s.name) WHERE s.type = 'table'")
        // Three keys ignore the case of letters, which a primary key of PostgreSQL cannot: each has an index besides.
        // One index is a constraint by hash.
        let unique: Int64? = try value(
            ledger,
            """
            SELECT count(*) + 3 - 1 FROM sqlite_schema s, pragma_index_list(s.name) i
            WHERE s.type = 'table' AND i."unique" AND i.origin <> 'pk' AND s.name <> 'grdb_migrations'
            """)
        #expect(counts == [foreignKeys, unique, 0])
    }

    private func value(_ store: Store, _ sql: String) throws -> Int64? {
        try store.readDatabase { try PreparedStatement($0, sql).first({ _ in }) { $0.int(0) } }
    }
}
