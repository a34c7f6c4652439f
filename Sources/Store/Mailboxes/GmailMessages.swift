internal import GRDB

extension MailboxRepository {
    /// Returns true if any mail of the mailbox was recorded with an X-GM-MSGID.
    public func hasGmailMessages(of mailbox: String) throws(StoreError) -> Bool {
        try read { db in
            try Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM processed_emails WHERE gmail_message_id IS NOT NULL AND mailbox = ?)",
                arguments: [mailbox])
                ?? false
        }
    }

    /// Recorded mails with these Gmail numbers, by their rows. Copies, failures, unclaimed and quarantined mails are
    /// left out, because they are decided again from the mail itself.
    public func mails(gmailMessageIDs ids: [UInt64], of mailbox: String) throws(StoreError) -> [UInt64: String] {
        try read { db in
            let statement = try PreparedStatement(
                db,
                """
                SELECT id FROM processed_emails WHERE gmail_message_id IS NOT NULL AND mailbox = ? AND gmail_message_id = ?
                  AND duplicate_of IS NULL AND (status = 'recorded' OR status = 'review' OR status = 'ignored')
                """)
            var found: [UInt64: String] = [:]
            for id in ids {
                found[id] = try statement.first(
                    {
                        $0.bind(mailbox)
                        $0.bind(Int64(bitPattern: id))
                    }, { $0.text(0) })
            }
            return found
        }
    }
}
