import DurableFiles
internal import GRDB
import Synchronization

extension Store {
    /// Checks every page, index, CHECK and foreign key: takes seconds for a large database.
    /// - Returns: one line for each defect; empty if there is none.
    public func integrityDefects() throws(StoreError) -> [String] {
        try readDatabase { db in
            var defects = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
            for row in try Row.fetchAll(db, sql: "PRAGMA foreign_key_check") {
                defects.append(
                    "row \(row[1] as Int64? ?? 0) of \(row[0] as String) points at no row of \(row[2] as String)")
            }
            return defects
        }
    }

    /// Moves the write-ahead log into the database file and empties it, so that a copy of that one file is whole.
    ///
    /// - Parameter milliseconds: the time to wait for other connections.
    /// - Returns: false if another connection used the log for longer; nothing is lost then.
    @discardableResult
    public func checkpoint(waiting milliseconds: Int = 1000) throws(StoreError) -> Bool {
        guard !isReadOnly else { return false }
        try refuseIfDamaged()
        do {
            return try writer.writeWithoutTransaction { db in
                try wait.limited(to: UInt64(max(milliseconds, 0))) {
                    try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?[0] as Int? == 0
                }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return false
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Empties the write-ahead log if nothing was written since the last call. Call it about once a minute.
    public func checkpointIfIdle() throws(StoreError) {
        guard let log = FileStamp(of: path + "-wal"), log.size > 0 else { return }
        if idle.isUnchanged(log) { try checkpoint(waiting: 0) }
    }

    /// Writes a copy of the database, one snapshot without unused pages, to a new file that only its owner can read.
    ///
    /// - Throws: also if there is a file at `path`.
    public func copy(to path: String) throws(StoreError) {
        try withoutTransaction { try DatabaseFile.copy($0, to: path) }
    }

    /// Runs `PRAGMA optimize`, which updates SQLite's statistics. Once a day is enough.
    public func optimize() throws(StoreError) {
        try refuseIfDamaged()
        try withoutTransaction { try $0.execute(sql: "PRAGMA optimize") }
    }

    /// Tests writing by allocating and freeing some pages, and throws on failure. A write that changes nothing succeeds
    /// even on a full disk.
    public func proveWritable() throws(StoreError) {
        try writeDatabase {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO mailbox_alarms (mailbox, since) VALUES ('', hex(zeroblob(32768)))")
        }
        try writeDatabase { try $0.execute(sql: "DELETE FROM mailbox_alarms WHERE mailbox = ''") }
    }
}

/// State of the write-ahead log at the last check.
final class IdleCheck: Sendable {
    private let last = Mutex<FileStamp?>(nil)

    func isUnchanged(_ state: FileStamp) -> Bool {
        last.withLock { last in
            defer { last = state }
            return last == state
        }
    }
}
