import Codecs

extension Schema {
    /// Mappings with conditions, the reason of each category, transfers between own accounts, and refused offers.
    static let categories = """
        -- mcc: four digits of ISO 18245. category_why: the sentence that was true when the category was chosen. category_by: who chose it; NULL: nobody.
        ALTER TABLE transactions ADD COLUMN mcc TEXT;
        ALTER TABLE transactions ADD COLUMN category_why TEXT;
        ALTER TABLE transactions ADD COLUMN category_by TEXT CHECK (category_by = 'mapping' OR category_by = 'transfer' OR category_by = 'person');
        UPDATE transactions SET category_by = iif(recorder = 'Auto', 'mapping', 'person'),
            category_why = iif(recorder = 'Auto', 'a keyword; which one was not kept at that time', 'chosen by a person')
          WHERE category_name <> 'Uncategorized';

        CREATE TABLE conditional_mappings (
          id INTEGER PRIMARY KEY,
          vendor_keyword TEXT NOT NULL COLLATE NOCASE CHECK (vendor_keyword <> ''),
          kind TEXT NOT NULL DEFAULT 'keyword' CHECK (kind = 'keyword' OR kind = 'vpa' OR kind = 'mcc' OR kind = 'person'),
          category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
          subcategory_id INTEGER REFERENCES subcategories (id) ON DELETE SET NULL,
          is_user_defined INTEGER NOT NULL DEFAULT 0 CHECK (is_user_defined IN (0, 1)),
          match_count INTEGER NOT NULL DEFAULT 0 CHECK (match_count >= 0),
          minimum_minor INTEGER,
          maximum_minor INTEGER CHECK (maximum_minor IS NULL OR minimum_minor IS NULL OR maximum_minor >= minimum_minor),
          currency TEXT CHECK (length(currency) = 3),
          account_digits TEXT CHECK (account_digits <> ''),
          channel TEXT,
          transaction_type TEXT,
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL
        ) STRICT;
        INSERT INTO conditional_mappings (id, vendor_keyword, category_id, subcategory_id, is_user_defined, match_count, created_at, updated_at)
          SELECT id, vendor_keyword, category_id, subcategory_id, is_user_defined, match_count, created_at, updated_at FROM vendor_mappings;
        DROP TABLE vendor_mappings;
        ALTER TABLE conditional_mappings RENAME TO vendor_mappings;
        CREATE INDEX vendor_mappings_by_category ON vendor_mappings (category_id);
        CREATE INDEX vendor_mappings_by_subcategory ON vendor_mappings (subcategory_id);
        -- NULL is not equal to NULL in an index, and here it must be.
        CREATE UNIQUE INDEX vendor_mappings_once ON vendor_mappings (vendor_keyword, kind, is_user_defined, coalesce(minimum_minor, ''),
          coalesce(maximum_minor, ''), coalesce(currency, ''), coalesce(account_digits, ''), coalesce(channel, ''), coalesce(transaction_type, ''));

        -- The other half of a transfer is at another bank: equal amounts are looked for whatever the profile.
        DROP INDEX transactions_alike;
        CREATE INDEX transactions_alike ON transactions (amount_minor, parsed_date, profile);

        -- One row for each pair, or for one half whose other half nobody told; kept when it is refused, so that it is not proposed again. before: type, category and reason of both rows before they
        -- were linked, as JSON. evidence: a word.
        CREATE TABLE transfers (
          id INTEGER PRIMARY KEY,
          debit_id INTEGER REFERENCES transactions (id) ON DELETE CASCADE,
          credit_id INTEGER REFERENCES transactions (id) ON DELETE CASCADE,
          state TEXT NOT NULL CHECK (state = 'proposed' OR state = 'linked' OR state = 'refused'),
          evidence TEXT NOT NULL,
          why TEXT NOT NULL,
          made_by TEXT NOT NULL CHECK (made_by = 'rule' OR made_by = 'person'),
          before TEXT,
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL,
          CHECK (debit_id IS NOT NULL OR credit_id IS NOT NULL),
          CHECK (debit_id IS NULL OR credit_id IS NULL OR debit_id <> credit_id)
        ) STRICT;
        CREATE UNIQUE INDEX transfers_of_pair ON transfers (coalesce(debit_id, 0), coalesce(credit_id, 0));
        CREATE INDEX transfers_by_debit ON transfers (debit_id);
        CREATE INDEX transfers_by_credit ON transfers (credit_id);
        -- A transaction is half of one transfer at most, on either side.
        CREATE UNIQUE INDEX transfers_linked_debit ON transfers (debit_id) WHERE state = 'linked' AND debit_id IS NOT NULL;
        CREATE UNIQUE INDEX transfers_linked_credit ON transfers (credit_id) WHERE state = 'linked' AND credit_id IS NOT NULL;
        CREATE INDEX transfers_proposed ON transfers (id) WHERE state = 'proposed';

        -- Who says of a half that it is no transfer says so of the pair; undoing a link by the journal does the same.
        CREATE TRIGGER transfers_follow AFTER UPDATE OF transaction_type ON transactions
          WHEN OLD.transaction_type = 'transfer' AND NEW.transaction_type <> 'transfer' BEGIN
          UPDATE transfers SET state = 'refused', updated_at = NEW.updated_at WHERE state = 'linked' AND (debit_id = NEW.id OR credit_id = NEW.id);
        END;

        -- The accounts that alerts are about: the user's own.
        CREATE TABLE own_accounts (
          profile TEXT NOT NULL,
          account_digits TEXT NOT NULL,
          PRIMARY KEY (profile, account_digits)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO own_accounts SELECT DISTINCT profile, account_digits FROM transactions
          WHERE status = 'confirmed' AND recorder = 'Auto' AND profile IS NOT NULL AND account_digits IS NOT NULL AND deleted_at IS NULL;

        CREATE TABLE refused_offers (
          vendor_keyword TEXT NOT NULL COLLATE NOCASE,
          kind TEXT NOT NULL,
          category_name TEXT NOT NULL COLLATE NOCASE,
          subcategory TEXT NOT NULL COLLATE NOCASE DEFAULT '',
          refused_at TEXT NOT NULL,
          PRIMARY KEY (vendor_keyword, kind, category_name, subcategory)
        ) STRICT, WITHOUT ROWID;
        """
}
