import GRDB
import GRDBSQLite

/// How every connection to the database is set up.
enum Connection {
    /// KiB of page cache: the writer's holds the hot pages of all indexes of a batch; a reader's is small since each thread may have one.
    static let writerCache = 4096
    static let readerCache = 1024
    /// The web page asks from few threads at once; each reader costs its cache.
    static let maximumReaders = 3
    /// Pages in the write-ahead log before it is copied back: a batch of 500 mails with their bytes is some 3000.
    static let checkpointPages = 4000
    /// The log is cut to this many bytes after it was copied back.
    static let logBytes = 16 << 20

    static func configuration(readOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = "store"
        configuration.readonly = readOnly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(Double(Store.busyTimeout))
        configuration.maximumReaderCount = maximumReaders
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            let writes = !db.configuration.readonly
            try db.execute(sql: "PRAGMA cache_size = -\(writes ? writerCache : readerCache)")
            if writes {
                try db.execute(sql: "PRAGMA wal_autocheckpoint = \(checkpointPages)")
                try db.execute(sql: "PRAGMA journal_size_limit = \(logBytes)")
                // A user who may only read needs the -wal and -shm files to exist: SQLite would delete them with the last writer.
                var keep: CInt = 1
                _ = withUnsafeMutablePointer(to: &keep) { sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, $0) }
            }
        }
        return configuration
    }

    /// GRDB sets `synchronous = NORMAL` when it turns WAL on, which may forget the last commits at a power cut. A commit here is a promise.
    static func makeDurable(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }
}
