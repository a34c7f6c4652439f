import DurableFiles
import GRDB
import Glibc

/// Makes ledger files whose rows come from elsewhere.
enum NewLedgerFile {
    /// Makes the file with its schema and fills it, in one transaction. After an error there is no file.
    ///
    /// - Parameters:
    ///   - migrations: only these; `nil` for all.
    ///   - template: the bytes of a file with the schema, to fill a copy of it. The rows are durable elsewhere, so the
    ///     file need not be. `nil` makes the schema.
    ///   - fill: without triggers and foreign keys, whose effects the rows already hold.
    static func make<Result>(
        _ path: String, label: String, with migrations: Set<String>? = nil, from template: [UInt8]? = nil,
        fill: (Database) throws -> Result
    ) throws -> Result {
        try create(path, template ?? [])
        do { return try filled(path, label, migrations, hasSchema: template != nil, fill) } catch {
            LedgerFiles.remove(path)
            throw error
        }
    }

    /// Closes the file before SQLite opens it: a later close of the descriptor would release SQLite's locks.
    private static func create(_ path: String, _ bytes: [UInt8]) throws(StoreError) {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError.cannotMake(path) }
        defer { close(file) }
        do throws(FileWriteError) { try FileOutput.write(bytes, to: file) } catch {
            unlink(path)
            throw StoreError.cannotMake(path, error.code)
        }
    }

    private static func filled<Result>(
        _ path: String, _ label: String, _ migrations: Set<String>?, hasSchema: Bool,
        _ fill: (Database) throws -> Result
    ) throws -> Result {
        var configuration = Connection.plain()
        configuration.label = label
        configuration.foreignKeysEnabled = false
        let target = try DatabaseQueue(path: path, configuration: configuration)
        let result = try target.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA page_size = \(Connection.pageSize)")
            // A fault leaves no file, so nothing is rolled back.
            if hasSchema { try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
            var result: Result?
            try db.inTransaction(.exclusive) {
                if !hasSchema { try Schema.migrate(db, with: migrations) }
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
