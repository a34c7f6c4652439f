/// A database of schema version 1, with a row in every table. Never changed, because migrations are tested with it.
public let releasedSchema1 = #"""
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    CREATE TABLE accounts (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      card_last_four TEXT,
      sender_email TEXT,
      sender_name TEXT,
      subject_pattern TEXT,
      amount_regex TEXT,
      date_regex TEXT,
      merchant_regex TEXT,
      account_regex TEXT,
      time_regex TEXT,
      sample_email_body TEXT,
      is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
      currency_default TEXT NOT NULL DEFAULT 'INR' CHECK (length(currency_default) = 3),
      default_transaction_type TEXT NOT NULL DEFAULT 'expense'
        CHECK (default_transaction_type = 'expense' OR default_transaction_type = 'income' OR default_transaction_type = 'transfer'),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE categories (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
      icon TEXT,
      color TEXT,
      is_system INTEGER NOT NULL DEFAULT 0 CHECK (is_system IN (0, 1)),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE subcategories (
      id INTEGER PRIMARY KEY,
      category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE CHECK (name <> ''),
      icon TEXT,
      is_system INTEGER NOT NULL DEFAULT 0 CHECK (is_system IN (0, 1)),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (category_id, name)
    ) STRICT;
    CREATE TABLE vendor_mappings (
      id INTEGER PRIMARY KEY,
      vendor_keyword TEXT NOT NULL COLLATE NOCASE CHECK (vendor_keyword <> ''),
      category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
      subcategory_id INTEGER REFERENCES subcategories (id) ON DELETE SET NULL,
      is_user_defined INTEGER NOT NULL DEFAULT 0 CHECK (is_user_defined IN (0, 1)),
      match_count INTEGER NOT NULL DEFAULT 0 CHECK (match_count >= 0),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (vendor_keyword, is_user_defined)
    ) STRICT;
    CREATE INDEX vendor_mappings_by_category ON vendor_mappings (category_id);
    CREATE INDEX vendor_mappings_by_subcategory ON vendor_mappings (subcategory_id);
    CREATE TABLE devices (
      id TEXT NOT NULL PRIMARY KEY,
      device_token TEXT NOT NULL UNIQUE,
      environment TEXT NOT NULL DEFAULT 'production',
      device_name TEXT,
      os_version TEXT,
      is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE processed_emails (
      id TEXT NOT NULL PRIMARY KEY,
      message_id TEXT,
      account_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
      processed_at TEXT NOT NULL,
      status TEXT NOT NULL
        CHECK (status = 'recorded' OR status = 'review' OR status = 'duplicate' OR status = 'ignored' OR status = 'unclaimed'
          OR status = 'quarantined' OR status = 'failed'),
      error_message TEXT,
      mailbox TEXT NOT NULL,
      folder TEXT NOT NULL,
      uid_validity INTEGER NOT NULL CHECK (uid_validity BETWEEN 0 AND 4294967295),
      uid INTEGER NOT NULL CHECK (uid BETWEEN 0 AND 4294967295),
      content_digest BLOB,
      from_address TEXT,
      subject TEXT,
      sent_at TEXT,
      received_at TEXT,
      profile TEXT,
      template TEXT,
      duplicate_of TEXT REFERENCES processed_emails (id),
      attempts INTEGER NOT NULL DEFAULT 1 CHECK (attempts >= 1),
      provenance TEXT,
      reviewed_at TEXT,
      UNIQUE (mailbox, folder, uid_validity, uid)
    ) STRICT;
    CREATE INDEX processed_emails_by_content ON processed_emails (sent_at, content_digest)
      WHERE content_digest IS NOT NULL AND duplicate_of IS NULL AND status NOT IN ('unclaimed', 'failed');
    CREATE INDEX processed_emails_by_status ON processed_emails (status, mailbox, folder, template);
    CREATE INDEX processed_emails_newest ON processed_emails (status);
    CREATE INDEX processed_emails_waiting ON processed_emails (status) WHERE status = 'review' AND reviewed_at IS NULL;
    CREATE TABLE transactions (
      id INTEGER PRIMARY KEY,
      source_email_id TEXT REFERENCES processed_emails (id) ON DELETE SET NULL,
      idempotency_key TEXT UNIQUE CHECK (idempotency_key IS NOT NULL OR recorder <> 'Auto'),
      ledger TEXT NOT NULL DEFAULT 'Personal',
      category_name TEXT NOT NULL DEFAULT 'Uncategorized',
      subcategory TEXT,
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      amount_minor INTEGER NOT NULL,
      account_name TEXT,
      account_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
      recorder TEXT NOT NULL CHECK (recorder = 'Auto' OR recorder = 'Manual' OR recorder = 'Import' OR recorder = 'SMS'),
      parsed_date TEXT NOT NULL CHECK (parsed_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      parsed_time TEXT CHECK (parsed_time GLOB '[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
      parsed_vendor TEXT,
      notes TEXT,
      transaction_type TEXT NOT NULL CHECK (transaction_type = 'expense' OR transaction_type = 'income' OR transaction_type = 'transfer'),
      status TEXT NOT NULL CHECK (status = 'confirmed' OR status = 'needs_review' OR status = 'rejected'),
      confidence_score REAL CHECK (confidence_score BETWEEN 0 AND 1),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      channel TEXT
        CHECK (channel = 'upi' OR channel = 'card' OR channel = 'neft' OR channel = 'imps' OR channel = 'rtgs' OR channel = 'atm'
          OR channel = 'mandate' OR channel = 'cheque' OR channel = 'wallet' OR channel = 'other'),
      reference TEXT,
      vpa TEXT,
      profile TEXT,
      account_digits TEXT,
      balance_minor INTEGER,
      balance_currency TEXT,
      limit_minor INTEGER,
      limit_currency TEXT,
      occurred_at TEXT NOT NULL,
      provenance TEXT,
      duplicate_of INTEGER REFERENCES transactions (id),
      -- A person's edit or deletion of a row outlives a rescan: the key stays, so the mail finds it and changes nothing.
      user_edited_at TEXT,
      deleted_at TEXT,
      revision INTEGER NOT NULL DEFAULT 1
    ) STRICT;
    CREATE INDEX transactions_by_date ON transactions (parsed_date, id);
    CREATE INDEX transactions_by_mail ON transactions (source_email_id);
    CREATE INDEX transactions_alike ON transactions (profile, amount_minor, parsed_date);
    CREATE INDEX transactions_waiting ON transactions (status) WHERE status = 'needs_review' AND deleted_at IS NULL;
    CREATE TABLE mailbox_cursors (
      mailbox TEXT NOT NULL,
      folder TEXT NOT NULL,
      uid_validity INTEGER NOT NULL,
      next_uid INTEGER NOT NULL,
      searched_domains TEXT NOT NULL DEFAULT '',
      last_received_at TEXT,
      last_processed_at TEXT,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (mailbox, folder)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE mailbox_states (
      mailbox TEXT NOT NULL PRIMARY KEY,
      state TEXT NOT NULL,
      reason TEXT,
      changed_at TEXT NOT NULL,
      last_probe_at TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE raw_messages (
      mail_id TEXT NOT NULL PRIMARY KEY REFERENCES processed_emails (id) ON DELETE CASCADE,
      stored_at TEXT NOT NULL,
      encoding TEXT NOT NULL CHECK (encoding IN ('identity', 'deflate')),
      size INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE INDEX raw_messages_by_age ON raw_messages (stored_at);
    INSERT INTO grdb_migrations (identifier) VALUES ('v1');
    INSERT INTO categories (id, name, icon, color, is_system, created_at, updated_at)
      VALUES (1, 'Uncategorized', 'questionmark.circle', '#8E8E93', 1, '1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'),
        (2, 'Food', NULL, NULL, 0, '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z');
    INSERT INTO subcategories (id, category_id, name, is_system, created_at, updated_at) VALUES (1, 2, 'Coffee', 0, '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z');
    INSERT INTO vendor_mappings (vendor_keyword, category_id, subcategory_id, is_user_defined, match_count, created_at, updated_at)
      VALUES ('cafe noir', 2, 1, 1, 3, '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z');
    INSERT INTO accounts (id, name, created_at, updated_at) VALUES ('a1', 'Card', '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z');
    INSERT INTO devices (id, device_token, created_at, updated_at) VALUES ('d1', 'token', '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z');
    INSERT INTO processed_emails (id, message_id, processed_at, status, mailbox, folder, uid_validity, uid, content_digest, profile, template, duplicate_of)
      VALUES ('m1', '<1@bank.example>', '2026-01-05T08:00:00Z', 'recorded', 'personal', 'INBOX', 1, 1, x'01', 'hdfc', 'hdfc/upi-debit', NULL),
        ('m2', '<1@bank.example>', '2026-01-05T08:00:00Z', 'duplicate', 'personal', 'INBOX', 1, 2, x'01', 'hdfc', 'hdfc/upi-debit', 'm1'),
        ('m3', '<3@bank.example>', '2026-01-05T08:00:00Z', 'review', 'personal', 'INBOX', 1, 3, x'03', 'hdfc', NULL, NULL);
    INSERT INTO transactions (id, source_email_id, idempotency_key, category_name, currency, amount_minor, recorder, parsed_date, parsed_time, parsed_vendor,
        transaction_type, status, confidence_score, created_at, updated_at, channel, profile, account_digits, occurred_at, provenance, deleted_at)
      VALUES (1, 'm1', 'reference:hdfc|4321|out|upi|R1', 'Food', 'INR', 25000, 'Auto', '2026-01-05', '09:00:00', 'CAFÉ NOIR', 'expense', 'confirmed', 0.9,
        '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z', 'upi', 'hdfc', '4321', '2026-01-05T03:30:00Z', '{"reasons":[]}', NULL),
        (2, NULL, NULL, 'Uncategorized', 'INR', 100, 'Manual', '2026-01-04', NULL, NULL, 'income', 'confirmed', NULL,
        '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z', NULL, NULL, NULL, '2026-01-04T06:30:00Z', NULL, '2026-01-06T08:00:00Z');
    INSERT INTO mailbox_cursors (mailbox, folder, uid_validity, next_uid, searched_domains, updated_at) VALUES ('personal', 'INBOX', 1, 4, 'bank.example', '2026-01-05T08:00:00Z');
    INSERT INTO mailbox_states (mailbox, state, changed_at) VALUES ('personal', 'idle', '2026-01-05T08:00:00Z');
    INSERT INTO raw_messages (mail_id, stored_at, encoding, size, bytes) VALUES ('m1', '2026-01-05T08:00:00Z', 'identity', 3, x'010203');
    PRAGMA application_id = 1397771844;
    """#
