public import Chronology
internal import GRDB

extension MailRepository {
    /// Retained bytes of a mail; `nil` if they were not retained or have expired.
    public func raw(ofMail id: String) throws(StoreError) -> [UInt8]? {
        try read { db in
            try PreparedStatement(db, "SELECT encoding, bytes FROM raw_messages WHERE mail_id = ?")
                .first({ $0.put(id) }, { (encoding: $0.text(0), bytes: $0.bytes(1)) })
                .map { try RawMessage.unpack($0.bytes, encoding: $0.encoding) }
        }
    }

    /// The number of booked mails without retained bytes.
    public func bookedWithoutBytes() throws(StoreError) -> Int {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM processed_emails m WHERE m.status = 'recorded' AND m.reviewed_at IS NULL
                      AND NOT EXISTS (SELECT 1 FROM raw_messages r WHERE r.mail_id = m.id AND r.size = length(r.bytes))
                    """) ?? 0
        }
    }

    /// The newest claimed mail of a template with retained bytes, `processed_emails.id`.
    public func latest(ofTemplate template: String, bank: String) throws(StoreError) -> String? {
        try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT m.id FROM processed_emails m JOIN raw_messages r ON r.mail_id = m.id
                    WHERE m.profile = ? AND m.template = ? AND m.status IN ('recorded', 'review', 'ignored') ORDER BY m.received_at DESC, m.id DESC LIMIT 1
                    """, arguments: [bank, template])
        }
    }

    /// Deletes bytes retained before `limit`, a thousand rows at a time so that no
    /// writer waits long. Rows of mails stay. Review items keep their bytes.
    /// - Returns: number of deleted rows.
    @discardableResult
    public func pruneRaw(rawOlderThan limit: UnixTime) throws(StoreError) -> Int where Scope: WriteScope {
        var total = 0
        while true {
            let count = try write { db in
                try db.execute(
                    sql: """
                        DELETE FROM raw_messages WHERE mail_id IN (
                          SELECT r.mail_id FROM raw_messages r JOIN processed_emails m ON m.id = r.mail_id
                          WHERE r.stored_at < ? AND NOT (m.status = 'review' AND m.reviewed_at IS NULL) LIMIT 1000)
                        """, arguments: [limit])
                return db.changesCount
            }
            total += count
            if count < 1000 { return total }
        }
    }
}

/// Storage of a mail's bytes in `raw_messages`.
enum RawMessage {
    static let insert = """
        INSERT INTO raw_messages (mail_id, stored_at, encoding, size, bytes) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET stored_at = excluded.stored_at, encoding = excluded.encoding, size = excluded.size, bytes = excluded.bytes
        """

    /// - Parameter size: the mail's size if `raw` is only its beginning.
    static func keep(
        _ raw: [UInt8], size: UInt64? = nil, mailID: String, time: UnixTime, with statement: PreparedStatement
    ) throws {
        let (encoding, bytes) = pack(raw)
        try statement.run {
            $0.put(mailID)
            $0.put(time)
            $0.put(encoding)
            $0.put(Int64(clamping: max(size ?? 0, UInt64(raw.count))))
            $0.put(bytes)
        }
    }

    /// Encodes bytes for storage. They are stored unchanged: compressing an alert of 18 kB costs more than all other
    /// work on it.
    static func pack(_ raw: [UInt8]) -> (encoding: String, bytes: [UInt8]) { ("identity", raw) }

    static func unpack(_ bytes: [UInt8], encoding: String) throws -> [UInt8] {
        guard encoding == "identity" else {
            throw DatabaseError(
                resultCode: .SQLITE_MISMATCH,
                message: "raw message in encoding \(encoding), which this version cannot read")
        }
        return bytes
    }
}
