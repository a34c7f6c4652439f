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

    /// Templates that the page asks the mail reader to use.
    static let templateActivations = """
        -- template: its name, such as hdfc/card-spend: the path of its file, so it leads nowhere else. digest: SHA-256 of yaml. mail_id: a mail that it must read as expected (JSON object by field), or ignore (NULL).
        -- A row of state asked waits for the mail reader, which proves the template and writes its file; active: the file is there. reason: why it was refused.
        -- withdraw_asked_at: the page asked to remove it. fault: why the file does not load now. seen_at: a person acknowledged that it is used.
        CREATE TABLE template_activations (
          id INTEGER PRIMARY KEY,
          template TEXT NOT NULL CHECK (length(template) <= 121 AND template GLOB '[a-z]*/[a-z]*'
            AND template NOT GLOB '*[^a-z0-9/-]*' AND template NOT GLOB '*/*/*'),
          yaml TEXT NOT NULL CHECK (length(CAST(yaml AS BLOB)) BETWEEN 1 AND 65536),
          digest TEXT NOT NULL CHECK (length(digest) = 64),
          mail_id TEXT NOT NULL,
          expected TEXT CHECK (expected IS NULL OR json_valid(expected)),
          asked_at TEXT NOT NULL,
          asked_by TEXT NOT NULL,
          state TEXT NOT NULL DEFAULT 'asked'
            CHECK (state = 'asked' OR state = 'active' OR state = 'refused' OR state = 'replaced' OR state = 'withdrawn'),
          reason TEXT CHECK ((reason IS NOT NULL) = (state = 'refused')),
          decided_at TEXT CHECK ((decided_at IS NULL) = (state = 'asked')),
          withdraw_asked_at TEXT,
          fault TEXT CHECK (fault IS NULL OR state = 'active'),
          seen_at TEXT
        ) STRICT;
        CREATE UNIQUE INDEX template_activations_asked ON template_activations (template) WHERE state = 'asked';
        CREATE UNIQUE INDEX template_activations_active ON template_activations (template) WHERE state = 'active';
        """
}
