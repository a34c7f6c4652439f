extension Schema {
    /// Journal of edits, answers that make API requests safe to repeat, and an index for counting without reading rows.
    static let api = """
        -- One row for each edit of a transaction or settling of a mail. done: a word for it. before, after: the values that can be edited, as JSON
        -- {"transaction":{column:value,…},"mail":{…}}; what did not exist is null. group_id: edits that were made as one. undoes: the edit that this one
        -- took back; undone_by: the other way round.
        CREATE TABLE changes (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          at TEXT NOT NULL,
          actor_kind TEXT NOT NULL,
          actor_name TEXT NOT NULL,
          done TEXT NOT NULL,
          transaction_id INTEGER,
          mail_id TEXT,
          before TEXT NOT NULL,
          after TEXT NOT NULL,
          group_id TEXT NOT NULL,
          undoes INTEGER,
          undone_by INTEGER
        ) STRICT;
        CREATE INDEX changes_by_transaction ON changes (transaction_id) WHERE transaction_id IS NOT NULL;
        CREATE INDEX changes_by_group ON changes (group_id);

        -- The profiles in the database that were deleted: a client that still has one does not bring it back.
        CREATE TABLE deleted_accounts (
          id TEXT NOT NULL PRIMARY KEY,
          deleted_at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Counts every change of an account, so that another process sees it by one look.
        CREATE TABLE account_generation (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          generation INTEGER NOT NULL
        ) STRICT;
        INSERT INTO account_generation VALUES (1, 0);
        CREATE TRIGGER account_generation_insert AFTER INSERT ON accounts BEGIN UPDATE account_generation SET generation = generation + 1; END;
        CREATE TRIGGER account_generation_update AFTER UPDATE ON accounts BEGIN UPDATE account_generation SET generation = generation + 1; END;
        CREATE TRIGGER account_generation_delete AFTER DELETE ON accounts BEGIN UPDATE account_generation SET generation = generation + 1; END;

        -- Answers to POST requests that carried an Idempotency-Key. client: who sent it. request: a digest of method, path and body.
        CREATE TABLE api_answers (
          client TEXT NOT NULL,
          key TEXT NOT NULL,
          request BLOB NOT NULL,
          at TEXT NOT NULL,
          status INTEGER NOT NULL,
          headers TEXT NOT NULL,
          body BLOB NOT NULL,
          PRIMARY KEY (client, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX api_answers_by_age ON api_answers (at);

        -- As before, and enough to count and to filter by status without reading the rows; deleted ones are never listed.
        DROP INDEX transactions_by_date;
        CREATE INDEX transactions_by_date ON transactions (parsed_date, id, status) WHERE deleted_at IS NULL;
        """
}
