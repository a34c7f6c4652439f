extension Schema {
    /// The findings of the last continuity check, so that each is reported once and its end is noticed.
    static let findings = """
        -- from_id, to_id: the transactions whose printed balances begin and end the window. told_at: of the notification.
        CREATE TABLE account_findings (
          user_account_id INTEGER NOT NULL REFERENCES user_accounts (id) ON DELETE CASCADE,
          from_id INTEGER NOT NULL,
          to_id INTEGER NOT NULL,
          gap_minor INTEGER NOT NULL,
          found_at TEXT NOT NULL,
          told_at TEXT,
          PRIMARY KEY (user_account_id, from_id, to_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE account_checks (
          user_account_id INTEGER PRIMARY KEY REFERENCES user_accounts (id) ON DELETE CASCADE,
          windows INTEGER NOT NULL,
          is_drifting INTEGER NOT NULL CHECK (is_drifting IN (0, 1)),
          checked_at TEXT NOT NULL
        ) STRICT;
        """
}
