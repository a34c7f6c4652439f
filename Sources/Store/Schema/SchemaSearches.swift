extension Schema {
    static let savedSearches = """
        CREATE TABLE saved_searches (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
          query TEXT NOT NULL CHECK (query <> ''),
          created_at TEXT NOT NULL
        ) STRICT;
        """
}
