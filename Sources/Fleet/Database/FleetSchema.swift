import PostgreSQL

/// The migrations of a fleet's database, numbered from 1.
///
/// All missing ones are applied in one transaction, under a lock that lets one program at a time migrate.
enum FleetSchema {
    private struct Migration {
        let sql: [UInt8]
        /// True if programs that do not know it can still work with the database: it adds only what they need not
        /// know. Workers of the version before run on while it is applied, and beside those that know it.
        var isAdditive = false
    }

    /// Oldest first. A released migration is never changed.
    private static let migrations = [
        Migration(sql: PackageResources.households_sql), Migration(sql: PackageResources.ledger_sql),
        Migration(sql: PackageResources.operating_sql), Migration(sql: PackageResources.changes_sql),
        Migration(sql: PackageResources.receivers_sql, isAdditive: true),
        Migration(sql: PackageResources.leases_sql),
        Migration(sql: PackageResources.statements_sql, isAdditive: true),
        Migration(sql: PackageResources.shares_sql), Migration(sql: PackageResources.mails_sql),
    ]
    /// The number of migrations that this program knows.
    static var newest: Int { migrations.count }
    /// Any number that no other program of the database uses for pg_advisory_xact_lock.
    private static let lock: Int64 = 0x5350_4E44_464C

    static func migrate(_ connection: PostgresConnection) throws {
        try connection.transaction {
            try connection.run("SELECT pg_advisory_xact_lock($1)", [.bigint(lock)])
            // oldest_program: the number of migrations that a program has to know; that of its own row if NULL.
            try connection.script(
                """
                CREATE SCHEMA IF NOT EXISTS fleet;
                CREATE TABLE IF NOT EXISTS fleet.migrations (
                  number bigint PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp());
                ALTER TABLE fleet.migrations ADD COLUMN IF NOT EXISTS oldest_program bigint;
                """)
            let applied = try number(connection)
            try refuseNewer(applied, connection)
            let missing = migrations.enumerated().dropFirst(applied)
            if missing.contains(where: { !$0.element.isAdditive }) { try refuseWorkers(connection) }
            for (index, migration) in missing {
                let oldest = migration.isAdditive ? try oldestProgram(connection) : index + 1
                try connection.script(String(decoding: migration.sql, as: UTF8.self))
                try connection.run(
                    "INSERT INTO fleet.migrations (number, oldest_program) VALUES ($1, $2)",
                    [.bigint(Int64(index + 1)), .bigint(Int64(oldest))])
            }
        }
    }

    static func check(_ connection: PostgresConnection) throws {
        let applied: Int
        do { applied = try number(connection) } catch let error as PostgresError where error.state == "42P01" {
            throw FleetError("the database has no fleet: run 'spendwise-fleet migrate'")
        }
        try refuseNewer(applied, connection)
        guard applied >= newest else {
            throw FleetError(
                "the database is of an older version (\(applied) of \(newest) migrations): stop the workers and run 'spendwise-fleet migrate'"
            )
        }
    }

    private static func number(_ connection: PostgresConnection) throws -> Int {
        let numbers = try connection.run("SELECT coalesce(max(number), 0) FROM fleet.migrations") { $0.bigint(0) }
        return Int(clamping: (numbers.first ?? nil) ?? 0)
    }

    /// The number of migrations that a program has to know to work with the database.
    private static func oldestProgram(_ connection: PostgresConnection) throws -> Int {
        let numbers = try connection.run(
            "SELECT coalesce(max(coalesce(oldest_program, number)), 0) FROM fleet.migrations"
        ) { $0.bigint(0) }
        return Int(clamping: (numbers.first ?? nil) ?? 0)
    }

    private static func refuseNewer(_ applied: Int, _ connection: PostgresConnection) throws {
        guard applied <= newest else {
            guard try oldestProgram(connection) > newest else { return }
            throw FleetError(
                "the database was migrated by a newer version (migration \(applied), this one knows \(newest)): install that version"
            )
        }
    }

    /// A migration that is not additive would break what running workers do.
    private static func refuseWorkers(_ connection: PostgresConnection) throws {
        let tables = try connection.run("SELECT to_regclass('fleet.workers')::text") { $0.text(0) }
        guard tables.first.flatMap({ $0 }) != nil else { return }
        let names = try connection.run(
            """
            SELECT name FROM fleet.workers WHERE seen_at > clock_timestamp() - make_interval(secs => $1) ORDER BY name
            """, [.double(Double(LeaseTable.seconds))]
        ) { $0.text(0) ?? "" }
        guard names.isEmpty else {
            throw FleetError(
                "workers of another version are running (\(names.joined(separator: ", "))): stop them first")
        }
    }
}
