import GRDB
import Glibc

/// Makes ledger files whose rows come from elsewhere.
enum NewLedgerFile {
    /// Makes the file with its schema and fills it, in one transaction. After an error there is no file.
    ///
    /// - Parameters:
    ///   - migrations: only these; `nil` for all.
    ///   - fill: foreign keys are off.
    static func make<Result>(
        _ path: String, label: String, with migrations: Set<String>? = nil, fill: (Database) throws -> Result
    ) throws -> Result {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError.cannotMake(path) }
        close(file)
        do { return try filled(path, label, migrations, fill) } catch {
            LedgerFiles.remove(path)
            throw error
        }
    }

    private static func filled<Result>(
        _ path: String, _ label: String, _ migrations: Set<String>?, _ fill: (Database) throws -> Result
    ) throws -> Result {
        var configuration = Configuration()
        configuration.label = label
        configuration.foreignKeysEnabled = false
        let target = try DatabaseQueue(path: path, configuration: configuration)
        let result = try target.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA page_size = \(Connection.pageSize)")
            var result: Result?
            try db.inTransaction(.exclusive) {
                try Schema.migrate(db, with: migrations)
                result = try fill(db)
                return .commit
            }
            return result
        }
        try target.close()
        guard let result else { throw StoreError.cannotMake(path) }
        return result
    }

    /// Runs `body` while the ledger has no triggers, for rows that already hold their effects.
    static func withoutTriggers<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
        let triggers = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(TableShape.quote(trigger["name"]))") }
        let result = try body()
        for trigger in triggers { try db.execute(sql: trigger["sql"]) }
        return result
    }
}
