import Chronology
internal import GRDB

extension Schema {
    /// Bytes of mail that each mailbox downloaded, by the hour since 1970-01-01 UTC, for the daily download limit.
    static let downloads = """
        CREATE TABLE downloads (
          mailbox TEXT NOT NULL,
          hour INTEGER NOT NULL,
          bytes INTEGER NOT NULL CHECK (bytes >= 0),
          PRIMARY KEY (mailbox, hour)
        ) STRICT, WITHOUT ROWID;
        """
}

/// Bytes downloaded in one hour.
public struct HourlyDownload: Hashable, Sendable {
    /// Hours since 1970-01-01 UTC.
    public var hour: Int64
    public var bytes: UInt64

    public init(hour: Int64, bytes: UInt64) {
        self.hour = hour
        self.bytes = bytes
    }
}

extension MailboxRepository {
    /// Adds to a mailbox's downloads of this hour. Deletes rows older than a day, and rows in the future that a wrong
    /// clock wrote.
    public func addDownload(_ bytes: UInt64, by mailbox: String) throws(StoreError) where Scope: WriteScope {
        let hour = now().seconds / 3600
        try write { db in
            try db.execute(
                sql: "INSERT INTO downloads VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes",
                arguments: [mailbox, hour, Int64(clamping: bytes)])
            try db.execute(sql: "DELETE FROM downloads WHERE hour < ? OR hour > ?", arguments: [hour - 24, hour])
        }
    }

    /// The bytes that a mailbox downloaded in each of the last 24 hours, oldest first.
    public func downloads(by mailbox: String) throws(StoreError) -> [HourlyDownload] {
        let hour = now().seconds / 3600
        return try read { db in
            try Row.fetchAll(
                db, sql: "SELECT hour, bytes FROM downloads WHERE mailbox = ? AND hour > ? AND hour <= ? ORDER BY hour",
                arguments: [mailbox, hour - 24, hour]
            ).map { HourlyDownload(hour: $0[0], bytes: UInt64($0[1] as Int64)) }
        }
    }
}
