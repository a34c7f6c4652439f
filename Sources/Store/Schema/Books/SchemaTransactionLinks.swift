extension Schema {
    /// The messages of the triggers that refuse a link, or the change of a linked transaction.
    static let linkRefusals: Set<String> = [
        refundsExceed, linkEnds, linkBooks, linkChain, linkTransfer, linkReconciled, linkInstalment,
    ]
    static let linkEnds = "a link needs two transactions that are booked and not deleted or replaced"
    static let linkBooks = "linked transactions have one ledger and one currency"
    static let linkChain = "one of the transactions has a link that this one contradicts"
    static let linkTransfer = "a side of a transfer cannot be replaced by another transaction"
    static let linkInstalment = "an instalment of a purchase is not split"
    static let linkReconciled = "a transaction of a reconciled statement cannot be replaced by another one"

    /// Links of all kinds between two transactions of one event; replaces the former links, which were of refunds only.
    /// While a link of the kind `settles` or `same_event` is made, triggers hide the replaced transaction as a deleted
    /// one, so that no sum, balance, list or export counts it.
    static let transactionLinks = """
        DROP TRIGGER event_links_insert;
        DROP TRIGGER event_links_update;
        DROP TRIGGER transactions_keep_refunds;
        DROP VIEW refunds;
        DROP VIEW exceeded_purchases;

        -- from_id: the transaction that counts. to_id: the refund, or the transaction that counts less or not at all.
        -- Kept when it is rejected, so that it is not proposed again. why: one sentence for display.
        -- AUTOINCREMENT: the journal restores a link under its number.
        CREATE TABLE transaction_links (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          kind TEXT NOT NULL CHECK (kind IN ('refund', 'reversal', 'settles', 'same_event', 'instalment')),
          from_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
          to_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
          state TEXT NOT NULL CHECK (state IN ('proposed', 'made', 'rejected')),
          confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
          evidence TEXT NOT NULL CHECK (evidence <> ''),
          why TEXT NOT NULL,
          made_by TEXT NOT NULL CHECK (made_by IN ('rule', 'person')),
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL,
          UNIQUE (kind, from_id, to_id),
          CHECK (from_id <> to_id)
        ) STRICT;
        INSERT INTO transaction_links SELECT * FROM event_links;
        DELETE FROM sqlite_sequence WHERE name = 'transaction_links';
        INSERT INTO sqlite_sequence (name, seq) SELECT 'transaction_links', seq FROM sqlite_sequence WHERE name = 'event_links';
        DROP TABLE event_links;
        UPDATE changes SET
          before = replace(replace(replace(before, '{"event_link":', '{"transaction_link":'), '"purchase_id":', '"from_id":'), '"refund_id":', '"to_id":'),
          after = replace(replace(replace(after, '{"event_link":', '{"transaction_link":'), '"purchase_id":', '"from_id":'), '"refund_id":', '"to_id":')
          WHERE transaction_id IS NULL AND mail_id IS NULL AND (before LIKE '{"event_link":%' OR after LIKE '{"event_link":%');

        CREATE INDEX transaction_links_from ON transaction_links (from_id);
        CREATE INDEX transaction_links_to ON transaction_links (to_id);
        CREATE INDEX transaction_links_proposed ON transaction_links (id) WHERE state = 'proposed';
        -- A transaction returns one purchase at most, and one other replaces it.
        CREATE UNIQUE INDEX transaction_links_made ON transaction_links (to_id) WHERE state = 'made';

        -- The transactions that others replace.
        CREATE VIEW replaced_transactions AS
          SELECT to_id AS id, from_id AS replacement, kind FROM transaction_links WHERE state = 'made' AND kind IN ('same_event', 'settles');

        -- The category of each refund that counts: both ends are booked, and neither is something else by now.
        -- Links are few beside transactions: CROSS JOIN reads them first. +kind: by an index on it, the planner would expect so few rows
        -- that it scans them for each transaction.
        CREATE VIEW refunds AS
          SELECT l.to_id AS refund_id, l.from_id AS purchase_id, p.category_name AS refund_category, p.subcategory AS refund_subcategory
          FROM transaction_links l CROSS JOIN transactions p ON p.id = l.from_id CROSS JOIN transactions r ON r.id = l.to_id
          WHERE l.state = 'made' AND +l.kind IN ('refund', 'reversal')
            AND p.status = 'confirmed' AND p.deleted_at IS NULL AND p.transaction_type = 'expense'
            AND r.status = 'confirmed' AND r.deleted_at IS NULL AND r.transaction_type = 'income';
        -- The instalments of purchases that count. interest_minor: what an instalment adds to those before it beyond the purchase.
        CREATE VIEW instalments AS
          SELECT l.to_id AS instalment_id, l.from_id AS instalment_of, min(i.amount_minor, max(0, (
            SELECT sum(e.amount_minor) FROM transaction_links k JOIN transactions e ON e.id = k.to_id
            WHERE k.from_id = l.from_id AND k.state = 'made' AND k.kind = 'instalment' AND e.status = 'confirmed' AND e.deleted_at IS NULL
              AND e.transaction_type = 'expense' AND (e.parsed_date, e.id) <= (i.parsed_date, i.id)) - p.amount_minor)) AS interest_minor
          FROM transaction_links l CROSS JOIN transactions p ON p.id = l.from_id CROSS JOIN transactions i ON i.id = l.to_id
          WHERE l.state = 'made' AND +l.kind = 'instalment'
            AND p.status = 'confirmed' AND p.deleted_at IS NULL AND p.transaction_type = 'expense'
            AND i.status = 'confirmed' AND i.deleted_at IS NULL AND i.transaction_type = 'expense';
        CREATE TRIGGER split_transactions_instalment BEFORE INSERT ON split_transactions
          WHEN EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND kind = 'instalment' AND to_id = NEW.transaction_id) BEGIN
          SELECT RAISE(ABORT, '\(linkInstalment)');
        END;
        CREATE VIEW exceeded_purchases AS
          SELECT l.from_id AS purchase_id
          FROM transaction_links l JOIN transactions p ON p.id = l.from_id JOIN transactions r ON r.id = l.to_id
          WHERE l.state = 'made' AND l.kind IN ('refund', 'reversal')
          GROUP BY l.from_id HAVING sum(r.amount_minor) > max(p.amount_minor) OR max(r.currency <> p.currency);

        CREATE TRIGGER transaction_links_books AFTER INSERT ON transaction_links BEGIN
          SELECT RAISE(ABORT, '\(linkBooks)') WHERE
            (SELECT count(DISTINCT ledger || '/' || currency) FROM transactions WHERE id IN (NEW.from_id, NEW.to_id)) > 1;
        END;
        CREATE TRIGGER transaction_links_ends AFTER UPDATE OF kind, from_id, to_id ON transaction_links
          WHEN NEW.kind <> OLD.kind OR NEW.from_id <> OLD.from_id OR NEW.to_id <> OLD.to_id BEGIN
          SELECT RAISE(ABORT, '\(linkEnds)');
        END;
        CREATE TRIGGER transaction_links_insert AFTER INSERT ON transaction_links WHEN NEW.state = 'made' BEGIN
          \(making)
        END;
        CREATE TRIGGER transaction_links_make AFTER UPDATE OF state ON transaction_links WHEN NEW.state = 'made' AND OLD.state <> 'made' BEGIN
          \(making)
        END;
        CREATE TRIGGER transaction_links_end AFTER UPDATE OF state ON transaction_links WHEN NEW.state <> 'made' AND OLD.state = 'made' BEGIN
          \(ending("NEW.updated_at"))
        END;
        CREATE TRIGGER transaction_links_delete AFTER DELETE ON transaction_links WHEN OLD.state = 'made' BEGIN
          \(ending("updated_at"))
        END;

        CREATE TRIGGER transactions_keep_links AFTER UPDATE OF amount_minor, currency, ledger ON transactions
          WHEN (NEW.amount_minor <> OLD.amount_minor OR NEW.currency <> OLD.currency OR NEW.ledger <> OLD.ledger)
            AND EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND (from_id = NEW.id OR to_id = NEW.id)) BEGIN
          SELECT RAISE(ABORT, '\(refundsExceed)') WHERE EXISTS (SELECT 1 FROM exceeded_purchases);
          SELECT RAISE(ABORT, '\(linkBooks)') WHERE EXISTS (
            SELECT 1 FROM transaction_links l JOIN transactions a ON a.id = l.from_id JOIN transactions b ON b.id = l.to_id
            WHERE l.state = 'made' AND (l.from_id = NEW.id OR l.to_id = NEW.id) AND (a.ledger <> b.ledger OR a.currency <> b.currency));
        END;

        -- What another transaction replaces is no decision about the sender.
        DROP TRIGGER trusted_senders_withdrawn;
        CREATE TRIGGER trusted_senders_withdrawn AFTER UPDATE OF status, deleted_at ON transactions
          WHEN OLD.status = 'confirmed' AND (NEW.status <> 'confirmed' OR NEW.deleted_at IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM replaced_transactions WHERE id = NEW.id)
          BEGIN DELETE FROM trusted_senders WHERE transaction_id = NEW.id; END;
        """

    /// Refuses a link that breaks a rule of its kind; hides the replaced transaction.
    private static let making = """
        \(bookedEnds)
          SELECT RAISE(ABORT, '\(linkBooks)') WHERE
            (SELECT count(DISTINCT ledger || '/' || currency) FROM transactions WHERE id IN (NEW.from_id, NEW.to_id)) > 1;
          \(fitLink)
        """

    /// The same without the check of the currencies.
    static let madeLink = """
        \(bookedEnds)
          \(fitLink)
        """

    private static let bookedEnds = """
        SELECT RAISE(ABORT, '\(linkEnds)') WHERE
            (SELECT count(*) FROM transactions WHERE id IN (NEW.from_id, NEW.to_id) AND deleted_at IS NULL AND status = 'confirmed') < 2;
        """

    private static let fitLink = """
        SELECT RAISE(ABORT, '\(refundsExceed)') WHERE EXISTS (SELECT 1 FROM exceeded_purchases WHERE purchase_id = NEW.from_id);
          -- No chain and no cycle: what is replaced has no links of its own, and what is returned or paid in parts is no part of
          -- something else. A refund or an instalment may be reported twice.
          SELECT RAISE(ABORT, '\(linkChain)') WHERE EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made'
            AND ((from_id = NEW.to_id AND (NEW.kind IN ('same_event', 'settles') OR kind NOT IN ('same_event', 'settles')))
              OR (to_id = NEW.from_id AND NEW.kind NOT IN ('same_event', 'settles'))));
          SELECT RAISE(ABORT, '\(linkTransfer)') WHERE NEW.kind IN ('same_event', 'settles')
            AND EXISTS (SELECT 1 FROM transfers WHERE state = 'linked' AND (debit_id = NEW.to_id OR credit_id = NEW.to_id));
          SELECT RAISE(ABORT, '\(linkReconciled)') WHERE NEW.kind IN ('same_event', 'settles')
            AND EXISTS (SELECT 1 FROM statement_lines l JOIN statements s ON s.id = l.statement_id
              WHERE l.transaction_id = NEW.to_id AND s.reconciled_at IS NOT NULL);
          UPDATE transactions SET deleted_at = NEW.updated_at, updated_at = NEW.updated_at, revision = revision + 1
            WHERE id = NEW.to_id AND NEW.kind IN ('same_event', 'settles');
        """

    private static func ending(_ time: String) -> String {
        """
        UPDATE transactions SET deleted_at = NULL, updated_at = \(time), revision = revision + 1
            WHERE id = OLD.to_id AND OLD.kind IN ('same_event', 'settles') AND deleted_at IS NOT NULL;
        """
    }
}
