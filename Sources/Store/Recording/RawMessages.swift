import Chronology
internal import GRDB

extension MailRepository {
    /// Retained bytes of a mail; `nil` if they were not retained or have expired.
    public func raw(ofMail id: String) throws(StoreError) -> [UInt8]? {
        try read { db in
            let decoder = RawMessageDecoder(db)
            return try PreparedStatement(
                db, "SELECT \(RawMessageDecoder.columns) FROM raw_messages r WHERE mail_id = ?"
            )
            .first({ $0.bind(id) }, { try decoder.bytes($0, at: 0) })
        }
    }

    /// The number of booked mails without retained bytes.
    public func bookedWithoutBytes() throws(StoreError) -> Int {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM processed_emails m WHERE m.status = 'recorded' AND m.reviewed_at IS NULL
                      AND NOT EXISTS (SELECT 1 FROM raw_messages r WHERE r.mail_id = m.id AND r.size = r.kept_size)
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
}
