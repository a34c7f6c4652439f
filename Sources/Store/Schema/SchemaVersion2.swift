extension Schema {
    /// Full health of a mailbox instead of its state only. No process reads mail during a migration, so every mailbox
    /// is `stopped`.
    static let version2 = """
        CREATE TABLE mailbox_health (
          mailbox TEXT NOT NULL PRIMARY KEY,
          state TEXT NOT NULL
            CHECK (state = 'connecting' OR state = 'reading' OR state = 'watching' OR state = 'waiting' OR state = 'refused' OR state = 'stopped'),
          reason TEXT,
          since TEXT NOT NULL,
          last_probe_at TEXT,
          last_mail_at TEXT,
          last_bank_mail_at TEXT,
          attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
          next_attempt_at TEXT,
          due_at TEXT
        ) STRICT, WITHOUT ROWID;
        INSERT INTO mailbox_health (mailbox, state, reason, since, last_probe_at, last_bank_mail_at)
          SELECT mailbox, 'stopped', nullif(reason, ''), changed_at, last_probe_at,
            (SELECT max(last_received_at) FROM mailbox_cursors c WHERE c.mailbox = s.mailbox)
          FROM mailbox_states s;
        DROP TABLE mailbox_states;
        """
}
