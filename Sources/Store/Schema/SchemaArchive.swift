extension Schema {
    /// Retained bytes may be compressed with a dictionary, so their sizes need columns: `size` is the size of the mail,
    /// `kept_size` that of the retained part.
    static let archive = """
        CREATE TABLE raw_dictionaries (
          id INTEGER PRIMARY KEY,
          created_at TEXT NOT NULL,
          mails INTEGER NOT NULL,
          bytes BLOB NOT NULL
        ) STRICT;
        CREATE TABLE kept_messages (
          mail_id TEXT NOT NULL PRIMARY KEY REFERENCES processed_emails (id) ON DELETE CASCADE,
          stored_at TEXT NOT NULL,
          encoding TEXT NOT NULL CHECK (encoding IN ('identity', 'zstd')),
          dictionary_id INTEGER REFERENCES raw_dictionaries (id),
          size INTEGER NOT NULL,
          kept_size INTEGER NOT NULL CHECK (kept_size BETWEEN 0 AND size),
          bytes BLOB NOT NULL,
          CHECK ((encoding = 'zstd') = (dictionary_id IS NOT NULL)),
          CHECK (encoding <> 'identity' OR length(bytes) = kept_size)
        ) STRICT;
        INSERT INTO kept_messages (mail_id, stored_at, encoding, size, kept_size, bytes)
          SELECT mail_id, stored_at, encoding, max(size, length(bytes)), length(bytes), bytes FROM raw_messages;
        DROP TABLE raw_messages;
        ALTER TABLE kept_messages RENAME TO raw_messages;
        CREATE INDEX raw_messages_by_age ON raw_messages (stored_at, encoding);
        """
}
