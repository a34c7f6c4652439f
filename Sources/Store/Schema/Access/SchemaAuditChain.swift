extension Schema {
    /// The hash chain of the audit log: see ``AuditChain``. The events of an older ledger become part of it with the
    /// next write.
    static let auditChain = """
        -- digest: SHA-256 of the event and of the digest before it, in hexadecimal; NULL until the end of the transaction.
        ALTER TABLE audit_log ADD COLUMN digest TEXT CHECK (length(digest) = 64);
        -- At most one row: the end of the chain that was pruned.
        CREATE TABLE audit_anchor (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          digest TEXT NOT NULL CHECK (length(digest) = 64),
          pruned INTEGER NOT NULL
        ) STRICT;
        -- A sealed event never changes.
        CREATE TRIGGER audit_log_append_only BEFORE UPDATE ON audit_log WHEN old.digest IS NOT NULL BEGIN
          SELECT raise(ABORT, 'an event of the audit log cannot be changed');
        END;
        """
}
