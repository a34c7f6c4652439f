extension Schema {
    /// Words that people attach to transactions.
    static let tags = """
        -- name: one word; the same one in any case of letters.
        CREATE TABLE tags (
          transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
          name TEXT NOT NULL COLLATE NOCASE CHECK (name <> ''),
          PRIMARY KEY (transaction_id, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tags_by_name ON tags (name);
        """
}
