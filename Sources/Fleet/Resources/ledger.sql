-- The tables of a ledger, each with the household before its key. Names, columns, keys and checks are those of the
-- SQLite ledger, whose triggers, cascades and defaults have had their effect when a row arrives here. A day and an
-- instant are texts there and here; money is an integer of minor units.

CREATE SCHEMA ledger;

CREATE TABLE ledger.access_tokens (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  digest text NOT NULL,
  scopes text NOT NULL,
  created_at text NOT NULL,
  expires_at text,
  last_used_at text,
  revoked_at text,
  user_id bigint NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (kind IN ('token', 'device')),
  CHECK (length(digest) = 64)
);

CREATE TABLE ledger.account_checks (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  user_account_id bigint NOT NULL,
  windows bigint NOT NULL,
  is_drifting bigint NOT NULL,
  checked_at text NOT NULL,
  PRIMARY KEY (household_id, user_account_id),
  CHECK (is_drifting IN (0, 1))
);

CREATE TABLE ledger.account_findings (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  user_account_id bigint NOT NULL,
  from_id bigint NOT NULL,
  to_id bigint NOT NULL,
  gap_minor bigint NOT NULL,
  found_at text NOT NULL,
  told_at text,
  PRIMARY KEY (household_id, user_account_id, from_id, to_id)
);

CREATE TABLE ledger.account_generation (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  generation bigint NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (id = 1)
);

CREATE TABLE ledger.accounts (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id text NOT NULL,
  name text NOT NULL,
  card_last_four text,
  sender_email text,
  sender_name text,
  subject_pattern text,
  amount_regex text,
  date_regex text,
  merchant_regex text,
  account_regex text,
  time_regex text,
  sample_email_body text,
  is_active bigint NOT NULL,
  currency_default text NOT NULL,
  default_transaction_type text NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (is_active IN (0, 1)),
  CHECK (length(currency_default) = 3),
  CHECK (default_transaction_type = 'expense' OR default_transaction_type = 'income'
    OR default_transaction_type = 'transfer')
);

CREATE TABLE ledger.added_mailboxes (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  name text NOT NULL,
  host text NOT NULL,
  "user" text NOT NULL,
  folders text NOT NULL,
  since_days bigint NOT NULL,
  authserv_id text,
  verifies bigint NOT NULL,
  problem text,
  removal_requested_at text,
  port bigint NOT NULL,
  tls text NOT NULL,
  oauth text,
  PRIMARY KEY (household_id, name),
  CHECK (name <> ''),
  CHECK (folders::json IS NOT NULL),
  CHECK (verifies IN (0, 1)),
  CHECK (port BETWEEN 1 AND 65535),
  CHECK (tls IN ('implicit', 'starttls')),
  CHECK (oauth IS NULL OR oauth::json IS NOT NULL)
);

CREATE TABLE ledger.added_sinks (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  name text NOT NULL,
  kind text NOT NULL,
  host text NOT NULL,
  events text NOT NULL,
  quiet_from bigint,
  quiet_to bigint,
  asked_at text,
  sealed_to text,
  sealed text,
  fault text,
  removal_requested_at text,
  PRIMARY KEY (household_id, name),
  CHECK (name <> ''),
  CHECK (kind IN ('ntfy', 'webhook', 'email')),
  CHECK (events::json IS NOT NULL),
  CHECK (quiet_from BETWEEN 0 AND 1439),
  CHECK (quiet_to BETWEEN 0 AND 1439),
  CHECK (length(sealed) < 12000),
  CHECK ((quiet_from IS NULL) = (quiet_to IS NULL)),
  CHECK ((sealed IS NULL) = (sealed_to IS NULL)),
  CHECK (sealed IS NULL OR asked_at IS NOT NULL)
);

CREATE TABLE ledger.api_answers (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  client text NOT NULL,
  key text NOT NULL,
  request bytea NOT NULL,
  at text NOT NULL,
  status bigint NOT NULL,
  headers text NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (household_id, client, key)
);

CREATE TABLE ledger.audit_anchor (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  digest text NOT NULL,
  pruned bigint NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (id = 1),
  CHECK (length(digest) = 64)
);

CREATE TABLE ledger.audit_log (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  at text NOT NULL,
  event text NOT NULL,
  request_id text,
  who text NOT NULL,
  method text,
  route text,
  status bigint,
  digest text,
  PRIMARY KEY (household_id, id),
  CHECK (length(digest) = 64)
);

CREATE TABLE ledger.budget_notifications (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  budget_id bigint NOT NULL,
  first_day text NOT NULL,
  state text NOT NULL,
  told_at text NOT NULL,
  PRIMARY KEY (household_id, budget_id, first_day, state),
  CHECK (state IN ('warning', 'exceeded'))
);

CREATE TABLE ledger.budgets (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  category_id bigint NOT NULL,
  subcategory_id bigint,
  period text NOT NULL,
  currency text NOT NULL,
  amount_minor bigint NOT NULL,
  rolls_over bigint NOT NULL,
  starts_on text NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (period IN ('week', 'month', 'quarter', 'year')),
  CHECK (length(currency) = 3),
  CHECK (amount_minor > 0),
  CHECK (rolls_over IN (0, 1)),
  CHECK (starts_on ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$')
);

CREATE TABLE ledger.categories (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  name text NOT NULL,
  icon text,
  color text,
  is_system bigint NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  shipped_name text,
  is_edited bigint NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (name <> ''),
  CHECK (is_system IN (0, 1)),
  CHECK (is_edited IN (0, 1))
);

CREATE TABLE ledger.changes (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  at text NOT NULL,
  actor_kind text NOT NULL,
  actor_name text NOT NULL,
  done text NOT NULL,
  transaction_id bigint,
  mail_id text,
  before text NOT NULL,
  after text NOT NULL,
  group_id text NOT NULL,
  undoes bigint,
  undone_by bigint,
  user_id bigint,
  PRIMARY KEY (household_id, id)
);

CREATE TABLE ledger.column_mappings (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  name text NOT NULL,
  headings text NOT NULL,
  date_order text NOT NULL,
  unsigned text NOT NULL,
  created_at text NOT NULL,
  PRIMARY KEY (household_id, name),
  CHECK (name <> ''),
  CHECK (json_typeof(headings::json) = 'object'),
  CHECK (date_order IN ('day_first', 'month_first', 'year_first')),
  CHECK (unsigned IN ('omitted', 'outgoing', 'incoming'))
);

CREATE TABLE ledger.date_order_counts (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  profile text NOT NULL,
  date_order text NOT NULL,
  mails bigint NOT NULL,
  PRIMARY KEY (household_id, profile, date_order),
  CHECK (profile <> ''),
  CHECK (date_order IN ('day_first', 'month_first')),
  CHECK (mails > 0)
);

CREATE TABLE ledger.deleted_accounts (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id text NOT NULL,
  deleted_at text NOT NULL,
  PRIMARY KEY (household_id, id)
);

CREATE TABLE ledger.devices (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id text NOT NULL,
  device_token text NOT NULL,
  environment text NOT NULL,
  device_name text,
  os_version text,
  is_active bigint NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  user_id bigint,
  PRIMARY KEY (household_id, id),
  CHECK (is_active IN (0, 1))
);

CREATE TABLE ledger.downloads (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  mailbox text NOT NULL,
  hour bigint NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (household_id, mailbox, hour),
  CHECK (bytes >= 0)
);

CREATE TABLE ledger.drift_alarms (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  kind text NOT NULL,
  profile text NOT NULL,
  subject text NOT NULL,
  since text NOT NULL,
  seen_at text,
  snoozed_until text,
  PRIMARY KEY (household_id, kind, profile, subject)
);

CREATE TABLE ledger.due_links (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  due_id text NOT NULL,
  transaction_id bigint NOT NULL,
  state text NOT NULL,
  created_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (due_id LIKE 'notice:%' OR due_id LIKE 'recurring:%'),
  CHECK (state IN ('linked', 'refused'))
);

CREATE TABLE ledger.due_notifications (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  due_id text NOT NULL,
  occasion text NOT NULL,
  told_at text NOT NULL,
  PRIMARY KEY (household_id, due_id, occasion),
  CHECK (occasion IN ('ahead', 'late'))
);

CREATE TABLE ledger.exchange_rates (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  base text NOT NULL,
  quote text NOT NULL,
  day text NOT NULL,
  billionths bigint NOT NULL,
  source text NOT NULL,
  updated_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (length(base) = 3),
  CHECK (length(quote) = 3),
  CHECK (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CHECK (billionths > 0),
  CHECK (source = 'person' OR source = 'ecb' OR source = 'rbi' OR source = 'mail'),
  CHECK (base <> quote)
);

CREATE TABLE ledger.exported_transactions (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  export text NOT NULL,
  transaction_id bigint NOT NULL,
  PRIMARY KEY (household_id, export, transaction_id)
);

CREATE TABLE ledger.exports (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  name text NOT NULL,
  format text NOT NULL,
  exported_at text NOT NULL,
  PRIMARY KEY (household_id, name),
  CHECK (name <> '')
);

CREATE TABLE ledger.file_marks (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  name text NOT NULL,
  digest text NOT NULL,
  marked_at text NOT NULL,
  PRIMARY KEY (household_id, name)
);

CREATE TABLE ledger.imports (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  mailbox text NOT NULL,
  root text NOT NULL,
  authentication text NOT NULL,
  file text,
  device bigint NOT NULL,
  inode bigint NOT NULL,
  size bigint NOT NULL,
  modified_at bigint NOT NULL,
  next_offset bigint NOT NULL,
  updated_at text NOT NULL,
  finished_at text,
  PRIMARY KEY (household_id, mailbox, root)
);

CREATE TABLE ledger.learned_forms (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  profile text NOT NULL,
  form bigint NOT NULL,
  created_at text NOT NULL,
  PRIMARY KEY (household_id, id)
);

CREATE TABLE ledger.login_secrets (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  user_id bigint NOT NULL,
  hash text NOT NULL,
  changed_at text NOT NULL,
  PRIMARY KEY (household_id, user_id),
  CHECK (hash <> '')
);

CREATE TABLE ledger.login_sessions (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id text NOT NULL,
  digest text NOT NULL,
  started_at text NOT NULL,
  last_seen_at text NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (length(digest) = 64)
);

CREATE TABLE ledger.login_tries (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  client text NOT NULL,
  tries bigint NOT NULL,
  last_at text NOT NULL,
  user_id bigint,
  PRIMARY KEY (household_id, client)
);

CREATE TABLE ledger.mail_counts (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  mailbox text NOT NULL,
  folder text NOT NULL,
  status text NOT NULL,
  profile text NOT NULL,
  template text NOT NULL,
  mails bigint NOT NULL,
  PRIMARY KEY (household_id, mailbox, folder, status, profile, template)
);

CREATE TABLE ledger.mailbox_alarms (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  mailbox text NOT NULL,
  since text NOT NULL,
  told text,
  PRIMARY KEY (household_id, mailbox)
);

CREATE TABLE ledger.mailbox_cursors (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  mailbox text NOT NULL,
  folder text NOT NULL,
  uid_validity bigint NOT NULL,
  next_uid bigint NOT NULL,
  searched_domains text NOT NULL,
  last_received_at text,
  last_processed_at text,
  updated_at text NOT NULL,
  PRIMARY KEY (household_id, mailbox, folder)
);

CREATE TABLE ledger.mailbox_health (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  mailbox text NOT NULL,
  state text NOT NULL,
  reason text,
  since text NOT NULL,
  last_probe_at text,
  last_mail_at text,
  last_bank_mail_at text,
  attempts bigint NOT NULL,
  next_attempt_at text,
  due_at text,
  PRIMARY KEY (household_id, mailbox),
  CHECK (state = 'connecting' OR state = 'reading' OR state = 'watching' OR state = 'waiting' OR state = 'refused'
    OR state = 'stopped'),
  CHECK (attempts >= 0)
);

CREATE TABLE ledger.mailbox_keys (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  sealing_key text NOT NULL,
  made_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (id = 1),
  CHECK (length(sealing_key) = 44)
);

CREATE TABLE ledger.mailbox_setups (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  name text NOT NULL,
  address text NOT NULL,
  host text NOT NULL,
  port bigint NOT NULL,
  tls text NOT NULL,
  "user" text NOT NULL,
  authority text,
  folder text NOT NULL,
  since_days bigint NOT NULL,
  sealed_to text NOT NULL,
  sealed text,
  asked_at text NOT NULL,
  state text NOT NULL,
  finding text,
  fault text,
  reason text,
  authserv_id text,
  verifies bigint NOT NULL,
  oauth text,
  client_secret text,
  renews bigint NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (name <> ''),
  CHECK (host <> ''),
  CHECK (port BETWEEN 1 AND 65535),
  CHECK (tls IN ('implicit', 'starttls')),
  CHECK ("user" <> ''),
  CHECK (folder <> ''),
  CHECK (since_days BETWEEN 1 AND 36500),
  CHECK (length(sealed) < 12000),
  CHECK (state IN ('asked', 'tested', 'accepted', 'used', 'refused')),
  CHECK (finding IS NULL OR finding::json IS NOT NULL),
  CHECK (verifies IN (0, 1)),
  CHECK (oauth IS NULL OR oauth::json IS NOT NULL),
  CHECK (length(client_secret) < 2000),
  CHECK (renews IN (0, 1)),
  CHECK ((sealed IS NULL) = (state IN ('used', 'refused'))),
  CHECK ((fault IS NOT NULL) = (state = 'refused')),
  CHECK (finding IS NOT NULL OR state IN ('asked', 'refused') OR renews = 1),
  CHECK (oauth IS NOT NULL OR client_secret IS NULL AND renews = 0),
  CHECK (client_secret IS NULL OR state <> 'used'),
  CHECK (renews = 0 OR state NOT IN ('tested', 'accepted'))
);

CREATE TABLE ledger.maildir_files (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  mailbox text NOT NULL,
  folder text NOT NULL,
  name bigint NOT NULL,
  PRIMARY KEY (household_id, mailbox, folder, name)
);

CREATE TABLE ledger.notices (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  source_email_id text NOT NULL,
  kind text NOT NULL,
  profile text NOT NULL,
  account_digits text,
  amount_minor bigint,
  currency text,
  minimum_minor bigint,
  merchant text,
  day text,
  time text,
  period_from text,
  period_to text,
  reference text,
  created_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (kind IN ('bill', 'mandate', 'balance', 'deposit-maturity', 'limit', 'instalments')),
  CHECK (profile <> ''),
  CHECK (account_digits <> ''),
  CHECK (amount_minor >= 0),
  CHECK (length(currency) = 3),
  CHECK (minimum_minor BETWEEN 0 AND amount_minor),
  CHECK (merchant <> ''),
  CHECK (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CHECK (period_from ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CHECK (period_to ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CHECK (reference <> ''),
  CHECK ((amount_minor IS NULL) = (currency IS NULL)),
  CHECK (amount_minor IS NOT NULL OR kind = 'deposit-maturity'),
  CHECK (day IS NOT NULL OR kind NOT IN ('mandate', 'deposit-maturity')),
  CHECK (account_digits IS NOT NULL OR kind NOT IN ('balance', 'limit', 'instalments'))
);

CREATE TABLE ledger.notification_events (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  kind text NOT NULL,
  at text NOT NULL,
  received_at text,
  transaction_id bigint,
  mail_id text,
  subject text NOT NULL,
  details text NOT NULL,
  is_over bigint NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (is_over IN (0, 1))
);

CREATE TABLE ledger.notification_messages (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  seq bigint NOT NULL,
  id text NOT NULL,
  sink text NOT NULL,
  target text NOT NULL,
  state text NOT NULL,
  is_urgent bigint NOT NULL,
  events text NOT NULL,
  event_count bigint NOT NULL,
  created_at text NOT NULL,
  due_at text NOT NULL,
  attempts bigint NOT NULL,
  reason text,
  settled_at text,
  PRIMARY KEY (household_id, seq),
  CHECK (state = 'waiting' OR state = 'parked' OR state = 'sent'),
  CHECK (is_urgent IN (0, 1)),
  CHECK (event_count > 0)
);

CREATE TABLE ledger.notification_sinks (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  name text NOT NULL,
  last_event bigint NOT NULL,
  failures bigint NOT NULL,
  blocked_until text,
  reason text,
  last_sent_at text,
  trial_requested_at text,
  trial_at text,
  trial_problem text,
  PRIMARY KEY (household_id, name)
);

CREATE TABLE ledger.numbering_marks (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  mailbox text NOT NULL,
  folder text NOT NULL,
  uid_validity bigint NOT NULL,
  next_uid bigint NOT NULL,
  messages text NOT NULL,
  PRIMARY KEY (household_id, mailbox, folder)
);

CREATE TABLE ledger.pairing_offers (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  name text NOT NULL,
  scopes text NOT NULL,
  salt text NOT NULL,
  digest text NOT NULL,
  offered_at text NOT NULL,
  expires_at text NOT NULL,
  tries_left bigint NOT NULL,
  redeemed_at text,
  token_id text,
  user_id bigint NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (length(digest) = 64)
);

CREATE TABLE ledger.passkeys (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  credential text NOT NULL,
  relying_party text NOT NULL,
  user_handle text NOT NULL,
  public_key text NOT NULL,
  name text NOT NULL,
  sign_count bigint NOT NULL,
  created_at text NOT NULL,
  last_used_at text,
  user_id bigint NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (name <> ''),
  CHECK (sign_count >= 0)
);

CREATE TABLE ledger.payee_aliases (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  payee_id bigint NOT NULL,
  alias text NOT NULL,
  kind text NOT NULL,
  is_user_defined bigint NOT NULL,
  created_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (alias <> ''),
  CHECK (kind = 'keyword' OR kind = 'vpa'),
  CHECK (is_user_defined IN (0, 1))
);

CREATE TABLE ledger.payees (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  name text NOT NULL,
  category_id bigint,
  subcategory_id bigint,
  shipped_name text,
  merged_into bigint,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (name <> ''),
  CHECK (subcategory_id IS NULL OR category_id IS NOT NULL)
);

CREATE TABLE ledger.processed_emails (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id text NOT NULL,
  message_id text,
  account_id text,
  processed_at text NOT NULL,
  status text NOT NULL,
  error_message text,
  mailbox text NOT NULL,
  folder text NOT NULL,
  uid_validity bigint NOT NULL,
  uid bigint NOT NULL,
  content_digest bytea,
  from_address text,
  subject text,
  sent_at text,
  received_at text,
  profile text,
  template text,
  duplicate_of text,
  attempts bigint NOT NULL,
  provenance text,
  reviewed_at text,
  fields bigint,
  shape bigint,
  next_attempt_at text,
  gmail_message_id bigint,
  form bigint,
  PRIMARY KEY (household_id, id),
  CHECK (status = 'recorded' OR status = 'review' OR status = 'duplicate' OR status = 'ignored'
    OR status = 'unclaimed' OR status = 'quarantined' OR status = 'failed'),
  CHECK (uid_validity BETWEEN 0 AND 4294967295),
  CHECK (uid BETWEEN 0 AND 4294967295),
  CHECK (attempts >= 1)
);

CREATE TABLE ledger.raw_dictionaries (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  created_at text NOT NULL,
  mails bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (household_id, id)
);

CREATE TABLE ledger.raw_messages (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  mail_id text NOT NULL,
  stored_at text NOT NULL,
  encoding text NOT NULL,
  dictionary_id bigint,
  size bigint NOT NULL,
  kept_size bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (household_id, mail_id),
  CHECK (encoding IN ('identity', 'zstd')),
  CHECK (kept_size BETWEEN 0 AND size),
  CHECK ((encoding = 'zstd') = (dictionary_id IS NOT NULL)),
  CHECK (encoding <> 'identity' OR length(bytes) = kept_size)
);

CREATE TABLE ledger.recurring_items (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  name text NOT NULL,
  user_account_id bigint,
  transaction_type text NOT NULL,
  currency text NOT NULL,
  amount_minor bigint NOT NULL,
  band_percent bigint NOT NULL,
  rule text NOT NULL,
  starts_on text NOT NULL,
  mode text NOT NULL,
  is_active bigint NOT NULL,
  category_name text,
  subcategory text,
  last_processed_date text,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (name <> ''),
  CHECK (transaction_type IN ('expense', 'income')),
  CHECK (length(currency) = 3),
  CHECK (amount_minor > 0),
  CHECK (band_percent BETWEEN 0 AND 100),
  CHECK (rule LIKE 'FREQ=%'),
  CHECK (starts_on ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CHECK (mode IN ('expected', 'posted')),
  CHECK (is_active IN (0, 1)),
  CHECK (last_processed_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$')
);

CREATE TABLE ledger.refused_aliases (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  alias text NOT NULL,
  kind text NOT NULL,
  payee text NOT NULL,
  refused_at text NOT NULL,
  PRIMARY KEY (household_id, alias, kind, payee)
);

CREATE TABLE ledger.refused_offers (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  vendor_keyword text NOT NULL,
  kind text NOT NULL,
  category_name text NOT NULL,
  subcategory text NOT NULL,
  refused_at text NOT NULL,
  PRIMARY KEY (household_id, vendor_keyword, kind, category_name, subcategory)
);

CREATE TABLE ledger.rescan_requests (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  mailbox text NOT NULL,
  folder text NOT NULL,
  bank text,
  since text,
  requested_at text NOT NULL,
  finished_at text,
  looked_at bigint NOT NULL,
  changed bigint NOT NULL,
  PRIMARY KEY (household_id, id)
);

CREATE TABLE ledger.saved_searches (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  created_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (name <> ''),
  CHECK (query <> '')
);

CREATE TABLE ledger.settled_dues (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  due_id text NOT NULL,
  created_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (due_id LIKE 'notice:%' OR due_id LIKE 'recurring:%')
);

CREATE TABLE ledger.split_transactions (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  transaction_id bigint NOT NULL,
  PRIMARY KEY (household_id, transaction_id)
);

CREATE TABLE ledger.sqlite_sequence (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  name text NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (household_id, name)
);

CREATE TABLE ledger.statement_files (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  mail_id text NOT NULL,
  number bigint NOT NULL,
  profile text NOT NULL,
  account_digits text,
  file_name text,
  file_digest text NOT NULL,
  size bigint NOT NULL,
  state text NOT NULL,
  reason text,
  user_account_id bigint,
  statement_id bigint,
  stored_at text NOT NULL,
  bytes bytea,
  PRIMARY KEY (household_id, id),
  CHECK (number > 0),
  CHECK (profile <> ''),
  CHECK (length(file_digest) = 64),
  CHECK (size > 0),
  CHECK (state IN ('waiting', 'needs_password', 'needs_account', 'read', 'refused', 'expired', 'discarded')),
  CHECK (bytes IS NULL OR length(bytes) = size)
);

CREATE TABLE ledger.statement_lines (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  statement_id bigint NOT NULL,
  number bigint NOT NULL,
  file_row bigint NOT NULL,
  day text NOT NULL,
  value_day text,
  amount_minor bigint NOT NULL,
  direction text NOT NULL,
  line_text text NOT NULL,
  reference text,
  balance_minor bigint,
  transaction_id bigint,
  match_reason text,
  is_booked bigint NOT NULL,
  mail_id text,
  account_id bigint,
  PRIMARY KEY (household_id, statement_id, number),
  CHECK (number > 0),
  CHECK (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CHECK (amount_minor >= 0),
  CHECK (direction IN ('in', 'out')),
  CHECK (match_reason IN ('reference', 'name', 'amount', 'booked')),
  CHECK (is_booked IN (0, 1))
);

CREATE TABLE ledger.statement_omissions (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  statement_id bigint NOT NULL,
  file_row bigint NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (household_id, statement_id, file_row),
  CHECK (reason IN ('not_completed', 'no_direction', 'other_currency', 'unreadable'))
);

CREATE TABLE ledger.statements (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  user_account_id bigint NOT NULL,
  file_digest text NOT NULL,
  file_name text,
  currency text NOT NULL,
  first_day text NOT NULL,
  last_day text NOT NULL,
  opening_minor bigint,
  closing_minor bigint,
  proof text NOT NULL,
  read_at text NOT NULL,
  reconciled_at text,
  list text,
  PRIMARY KEY (household_id, id),
  CHECK (length(file_digest) = 64),
  CHECK (length(currency) = 3),
  CHECK (first_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CHECK (last_day >= first_day),
  CHECK (proof IN ('every_line', 'sum', 'none')),
  CHECK (list <> '')
);

CREATE TABLE ledger.subcategories (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  category_id bigint NOT NULL,
  name text NOT NULL,
  icon text,
  is_system bigint NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  shipped_name text,
  PRIMARY KEY (household_id, id),
  CHECK (name <> ''),
  CHECK (is_system IN (0, 1))
);

CREATE TABLE ledger.tags (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  transaction_id bigint NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (household_id, transaction_id, name),
  CHECK (name <> '')
);

CREATE TABLE ledger.template_activations (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  template text NOT NULL,
  yaml text NOT NULL,
  digest text NOT NULL,
  mail_id text NOT NULL,
  expected text,
  asked_at text NOT NULL,
  asked_by text NOT NULL,
  state text NOT NULL,
  reason text,
  decided_at text,
  withdraw_asked_at text,
  fault text,
  seen_at text,
  PRIMARY KEY (household_id, id),
  CHECK (length(template) <= 121 AND template ~ '^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$'),
  CHECK (octet_length(yaml) BETWEEN 1 AND 65536),
  CHECK (length(digest) = 64),
  CHECK (expected IS NULL OR expected::json IS NOT NULL),
  CHECK (state = 'asked' OR state = 'active' OR state = 'refused' OR state = 'replaced' OR state = 'withdrawn'),
  CHECK ((reason IS NOT NULL) = (state = 'refused')),
  CHECK ((decided_at IS NULL) = (state = 'asked')),
  CHECK (fault IS NULL OR state = 'active')
);

CREATE TABLE ledger.template_days (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  profile text NOT NULL,
  template text NOT NULL,
  day text NOT NULL,
  mails bigint NOT NULL,
  with_amount bigint NOT NULL,
  with_date bigint NOT NULL,
  with_time bigint NOT NULL,
  with_merchant bigint NOT NULL,
  with_account bigint NOT NULL,
  with_reference bigint NOT NULL,
  with_balance bigint NOT NULL,
  with_limit bigint NOT NULL,
  with_vpa bigint NOT NULL,
  PRIMARY KEY (household_id, profile, template, day)
);

CREATE TABLE ledger.transaction_counts (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  status text NOT NULL,
  transactions bigint NOT NULL,
  PRIMARY KEY (household_id, status)
);

CREATE TABLE ledger.transaction_links (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  kind text NOT NULL,
  from_id bigint NOT NULL,
  to_id bigint NOT NULL,
  state text NOT NULL,
  confidence double precision NOT NULL,
  evidence text NOT NULL,
  why text NOT NULL,
  made_by text NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (kind IN ('refund', 'reversal', 'settles', 'same_event', 'instalment')),
  CHECK (state IN ('proposed', 'made', 'rejected')),
  CHECK (confidence BETWEEN 0 AND 1),
  CHECK (evidence <> ''),
  CHECK (made_by IN ('rule', 'person')),
  CHECK (from_id <> to_id)
);

CREATE TABLE ledger.transaction_splits (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  transaction_id bigint NOT NULL,
  position bigint NOT NULL,
  part_category text NOT NULL,
  part_subcategory text,
  part_minor bigint NOT NULL,
  PRIMARY KEY (household_id, transaction_id, position),
  CHECK (position > 0),
  CHECK (part_category <> ''),
  CHECK (part_subcategory <> ''),
  CHECK (part_minor > 0)
);

CREATE TABLE ledger.transactions (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  source_email_id text,
  idempotency_key text,
  ledger text NOT NULL,
  category_name text NOT NULL,
  subcategory text,
  currency text NOT NULL,
  amount_minor bigint NOT NULL,
  account_name text,
  account_id text,
  recorder text NOT NULL,
  parsed_date text NOT NULL,
  parsed_time text,
  parsed_vendor text,
  notes text,
  transaction_type text NOT NULL,
  status text NOT NULL,
  confidence_score double precision,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  channel text,
  reference text,
  vpa text,
  profile text,
  account_digits text,
  balance_minor bigint,
  balance_currency text,
  limit_minor bigint,
  limit_currency text,
  occurred_at text NOT NULL,
  provenance text,
  duplicate_of bigint,
  user_edited_at text,
  deleted_at text,
  revision bigint NOT NULL,
  reviewed_at text,
  corrected bigint,
  mcc text,
  category_why text,
  category_by text,
  user_account_id bigint,
  payee_id bigint,
  PRIMARY KEY (household_id, id),
  CHECK (idempotency_key IS NOT NULL OR recorder <> 'Auto'),
  CHECK (length(currency) = 3),
  CHECK (recorder = 'Auto' OR recorder = 'Manual' OR recorder = 'Import' OR recorder = 'SMS'),
  CHECK (parsed_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CHECK (parsed_time ~ '^[0-9]{2}:[0-9]{2}:[0-9]{2}$'),
  CHECK (transaction_type = 'expense' OR transaction_type = 'income' OR transaction_type = 'transfer'),
  CHECK (status = 'confirmed' OR status = 'needs_review' OR status = 'rejected'),
  CHECK (confidence_score BETWEEN 0 AND 1),
  CHECK (channel = 'upi' OR channel = 'card' OR channel = 'neft' OR channel = 'imps' OR channel = 'rtgs'
    OR channel = 'atm' OR channel = 'mandate' OR channel = 'cheque' OR channel = 'wallet' OR channel = 'other'),
  CHECK (category_by = 'mapping' OR category_by = 'transfer' OR category_by = 'person')
);

CREATE TABLE ledger.transfers (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  debit_id bigint,
  credit_id bigint,
  state text NOT NULL,
  evidence text NOT NULL,
  why text NOT NULL,
  made_by text NOT NULL,
  before text,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (state = 'proposed' OR state = 'linked' OR state = 'refused'),
  CHECK (made_by = 'rule' OR made_by = 'person'),
  CHECK (debit_id IS NOT NULL OR credit_id IS NOT NULL),
  CHECK (debit_id IS NULL OR credit_id IS NULL OR debit_id <> credit_id)
);

CREATE TABLE ledger.trusted_senders (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  address text NOT NULL,
  bank text NOT NULL,
  transaction_id bigint,
  actor_kind text NOT NULL,
  actor_name text NOT NULL,
  trusted_at text NOT NULL,
  PRIMARY KEY (household_id, address)
);

CREATE TABLE ledger.unclaimed_shapes (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  profile text NOT NULL,
  shape bigint NOT NULL,
  words text NOT NULL,
  mails bigint NOT NULL,
  drafts bigint NOT NULL,
  first_day text NOT NULL,
  last_day text NOT NULL,
  example text NOT NULL,
  PRIMARY KEY (household_id, profile, shape)
);

CREATE TABLE ledger.user_account_numbers (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  profile text NOT NULL,
  account_digits text NOT NULL,
  user_account_id bigint NOT NULL,
  first_seen text NOT NULL,
  last_seen text NOT NULL,
  PRIMARY KEY (household_id, profile, account_digits),
  CHECK (profile <> ''),
  CHECK (account_digits <> '')
);

CREATE TABLE ledger.user_accounts (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  institution text,
  account_number_last4 text,
  currency text NOT NULL,
  initial_balance_minor bigint NOT NULL,
  initial_balance_date text,
  credit_limit_minor bigint,
  is_active bigint NOT NULL,
  color text,
  icon text,
  linked_parser_id text,
  merged_into bigint,
  split_from bigint,
  confirmed_at text,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  owner_user_id bigint,
  PRIMARY KEY (household_id, id),
  CHECK (name <> ''),
  CHECK (type = 'bank' OR type = 'card' OR type = 'wallet' OR type = 'cash' OR type = 'investment' OR type = 'loan'),
  CHECK (length(currency) = 3),
  CHECK (initial_balance_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CHECK (credit_limit_minor >= 0),
  CHECK (is_active IN (0, 1)),
  CHECK (merged_into IS NULL OR merged_into <> id)
);

CREATE TABLE ledger.users (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  created_at text,
  disabled_at text,
  PRIMARY KEY (household_id, id),
  CHECK (length(name) BETWEEN 1 AND 64),
  CHECK (role IN ('owner', 'editor', 'reader'))
);

CREATE TABLE ledger.vendor_mappings (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  vendor_keyword text NOT NULL,
  kind text NOT NULL,
  category_id bigint NOT NULL,
  subcategory_id bigint,
  is_user_defined bigint NOT NULL,
  match_count bigint NOT NULL,
  minimum_minor bigint,
  maximum_minor bigint,
  currency text,
  account_digits text,
  channel text,
  transaction_type text,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (vendor_keyword <> ''),
  CHECK (kind = 'keyword' OR kind = 'vpa' OR kind = 'mcc' OR kind = 'person'),
  CHECK (is_user_defined IN (0, 1)),
  CHECK (match_count >= 0),
  CHECK (maximum_minor IS NULL OR minimum_minor IS NULL OR maximum_minor >= minimum_minor),
  CHECK (length(currency) = 3),
  CHECK (account_digits <> '')
);

CREATE TABLE ledger.web_server (
  household_id bigint NOT NULL DEFAULT fleet.household(),
  id bigint NOT NULL,
  url text NOT NULL,
  certificate_sha256 text,
  started_at text NOT NULL,
  PRIMARY KEY (household_id, id),
  CHECK (id = 1)
);

CREATE UNIQUE INDEX access_tokens_by_name ON ledger.access_tokens (household_id, name) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX budgets_once ON ledger.budgets (household_id, category_id, subcategory_id, currency,
  period) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX categories_by_shipped_name ON ledger.categories (household_id,
  lower(shipped_name COLLATE "C")) WHERE shipped_name IS NOT NULL;
CREATE UNIQUE INDEX categories_by_name ON ledger.categories (household_id, lower(name COLLATE "C"));
CREATE UNIQUE INDEX devices_by_device_token ON ledger.devices (household_id, device_token);
CREATE UNIQUE INDEX due_links_by_due_id_transaction_id ON ledger.due_links (household_id, due_id, transaction_id);
CREATE UNIQUE INDEX exchange_rates_by_base_quote_day ON ledger.exchange_rates (household_id, base, quote, day);
CREATE UNIQUE INDEX learned_forms_by_profile_form ON ledger.learned_forms (household_id, profile, form);
CREATE UNIQUE INDEX notices_by_source_email_id ON ledger.notices (household_id, source_email_id);
CREATE UNIQUE INDEX notification_messages_by_id ON ledger.notification_messages (household_id, id);
CREATE UNIQUE INDEX passkeys_by_credential ON ledger.passkeys (household_id, credential);
CREATE UNIQUE INDEX payee_aliases_once ON ledger.payee_aliases (household_id, lower(alias COLLATE "C"), kind,
  is_user_defined);
CREATE UNIQUE INDEX payees_by_name ON ledger.payees (household_id, lower(name COLLATE "C")) WHERE merged_into IS NULL;
CREATE UNIQUE INDEX payees_by_shipped_name ON ledger.payees (household_id, shipped_name);
CREATE UNIQUE INDEX processed_emails_by_mailbox_folder_uid_validity_uid ON ledger.processed_emails (household_id,
  mailbox, folder, uid_validity, uid);
CREATE UNIQUE INDEX refused_aliases_ignoring_case ON ledger.refused_aliases (household_id, lower(alias COLLATE "C"),
  kind, lower(payee COLLATE "C"));
CREATE UNIQUE INDEX refused_offers_ignoring_case ON ledger.refused_offers (household_id,
  lower(vendor_keyword COLLATE "C"), kind, lower(category_name COLLATE "C"), lower(subcategory COLLATE "C"));
CREATE UNIQUE INDEX saved_searches_by_name ON ledger.saved_searches (household_id, lower(name COLLATE "C"));
CREATE UNIQUE INDEX settled_dues_by_due_id ON ledger.settled_dues (household_id, due_id);
CREATE UNIQUE INDEX statement_files_by_mail_id_number ON ledger.statement_files (household_id, mail_id, number);
CREATE UNIQUE INDEX statements_by_user_account_id_file_digest ON ledger.statements (household_id, user_account_id,
  file_digest);
CREATE UNIQUE INDEX subcategories_by_shipped_name ON ledger.subcategories (household_id, category_id,
  lower(shipped_name COLLATE "C")) WHERE shipped_name IS NOT NULL;
CREATE UNIQUE INDEX subcategories_by_category_id_name ON ledger.subcategories (household_id, category_id,
  lower(name COLLATE "C"));
CREATE UNIQUE INDEX tags_ignoring_case ON ledger.tags (household_id, transaction_id, lower(name COLLATE "C"));
CREATE UNIQUE INDEX template_activations_active ON ledger.template_activations (household_id, template)
  WHERE state = 'active';
CREATE UNIQUE INDEX template_activations_asked ON ledger.template_activations (household_id, template)
  WHERE state = 'asked';
CREATE UNIQUE INDEX transaction_links_made ON ledger.transaction_links (household_id, to_id) WHERE state = 'made';
CREATE UNIQUE INDEX transaction_links_by_kind_from_id_to_id ON ledger.transaction_links (household_id, kind,
  from_id, to_id);
-- Not a unique index: a key contains what a mail prints, and an entry of a B-tree holds 2.7 kB at most.
ALTER TABLE ledger.transactions ADD CONSTRAINT transactions_by_idempotency_key
  EXCLUDE USING hash ((household_id::text || ' ' || idempotency_key) WITH =);
CREATE UNIQUE INDEX transfers_linked_credit ON ledger.transfers (household_id, credit_id) WHERE state = 'linked'
  AND credit_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_linked_debit ON ledger.transfers (household_id, debit_id) WHERE state = 'linked'
  AND debit_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_of_pair ON ledger.transfers (household_id, debit_id, credit_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX users_by_name ON ledger.users (household_id, lower(name COLLATE "C"));
CREATE UNIQUE INDEX vendor_mappings_once ON ledger.vendor_mappings (household_id, lower(vendor_keyword COLLATE "C"),
  kind, is_user_defined, minimum_minor, maximum_minor, currency, account_digits, channel,
  transaction_type) NULLS NOT DISTINCT;
CREATE INDEX access_tokens_of_user_id ON ledger.access_tokens (household_id, user_id);
CREATE INDEX budgets_of_subcategory_id ON ledger.budgets (household_id, subcategory_id)
  WHERE subcategory_id IS NOT NULL;
CREATE INDEX changes_of_user_id ON ledger.changes (household_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX devices_of_user_id ON ledger.devices (household_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX due_links_of_transaction_id ON ledger.due_links (household_id, transaction_id);
CREATE INDEX login_sessions_of_user_id ON ledger.login_sessions (household_id, user_id);
CREATE INDEX login_tries_of_user_id ON ledger.login_tries (household_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX notification_messages_of_sink ON ledger.notification_messages (household_id, sink);
CREATE INDEX pairing_offers_of_user_id ON ledger.pairing_offers (household_id, user_id);
CREATE INDEX passkeys_of_user_id ON ledger.passkeys (household_id, user_id);
CREATE INDEX payee_aliases_of_payee_id ON ledger.payee_aliases (household_id, payee_id);
CREATE INDEX payees_of_category_id ON ledger.payees (household_id, category_id) WHERE category_id IS NOT NULL;
CREATE INDEX payees_of_merged_into ON ledger.payees (household_id, merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX payees_of_subcategory_id ON ledger.payees (household_id, subcategory_id)
  WHERE subcategory_id IS NOT NULL;
CREATE INDEX processed_emails_of_account_id ON ledger.processed_emails (household_id, account_id)
  WHERE account_id IS NOT NULL;
CREATE INDEX processed_emails_of_duplicate_of ON ledger.processed_emails (household_id, duplicate_of)
  WHERE duplicate_of IS NOT NULL;
CREATE INDEX raw_messages_of_dictionary_id ON ledger.raw_messages (household_id, dictionary_id)
  WHERE dictionary_id IS NOT NULL;
CREATE INDEX recurring_items_of_user_account_id ON ledger.recurring_items (household_id, user_account_id)
  WHERE user_account_id IS NOT NULL;
CREATE INDEX statement_files_of_statement_id ON ledger.statement_files (household_id, statement_id)
  WHERE statement_id IS NOT NULL;
CREATE INDEX statement_files_of_user_account_id ON ledger.statement_files (household_id, user_account_id)
  WHERE user_account_id IS NOT NULL;
CREATE INDEX statement_lines_of_account_id ON ledger.statement_lines (household_id, account_id)
  WHERE account_id IS NOT NULL;
CREATE INDEX statement_lines_of_transaction_id ON ledger.statement_lines (household_id, transaction_id)
  WHERE transaction_id IS NOT NULL;
CREATE INDEX transaction_links_of_from_id ON ledger.transaction_links (household_id, from_id);
CREATE INDEX transaction_links_of_to_id ON ledger.transaction_links (household_id, to_id);
CREATE INDEX transactions_of_account_id ON ledger.transactions (household_id, account_id)
  WHERE account_id IS NOT NULL;
CREATE INDEX transactions_of_duplicate_of ON ledger.transactions (household_id, duplicate_of)
  WHERE duplicate_of IS NOT NULL;
CREATE INDEX transactions_of_payee_id ON ledger.transactions (household_id, payee_id) WHERE payee_id IS NOT NULL;
CREATE INDEX transactions_of_source_email_id ON ledger.transactions (household_id, source_email_id)
  WHERE source_email_id IS NOT NULL;
CREATE INDEX transactions_of_user_account_id ON ledger.transactions (household_id, user_account_id)
  WHERE user_account_id IS NOT NULL;
CREATE INDEX transfers_of_credit_id ON ledger.transfers (household_id, credit_id) WHERE credit_id IS NOT NULL;
CREATE INDEX user_account_numbers_of_user_account_id ON ledger.user_account_numbers (household_id, user_account_id);
CREATE INDEX user_accounts_of_linked_parser_id ON ledger.user_accounts (household_id, linked_parser_id)
  WHERE linked_parser_id IS NOT NULL;
CREATE INDEX user_accounts_of_merged_into ON ledger.user_accounts (household_id, merged_into)
  WHERE merged_into IS NOT NULL;
CREATE INDEX user_accounts_of_owner_user_id ON ledger.user_accounts (household_id, owner_user_id)
  WHERE owner_user_id IS NOT NULL;
CREATE INDEX vendor_mappings_of_category_id ON ledger.vendor_mappings (household_id, category_id);
CREATE INDEX vendor_mappings_of_subcategory_id ON ledger.vendor_mappings (household_id, subcategory_id)
  WHERE subcategory_id IS NOT NULL;

ALTER TABLE ledger.access_tokens ADD FOREIGN KEY (household_id, user_id) REFERENCES ledger.users (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.account_checks ADD FOREIGN KEY (household_id,
  user_account_id) REFERENCES ledger.user_accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.account_findings ADD FOREIGN KEY (household_id,
  user_account_id) REFERENCES ledger.user_accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.budget_notifications ADD FOREIGN KEY (household_id,
  budget_id) REFERENCES ledger.budgets (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.budgets ADD FOREIGN KEY (household_id, category_id) REFERENCES ledger.categories (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.budgets ADD FOREIGN KEY (household_id,
  subcategory_id) REFERENCES ledger.subcategories (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.changes ADD FOREIGN KEY (household_id, user_id) REFERENCES ledger.users (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.devices ADD FOREIGN KEY (household_id, user_id) REFERENCES ledger.users (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.due_links ADD FOREIGN KEY (household_id,
  transaction_id) REFERENCES ledger.transactions (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.exported_transactions ADD FOREIGN KEY (household_id,
  export) REFERENCES ledger.exports (household_id, name)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.login_secrets ADD FOREIGN KEY (household_id, user_id) REFERENCES ledger.users (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.login_sessions ADD FOREIGN KEY (household_id, user_id) REFERENCES ledger.users (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.login_tries ADD FOREIGN KEY (household_id, user_id) REFERENCES ledger.users (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.notices ADD FOREIGN KEY (household_id,
  source_email_id) REFERENCES ledger.processed_emails (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.notification_messages ADD FOREIGN KEY (household_id,
  sink) REFERENCES ledger.notification_sinks (household_id, name)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.pairing_offers ADD FOREIGN KEY (household_id, user_id) REFERENCES ledger.users (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.passkeys ADD FOREIGN KEY (household_id, user_id) REFERENCES ledger.users (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.payee_aliases ADD FOREIGN KEY (household_id, payee_id) REFERENCES ledger.payees (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.payees ADD FOREIGN KEY (household_id, category_id) REFERENCES ledger.categories (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.payees ADD FOREIGN KEY (household_id, merged_into) REFERENCES ledger.payees (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.payees ADD FOREIGN KEY (household_id,
  subcategory_id) REFERENCES ledger.subcategories (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.processed_emails ADD FOREIGN KEY (household_id,
  account_id) REFERENCES ledger.accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.processed_emails ADD FOREIGN KEY (household_id,
  duplicate_of) REFERENCES ledger.processed_emails (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.raw_messages ADD FOREIGN KEY (household_id,
  dictionary_id) REFERENCES ledger.raw_dictionaries (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.raw_messages ADD FOREIGN KEY (household_id,
  mail_id) REFERENCES ledger.processed_emails (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.recurring_items ADD FOREIGN KEY (household_id,
  user_account_id) REFERENCES ledger.user_accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.split_transactions ADD FOREIGN KEY (household_id,
  transaction_id) REFERENCES ledger.transactions (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.statement_files ADD FOREIGN KEY (household_id,
  mail_id) REFERENCES ledger.processed_emails (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.statement_files ADD FOREIGN KEY (household_id,
  statement_id) REFERENCES ledger.statements (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.statement_files ADD FOREIGN KEY (household_id,
  user_account_id) REFERENCES ledger.user_accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.statement_lines ADD FOREIGN KEY (household_id,
  account_id) REFERENCES ledger.user_accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.statement_lines ADD FOREIGN KEY (household_id,
  statement_id) REFERENCES ledger.statements (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.statement_lines ADD FOREIGN KEY (household_id,
  transaction_id) REFERENCES ledger.transactions (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.statement_omissions ADD FOREIGN KEY (household_id,
  statement_id) REFERENCES ledger.statements (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.statements ADD FOREIGN KEY (household_id,
  user_account_id) REFERENCES ledger.user_accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.subcategories ADD FOREIGN KEY (household_id,
  category_id) REFERENCES ledger.categories (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.tags ADD FOREIGN KEY (household_id, transaction_id) REFERENCES ledger.transactions (household_id,
  id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.transaction_links ADD FOREIGN KEY (household_id,
  from_id) REFERENCES ledger.transactions (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.transaction_links ADD FOREIGN KEY (household_id,
  to_id) REFERENCES ledger.transactions (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.transaction_splits ADD FOREIGN KEY (household_id,
  transaction_id) REFERENCES ledger.transactions (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.transactions ADD FOREIGN KEY (household_id, account_id) REFERENCES ledger.accounts (household_id,
  id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.transactions ADD FOREIGN KEY (household_id,
  duplicate_of) REFERENCES ledger.transactions (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.transactions ADD FOREIGN KEY (household_id, payee_id) REFERENCES ledger.payees (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.transactions ADD FOREIGN KEY (household_id,
  source_email_id) REFERENCES ledger.processed_emails (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.transactions ADD FOREIGN KEY (household_id,
  user_account_id) REFERENCES ledger.user_accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.transfers ADD FOREIGN KEY (household_id, credit_id) REFERENCES ledger.transactions (household_id,
  id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.transfers ADD FOREIGN KEY (household_id, debit_id) REFERENCES ledger.transactions (household_id,
  id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.user_account_numbers ADD FOREIGN KEY (household_id,
  user_account_id) REFERENCES ledger.user_accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.user_accounts ADD FOREIGN KEY (household_id,
  linked_parser_id) REFERENCES ledger.accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.user_accounts ADD FOREIGN KEY (household_id,
  merged_into) REFERENCES ledger.user_accounts (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.user_accounts ADD FOREIGN KEY (household_id,
  owner_user_id) REFERENCES ledger.users (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.vendor_mappings ADD FOREIGN KEY (household_id,
  category_id) REFERENCES ledger.categories (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ledger.vendor_mappings ADD FOREIGN KEY (household_id,
  subcategory_id) REFERENCES ledger.subcategories (household_id, id)
  DEFERRABLE INITIALLY DEFERRED;

-- A statement sees and writes rows of the household that its transaction names, whoever runs it.
DO $$
DECLARE
  ledger_table name;
BEGIN
  FOR ledger_table IN SELECT tablename FROM pg_tables WHERE schemaname = 'ledger' LOOP
    EXECUTE format('ALTER TABLE ledger.%I ENABLE ROW LEVEL SECURITY', ledger_table);
    EXECUTE format('ALTER TABLE ledger.%I FORCE ROW LEVEL SECURITY', ledger_table);
    EXECUTE format(
      'CREATE POLICY of_household ON ledger.%I USING (household_id = fleet.household())', ledger_table);
  END LOOP;
END $$;
