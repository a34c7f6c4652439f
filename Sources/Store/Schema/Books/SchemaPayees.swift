extension Schema {
    /// Payees with the names under which banks print them.
    static let payees = """
        -- shipped_name: the name in the program's file, which stays when a person renames the payee. merged_into: the
        -- payee that has its aliases and transactions. AUTOINCREMENT: the journal restores a deleted row under its number.
        CREATE TABLE payees (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL COLLATE NOCASE CHECK (name <> ''),
          category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
          subcategory_id INTEGER REFERENCES subcategories (id) ON DELETE SET NULL,
          shipped_name TEXT UNIQUE,
          merged_into INTEGER REFERENCES payees (id),
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL,
          CHECK (subcategory_id IS NULL OR category_id IS NOT NULL)
        ) STRICT;
        CREATE UNIQUE INDEX payees_by_name ON payees (name) WHERE merged_into IS NULL;
        CREATE INDEX payees_by_category ON payees (category_id);
        CREATE INDEX payees_by_subcategory ON payees (subcategory_id);
        CREATE INDEX payees_merged ON payees (merged_into) WHERE merged_into IS NOT NULL;
        -- The CHECK above also holds after the category was deleted.
        CREATE TRIGGER payees_lose_category BEFORE DELETE ON categories BEGIN
          UPDATE payees SET category_id = NULL, subcategory_id = NULL WHERE category_id = OLD.id;
        END;

        -- alias: normalized as the keyword of a mapping. A person's own comes before a shipped one.
        CREATE TABLE payee_aliases (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          payee_id INTEGER NOT NULL REFERENCES payees (id),
          alias TEXT NOT NULL COLLATE NOCASE CHECK (alias <> ''),
          kind TEXT NOT NULL CHECK (kind = 'keyword' OR kind = 'vpa'),
          is_user_defined INTEGER NOT NULL CHECK (is_user_defined IN (0, 1)),
          created_at TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX payee_aliases_once ON payee_aliases (alias, kind, is_user_defined);
        CREATE INDEX payee_aliases_by_payee ON payee_aliases (payee_id);

        CREATE TABLE refused_aliases (
          alias TEXT NOT NULL COLLATE NOCASE,
          kind TEXT NOT NULL,
          payee TEXT NOT NULL COLLATE NOCASE,
          refused_at TEXT NOT NULL,
          PRIMARY KEY (alias, kind, payee)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE transactions ADD COLUMN payee_id INTEGER REFERENCES payees (id) ON DELETE SET NULL;
        CREATE INDEX transactions_by_payee ON transactions (payee_id) WHERE payee_id IS NOT NULL;
        """
}
