extension Schema {
    /// Accounts of the user, and the bank's digits by which alerts name them.
    ///
    /// A trigger inserts the account for digits that are new, whichever code books the row. ``LedgerRows`` sets the
    /// account of known digits itself, so the trigger does nothing for nearly all rows.
    static let books = """
        -- confirmed_at: NULL until a person looked at an account that an alert made. merged_into: the account that took over its numbers.
        -- split_from: the account whose number it was made for.
        -- initial_balance_minor: the balance at the beginning of initial_balance_date.
        CREATE TABLE user_accounts (
          id INTEGER PRIMARY KEY,
          name TEXT NOT NULL CHECK (name <> ''),
          type TEXT NOT NULL
            CHECK (type = 'bank' OR type = 'card' OR type = 'wallet' OR type = 'cash' OR type = 'investment' OR type = 'loan'),
          institution TEXT,
          account_number_last4 TEXT,
          currency TEXT NOT NULL CHECK (length(currency) = 3),
          initial_balance_minor INTEGER NOT NULL DEFAULT 0,
          initial_balance_date TEXT CHECK (initial_balance_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          credit_limit_minor INTEGER CHECK (credit_limit_minor >= 0),
          is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
          color TEXT,
          icon TEXT,
          linked_parser_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
          merged_into INTEGER REFERENCES user_accounts (id),
          split_from INTEGER,
          confirmed_at TEXT,
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL,
          CHECK (merged_into IS NULL OR merged_into <> id)
        ) STRICT;

        CREATE TABLE user_account_numbers (
          profile TEXT NOT NULL CHECK (profile <> ''),
          account_digits TEXT NOT NULL CHECK (account_digits <> ''),
          user_account_id INTEGER NOT NULL REFERENCES user_accounts (id),
          first_seen TEXT NOT NULL,
          last_seen TEXT NOT NULL,
          PRIMARY KEY (profile, account_digits)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX user_account_numbers_by_account ON user_account_numbers (user_account_id);

        CREATE TABLE found_accounts AS
          SELECT row_number() OVER (ORDER BY first) AS id, * FROM (
            SELECT min(id) AS first, profile, account_digits, account_name, channel, currency, balance_minor, balance_currency, limit_currency,
              min(parsed_date) AS first_seen, max(parsed_date) AS last_seen
            FROM transactions WHERE status = 'confirmed' AND deleted_at IS NULL AND profile <> '' AND account_digits <> ''
            GROUP BY profile, account_digits);
        INSERT INTO user_accounts (id, name, type, institution, account_number_last4, currency, created_at, updated_at)
          SELECT id, \(accountName("f")), \(accountType("f")), \(institution("f")), substr(account_digits, -4), \(firstCurrency("f")), now, now
          FROM found_accounts f, (SELECT strftime('%Y-%m-%dT%H:%M:%SZ') AS now);
        INSERT INTO user_account_numbers SELECT profile, account_digits, id, first_seen, last_seen FROM found_accounts;
        DROP TABLE found_accounts;
        -- Its rows are the numbers now; those whose transactions are all deleted come back with the next alert.
        DROP TABLE own_accounts;

        ALTER TABLE transactions ADD COLUMN user_account_id INTEGER REFERENCES user_accounts (id);
        UPDATE transactions SET user_account_id =
          (SELECT user_account_id FROM user_account_numbers n WHERE n.profile = transactions.profile AND n.account_digits = transactions.account_digits)
          WHERE profile <> '' AND account_digits <> '';
        CREATE INDEX transactions_by_user_account ON transactions (user_account_id, occurred_at) WHERE user_account_id IS NOT NULL;

        CREATE TRIGGER transactions_make_account AFTER INSERT ON transactions
          WHEN NEW.user_account_id IS NULL AND NEW.status = 'confirmed' AND NEW.profile <> '' AND NEW.account_digits <> '' BEGIN
          \(assignment)
        END;
        CREATE TRIGGER transactions_follow_account AFTER UPDATE OF status, profile, account_digits ON transactions
          WHEN NEW.status = 'confirmed' AND NEW.profile <> '' AND NEW.account_digits <> ''
            AND (NEW.user_account_id IS NULL OR NEW.account_digits IS NOT OLD.account_digits OR NEW.profile IS NOT OLD.profile) BEGIN
          \(assignment)
        END;
        CREATE TRIGGER user_account_numbers_follow AFTER UPDATE OF user_account_id ON user_account_numbers BEGIN
          UPDATE transactions SET user_account_id = NEW.user_account_id
            WHERE user_account_id = OLD.user_account_id AND profile = NEW.profile AND account_digits = NEW.account_digits;
        END;
        """

    /// Makes the account and the number if the digits are new, and names the row's account.
    private static let assignment = """
        INSERT INTO user_accounts (name, type, institution, account_number_last4, currency, created_at, updated_at)
              SELECT \(accountName("NEW")), \(accountType("NEW")), \(institution("NEW")), substr(NEW.account_digits, -4), \(firstCurrency("NEW")),
                NEW.updated_at, NEW.updated_at
              WHERE NOT EXISTS (SELECT 1 FROM user_account_numbers WHERE profile = NEW.profile AND account_digits = NEW.account_digits);
            INSERT INTO user_account_numbers SELECT NEW.profile, NEW.account_digits, last_insert_rowid(), NEW.parsed_date, NEW.parsed_date
              WHERE NOT EXISTS (SELECT 1 FROM user_account_numbers WHERE profile = NEW.profile AND account_digits = NEW.account_digits);
            UPDATE transactions SET user_account_id =
                (SELECT user_account_id FROM user_account_numbers WHERE profile = NEW.profile AND account_digits = NEW.account_digits)
              WHERE id = NEW.id;
        """

    /// The bank's name: `account_name` is `HDFC Bank 4321`, also after a person corrected the digits.
    private static func institution(_ row: String) -> String {
        "coalesce(nullif(rtrim(\(row).account_name, '0123456789 '), ''), \(row).profile)"
    }

    /// `HDFC Bank ··4321`.
    private static func accountName(_ row: String) -> String {
        "\(institution(row)) || ' ··' || substr(\(row).account_digits, -4)"
    }

    /// An alert of a card that prints no balance is a credit card's; a debit card draws on the balance of an account.
    private static func accountType(_ row: String) -> String {
        "iif(\(row).channel = 'card' AND \(row).balance_minor IS NULL, 'card', 'bank')"
    }

    /// The currency of a balance or limit comes first: the amount of a payment abroad is not in the account's currency.
    private static func firstCurrency(_ row: String) -> String {
        "coalesce(\(row).balance_currency, \(row).limit_currency, \(row).currency)"
    }
}
