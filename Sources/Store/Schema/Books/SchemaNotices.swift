extension Schema {
    /// Values that banks announce in mails that book nothing.
    static let notices = """
        -- profile and account_digits: as in transactions. day: the due day, the day of the debit, of the balance or of maturity.
        -- amount_minor: the total due, the debit, the balance, the deposit or the limit.
        CREATE TABLE notices (
          id INTEGER PRIMARY KEY,
          source_email_id TEXT NOT NULL UNIQUE REFERENCES processed_emails (id) ON DELETE CASCADE,
          kind TEXT NOT NULL
            CHECK (kind = 'bill' OR kind = 'mandate' OR kind = 'balance' OR kind = 'deposit-maturity' OR kind = 'limit'),
          profile TEXT NOT NULL CHECK (profile <> ''),
          account_digits TEXT CHECK (account_digits <> ''),
          amount_minor INTEGER CHECK (amount_minor >= 0),
          currency TEXT CHECK (length(currency) = 3),
          minimum_minor INTEGER CHECK (minimum_minor BETWEEN 0 AND amount_minor),
          merchant TEXT CHECK (merchant <> ''),
          day TEXT CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          time TEXT,
          period_from TEXT CHECK (period_from GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          period_to TEXT CHECK (period_to GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          reference TEXT CHECK (reference <> ''),
          created_at TEXT NOT NULL,
          CHECK ((amount_minor IS NULL) = (currency IS NULL)),
          CHECK (amount_minor IS NOT NULL OR kind = 'deposit-maturity'),
          CHECK (day IS NOT NULL OR kind NOT IN ('mandate', 'deposit-maturity')),
          CHECK (account_digits IS NOT NULL OR kind NOT IN ('balance', 'limit'))
        ) STRICT;
        CREATE INDEX notices_by_day ON notices (kind, day);
        CREATE INDEX notices_by_account ON notices (profile, account_digits) WHERE account_digits IS NOT NULL;
        """
}
