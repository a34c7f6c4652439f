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
, shipped_name TEXT COLLATE NOCASE, is_edited INTEGER NOT NULL DEFAULT 0 CHECK (is_edited IN (0, 1))) STRICT;
CREATE TABLE subcategories (
  id INTEGER PRIMARY KEY,
  category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE CHECK (name <> ''),
  icon TEXT,
  is_system INTEGER NOT NULL DEFAULT 0 CHECK (is_system IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, shipped_name TEXT COLLATE NOCASE,
  UNIQUE (category_id, name)
) STRICT;
CREATE TABLE devices (
  id TEXT NOT NULL PRIMARY KEY,
  device_token TEXT NOT NULL UNIQUE,
  environment TEXT NOT NULL DEFAULT 'production',
  device_name TEXT,
  os_version TEXT,
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
, user_id INTEGER REFERENCES users (id) ON DELETE CASCADE) STRICT;
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
  reviewed_at TEXT, fields INTEGER, shape INTEGER, next_attempt_at TEXT, gmail_message_id INTEGER, form INTEGER,
  UNIQUE (mailbox, folder, uid_validity, uid)
) STRICT;
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
  transaction_type TEXT NOT NULL
    CHECK (transaction_type = 'expense' OR transaction_type = 'income' OR transaction_type = 'transfer'),
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
, reviewed_at TEXT, corrected INTEGER, mcc TEXT, category_why TEXT, category_by TEXT CHECK (category_by = 'mapping' OR category_by = 'transfer' OR category_by = 'person'), user_account_id INTEGER REFERENCES user_accounts (id), payee_id INTEGER REFERENCES payees (id) ON DELETE SET NULL) STRICT;
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
CREATE TABLE mailbox_health (
  mailbox TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL
    CHECK (state = 'connecting' OR state = 'reading' OR state = 'watching' OR state = 'waiting' OR state = 'refused' OR state = 'stopped'),
  reason TEXT,
  since TEXT NOT NULL,
  last_probe_at TEXT,
  last_mail_at TEXT,
  last_bank_mail_at TEXT,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_attempt_at TEXT,
  due_at TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE mail_counts (
  mailbox TEXT NOT NULL,
  folder TEXT NOT NULL,
  status TEXT NOT NULL,
  profile TEXT NOT NULL,
  template TEXT NOT NULL,
  mails INTEGER NOT NULL,
  PRIMARY KEY (mailbox, folder, status, profile, template)
) STRICT, WITHOUT ROWID;
CREATE TABLE transaction_counts (
  status TEXT NOT NULL PRIMARY KEY,
  transactions INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE template_days (
  profile TEXT NOT NULL,
  template TEXT NOT NULL,
  day TEXT NOT NULL,
  mails INTEGER NOT NULL,
  with_amount INTEGER NOT NULL,
  with_date INTEGER NOT NULL,
  with_time INTEGER NOT NULL,
  with_merchant INTEGER NOT NULL,
  with_account INTEGER NOT NULL,
  with_reference INTEGER NOT NULL,
  with_balance INTEGER NOT NULL,
  with_limit INTEGER NOT NULL,
  with_vpa INTEGER NOT NULL,
  PRIMARY KEY (profile, template, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE unclaimed_shapes (
  profile TEXT NOT NULL,
  shape INTEGER NOT NULL,
  words TEXT NOT NULL,
  mails INTEGER NOT NULL,
  drafts INTEGER NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  example TEXT NOT NULL,
  PRIMARY KEY (profile, shape)
) STRICT, WITHOUT ROWID;
CREATE TABLE drift_alarms (
  kind TEXT NOT NULL,
  profile TEXT NOT NULL,
  subject TEXT NOT NULL,
  since TEXT NOT NULL, seen_at TEXT, snoozed_until TEXT,
  PRIMARY KEY (kind, profile, subject)
) STRICT, WITHOUT ROWID;
CREATE TABLE imports (
  mailbox TEXT NOT NULL,
  root TEXT NOT NULL,
  authentication TEXT NOT NULL,
  file TEXT,
  device INTEGER NOT NULL DEFAULT 0,
  inode INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0,
  modified_at INTEGER NOT NULL DEFAULT 0,
  next_offset INTEGER NOT NULL DEFAULT 0,
  updated_at TEXT NOT NULL,
  finished_at TEXT,
  PRIMARY KEY (mailbox, root)
) STRICT, WITHOUT ROWID;
CREATE TABLE maildir_files (
  mailbox TEXT NOT NULL,
  folder TEXT NOT NULL,
  name INTEGER NOT NULL,
  PRIMARY KEY (mailbox, folder, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE rescan_requests (
  id INTEGER PRIMARY KEY,
  mailbox TEXT NOT NULL,
  folder TEXT NOT NULL,
  bank TEXT,
  since TEXT,
  requested_at TEXT NOT NULL,
  finished_at TEXT,
  looked_at INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE notification_events (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  at TEXT NOT NULL,
  received_at TEXT,
  transaction_id INTEGER,
  mail_id TEXT,
  subject TEXT NOT NULL DEFAULT '',
  details TEXT NOT NULL DEFAULT '',
  is_over INTEGER NOT NULL DEFAULT 0 CHECK (is_over IN (0, 1))
) STRICT;
CREATE TABLE notification_sinks (
  name TEXT NOT NULL PRIMARY KEY,
  last_event INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  blocked_until TEXT,
  reason TEXT,
  last_sent_at TEXT
, trial_requested_at TEXT, trial_at TEXT, trial_problem TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE notification_messages (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  sink TEXT NOT NULL REFERENCES notification_sinks (name) ON DELETE CASCADE,
  target TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL CHECK (state = 'waiting' OR state = 'parked' OR state = 'sent'),
  is_urgent INTEGER NOT NULL DEFAULT 0 CHECK (is_urgent IN (0, 1)),
  events TEXT NOT NULL,
  event_count INTEGER NOT NULL CHECK (event_count > 0),
  created_at TEXT NOT NULL,
  due_at TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  settled_at TEXT
) STRICT;
CREATE TABLE mailbox_alarms (
  mailbox TEXT NOT NULL PRIMARY KEY,
  since TEXT NOT NULL,
  told TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  done TEXT NOT NULL,
  transaction_id INTEGER,
  mail_id TEXT,
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  group_id TEXT NOT NULL,
  undoes INTEGER,
  undone_by INTEGER
, user_id INTEGER REFERENCES users (id) ON DELETE SET NULL) STRICT;
CREATE TABLE deleted_accounts (
  id TEXT NOT NULL PRIMARY KEY,
  deleted_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE account_generation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  generation INTEGER NOT NULL
) STRICT;
CREATE TABLE api_answers (
  client TEXT NOT NULL,
  key TEXT NOT NULL,
  request BLOB NOT NULL,
  at TEXT NOT NULL,
  status INTEGER NOT NULL,
  headers TEXT NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (client, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE login_tries (
  client TEXT NOT NULL PRIMARY KEY,
  tries INTEGER NOT NULL,
  last_at TEXT NOT NULL
, user_id INTEGER REFERENCES users (id) ON DELETE CASCADE) STRICT, WITHOUT ROWID;
CREATE TABLE web_server (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  url TEXT NOT NULL,
  certificate_sha256 TEXT,
  started_at TEXT NOT NULL
) STRICT;
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  event TEXT NOT NULL,
  request_id TEXT,
  who TEXT NOT NULL,
  method TEXT,
  route TEXT,
  status INTEGER
, digest TEXT CHECK (length(digest) = 64)) STRICT;
CREATE TABLE downloads (
  mailbox TEXT NOT NULL,
  hour INTEGER NOT NULL,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (mailbox, hour)
) STRICT, WITHOUT ROWID;
CREATE TABLE file_marks (
  name TEXT NOT NULL PRIMARY KEY,
  digest TEXT NOT NULL,
  marked_at TEXT NOT NULL
) STRICT;
CREATE TABLE "vendor_mappings" (
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
CREATE TABLE refused_offers (
  vendor_keyword TEXT NOT NULL COLLATE NOCASE,
  kind TEXT NOT NULL,
  category_name TEXT NOT NULL COLLATE NOCASE,
  subcategory TEXT NOT NULL COLLATE NOCASE DEFAULT '',
  refused_at TEXT NOT NULL,
  PRIMARY KEY (vendor_keyword, kind, category_name, subcategory)
) STRICT, WITHOUT ROWID;
CREATE TABLE trusted_senders (
  address TEXT NOT NULL PRIMARY KEY,
  bank TEXT NOT NULL,
  transaction_id INTEGER,
  actor_kind TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  trusted_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE numbering_marks (
  mailbox TEXT NOT NULL,
  folder TEXT NOT NULL,
  uid_validity INTEGER NOT NULL,
  next_uid INTEGER NOT NULL,
  -- UID:digest, separated by blanks.
  messages TEXT NOT NULL,
  PRIMARY KEY (mailbox, folder)
) STRICT, WITHOUT ROWID;
CREATE TABLE user_accounts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (name <> ''),
  type TEXT NOT NULL
    CHECK (type = 'bank' OR type = 'card' OR type = 'wallet' OR type = 'cash' OR type = 'investment' OR type = 'loan'),
  institution TEXT,
  account_number_last4 TEXT,
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  initial_balance_minor INTEGER NOT NULL DEFAULT 0,
  initial_balance_date TEXT CHECK (initial_balance_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  credit_limit_minor INTEGER CHECK (credit_limit_minor >= 0),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  color TEXT,
  icon TEXT,
  linked_parser_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
  merged_into INTEGER REFERENCES user_accounts (id),
  split_from INTEGER,
  confirmed_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, owner_user_id INTEGER REFERENCES users (id),
  CHECK (merged_into IS NULL OR merged_into <> id)
) STRICT;
CREATE TABLE user_account_numbers (
  profile TEXT NOT NULL CHECK (profile <> ''),
  account_digits TEXT NOT NULL CHECK (account_digits <> ''),
  user_account_id INTEGER NOT NULL REFERENCES user_accounts (id),
  first_seen TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  PRIMARY KEY (profile, account_digits)
) STRICT, WITHOUT ROWID;
CREATE TABLE budgets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
  subcategory_id INTEGER REFERENCES subcategories (id) ON DELETE CASCADE,
  period TEXT NOT NULL CHECK (period IN ('week', 'month', 'quarter', 'year')),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  rolls_over INTEGER NOT NULL DEFAULT 0 CHECK (rolls_over IN (0, 1)),
  starts_on TEXT NOT NULL CHECK (starts_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE TABLE tags (
  transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE CHECK (name <> ''),
  PRIMARY KEY (transaction_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE account_findings (
  user_account_id INTEGER NOT NULL REFERENCES user_accounts (id) ON DELETE CASCADE,
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  gap_minor INTEGER NOT NULL,
  found_at TEXT NOT NULL,
  told_at TEXT,
  PRIMARY KEY (user_account_id, from_id, to_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE account_checks (
  user_account_id INTEGER PRIMARY KEY REFERENCES user_accounts (id) ON DELETE CASCADE,
  windows INTEGER NOT NULL,
  is_drifting INTEGER NOT NULL CHECK (is_drifting IN (0, 1)),
  checked_at TEXT NOT NULL
) STRICT;
CREATE TABLE learned_forms (
  id INTEGER PRIMARY KEY,
  profile TEXT NOT NULL,
  form INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (profile, form)
) STRICT;
CREATE TABLE payees (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL COLLATE NOCASE CHECK (name <> ''),
  category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
  subcategory_id INTEGER REFERENCES subcategories (id) ON DELETE SET NULL,
  shipped_name TEXT UNIQUE,
  merged_into INTEGER REFERENCES payees (id),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CHECK (subcategory_id IS NULL OR category_id IS NOT NULL)
) STRICT;
CREATE TABLE payee_aliases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  payee_id INTEGER NOT NULL REFERENCES payees (id),
  alias TEXT NOT NULL COLLATE NOCASE CHECK (alias <> ''),
  kind TEXT NOT NULL CHECK (kind = 'keyword' OR kind = 'vpa'),
  is_user_defined INTEGER NOT NULL CHECK (is_user_defined IN (0, 1)),
  created_at TEXT NOT NULL
) STRICT;
CREATE TABLE refused_aliases (
  alias TEXT NOT NULL COLLATE NOCASE,
  kind TEXT NOT NULL,
  payee TEXT NOT NULL COLLATE NOCASE,
  refused_at TEXT NOT NULL,
  PRIMARY KEY (alias, kind, payee)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE recurring_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name <> ''),
  user_account_id INTEGER REFERENCES user_accounts (id) ON DELETE SET NULL,
  transaction_type TEXT NOT NULL CHECK (transaction_type IN ('expense', 'income')),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  band_percent INTEGER NOT NULL CHECK (band_percent BETWEEN 0 AND 100),
  rule TEXT NOT NULL CHECK (rule LIKE 'FREQ=%'),
  starts_on TEXT NOT NULL CHECK (starts_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  mode TEXT NOT NULL CHECK (mode IN ('expected', 'posted')),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  category_name TEXT,
  subcategory TEXT,
  last_processed_date TEXT CHECK (last_processed_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE TABLE due_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  due_id TEXT NOT NULL CHECK (due_id LIKE 'notice:%' OR due_id LIKE 'recurring:%'),
  transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('linked', 'refused')),
  created_at TEXT NOT NULL,
  UNIQUE (due_id, transaction_id)
) STRICT;
CREATE TABLE due_notifications (
  due_id TEXT NOT NULL,
  occasion TEXT NOT NULL CHECK (occasion IN ('ahead', 'late')),
  told_at TEXT NOT NULL,
  PRIMARY KEY (due_id, occasion)
) STRICT, WITHOUT ROWID;
CREATE TABLE exports (
  name TEXT NOT NULL PRIMARY KEY CHECK (name <> ''),
  format TEXT NOT NULL,
  exported_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE exported_transactions (
  export TEXT NOT NULL REFERENCES exports (name) ON DELETE CASCADE,
  transaction_id INTEGER NOT NULL,
  PRIMARY KEY (export, transaction_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE audit_anchor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  digest TEXT NOT NULL CHECK (length(digest) = 64),
  pruned INTEGER NOT NULL
) STRICT;
CREATE TABLE statements (
  id INTEGER PRIMARY KEY,
  user_account_id INTEGER NOT NULL REFERENCES user_accounts (id) ON DELETE CASCADE,
  file_digest TEXT NOT NULL CHECK (length(file_digest) = 64),
  file_name TEXT,
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  first_day TEXT NOT NULL CHECK (first_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  last_day TEXT NOT NULL CHECK (last_day >= first_day),
  opening_minor INTEGER,
  closing_minor INTEGER,
  proof TEXT NOT NULL CHECK (proof IN ('every_line', 'sum', 'none')),
  read_at TEXT NOT NULL,
  reconciled_at TEXT, list TEXT CHECK (list <> ''),
  UNIQUE (user_account_id, file_digest)
) STRICT;
CREATE TABLE statement_lines (
  statement_id INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  file_row INTEGER NOT NULL,
  day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  value_day TEXT,
  amount_minor INTEGER NOT NULL CHECK (amount_minor >= 0),
  direction TEXT NOT NULL CHECK (direction IN ('in', 'out')),
  line_text TEXT NOT NULL,
  reference TEXT,
  balance_minor INTEGER,
  transaction_id INTEGER REFERENCES transactions (id) ON DELETE SET NULL,
  match_reason TEXT CHECK (match_reason IN ('reference', 'name', 'amount', 'booked')),
  is_booked INTEGER NOT NULL DEFAULT 0 CHECK (is_booked IN (0, 1)),
  mail_id TEXT, account_id INTEGER REFERENCES user_accounts (id) ON DELETE SET NULL,
  PRIMARY KEY (statement_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE raw_dictionaries (
  id INTEGER PRIMARY KEY,
  created_at TEXT NOT NULL,
  mails INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE "raw_messages" (
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
CREATE TABLE budget_notifications (
  budget_id INTEGER NOT NULL REFERENCES budgets (id) ON DELETE CASCADE,
  first_day TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('warning', 'exceeded')),
  told_at TEXT NOT NULL,
  PRIMARY KEY (budget_id, first_day, state)
) STRICT, WITHOUT ROWID;
CREATE TABLE saved_searches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
  query TEXT NOT NULL CHECK (query <> ''),
  created_at TEXT NOT NULL
) STRICT;
CREATE TABLE "exchange_rates" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  base TEXT NOT NULL CHECK (length(base) = 3),
  quote TEXT NOT NULL CHECK (length(quote) = 3),
  day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  -- Of the quote for one unit of the base.
  billionths INTEGER NOT NULL CHECK (billionths > 0),
  source TEXT NOT NULL CHECK (source = 'person' OR source = 'ecb' OR source = 'rbi' OR source = 'mail'),
  updated_at TEXT NOT NULL,
  UNIQUE (base, quote, day),
  CHECK (base <> quote)
) STRICT;
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
CREATE TABLE statement_omissions (
  statement_id INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
  file_row INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('not_completed', 'no_direction', 'other_currency', 'unreadable')),
  PRIMARY KEY (statement_id, file_row)
) STRICT, WITHOUT ROWID;
CREATE TABLE column_mappings (
  name TEXT PRIMARY KEY CHECK (name <> ''),
  headings TEXT NOT NULL CHECK (json_type(headings) = 'object'),
  date_order TEXT NOT NULL CHECK (date_order IN ('day_first', 'month_first', 'year_first')),
  unsigned TEXT NOT NULL CHECK (unsigned IN ('omitted', 'outgoing', 'incoming')),
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE statement_files (
  id INTEGER PRIMARY KEY,
  mail_id TEXT NOT NULL REFERENCES processed_emails (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  profile TEXT NOT NULL CHECK (profile <> ''),
  account_digits TEXT,
  file_name TEXT,
  file_digest TEXT NOT NULL CHECK (length(file_digest) = 64),
  size INTEGER NOT NULL CHECK (size > 0),
  state TEXT NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'needs_password', 'needs_account', 'read', 'refused', 'expired', 'discarded')),
  reason TEXT,
  user_account_id INTEGER REFERENCES user_accounts (id) ON DELETE SET NULL,
  statement_id INTEGER REFERENCES statements (id) ON DELETE SET NULL,
  stored_at TEXT NOT NULL,
  bytes BLOB CHECK (bytes IS NULL OR length(bytes) = size),
  UNIQUE (mail_id, number)
) STRICT;
CREATE TABLE "notices" (
  id INTEGER PRIMARY KEY,
  source_email_id TEXT NOT NULL UNIQUE REFERENCES processed_emails (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('bill', 'mandate', 'balance', 'deposit-maturity', 'limit', 'instalments')),
  profile TEXT NOT NULL CHECK (profile <> ''),
  account_digits TEXT CHECK (account_digits <> ''),
  amount_minor INTEGER CHECK (amount_minor >= 0),
  currency TEXT CHECK (length(currency) = 3),
  minimum_minor INTEGER CHECK (minimum_minor BETWEEN 0 AND amount_minor),
  merchant TEXT CHECK (merchant <> ''),
  day TEXT CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  time TEXT,
  period_from TEXT CHECK (period_from GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  period_to TEXT CHECK (period_to GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  reference TEXT CHECK (reference <> ''),
  created_at TEXT NOT NULL,
  CHECK ((amount_minor IS NULL) = (currency IS NULL)),
  CHECK (amount_minor IS NOT NULL OR kind = 'deposit-maturity'),
  CHECK (day IS NOT NULL OR kind NOT IN ('mandate', 'deposit-maturity')),
  CHECK (account_digits IS NOT NULL OR kind NOT IN ('balance', 'limit', 'instalments'))
) STRICT;
CREATE TABLE date_order_counts (
  profile TEXT NOT NULL CHECK (profile <> ''),
  date_order TEXT NOT NULL CHECK (date_order IN ('day_first', 'month_first')),
  mails INTEGER NOT NULL CHECK (mails > 0),
  PRIMARY KEY (profile, date_order)
) STRICT, WITHOUT ROWID;
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
  role TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'reader')),
  created_at TEXT,
  disabled_at TEXT
) STRICT;
CREATE TABLE login_secrets (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hash TEXT NOT NULL CHECK (hash <> ''),
  changed_at TEXT NOT NULL
) STRICT;
CREATE TABLE "login_sessions" (
  id TEXT NOT NULL PRIMARY KEY,
  digest TEXT NOT NULL CHECK (length(digest) = 64),
  started_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE "passkeys" (
  id INTEGER PRIMARY KEY,
  credential TEXT NOT NULL UNIQUE,
  relying_party TEXT NOT NULL,
  user_handle TEXT NOT NULL,
  public_key TEXT NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  sign_count INTEGER NOT NULL CHECK (sign_count >= 0),
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
) STRICT;
CREATE TABLE "access_tokens" (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('token', 'device')),
  digest TEXT NOT NULL CHECK (length(digest) = 64),
  scopes TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  last_used_at TEXT,
  revoked_at TEXT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE "pairing_offers" (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  salt TEXT NOT NULL,
  digest TEXT NOT NULL CHECK (length(digest) = 64),
  offered_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  tries_left INTEGER NOT NULL,
  redeemed_at TEXT,
  token_id TEXT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
) STRICT;
CREATE TABLE mailbox_keys (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sealing_key TEXT NOT NULL CHECK (length(sealing_key) = 44),
  made_at TEXT NOT NULL
) STRICT;
CREATE TABLE added_mailboxes (
  name TEXT NOT NULL PRIMARY KEY CHECK (name <> ''),
  host TEXT NOT NULL,
  user TEXT NOT NULL,
  folders TEXT NOT NULL CHECK (json_valid(folders)),
  since_days INTEGER NOT NULL,
  authserv_id TEXT,
  verifies INTEGER NOT NULL CHECK (verifies IN (0, 1)),
  problem TEXT,
  removal_requested_at TEXT
, port INTEGER NOT NULL DEFAULT 993 CHECK (port BETWEEN 1 AND 65535), tls TEXT NOT NULL DEFAULT 'implicit' CHECK (tls IN ('implicit', 'starttls')), oauth TEXT CHECK (oauth IS NULL OR json_valid(oauth))) STRICT, WITHOUT ROWID;
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
CREATE TABLE "mailbox_setups" (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (name <> ''),
  address TEXT NOT NULL,
  host TEXT NOT NULL CHECK (host <> ''),
  port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
  tls TEXT NOT NULL CHECK (tls IN ('implicit', 'starttls')),
  user TEXT NOT NULL CHECK (user <> ''),
  authority TEXT,
  folder TEXT NOT NULL CHECK (folder <> ''),
  since_days INTEGER NOT NULL CHECK (since_days BETWEEN 1 AND 36500),
  sealed_to TEXT NOT NULL,
  sealed TEXT CHECK (length(sealed) < 12000),
  asked_at TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('asked', 'tested', 'accepted', 'used', 'refused')),
  finding TEXT CHECK (finding IS NULL OR json_valid(finding)),
  fault TEXT,
  reason TEXT,
  authserv_id TEXT,
  verifies INTEGER NOT NULL DEFAULT 0 CHECK (verifies IN (0, 1)),
  oauth TEXT CHECK (oauth IS NULL OR json_valid(oauth)),
  client_secret TEXT CHECK (length(client_secret) < 2000),
  renews INTEGER NOT NULL DEFAULT 0 CHECK (renews IN (0, 1)),
  CHECK ((sealed IS NULL) = (state IN ('used', 'refused'))),
  CHECK ((fault IS NOT NULL) = (state = 'refused')),
  CHECK (finding IS NOT NULL OR state IN ('asked', 'refused') OR renews),
  CHECK (oauth IS NOT NULL OR client_secret IS NULL AND NOT renews),
  CHECK (client_secret IS NULL OR state <> 'used'),
  CHECK (NOT renews OR state NOT IN ('tested', 'accepted'))
) STRICT;
CREATE TABLE settled_dues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  due_id TEXT NOT NULL UNIQUE CHECK (due_id LIKE 'notice:%' OR due_id LIKE 'recurring:%'),
  created_at TEXT NOT NULL
) STRICT;
CREATE TABLE added_sinks (
  name TEXT NOT NULL PRIMARY KEY CHECK (name <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('ntfy', 'webhook', 'email')),
  host TEXT NOT NULL,
  events TEXT NOT NULL CHECK (json_valid(events)),
  quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_to INTEGER CHECK (quiet_to BETWEEN 0 AND 1439),
  asked_at TEXT,
  sealed_to TEXT,
  sealed TEXT CHECK (length(sealed) < 12000),
  fault TEXT,
  removal_requested_at TEXT,
  CHECK ((quiet_from IS NULL) = (quiet_to IS NULL)),
  CHECK ((sealed IS NULL) = (sealed_to IS NULL)),
  CHECK (sealed IS NULL OR asked_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
INSERT INTO categories VALUES (1, 'Uncategorized', 'questionmark.circle', '#8E8E93', 1, '1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z', 'Uncategorized', 0);
INSERT INTO account_generation VALUES (1, 0);
INSERT INTO users VALUES (1, 'person', 'owner', NULL, NULL);
INSERT INTO grdb_migrations VALUES ('access');
INSERT INTO grdb_migrations VALUES ('account-currency');
INSERT INTO grdb_migrations VALUES ('account-findings');
INSERT INTO grdb_migrations VALUES ('account-index');
INSERT INTO grdb_migrations VALUES ('added-sinks');
INSERT INTO grdb_migrations VALUES ('api');
INSERT INTO grdb_migrations VALUES ('archive');
INSERT INTO grdb_migrations VALUES ('audit-chain');
INSERT INTO grdb_migrations VALUES ('audited-decisions');
INSERT INTO grdb_migrations VALUES ('books');
INSERT INTO grdb_migrations VALUES ('books-rates');
INSERT INTO grdb_migrations VALUES ('budget-notifications');
INSERT INTO grdb_migrations VALUES ('budgets');
INSERT INTO grdb_migrations VALUES ('categories');
INSERT INTO grdb_migrations VALUES ('conversions');
INSERT INTO grdb_migrations VALUES ('date-orders');
INSERT INTO grdb_migrations VALUES ('downloads');
INSERT INTO grdb_migrations VALUES ('drift');
INSERT INTO grdb_migrations VALUES ('dues');
INSERT INTO grdb_migrations VALUES ('event-links of all kinds');
INSERT INTO grdb_migrations VALUES ('event-links');
INSERT INTO grdb_migrations VALUES ('exchange-rates');
INSERT INTO grdb_migrations VALUES ('exports');
INSERT INTO grdb_migrations VALUES ('file-marks');
INSERT INTO grdb_migrations VALUES ('gmail-message');
INSERT INTO grdb_migrations VALUES ('hidden-alarms');
INSERT INTO grdb_migrations VALUES ('learned-forms');
INSERT INTO grdb_migrations VALUES ('listing');
INSERT INTO grdb_migrations VALUES ('mailbox-consents');
INSERT INTO grdb_migrations VALUES ('mailbox-setups');
INSERT INTO grdb_migrations VALUES ('notices');
INSERT INTO grdb_migrations VALUES ('notifications');
INSERT INTO grdb_migrations VALUES ('numbering-marks');
INSERT INTO grdb_migrations VALUES ('passkeys');
INSERT INTO grdb_migrations VALUES ('payees');
INSERT INTO grdb_migrations VALUES ('private-accounts');
INSERT INTO grdb_migrations VALUES ('review-outcomes');
INSERT INTO grdb_migrations VALUES ('saved-searches');
INSERT INTO grdb_migrations VALUES ('settled-dues');
INSERT INTO grdb_migrations VALUES ('shipped-categories');
INSERT INTO grdb_migrations VALUES ('sink-trials');
INSERT INTO grdb_migrations VALUES ('sources');
INSERT INTO grdb_migrations VALUES ('statement-mail');
INSERT INTO grdb_migrations VALUES ('statements');
INSERT INTO grdb_migrations VALUES ('statistics');
INSERT INTO grdb_migrations VALUES ('status-index');
INSERT INTO grdb_migrations VALUES ('table-imports');
INSERT INTO grdb_migrations VALUES ('tags');
INSERT INTO grdb_migrations VALUES ('template-activations');
INSERT INTO grdb_migrations VALUES ('transaction-splits');
INSERT INTO grdb_migrations VALUES ('trusted-senders');
INSERT INTO grdb_migrations VALUES ('users');
INSERT INTO grdb_migrations VALUES ('v1');
INSERT INTO grdb_migrations VALUES ('v2 mailbox health');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('exchange_rates', 0);
INSERT INTO sqlite_sequence VALUES ('users', 1);
CREATE INDEX processed_emails_by_content ON processed_emails (sent_at, content_digest)
  WHERE content_digest IS NOT NULL AND duplicate_of IS NULL AND status NOT IN ('unclaimed', 'failed');
CREATE INDEX processed_emails_newest ON processed_emails (status);
CREATE INDEX processed_emails_waiting ON processed_emails (status) WHERE status = 'review' AND reviewed_at IS NULL;
CREATE INDEX transactions_by_mail ON transactions (source_email_id);
CREATE INDEX transactions_waiting ON transactions (status) WHERE status = 'needs_review' AND deleted_at IS NULL;
CREATE INDEX processed_emails_by_shape ON processed_emails (shape) WHERE shape IS NOT NULL;
CREATE TRIGGER mail_counts_follow AFTER UPDATE OF mailbox, folder, status, profile, template ON processed_emails BEGIN
  INSERT INTO mail_counts VALUES (OLD.mailbox, OLD.folder, OLD.status, coalesce(OLD.profile, ''), coalesce(OLD.template, ''), -1)
    ON CONFLICT DO UPDATE SET mails = mails + -1;
  INSERT INTO mail_counts VALUES (NEW.mailbox, NEW.folder, NEW.status, coalesce(NEW.profile, ''), coalesce(NEW.template, ''), 1)
    ON CONFLICT DO UPDATE SET mails = mails + 1;
END;
CREATE TRIGGER mail_counts_forget AFTER DELETE ON processed_emails BEGIN
  INSERT INTO mail_counts VALUES (OLD.mailbox, OLD.folder, OLD.status, coalesce(OLD.profile, ''), coalesce(OLD.template, ''), -1)
    ON CONFLICT DO UPDATE SET mails = mails + -1;
END;
CREATE TRIGGER template_days_leave AFTER UPDATE OF profile, template, fields, received_at, sent_at, processed_at ON processed_emails
  WHEN OLD.fields IS NOT NULL AND OLD.template IS NOT NULL BEGIN
  INSERT INTO template_days VALUES (OLD.profile, OLD.template, substr(min(coalesce(OLD.received_at, OLD.sent_at, OLD.processed_at), OLD.processed_at), 1, 10), -1, -(OLD.fields >> 0 & 1), -(OLD.fields >> 1 & 1), -(OLD.fields >> 2 & 1), -(OLD.fields >> 3 & 1), -(OLD.fields >> 4 & 1), -(OLD.fields >> 5 & 1), -(OLD.fields >> 6 & 1), -(OLD.fields >> 7 & 1), -(OLD.fields >> 8 & 1))
    ON CONFLICT DO UPDATE SET mails = mails + excluded.mails, with_amount = with_amount + excluded.with_amount, with_date = with_date + excluded.with_date, with_time = with_time + excluded.with_time, with_merchant = with_merchant + excluded.with_merchant, with_account = with_account + excluded.with_account, with_reference = with_reference + excluded.with_reference, with_balance = with_balance + excluded.with_balance, with_limit = with_limit + excluded.with_limit, with_vpa = with_vpa + excluded.with_vpa;
END;
CREATE TRIGGER template_days_join AFTER UPDATE OF profile, template, fields, received_at, sent_at, processed_at ON processed_emails
  WHEN NEW.fields IS NOT NULL AND NEW.template IS NOT NULL BEGIN
  INSERT INTO template_days VALUES (NEW.profile, NEW.template, substr(min(coalesce(NEW.received_at, NEW.sent_at, NEW.processed_at), NEW.processed_at), 1, 10), +1, +(NEW.fields >> 0 & 1), +(NEW.fields >> 1 & 1), +(NEW.fields >> 2 & 1), +(NEW.fields >> 3 & 1), +(NEW.fields >> 4 & 1), +(NEW.fields >> 5 & 1), +(NEW.fields >> 6 & 1), +(NEW.fields >> 7 & 1), +(NEW.fields >> 8 & 1))
    ON CONFLICT DO UPDATE SET mails = mails + excluded.mails, with_amount = with_amount + excluded.with_amount, with_date = with_date + excluded.with_date, with_time = with_time + excluded.with_time, with_merchant = with_merchant + excluded.with_merchant, with_account = with_account + excluded.with_account, with_reference = with_reference + excluded.with_reference, with_balance = with_balance + excluded.with_balance, with_limit = with_limit + excluded.with_limit, with_vpa = with_vpa + excluded.with_vpa;
END;
CREATE TRIGGER template_days_forget AFTER DELETE ON processed_emails WHEN OLD.fields IS NOT NULL AND OLD.template IS NOT NULL BEGIN
  INSERT INTO template_days VALUES (OLD.profile, OLD.template, substr(min(coalesce(OLD.received_at, OLD.sent_at, OLD.processed_at), OLD.processed_at), 1, 10), -1, -(OLD.fields >> 0 & 1), -(OLD.fields >> 1 & 1), -(OLD.fields >> 2 & 1), -(OLD.fields >> 3 & 1), -(OLD.fields >> 4 & 1), -(OLD.fields >> 5 & 1), -(OLD.fields >> 6 & 1), -(OLD.fields >> 7 & 1), -(OLD.fields >> 8 & 1))
    ON CONFLICT DO UPDATE SET mails = mails + excluded.mails, with_amount = with_amount + excluded.with_amount, with_date = with_date + excluded.with_date, with_time = with_time + excluded.with_time, with_merchant = with_merchant + excluded.with_merchant, with_account = with_account + excluded.with_account, with_reference = with_reference + excluded.with_reference, with_balance = with_balance + excluded.with_balance, with_limit = with_limit + excluded.with_limit, with_vpa = with_vpa + excluded.with_vpa;
END;
CREATE TRIGGER unclaimed_shapes_leave AFTER UPDATE OF shape ON processed_emails WHEN OLD.shape IS NOT NULL BEGIN
  UPDATE unclaimed_shapes SET mails = mails - 1, drafts = drafts - (coalesce(OLD.fields, 0) & 1),
      example = coalesce((SELECT id FROM processed_emails m WHERE m.shape = OLD.shape AND m.profile = OLD.profile ORDER BY rowid DESC LIMIT 1), example)
    WHERE profile = OLD.profile AND shape = OLD.shape;
END;
CREATE TRIGGER unclaimed_shapes_forget AFTER DELETE ON processed_emails WHEN OLD.shape IS NOT NULL BEGIN
  UPDATE unclaimed_shapes SET mails = mails - 1, drafts = drafts - (coalesce(OLD.fields, 0) & 1),
      example = coalesce((SELECT id FROM processed_emails m WHERE m.shape = OLD.shape AND m.profile = OLD.profile ORDER BY rowid DESC LIMIT 1), example)
    WHERE profile = OLD.profile AND shape = OLD.shape;
END;
CREATE TRIGGER transaction_counts_add AFTER INSERT ON transactions WHEN NEW.recorder <> 'Auto' AND NEW.deleted_at IS NULL BEGIN
  INSERT INTO transaction_counts VALUES (NEW.status, 1) ON CONFLICT DO UPDATE SET transactions = transactions + 1;
END;
CREATE TRIGGER transaction_counts_follow AFTER UPDATE OF status, deleted_at ON transactions BEGIN
  INSERT INTO transaction_counts VALUES (OLD.status, -(OLD.deleted_at IS NULL)), (NEW.status, NEW.deleted_at IS NULL)
    ON CONFLICT DO UPDATE SET transactions = transactions + excluded.transactions;
END;
CREATE TRIGGER transaction_counts_forget AFTER DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
  INSERT INTO transaction_counts VALUES (OLD.status, -1) ON CONFLICT DO UPDATE SET transactions = transactions - 1;
END;
CREATE TRIGGER transactions_corrected
  AFTER UPDATE OF amount_minor, currency, transaction_type, channel, parsed_date, parsed_time, parsed_vendor, account_digits, reference ON transactions
  WHEN NEW.recorder = 'Auto' AND NEW.user_edited_at IS NOT NULL BEGIN
  UPDATE transactions SET corrected = coalesce(corrected, 0) | ((OLD.amount_minor IS NOT NEW.amount_minor) << 0) | ((OLD.parsed_date IS NOT NEW.parsed_date) << 1) | ((OLD.parsed_time IS NOT NEW.parsed_time) << 2) | ((OLD.parsed_vendor IS NOT NEW.parsed_vendor) << 3) | ((OLD.account_digits IS NOT NEW.account_digits) << 4) | ((OLD.reference IS NOT NEW.reference) << 5) | ((OLD.currency IS NOT NEW.currency) << 9) | ((OLD.transaction_type IS NOT NEW.transaction_type) << 10) | ((OLD.channel IS NOT NEW.channel) << 11) WHERE id = NEW.id;
END;
CREATE INDEX processed_emails_due ON processed_emails (next_attempt_at) WHERE status = 'failed' AND next_attempt_at IS NOT NULL;
CREATE INDEX processed_emails_by_original ON processed_emails (duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE INDEX transactions_by_original ON transactions (duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE INDEX rescan_requests_waiting ON rescan_requests (mailbox, folder) WHERE finished_at IS NULL;
CREATE INDEX processed_emails_by_gmail_message ON processed_emails (mailbox, gmail_message_id) WHERE gmail_message_id IS NOT NULL;
CREATE INDEX notification_messages_due ON notification_messages (due_at) WHERE state = 'waiting';
CREATE INDEX notification_messages_by_sink ON notification_messages (sink, state);
CREATE INDEX changes_by_transaction ON changes (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX changes_by_group ON changes (group_id);
CREATE TRIGGER account_generation_insert AFTER INSERT ON accounts BEGIN UPDATE account_generation SET generation = generation + 1; END;
CREATE TRIGGER account_generation_update AFTER UPDATE ON accounts BEGIN UPDATE account_generation SET generation = generation + 1; END;
CREATE TRIGGER account_generation_delete AFTER DELETE ON accounts BEGIN UPDATE account_generation SET generation = generation + 1; END;
CREATE INDEX api_answers_by_age ON api_answers (at);
CREATE INDEX audit_log_by_time ON audit_log (at);
CREATE INDEX vendor_mappings_by_category ON vendor_mappings (category_id);
CREATE INDEX vendor_mappings_by_subcategory ON vendor_mappings (subcategory_id);
CREATE UNIQUE INDEX vendor_mappings_once ON vendor_mappings (vendor_keyword, kind, is_user_defined, coalesce(minimum_minor, ''),
  coalesce(maximum_minor, ''), coalesce(currency, ''), coalesce(account_digits, ''), coalesce(channel, ''), coalesce(transaction_type, ''));
CREATE INDEX transactions_alike ON transactions (amount_minor, parsed_date, profile);
CREATE UNIQUE INDEX transfers_of_pair ON transfers (coalesce(debit_id, 0), coalesce(credit_id, 0));
CREATE INDEX transfers_by_debit ON transfers (debit_id);
CREATE INDEX transfers_by_credit ON transfers (credit_id);
CREATE UNIQUE INDEX transfers_linked_debit ON transfers (debit_id) WHERE state = 'linked' AND debit_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_linked_credit ON transfers (credit_id) WHERE state = 'linked' AND credit_id IS NOT NULL;
CREATE INDEX transfers_proposed ON transfers (id) WHERE state = 'proposed';
CREATE TRIGGER transfers_follow AFTER UPDATE OF transaction_type ON transactions
  WHEN OLD.transaction_type = 'transfer' AND NEW.transaction_type <> 'transfer' BEGIN
  UPDATE transfers SET state = 'refused', updated_at = NEW.updated_at WHERE state = 'linked' AND (debit_id = NEW.id OR credit_id = NEW.id);
END;
CREATE TRIGGER changes_audited AFTER INSERT ON changes BEGIN
  INSERT INTO audit_log (at, event, who) VALUES (new.at, 'decision: ' || new.done, trim(new.actor_kind || ' ' || new.actor_name));
END;
CREATE TRIGGER trusted_senders_insert AFTER INSERT ON trusted_senders BEGIN UPDATE account_generation SET generation = generation + 1; END;
CREATE TRIGGER trusted_senders_delete AFTER DELETE ON trusted_senders BEGIN UPDATE account_generation SET generation = generation + 1; END;
CREATE INDEX transactions_by_date ON transactions
  (parsed_date, id, status, currency, transaction_type, amount_minor, category_name, subcategory, parsed_vendor, channel, account_digits, profile,
   account_id, recorder, ledger, confidence_score, notes, reference, vpa, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX user_account_numbers_by_account ON user_account_numbers (user_account_id);
CREATE TRIGGER transactions_make_account AFTER INSERT ON transactions
  WHEN NEW.user_account_id IS NULL AND NEW.status = 'confirmed' AND NEW.profile <> '' AND NEW.account_digits <> '' BEGIN
  INSERT INTO user_accounts (name, type, institution, account_number_last4, currency, created_at, updated_at)
      SELECT coalesce(nullif(rtrim(NEW.account_name, '0123456789 '), ''), NEW.profile) || ' ··' || substr(NEW.account_digits, -4), iif(NEW.channel = 'card' AND NEW.balance_minor IS NULL, 'card', 'bank'), coalesce(nullif(rtrim(NEW.account_name, '0123456789 '), ''), NEW.profile), substr(NEW.account_digits, -4), coalesce(NEW.balance_currency, NEW.limit_currency, NEW.currency),
        NEW.updated_at, NEW.updated_at
      WHERE NOT EXISTS (SELECT 1 FROM user_account_numbers WHERE profile = NEW.profile AND account_digits = NEW.account_digits);
    INSERT INTO user_account_numbers SELECT NEW.profile, NEW.account_digits, last_insert_rowid(), NEW.parsed_date, NEW.parsed_date
      WHERE NOT EXISTS (SELECT 1 FROM user_account_numbers WHERE profile = NEW.profile AND account_digits = NEW.account_digits);
    UPDATE transactions SET user_account_id =
        (SELECT user_account_id FROM user_account_numbers WHERE profile = NEW.profile AND account_digits = NEW.account_digits)
      WHERE id = NEW.id;
END;
CREATE TRIGGER transactions_follow_account AFTER UPDATE OF status, profile, account_digits ON transactions
  WHEN NEW.status = 'confirmed' AND NEW.profile <> '' AND NEW.account_digits <> ''
    AND (NEW.user_account_id IS NULL OR NEW.account_digits IS NOT OLD.account_digits OR NEW.profile IS NOT OLD.profile) BEGIN
  INSERT INTO user_accounts (name, type, institution, account_number_last4, currency, created_at, updated_at)
      SELECT coalesce(nullif(rtrim(NEW.account_name, '0123456789 '), ''), NEW.profile) || ' ··' || substr(NEW.account_digits, -4), iif(NEW.channel = 'card' AND NEW.balance_minor IS NULL, 'card', 'bank'), coalesce(nullif(rtrim(NEW.account_name, '0123456789 '), ''), NEW.profile), substr(NEW.account_digits, -4), coalesce(NEW.balance_currency, NEW.limit_currency, NEW.currency),
        NEW.updated_at, NEW.updated_at
      WHERE NOT EXISTS (SELECT 1 FROM user_account_numbers WHERE profile = NEW.profile AND account_digits = NEW.account_digits);
    INSERT INTO user_account_numbers SELECT NEW.profile, NEW.account_digits, last_insert_rowid(), NEW.parsed_date, NEW.parsed_date
      WHERE NOT EXISTS (SELECT 1 FROM user_account_numbers WHERE profile = NEW.profile AND account_digits = NEW.account_digits);
    UPDATE transactions SET user_account_id =
        (SELECT user_account_id FROM user_account_numbers WHERE profile = NEW.profile AND account_digits = NEW.account_digits)
      WHERE id = NEW.id;
END;
CREATE TRIGGER user_account_numbers_follow AFTER UPDATE OF user_account_id ON user_account_numbers BEGIN
  UPDATE transactions SET user_account_id = NEW.user_account_id
    WHERE user_account_id = OLD.user_account_id AND profile = NEW.profile AND account_digits = NEW.account_digits;
END;
CREATE UNIQUE INDEX budgets_once ON budgets (category_id, coalesce(subcategory_id, 0), currency, period);
CREATE INDEX budgets_by_subcategory ON budgets (subcategory_id);
CREATE INDEX tags_by_name ON tags (name);
CREATE INDEX processed_emails_by_form ON processed_emails (profile, form) WHERE form IS NOT NULL;
CREATE UNIQUE INDEX payees_by_name ON payees (name) WHERE merged_into IS NULL;
CREATE INDEX payees_by_category ON payees (category_id);
CREATE INDEX payees_by_subcategory ON payees (subcategory_id);
CREATE INDEX payees_merged ON payees (merged_into) WHERE merged_into IS NOT NULL;
CREATE TRIGGER payees_lose_category BEFORE DELETE ON categories BEGIN
  UPDATE payees SET category_id = NULL, subcategory_id = NULL WHERE category_id = OLD.id;
END;
CREATE UNIQUE INDEX payee_aliases_once ON payee_aliases (alias, kind, is_user_defined);
CREATE INDEX payee_aliases_by_payee ON payee_aliases (payee_id);
CREATE INDEX transactions_by_payee ON transactions (payee_id) WHERE payee_id IS NOT NULL;
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
CREATE INDEX recurring_items_by_account ON recurring_items (user_account_id) WHERE user_account_id IS NOT NULL;
CREATE INDEX due_links_by_transaction ON due_links (transaction_id);
CREATE TRIGGER audit_log_append_only BEFORE UPDATE ON audit_log WHEN old.digest IS NOT NULL BEGIN
  SELECT raise(ABORT, 'an event of the audit log cannot be changed');
END;
CREATE INDEX statement_lines_by_transaction ON statement_lines (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX statement_lines_booked ON statement_lines (amount_minor, day) WHERE is_booked = 1;
CREATE TRIGGER transactions_end_reconciliation
  AFTER UPDATE OF amount_minor, currency, parsed_date, transaction_type, status, deleted_at ON transactions
  WHEN NEW.amount_minor <> OLD.amount_minor OR NEW.currency <> OLD.currency OR NEW.parsed_date <> OLD.parsed_date
    OR NEW.deleted_at IS NOT OLD.deleted_at OR (OLD.status = 'confirmed' AND NEW.status <> 'confirmed')
    -- Becoming a side of a transfer does not change the direction.
    OR (NEW.transaction_type <> OLD.transaction_type AND 'transfer' NOT IN (NEW.transaction_type, OLD.transaction_type))
  BEGIN
  UPDATE statements SET reconciled_at = NULL WHERE reconciled_at IS NOT NULL
    AND id IN (SELECT statement_id FROM statement_lines WHERE transaction_id = NEW.id);
END;
CREATE INDEX raw_messages_by_age ON raw_messages (stored_at, encoding);
CREATE UNIQUE INDEX categories_by_shipped_name ON categories (shipped_name) WHERE shipped_name IS NOT NULL;
CREATE UNIQUE INDEX subcategories_by_shipped_name ON subcategories (category_id, shipped_name) WHERE shipped_name IS NOT NULL;
CREATE INDEX processed_emails_refunds ON processed_emails (id) WHERE template GLOB '*refund*' OR template GLOB '*revers*';
CREATE INDEX transaction_links_from ON transaction_links (from_id);
CREATE INDEX transaction_links_to ON transaction_links (to_id);
CREATE INDEX transaction_links_proposed ON transaction_links (id) WHERE state = 'proposed';
CREATE UNIQUE INDEX transaction_links_made ON transaction_links (to_id) WHERE state = 'made';
CREATE VIEW replaced_transactions AS
  SELECT to_id AS id, from_id AS replacement, kind FROM transaction_links WHERE state = 'made' AND kind IN ('same_event', 'settles');
CREATE VIEW refunds AS
  SELECT l.to_id AS refund_id, l.from_id AS purchase_id, p.category_name AS refund_category, p.subcategory AS refund_subcategory
  FROM transaction_links l CROSS JOIN transactions p ON p.id = l.from_id CROSS JOIN transactions r ON r.id = l.to_id
  WHERE l.state = 'made' AND +l.kind IN ('refund', 'reversal')
    AND p.status = 'confirmed' AND p.deleted_at IS NULL AND p.transaction_type = 'expense'
    AND r.status = 'confirmed' AND r.deleted_at IS NULL AND r.transaction_type = 'income';
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
  SELECT RAISE(ABORT, 'an instalment of a purchase is not split');
END;
CREATE VIEW exceeded_purchases AS
  SELECT l.from_id AS purchase_id
  FROM transaction_links l JOIN transactions p ON p.id = l.from_id JOIN transactions r ON r.id = l.to_id
  WHERE l.state = 'made' AND l.kind IN ('refund', 'reversal')
  GROUP BY l.from_id HAVING sum(r.amount_minor) > max(p.amount_minor) OR max(r.currency <> p.currency);
CREATE TRIGGER transaction_links_ends AFTER UPDATE OF kind, from_id, to_id ON transaction_links
  WHEN NEW.kind <> OLD.kind OR NEW.from_id <> OLD.from_id OR NEW.to_id <> OLD.to_id BEGIN
  SELECT RAISE(ABORT, 'a link needs two transactions that are booked and not deleted or replaced');
END;
CREATE TRIGGER transaction_links_end AFTER UPDATE OF state ON transaction_links WHEN NEW.state <> 'made' AND OLD.state = 'made' BEGIN
  UPDATE transactions SET deleted_at = NULL, updated_at = NEW.updated_at, revision = revision + 1
    WHERE id = OLD.to_id AND OLD.kind IN ('same_event', 'settles') AND deleted_at IS NOT NULL;
END;
CREATE TRIGGER transaction_links_delete AFTER DELETE ON transaction_links WHEN OLD.state = 'made' BEGIN
  UPDATE transactions SET deleted_at = NULL, updated_at = updated_at, revision = revision + 1
    WHERE id = OLD.to_id AND OLD.kind IN ('same_event', 'settles') AND deleted_at IS NOT NULL;
END;
CREATE TRIGGER trusted_senders_withdrawn AFTER UPDATE OF status, deleted_at ON transactions
  WHEN OLD.status = 'confirmed' AND (NEW.status <> 'confirmed' OR NEW.deleted_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM replaced_transactions WHERE id = NEW.id)
  BEGIN DELETE FROM trusted_senders WHERE transaction_id = NEW.id; END;
CREATE INDEX statement_files_by_state ON statement_files (state);
CREATE INDEX notices_by_day ON notices (kind, day);
CREATE INDEX notices_by_account ON notices (profile, account_digits) WHERE account_digits IS NOT NULL;
CREATE TRIGGER transaction_links_books AFTER INSERT ON transaction_links BEGIN
  SELECT RAISE(ABORT, 'linked transactions have one ledger and one currency') WHERE (SELECT count(DISTINCT ledger || iif(NEW.kind = 'settles', '', '/' || currency))
    FROM transactions WHERE id IN (NEW.from_id, NEW.to_id)) > 1;
END;
CREATE TRIGGER transaction_links_insert AFTER INSERT ON transaction_links WHEN NEW.state = 'made' BEGIN
  SELECT RAISE(ABORT, 'linked transactions have one ledger and one currency') WHERE (SELECT count(DISTINCT ledger || iif(NEW.kind = 'settles', '', '/' || currency))
    FROM transactions WHERE id IN (NEW.from_id, NEW.to_id)) > 1;
  SELECT RAISE(ABORT, 'a link needs two transactions that are booked and not deleted or replaced') WHERE
    (SELECT count(*) FROM transactions WHERE id IN (NEW.from_id, NEW.to_id) AND deleted_at IS NULL AND status = 'confirmed') < 2;
  SELECT RAISE(ABORT, 'the refunds of a purchase cannot exceed its amount, or have another currency') WHERE EXISTS (SELECT 1 FROM exceeded_purchases WHERE purchase_id = NEW.from_id);
  -- No chain and no cycle: what is replaced has no links of its own, and what is returned or paid in parts is no part of
  -- something else. A refund or an instalment may be reported twice.
  SELECT RAISE(ABORT, 'one of the transactions has a link that this one contradicts') WHERE EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made'
    AND ((from_id = NEW.to_id AND (NEW.kind IN ('same_event', 'settles') OR kind NOT IN ('same_event', 'settles')))
      OR (to_id = NEW.from_id AND NEW.kind NOT IN ('same_event', 'settles'))));
  SELECT RAISE(ABORT, 'a side of a transfer cannot be replaced by another transaction') WHERE NEW.kind IN ('same_event', 'settles')
    AND EXISTS (SELECT 1 FROM transfers WHERE state = 'linked' AND (debit_id = NEW.to_id OR credit_id = NEW.to_id));
  SELECT RAISE(ABORT, 'a transaction of a reconciled statement cannot be replaced by another one') WHERE NEW.kind IN ('same_event', 'settles')
    AND EXISTS (SELECT 1 FROM statement_lines l JOIN statements s ON s.id = l.statement_id
      WHERE l.transaction_id = NEW.to_id AND s.reconciled_at IS NOT NULL);
  UPDATE transactions SET deleted_at = NEW.updated_at, updated_at = NEW.updated_at, revision = revision + 1
    WHERE id = NEW.to_id AND NEW.kind IN ('same_event', 'settles');
END;
CREATE TRIGGER transaction_links_make AFTER UPDATE OF state ON transaction_links WHEN NEW.state = 'made' AND OLD.state <> 'made' BEGIN
  SELECT RAISE(ABORT, 'linked transactions have one ledger and one currency') WHERE (SELECT count(DISTINCT ledger || iif(NEW.kind = 'settles', '', '/' || currency))
    FROM transactions WHERE id IN (NEW.from_id, NEW.to_id)) > 1;
  SELECT RAISE(ABORT, 'a link needs two transactions that are booked and not deleted or replaced') WHERE
    (SELECT count(*) FROM transactions WHERE id IN (NEW.from_id, NEW.to_id) AND deleted_at IS NULL AND status = 'confirmed') < 2;
  SELECT RAISE(ABORT, 'the refunds of a purchase cannot exceed its amount, or have another currency') WHERE EXISTS (SELECT 1 FROM exceeded_purchases WHERE purchase_id = NEW.from_id);
  -- No chain and no cycle: what is replaced has no links of its own, and what is returned or paid in parts is no part of
  -- something else. A refund or an instalment may be reported twice.
  SELECT RAISE(ABORT, 'one of the transactions has a link that this one contradicts') WHERE EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made'
    AND ((from_id = NEW.to_id AND (NEW.kind IN ('same_event', 'settles') OR kind NOT IN ('same_event', 'settles')))
      OR (to_id = NEW.from_id AND NEW.kind NOT IN ('same_event', 'settles'))));
  SELECT RAISE(ABORT, 'a side of a transfer cannot be replaced by another transaction') WHERE NEW.kind IN ('same_event', 'settles')
    AND EXISTS (SELECT 1 FROM transfers WHERE state = 'linked' AND (debit_id = NEW.to_id OR credit_id = NEW.to_id));
  SELECT RAISE(ABORT, 'a transaction of a reconciled statement cannot be replaced by another one') WHERE NEW.kind IN ('same_event', 'settles')
    AND EXISTS (SELECT 1 FROM statement_lines l JOIN statements s ON s.id = l.statement_id
      WHERE l.transaction_id = NEW.to_id AND s.reconciled_at IS NOT NULL);
  UPDATE transactions SET deleted_at = NEW.updated_at, updated_at = NEW.updated_at, revision = revision + 1
    WHERE id = NEW.to_id AND NEW.kind IN ('same_event', 'settles');
END;
CREATE TRIGGER transactions_keep_links AFTER UPDATE OF amount_minor, currency, ledger ON transactions
  WHEN (NEW.amount_minor <> OLD.amount_minor OR NEW.currency <> OLD.currency OR NEW.ledger <> OLD.ledger)
    AND EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND (from_id = NEW.id OR to_id = NEW.id)) BEGIN
  SELECT RAISE(ABORT, 'the refunds of a purchase cannot exceed its amount, or have another currency') WHERE EXISTS (SELECT 1 FROM exceeded_purchases);
  SELECT RAISE(ABORT, 'linked transactions have one ledger and one currency') WHERE EXISTS (
    SELECT 1 FROM transaction_links l JOIN transactions a ON a.id = l.from_id JOIN transactions b ON b.id = l.to_id
    WHERE l.state = 'made' AND (l.from_id = NEW.id OR l.to_id = NEW.id)
      AND (a.ledger <> b.ledger OR a.currency <> b.currency AND l.kind <> 'settles'));
END;
CREATE INDEX login_sessions_by_user ON login_sessions (user_id);
CREATE INDEX passkeys_by_user ON passkeys (user_id);
CREATE UNIQUE INDEX access_tokens_by_name ON access_tokens (name) WHERE revoked_at IS NULL;
CREATE INDEX access_tokens_by_user ON access_tokens (user_id);
CREATE INDEX devices_by_user ON devices (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX changes_by_user ON changes (user_id) WHERE user_id IS NOT NULL;
CREATE TRIGGER users_last_owner_changed BEFORE UPDATE OF role, disabled_at ON users
WHEN OLD.role = 'owner' AND OLD.disabled_at IS NULL AND (NEW.role <> 'owner' OR NEW.disabled_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'owner' AND disabled_at IS NULL AND id <> OLD.id)
BEGIN SELECT RAISE(ABORT, 'the last owner stays an owner'); END;
CREATE TRIGGER users_last_owner_removed BEFORE DELETE ON users
WHEN OLD.role = 'owner' AND OLD.disabled_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'owner' AND disabled_at IS NULL AND id <> OLD.id)
BEGIN SELECT RAISE(ABORT, 'the last owner is not removed'); END;
CREATE TRIGGER users_disabled AFTER UPDATE OF disabled_at ON users
WHEN OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL BEGIN
  DELETE FROM login_sessions WHERE user_id = NEW.id;
  DELETE FROM passkeys WHERE user_id = NEW.id;
  DELETE FROM login_tries WHERE user_id = NEW.id;
  DELETE FROM pairing_offers WHERE user_id = NEW.id AND redeemed_at IS NULL;
  UPDATE devices SET is_active = 0 WHERE user_id = NEW.id;
  UPDATE access_tokens SET revoked_at = NEW.disabled_at WHERE user_id = NEW.id AND revoked_at IS NULL;
END;
CREATE INDEX user_accounts_private ON user_accounts (owner_user_id) WHERE owner_user_id IS NOT NULL;
CREATE UNIQUE INDEX template_activations_asked ON template_activations (template) WHERE state = 'asked';
CREATE UNIQUE INDEX template_activations_active ON template_activations (template) WHERE state = 'active';
CREATE INDEX transactions_by_user_account ON transactions
  (user_account_id, parsed_date, currency, transaction_type, status, amount_minor, balance_minor, limit_minor, deleted_at)
  WHERE user_account_id IS NOT NULL;
