internal import GRDB

extension Store {
    /// Looks at every page, index, CHECK and foreign key: seconds for a large database.
    /// - Returns: one line for each defect; empty where all is well.
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

    /// Writes what is in the write-ahead log into the database file, so that a copy of that one file is whole. For a clean end and for backups.
    public func checkpoint() throws(StoreError) {
        try withoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    /// Writes the database as it is now into a new file.
    public func copy(to path: String) throws(StoreError) {
        try withoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
    }

    /// Lets SQLite renew what it knows of the tables' sizes (`PRAGMA optimize`). Once a day is plenty.
    public func optimize() throws(StoreError) {
        try withoutTransaction { try $0.execute(sql: "PRAGMA optimize") }
    }

    /// Writes some pages and frees them again, as a mail would: throws where that is not possible. A write that changes nothing succeeds on a full disk.
    public func proveWritable() throws(StoreError) {
        try writeDatabase {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO mailbox_alarms (mailbox, since) VALUES ('', hex(zeroblob(32768)))")
        }
        try writeDatabase { try $0.execute(sql: "DELETE FROM mailbox_alarms WHERE mailbox = ''") }
    }
}
