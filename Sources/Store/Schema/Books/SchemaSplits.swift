extension Schema {
    /// Payments over several categories. The row of `split_transactions` is a seal. It is accepted only if the sum of
    /// the parts is the amount; from then on, neither the parts nor the amount can change. Parts without the seal do
    /// not count. Triggers enforce this in every client of the file, also in one that leaves foreign keys off.
    static let splits = """
        CREATE TABLE transaction_splits (
          transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
          position INTEGER NOT NULL CHECK (position > 0),
          part_category TEXT NOT NULL COLLATE NOCASE CHECK (part_category <> ''),
          part_subcategory TEXT COLLATE NOCASE CHECK (part_subcategory <> ''),
          part_minor INTEGER NOT NULL CHECK (part_minor > 0),
          PRIMARY KEY (transaction_id, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE split_transactions (
          transaction_id INTEGER PRIMARY KEY REFERENCES transactions (id) ON DELETE CASCADE
        ) STRICT;
        CREATE VIEW split_parts AS
          SELECT p.transaction_id, p.position, p.part_category, p.part_subcategory, p.part_minor
          FROM split_transactions s JOIN transaction_splits p ON p.transaction_id = s.transaction_id;

        CREATE TRIGGER split_transactions_sum BEFORE INSERT ON split_transactions BEGIN
          SELECT RAISE(ABORT, 'the parts of a split payment must make up its amount')
            WHERE (SELECT coalesce(sum(part_minor), 0) FROM transaction_splits WHERE transaction_id = NEW.transaction_id)
                IS NOT (SELECT amount_minor FROM transactions WHERE id = NEW.transaction_id)
              OR (SELECT count(*) FROM transaction_splits WHERE transaction_id = NEW.transaction_id) < 2;
        END;
        CREATE TRIGGER split_transactions_fixed BEFORE UPDATE ON split_transactions BEGIN
          SELECT RAISE(ABORT, 'a split payment is changed by deleting its seal first');
        END;
        CREATE TRIGGER transaction_splits_sealed_insert BEFORE INSERT ON transaction_splits
          WHEN EXISTS (SELECT 1 FROM split_transactions WHERE transaction_id = NEW.transaction_id) BEGIN
          SELECT RAISE(ABORT, 'the parts of a split payment are sealed');
        END;
        CREATE TRIGGER transaction_splits_sealed_update BEFORE UPDATE OF transaction_id, position, part_minor ON transaction_splits
          WHEN EXISTS (SELECT 1 FROM split_transactions WHERE transaction_id IN (OLD.transaction_id, NEW.transaction_id)) BEGIN
          SELECT RAISE(ABORT, 'the parts of a split payment are sealed');
        END;
        -- The parts of a transaction that is deleted go with it.
        CREATE TRIGGER transaction_splits_sealed_delete BEFORE DELETE ON transaction_splits
          WHEN EXISTS (SELECT 1 FROM split_transactions WHERE transaction_id = OLD.transaction_id)
            AND EXISTS (SELECT 1 FROM transactions WHERE id = OLD.transaction_id) BEGIN
          SELECT RAISE(ABORT, 'the parts of a split payment are sealed');
        END;
        CREATE TRIGGER transactions_keep_split_amount BEFORE UPDATE OF amount_minor, currency ON transactions
          WHEN (NEW.amount_minor <> OLD.amount_minor OR NEW.currency <> OLD.currency)
            AND EXISTS (SELECT 1 FROM split_transactions WHERE transaction_id = OLD.id) BEGIN
          SELECT RAISE(ABORT, 'the amount of a split payment is the sum of its parts');
        END;
        """
}
