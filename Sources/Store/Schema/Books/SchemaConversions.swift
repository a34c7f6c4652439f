extension Schema {
    /// Notices of purchases that are paid in instalments, and final amounts in another currency than the authorisation.
    static let conversions = """
        -- minimum_minor: the minimum due of a bill, or one instalment.
        CREATE TABLE notices_new (
          id INTEGER PRIMARY KEY,
          source_email_id TEXT NOT NULL UNIQUE REFERENCES processed_emails (id) ON DELETE CASCADE,
          kind TEXT NOT NULL CHECK (kind IN ('bill', 'mandate', 'balance', 'deposit-maturity', 'limit', 'instalments')),
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
          CHECK (account_digits IS NOT NULL OR kind NOT IN ('balance', 'limit', 'instalments'))
        ) STRICT;
        INSERT INTO notices_new (\(noticeColumns)) SELECT \(noticeColumns) FROM notices;
        DROP TABLE notices;
        ALTER TABLE notices_new RENAME TO notices;
        CREATE INDEX notices_by_day ON notices (kind, day);
        CREATE INDEX notices_by_account ON notices (profile, account_digits) WHERE account_digits IS NOT NULL;

        -- A final amount replaces the whole authorisation, also in another currency.
        DROP TRIGGER transaction_links_books;
        DROP TRIGGER transaction_links_insert;
        DROP TRIGGER transaction_links_make;
        DROP TRIGGER transactions_keep_links;
        CREATE TRIGGER transaction_links_books AFTER INSERT ON transaction_links BEGIN
          \(oneBook)
        END;
        CREATE TRIGGER transaction_links_insert AFTER INSERT ON transaction_links WHEN NEW.state = 'made' BEGIN
          \(oneBook)
          \(madeLink)
        END;
        CREATE TRIGGER transaction_links_make AFTER UPDATE OF state ON transaction_links WHEN NEW.state = 'made' AND OLD.state <> 'made' BEGIN
          \(oneBook)
          \(madeLink)
        END;
        CREATE TRIGGER transactions_keep_links AFTER UPDATE OF amount_minor, currency, ledger ON transactions
          WHEN (NEW.amount_minor <> OLD.amount_minor OR NEW.currency <> OLD.currency OR NEW.ledger <> OLD.ledger)
            AND EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND (from_id = NEW.id OR to_id = NEW.id)) BEGIN
          SELECT RAISE(ABORT, '\(refundsExceed)') WHERE EXISTS (SELECT 1 FROM exceeded_purchases);
          SELECT RAISE(ABORT, '\(linkBooks)') WHERE EXISTS (
            SELECT 1 FROM transaction_links l JOIN transactions a ON a.id = l.from_id JOIN transactions b ON b.id = l.to_id
            WHERE l.state = 'made' AND (l.from_id = NEW.id OR l.to_id = NEW.id)
              AND (a.ledger <> b.ledger OR a.currency <> b.currency AND l.kind <> 'settles'));
        END;
        """

    private static let noticeColumns = """
        id, source_email_id, kind, profile, account_digits, amount_minor, currency, minimum_minor, merchant, day, time, period_from, period_to,
          reference, created_at
        """

    private static let oneBook = """
        SELECT RAISE(ABORT, '\(linkBooks)') WHERE (SELECT count(DISTINCT ledger || iif(NEW.kind = 'settles', '', '/' || currency))
            FROM transactions WHERE id IN (NEW.from_id, NEW.to_id)) > 1;
        """
}
