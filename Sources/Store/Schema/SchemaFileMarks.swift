extension Schema {
    /// Which state of files that stand beside the database was last taken in whole, so that it need not be again.
    static let fileMarks = """
        CREATE TABLE file_marks (
          name TEXT NOT NULL PRIMARY KEY,
          digest TEXT NOT NULL,
          marked_at TEXT NOT NULL
        ) STRICT;
        """
}
