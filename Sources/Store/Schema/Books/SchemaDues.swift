extension Schema {
    /// Recurring items, and what people decided about the payments of dues. The state of a due is computed when it is
    /// asked for.
    static let dues = """
        -- rule: RFC 5545, section 3.3.10. last_processed_date: the last day (UTC) up to which a posted item was booked.
        -- AUTOINCREMENT: the journal restores a deleted row under its number, and no other item may take its keys.
        CREATE TABLE recurring_items (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL CHECK (name <> ''),
          user_account_id INTEGER REFERENCES user_accounts (id) ON DELETE SET NULL,
          transaction_type TEXT NOT NULL CHECK (transaction_type IN ('expense', 'income')),
          currency TEXT NOT NULL CHECK (length(currency) = 3),
          amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
          band_percent INTEGER NOT NULL CHECK (band_percent BETWEEN 0 AND 100),
          rule TEXT NOT NULL CHECK (rule LIKE 'FREQ=%'),
          starts_on TEXT NOT NULL CHECK (starts_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          mode TEXT NOT NULL CHECK (mode IN ('expected', 'posted')),
          is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
          category_name TEXT,
          subcategory TEXT,
          last_processed_date TEXT CHECK (last_processed_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL
        ) STRICT;
        CREATE INDEX recurring_items_by_account ON recurring_items (user_account_id) WHERE user_account_id IS NOT NULL;

        -- due_id: 'notice:ID' or 'recurring:ID:DAY'.
        CREATE TABLE due_links (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          due_id TEXT NOT NULL CHECK (due_id LIKE 'notice:%' OR due_id LIKE 'recurring:%'),
          transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
          state TEXT NOT NULL CHECK (state IN ('linked', 'refused')),
          created_at TEXT NOT NULL,
          UNIQUE (due_id, transaction_id)
        ) STRICT;
        CREATE INDEX due_links_by_transaction ON due_links (transaction_id);

        -- Each occasion is reported once.
        CREATE TABLE due_notifications (
          due_id TEXT NOT NULL,
          occasion TEXT NOT NULL CHECK (occasion IN ('ahead', 'late')),
          told_at TEXT NOT NULL,
          PRIMARY KEY (due_id, occasion)
        ) STRICT, WITHOUT ROWID;
        """

    /// Dues that a person declared to be paid though the ledger has no transaction of the payment.
    static let settledDues = """
        -- due_id: as in due_links.
        CREATE TABLE settled_dues (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          due_id TEXT NOT NULL UNIQUE CHECK (due_id LIKE 'notice:%' OR due_id LIKE 'recurring:%'),
          created_at TEXT NOT NULL
        ) STRICT;
        """
}
