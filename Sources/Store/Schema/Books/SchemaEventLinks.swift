extension Schema {
    /// The message of the triggers that keep refunds within their purchase.
    static let refundsExceed = "the refunds of a purchase cannot exceed its amount, or have another currency"

    /// Refunds and reversals with the purchases that they return. Triggers keep the sum of the made refunds within the
    /// purchase in every client of the file.
    static let eventLinks = """
        -- Kept when it is rejected, so that it is not proposed again. why: one sentence for display.
        -- AUTOINCREMENT: the journal restores a link under its number.
        CREATE TABLE event_links (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          kind TEXT NOT NULL CHECK (kind IN ('refund', 'reversal')),
          purchase_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
          refund_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
          state TEXT NOT NULL CHECK (state IN ('proposed', 'made', 'rejected')),
          confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
          evidence TEXT NOT NULL CHECK (evidence IN ('reference', 'whole', 'partial', 'person')),
          why TEXT NOT NULL,
          made_by TEXT NOT NULL CHECK (made_by IN ('rule', 'person')),
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL,
          UNIQUE (kind, purchase_id, refund_id),
          CHECK (purchase_id <> refund_id)
        ) STRICT;
        CREATE INDEX event_links_by_purchase ON event_links (purchase_id);
        CREATE INDEX event_links_by_refund ON event_links (refund_id);
        CREATE INDEX event_links_proposed ON event_links (id) WHERE state = 'proposed';
        -- A refund returns one purchase at most.
        CREATE UNIQUE INDEX event_links_made ON event_links (refund_id) WHERE state = 'made';

        -- The category of each refund that counts: both ends are booked, and neither is something else by now.
        CREATE VIEW refunds AS
          SELECT l.refund_id, l.purchase_id, p.category_name AS refund_category, p.subcategory AS refund_subcategory
          FROM event_links l JOIN transactions p ON p.id = l.purchase_id JOIN transactions r ON r.id = l.refund_id
          WHERE l.state = 'made'
            AND p.status = 'confirmed' AND p.deleted_at IS NULL AND p.transaction_type = 'expense'
            AND r.status = 'confirmed' AND r.deleted_at IS NULL AND r.transaction_type = 'income';
        CREATE VIEW exceeded_purchases AS
          SELECT l.purchase_id FROM event_links l JOIN transactions p ON p.id = l.purchase_id JOIN transactions r ON r.id = l.refund_id
          WHERE l.state = 'made'
          GROUP BY l.purchase_id HAVING sum(r.amount_minor) > max(p.amount_minor) OR max(r.currency <> p.currency);

        CREATE TRIGGER event_links_insert AFTER INSERT ON event_links WHEN NEW.state = 'made' BEGIN
          SELECT RAISE(ABORT, '\(refundsExceed)') WHERE EXISTS (SELECT 1 FROM exceeded_purchases WHERE purchase_id = NEW.purchase_id);
        END;
        CREATE TRIGGER event_links_update AFTER UPDATE OF state, purchase_id, refund_id ON event_links WHEN NEW.state = 'made' BEGIN
          SELECT RAISE(ABORT, '\(refundsExceed)') WHERE EXISTS (SELECT 1 FROM exceeded_purchases WHERE purchase_id = NEW.purchase_id);
        END;
        CREATE TRIGGER transactions_keep_refunds AFTER UPDATE OF amount_minor, currency ON transactions
          WHEN (NEW.amount_minor <> OLD.amount_minor OR NEW.currency <> OLD.currency)
            AND EXISTS (SELECT 1 FROM event_links WHERE state = 'made' AND (purchase_id = NEW.id OR refund_id = NEW.id)) BEGIN
          SELECT RAISE(ABORT, '\(refundsExceed)') WHERE EXISTS (SELECT 1 FROM exceeded_purchases);
        END;

        -- The refunds among the mails, for the search when a purchase is recorded after its refund.
        CREATE INDEX processed_emails_refunds ON processed_emails (id) WHERE template GLOB '*refund*' OR template GLOB '*revers*';
        """
}
