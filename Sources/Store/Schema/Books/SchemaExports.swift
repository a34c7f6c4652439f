extension Schema {
    /// Exports with a name, and the transactions that they contained, so that the next one continues after them.
    static let exports = """
        CREATE TABLE exports (
          name TEXT NOT NULL PRIMARY KEY CHECK (name <> ''),
          format TEXT NOT NULL,
          exported_at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE exported_transactions (
          export TEXT NOT NULL REFERENCES exports (name) ON DELETE CASCADE,
          transaction_id INTEGER NOT NULL,
          PRIMARY KEY (export, transaction_id)
        ) STRICT, WITHOUT ROWID;
        """
}
