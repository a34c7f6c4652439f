import PostgreSQL

/// The migrations of a fleet's database, numbered from 1.
///
/// All missing ones are applied in one transaction, under a lock that lets one program at a time migrate.
enum FleetSchema {
    /// Oldest first. A released migration is never changed.
    private static let migrations = [PackageResources.households_sql, PackageResources.ledger_sql]
    /// Any number that no other program of the database uses for pg_advisory_xact_lock.
    private static let lock: Int64 = 0x5350_4E44_464C

    static func migrate(_ connection: PostgresConnection) throws {
        try connection.transaction {
            try connection.run("SELECT pg_advisory_xact_lock($1)", [.bigint(lock)])
            try connection.script(
                """
                CREATE SCHEMA IF NOT EXISTS fleet;
                CREATE TABLE IF NOT EXISTS fleet.migrations (
                  number bigint PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp());
                """)
            let applied = try number(connection)
            try refuseNewer(applied)
            for (index, sql) in migrations.enumerated().dropFirst(applied) {
                try connection.script(String(decoding: sql, as: UTF8.self))
                try connection.run("INSERT INTO fleet.migrations (number) VALUES ($1)", [.bigint(Int64(index + 1))])
            }
        }
    }

    static func check(_ connection: PostgresConnection) throws {
        let applied: Int
        do { applied = try number(connection) } catch let error as PostgresError where error.state == "42P01" {
            throw FleetError("the database has no fleet: run 'spendwise-fleet migrate'")
        }
        try refuseNewer(applied)
        guard applied == migrations.count else {
            throw FleetError(
                "the database is of an older version (\(applied) of \(migrations.count) migrations): stop the workers and run 'spendwise-fleet migrate'"
            )
        }
    }

    private static func number(_ connection: PostgresConnection) throws -> Int {
        let numbers = try connection.run("SELECT coalesce(max(number), 0) FROM fleet.migrations") { $0.bigint(0) }
        return Int(clamping: (numbers.first ?? nil) ?? 0)
    }

    private static func refuseNewer(_ applied: Int) throws {
        guard applied <= migrations.count else {
            throw FleetError(
                "the database was migrated by a newer version (migration \(applied), this one knows \(migrations.count)): install that version"
            )
        }
    }
}
