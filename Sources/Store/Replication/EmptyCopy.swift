import GRDB
import GRDBSQLite
import Synchronization

/// The file of a working copy before it has rows.
///
/// A process that reads many households makes it once. To make the tables in each file, and to remove the rows with
/// which a new ledger begins, took a fifth of the time of opening a copy.
enum EmptyCopy {
    private static let made = Mutex<[UInt8]?>(nil)

    /// The bytes of the file: all tables, none with a row.
    static func bytes() throws -> [UInt8] {
        try made.withLock { made in
            if let made { return made }
            let bytes = try make()
            made = bytes
            return bytes
        }
    }

    private static func make() throws -> [UInt8] {
        var configuration = Connection.plain()
        configuration.label = "store.empty"
        configuration.foreignKeysEnabled = false
        return try DatabaseQueue(configuration: configuration).writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA page_size = \(Connection.pageSize)")
            try db.inTransaction {
                try Schema.migrate(db)
                try Connection.disableTriggers(db)
                for table in try LedgerTable.ofCopy(db) { try db.execute(sql: "DELETE FROM \(table.quotedName)") }
                return .commit
            }
            try db.execute(sql: "VACUUM")
            var count: sqlite3_int64 = 0
            guard let start = sqlite3_serialize(db.sqliteConnection, "main", &count, 0) else {
                throw DatabaseError(resultCode: .SQLITE_NOMEM)
            }
            defer { sqlite3_free(start) }
            return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
        }
    }
}
