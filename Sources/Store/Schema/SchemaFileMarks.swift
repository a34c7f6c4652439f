extension Schema {
    /// Last imported state of files beside the database, so that an unchanged file is not imported again.
    static let fileMarks = """
        CREATE TABLE file_marks (
          name TEXT NOT NULL PRIMARY KEY,
          digest TEXT NOT NULL,
          marked_at TEXT NOT NULL
        ) STRICT;
        """
}
