extension Schema {
    /// Forms of mail without a template that a person lets be booked.
    static let forms = """
        -- form: MailShape.form of a mail with a draft that no template claims.
        ALTER TABLE processed_emails ADD COLUMN form INTEGER;
        CREATE INDEX processed_emails_by_form ON processed_emails (profile, form) WHERE form IS NOT NULL;

        CREATE TABLE learned_forms (
          id INTEGER PRIMARY KEY,
          profile TEXT NOT NULL,
          form INTEGER NOT NULL,
          created_at TEXT NOT NULL,
          UNIQUE (profile, form)
        ) STRICT;
        """
}
