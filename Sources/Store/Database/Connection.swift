import CSQLite
import GRDB
import GRDBSQLite

/// Configuration of every connection to the database.
enum Connection {
    /// KiB of page cache: enough for the hot pages of all indexes during a batch.
    static let writerCache = 2048
    static let readerCache = 1024
    /// Bytes. One page holds the retained bytes of most mails; an existing file keeps its page size.
    static let pageSize = 8192
    /// Pages in the write-ahead log before a checkpoint; a commit of 500 mails with their bytes has about 1000.
    static let checkpointPages = 2000
    /// Size in bytes to which the log is truncated after a checkpoint.
    static let logBytes = 16 << 20

    /// Made once, before the first connection of the process. The lock of the counters takes 4 % of the processor time
    /// of a first pass over 10,000 mails.
    private static let countsNoMemory: Void = { _ = spendwise_sqlite_count_no_memory() }()

    /// Begins the configuration of any connection.
    static func plain() -> Configuration {
        _ = countsNoMemory
        return Configuration()
    }

    /// - Parameters:
    ///   - view: what the connection sees; `nil` for all.
    ///   - isCopy: true if every commit is durable elsewhere before it is made here.
    static func configuration(
        readOnly: Bool, wait: BusyWait, view: LedgerView? = nil, isCopy: Bool = false
    ) -> Configuration {
        var configuration = plain()
        configuration.label = view == nil ? readOnly ? "store.reader" : "store.writer" : LedgerView.label
        configuration.readonly = readOnly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = wait.handler()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            try db.execute(sql: "PRAGMA cache_size = -\(readOnly ? readerCache : writerCache)")
            if !readOnly { try prepareToWrite(db, isCopy: isCopy) }
            try view?.apply(to: db)
        }
        return configuration
    }

    /// Lets no trigger fire from now on.
    static func disableTriggers(_ db: Database) throws {
        let code = spendwise_sqlite_disable_triggers(db.sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Releases the parsed schema until the next statement. A failure would only keep it.
    static func forgetTables(_ queue: DatabaseQueue) {
        // The schema is read anew (sqlite.org/pragma.html#pragma_writable_schema).
        try? queue.inDatabase { try $0.execute(sql: "PRAGMA writable_schema = RESET") }
    }

    private static func prepareToWrite(_ db: Database, isCopy: Bool) throws {
        try db.execute(sql: "PRAGMA page_size = \(pageSize)")
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw DatabaseError(
                resultCode: .SQLITE_IOERR,
                message: "the file system allows no shared memory (WAL): put the database on a local disk")
        }
        // A committed mail must survive a power cut.
        try db.execute(sql: "PRAGMA synchronous = \(isCopy ? "OFF" : "FULL")")
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(checkpointPages)")
        try db.execute(sql: "PRAGMA journal_size_limit = \(logBytes)")
        // A read-only user needs the -wal and -shm files, which SQLite would delete with the last writer.
        var keep: CInt = 1
        _ = withUnsafeMutablePointer(to: &keep) {
            sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, $0)
        }
    }
}
