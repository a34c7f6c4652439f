extension Schema {
    /// Statements that were read from files, with their lines and the transactions that the lines describe.
    static let statements = """
        -- reconciled_at: every line has its transaction, with the line's amount. A change of one of them clears it.
        CREATE TABLE statements (
          id INTEGER PRIMARY KEY,
          user_account_id INTEGER NOT NULL REFERENCES user_accounts (id) ON DELETE CASCADE,
          file_digest TEXT NOT NULL CHECK (length(file_digest) = 64),
          file_name TEXT,
          currency TEXT NOT NULL CHECK (length(currency) = 3),
          first_day TEXT NOT NULL CHECK (first_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          last_day TEXT NOT NULL CHECK (last_day >= first_day),
          opening_minor INTEGER,
          closing_minor INTEGER,
          proof TEXT NOT NULL CHECK (proof IN ('every_line', 'sum', 'none')),
          read_at TEXT NOT NULL,
          reconciled_at TEXT,
          UNIQUE (user_account_id, file_digest)
        ) STRICT;

        -- number: from 1, in the order of the statement. file_row: as a person counts in the file.
        -- is_booked: the line made its transaction, which undo removes. mail_id: of the mail that reported the same event later.
        CREATE TABLE statement_lines (
          statement_id INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
          number INTEGER NOT NULL CHECK (number > 0),
          file_row INTEGER NOT NULL,
          day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          value_day TEXT,
          amount_minor INTEGER NOT NULL CHECK (amount_minor >= 0),
          direction TEXT NOT NULL CHECK (direction IN ('in', 'out')),
          line_text TEXT NOT NULL,
          reference TEXT,
          balance_minor INTEGER,
          transaction_id INTEGER REFERENCES transactions (id) ON DELETE SET NULL,
          match_reason TEXT CHECK (match_reason IN ('reference', 'name', 'amount', 'booked')),
          is_booked INTEGER NOT NULL DEFAULT 0 CHECK (is_booked IN (0, 1)),
          mail_id TEXT,
          PRIMARY KEY (statement_id, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX statement_lines_by_transaction ON statement_lines (transaction_id) WHERE transaction_id IS NOT NULL;
        -- A mail that arrives later looks for the line that booked its event.
        CREATE INDEX statement_lines_booked ON statement_lines (amount_minor, day) WHERE is_booked = 1;

        CREATE TRIGGER transactions_end_reconciliation
          AFTER UPDATE OF amount_minor, currency, parsed_date, transaction_type, status, deleted_at ON transactions
          WHEN NEW.amount_minor <> OLD.amount_minor OR NEW.currency <> OLD.currency OR NEW.parsed_date <> OLD.parsed_date
            OR NEW.deleted_at IS NOT OLD.deleted_at OR (OLD.status = 'confirmed' AND NEW.status <> 'confirmed')
            -- Becoming a side of a transfer does not change the direction.
            OR (NEW.transaction_type <> OLD.transaction_type AND 'transfer' NOT IN (NEW.transaction_type, OLD.transaction_type))
          BEGIN
          UPDATE statements SET reconciled_at = NULL WHERE reconciled_at IS NOT NULL
            AND id IN (SELECT statement_id FROM statement_lines WHERE transaction_id = NEW.id);
        END;
        """
}
