extension Schema {
    /// Lists of payments beside statements, and the columns of lists that a person named.
    static let tableImports = """
        -- list: name of the column mapping by which a list of payments was read; NULL for a statement.
        ALTER TABLE statements ADD COLUMN list TEXT CHECK (list <> '');
        -- account_id: of the account that a line of a list names; NULL for the account of the whole file.
        ALTER TABLE statement_lines ADD COLUMN account_id INTEGER REFERENCES user_accounts (id) ON DELETE SET NULL;

        -- Rows of a list that make no line.
        CREATE TABLE statement_omissions (
          statement_id INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
          file_row INTEGER NOT NULL,
          reason TEXT NOT NULL CHECK (reason IN ('not_completed', 'no_direction', 'other_currency', 'unreadable')),
          PRIMARY KEY (statement_id, file_row)
        ) STRICT, WITHOUT ROWID;

        -- headings: an object with a list of headings for each column.
        CREATE TABLE column_mappings (
          name TEXT PRIMARY KEY CHECK (name <> ''),
          headings TEXT NOT NULL CHECK (json_type(headings) = 'object'),
          date_order TEXT NOT NULL CHECK (date_order IN ('day_first', 'month_first', 'year_first')),
          unsigned TEXT NOT NULL CHECK (unsigned IN ('omitted', 'outgoing', 'incoming')),
          created_at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
