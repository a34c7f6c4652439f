extension Schema {
    /// Statements that banks sent as attachments of mails.
    static let statementMail = """
        -- number: of the file among those of its mail. bytes: until the statement is read, or its retention ends.
        -- user_account_id: chosen by a person. reason: why it was not read, without text of the file.
        CREATE TABLE statement_files (
          id INTEGER PRIMARY KEY,
          mail_id TEXT NOT NULL REFERENCES processed_emails (id) ON DELETE CASCADE,
          number INTEGER NOT NULL CHECK (number > 0),
          profile TEXT NOT NULL CHECK (profile <> ''),
          account_digits TEXT,
          file_name TEXT,
          file_digest TEXT NOT NULL CHECK (length(file_digest) = 64),
          size INTEGER NOT NULL CHECK (size > 0),
          state TEXT NOT NULL DEFAULT 'waiting'
            CHECK (state IN ('waiting', 'needs_password', 'needs_account', 'read', 'refused', 'expired', 'discarded')),
          reason TEXT,
          user_account_id INTEGER REFERENCES user_accounts (id) ON DELETE SET NULL,
          statement_id INTEGER REFERENCES statements (id) ON DELETE SET NULL,
          stored_at TEXT NOT NULL,
          bytes BLOB CHECK (bytes IS NULL OR length(bytes) = size),
          UNIQUE (mail_id, number)
        ) STRICT;
        CREATE INDEX statement_files_by_state ON statement_files (state);
        """
}
