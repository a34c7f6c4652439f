import Foundation
import GRDB
import Testing

@testable import Store

/// The prepared schema of a new ledger is what its migrations make.
@Suite struct PreparedSchemaTests {
    /// A ledger that every migration made, from the first on.
    private static func migrated() throws -> DatabaseQueue {
        let ledger = try DatabaseQueue()
        try ledger.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try Schema.migrate(db, with: Set(Schema.migrations.map(\.name)))
        }
        return ledger
    }

    /// Statements that make the tables and rows of a ledger, then the rest of its schema.
    private static func text(_ db: Database) throws -> String {
        let tables = try Row.fetchAll(
            db,
            sql: """
                SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^' AND name <> ?
                ORDER BY rowid
                """, arguments: [Schema.migrationTable])
        var statements: [String] = tables.map { $0["sql"] }
        for table in tables.map({ $0["name"] as String }) + [Schema.migrationTable] {
            let columns = try String.fetchAll(
                db, sql: "SELECT 'quote(\"' || name || '\")' FROM pragma_table_info(?)", arguments: [table])
            let rows = try String.fetchAll(
                db, sql: "SELECT \(columns.joined(separator: " || ', ' || ")) FROM \"\(table)\" ORDER BY 1")
            statements += rows.map { "INSERT INTO \(table) VALUES (\($0))" }
        }
        statements.append("DELETE FROM sqlite_sequence")
        let numbers = try Row.fetchAll(db, sql: "SELECT name, seq FROM sqlite_sequence ORDER BY rowid")
        statements += numbers.map { "INSERT INTO sqlite_sequence VALUES ('\($0[0] as String)', \($0[1] as Int64))" }
        statements += try String.fetchAll(
            db, sql: "SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL ORDER BY rowid")
        return statements.map { $0 + ";\n" }.joined()
    }

    /// Writes the file if `scripts/prepared-schema` names it.
    @Test func isWhatTheMigrationsMake() throws {
        let text = try Self.migrated().read(Self.text)
        if let path = ProcessInfo.processInfo.environment["SPENDWISE_PREPARED_SCHEMA"] {
            return try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        // Not the texts themselves, which a failure would print.
        let isCurrent = text == Schema.prepared
        #expect(isCurrent, "run scripts/prepared-schema")
    }

    @Test func aNewLedgerIsThatOfTheMigrations() throws {
        let folder = Folder()
        let store = try Store(path: folder.database)
        let isSame = try store.readDatabase(Self.text) == Self.migrated().read(Self.text)
        #expect(isSame)
        #expect(try store.integrityDefects() == [])
    }

    /// A first opening that failed may have left the empty table of migrations.
    @Test func anEmptyTableOfMigrationsIsNoHindrance() throws {
        let ledger = try DatabaseQueue()
        try ledger.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(sql: "CREATE TABLE \(Schema.migrationTable) (identifier TEXT NOT NULL PRIMARY KEY)")
            try Schema.migrate(db)
            let applied = try Set(String.fetchAll(db, sql: "SELECT identifier FROM \(Schema.migrationTable)"))
            #expect(applied == Set(Schema.migrations.map(\.name)))
        }
    }
}
