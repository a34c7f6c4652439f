import GRDB
import Synchronization

/// The connection through which the commits of other writers reach the file of a working copy.
///
/// Their rows already hold the effects of triggers and foreign keys, so the connection has neither. It is opened at the
/// first such commit.
final class ForeignCommits: Sendable {
    private let path: String
    private let wait: BusyWait
    private let queue = Mutex<DatabaseQueue?>(nil)

    init(path: String, wait: BusyWait) { (self.path, self.wait) = (path, wait) }

    /// Runs `body` in one transaction.
    func write(_ body: (Database) throws -> Void) throws {
        let queue = try queue.withLock { queue in
            if let queue { return queue }
            let opened = try DatabaseQueue(path: path, configuration: Connection.ofForeignCommits(wait: wait))
            queue = opened
            return opened
        }
        try queue.write(body)
    }

    /// Closes the connection until the next such commit.
    func close() { queue.withLock { $0 = nil } }

    static func apply(_ change: LedgerChanges.TableChanges, _ db: Database) throws {
        let deletion = try PreparedStatement(db, change.table.deletionByKey)
        for key in change.removed { try deletion.run { statement in key.forEach { statement.bind($0) } } }
        let insertion = try PreparedStatement(db, change.table.insertion)
        for row in change.written { try insertion.run { statement in row.forEach { statement.bind($0) } } }
    }
}

extension Connection {
    fileprivate static func ofForeignCommits(wait: BusyWait) -> Configuration {
        var configuration = Connection.plain()
        configuration.label = "store.foreign"
        configuration.foreignKeysEnabled = false
        configuration.busyMode = wait.handler()
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA temp_store = MEMORY; PRAGMA cache_size = -\(readerCache); PRAGMA synchronous = OFF;
                    PRAGMA wal_autocheckpoint = \(checkpointPages); PRAGMA journal_size_limit = \(logBytes)
                    """)
            try Connection.disableTriggers(db)
        }
        return configuration
    }
}
