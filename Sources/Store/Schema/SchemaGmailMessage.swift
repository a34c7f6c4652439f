extension Schema {
    /// X-GM-MSGID, an unsigned 64-bit number stored with the same bits: equal for a mail in every folder of a Gmail
    /// account.
    static let gmailMessage = """
        ALTER TABLE processed_emails ADD COLUMN gmail_message_id INTEGER;
        CREATE INDEX processed_emails_by_gmail_message ON processed_emails (mailbox, gmail_message_id) WHERE gmail_message_id IS NOT NULL;
        """
}
