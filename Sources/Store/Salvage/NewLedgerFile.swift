import GRDB
import Glibc

/// Makes ledger files whose rows come from elsewhere.
enum NewLedgerFile {
    /// Makes the file with its schema and fills it, in one transaction. After an error there is no file.
    ///
    /// - Parameters:
    ///   - migrations: only these; `nil` for all.
    ///   - isCopy: true if the rows are durable elsewhere, so that the file need not be.
    ///   - fill: without triggers and foreign keys, whose effects the rows already hold.
    static func make<Result>(
        _ path: String, label: String, with migrations: Set<String>? = nil, isCopy: Bool = false,
        fill: (Database) throws -> Result
    ) throws -> Result {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError.cannotMake(path) }
        close(file)
        do { return try filled(path, label, migrations, isCopy, fill) } catch {
            LedgerFiles.remove(path)
            throw error
        }
    }

    private static func filled<Result>(
        _ path: String, _ label: String, _ migrations: Set<String>?, _ isCopy: Bool,
        _ fill: (Database) throws -> Result
    ) throws -> Result {
        var configuration = Connection.plain()
        configuration.label = label
        configuration.foreignKeysEnabled = false
        let target = try DatabaseQueue(path: path, configuration: configuration)
        let result = try target.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA page_size = \(Connection.pageSize)")
            // A fault leaves no file, so nothing is rolled back.
            if isCopy { try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
            var result: Result?
            try db.inTransaction(.exclusive) {
                try Schema.migrate(db, with: migrations)
                try Connection.disableTriggers(db)
                result = try fill(db)
                return .commit
            }
            return result
        }
        try target.close()
        guard let result else { throw StoreError.cannotMake(path) }
        return result
    }
}
