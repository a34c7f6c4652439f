extension Schema {
    /// Addresses at banks' own domains that a person trusts although no profile lists them.
    static let trustedSenders = """
        -- bank: its key. transaction_id: the draft whose acceptance taught it; NULL where a person named the address.
        CREATE TABLE trusted_senders (
          address TEXT NOT NULL PRIMARY KEY,
          bank TEXT NOT NULL,
          transaction_id INTEGER,
          actor_kind TEXT NOT NULL,
          actor_name TEXT NOT NULL,
          trusted_at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Seen by other processes as a change of the accounts is.
        CREATE TRIGGER trusted_senders_insert AFTER INSERT ON trusted_senders BEGIN UPDATE account_generation SET generation = generation + 1; END;
        CREATE TRIGGER trusted_senders_delete AFTER DELETE ON trusted_senders BEGIN UPDATE account_generation SET generation = generation + 1; END;

        -- Who takes the acceptance back, takes the trust back.
        CREATE TRIGGER trusted_senders_withdrawn AFTER UPDATE OF status, deleted_at ON transactions
          WHEN OLD.status = 'confirmed' AND (NEW.status <> 'confirmed' OR NEW.deleted_at IS NOT NULL)
          BEGIN DELETE FROM trusted_senders WHERE transaction_id = NEW.id; END;
        """
}
