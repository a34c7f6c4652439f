public import Chronology
internal import GRDB

/// Identity of a recorded message whose folder may have been renumbered.
public struct RecordedMessage: Hashable, Sendable {
    public var uid: UInt32
    public var messageID: String?
    /// INTERNALDATE, seconds since 1970-01-01 UTC.
    public var receivedAt: UnixTime?
}

extension MailboxRepository {
    /// The recorded messages with the highest UIDs, descending. Rows of messages that never arrived are left out:
    /// nothing identifies them.
    public func lastRecorded(
        of key: FolderKey, uidValidity: UInt32, limit: Int
    ) throws(StoreError) -> [RecordedMessage] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT uid, message_id, received_at FROM processed_emails
                        WHERE mailbox = ? AND folder = ? AND uid_validity = ? AND status <> 'failed'
                          AND (message_id IS NOT NULL OR received_at IS NOT NULL)
                        ORDER BY uid DESC LIMIT ?
                        """), arguments: [key.mailbox, key.folder, uidValidity, limit]
            ).map {
                RecordedMessage(
                    uid: $0["uid"], messageID: $0["message_id"],
                    receivedAt: $0["received_at"] as UnixTime?)
            }
        }
    }

    /// Moves the rows and the cursor of a numbering to a UIDVALIDITY that no server uses, because the server has
    /// assigned its UIDs to other messages without changing UIDVALIDITY. The next pass reads the folder as renumbered.
    ///
    /// - Returns: the cursor under its new number.
    public func setAsideNumbering(_ uidValidity: UInt32, of key: FolderKey) throws(StoreError) -> FolderCursor? {
        try write { db in
            var free = UInt32.max
            let isUsed =
                "SELECT EXISTS (SELECT 1 FROM processed_emails WHERE mailbox = ? AND folder = ? AND uid_validity = ?)"
            while try Bool.fetchOne(db, sql: isUsed, arguments: [key.mailbox, key.folder, free]) == true { free -= 1 }
            try db.execute(
                sql:
                    "UPDATE main.processed_emails SET uid_validity = ? WHERE mailbox = ? AND folder = ? AND uid_validity = ?",
                arguments: [free, key.mailbox, key.folder, uidValidity])
            // Not `updated_at`: the search begins where the numbering was left.
            try db.execute(
                sql:
                    "UPDATE mailbox_cursors SET uid_validity = ? WHERE mailbox = ? AND folder = ? AND uid_validity = ?",
                arguments: [free, key.mailbox, key.folder, uidValidity])
        }
        return try cursor(of: key)
    }
}
