extension Schema {
    /// Imported archives, watched Maildirs, failed mails with their retries, and rescans.
    static let sources = """
        -- When a failed mail is due for another try; NULL: not by itself.
        ALTER TABLE processed_emails ADD COLUMN next_attempt_at TEXT;
        CREATE INDEX processed_emails_due ON processed_emails (next_attempt_at) WHERE status = 'failed' AND next_attempt_at IS NOT NULL;

        -- What points at a mail or a transaction, before that one is changed.
        CREATE INDEX processed_emails_by_original ON processed_emails (duplicate_of) WHERE duplicate_of IS NOT NULL;
        CREATE INDEX transactions_by_original ON transactions (duplicate_of) WHERE duplicate_of IS NOT NULL;

        -- How far an import has come. authentication: whose word counts, in the words of spendwise.yaml; empty: nobody's.
        -- file, device, inode, size, modified_at (nanoseconds): the file that was being read; next_offset: its first byte that is not done.
        CREATE TABLE imports (
          mailbox TEXT NOT NULL,
          root TEXT NOT NULL,
          authentication TEXT NOT NULL,
          file TEXT,
          device INTEGER NOT NULL DEFAULT 0,
          inode INTEGER NOT NULL DEFAULT 0,
          size INTEGER NOT NULL DEFAULT 0,
          modified_at INTEGER NOT NULL DEFAULT 0,
          next_offset INTEGER NOT NULL DEFAULT 0,
          updated_at TEXT NOT NULL,
          finished_at TEXT,
          PRIMARY KEY (mailbox, root)
        ) STRICT, WITHOUT ROWID;

        -- The files of a Maildir folder that were looked at; name: a 64-bit digest of the name without flags.
        CREATE TABLE maildir_files (
          mailbox TEXT NOT NULL,
          folder TEXT NOT NULL,
          name INTEGER NOT NULL,
          PRIMARY KEY (mailbox, folder, name)
        ) STRICT, WITHOUT ROWID;

        -- Older mail to be asked for again. bank: NULL for every bank; since: a day, NULL for all.
        CREATE TABLE rescan_requests (
          id INTEGER PRIMARY KEY,
          mailbox TEXT NOT NULL,
          folder TEXT NOT NULL,
          bank TEXT,
          since TEXT,
          requested_at TEXT NOT NULL,
          finished_at TEXT,
          looked_at INTEGER NOT NULL DEFAULT 0,
          changed INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX rescan_requests_waiting ON rescan_requests (mailbox, folder) WHERE finished_at IS NULL;
        """
}
