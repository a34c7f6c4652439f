import Codecs

extension Schema {
    /// Notification events, their messages, and the state of each sink. See ``Outbox``.
    static let notifications = """
        -- What happened. Written in the same transaction as that which happened; the newest row is never deleted, because sinks count by id.
        -- received_at: arrival of the mail that told of it. subject: the mailbox, or the bank's key. is_over: what was told before is well again.
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

        -- last_event: up to which events have become messages. failures: tries in a row that came to nothing. blocked_until: no try before.
        -- reason: what the last such try said.
        CREATE TABLE notification_sinks (
          name TEXT NOT NULL PRIMARY KEY,
          last_event INTEGER NOT NULL,
          failures INTEGER NOT NULL DEFAULT 0,
          blocked_until TEXT,
          reason TEXT,
          last_sent_at TEXT
        ) STRICT, WITHOUT ROWID;

        -- One message to one receiver. id: the same with every try, so that a receiver can drop twins. target: a device's id, empty where the sink has
        -- one receiver, or where the devices are not looked up yet. events: JSON list of ids, the first hundred of event_count.
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
        CREATE INDEX notification_messages_due ON notification_messages (due_at) WHERE state = 'waiting';
        CREATE INDEX notification_messages_by_sink ON notification_messages (sink, state);

        -- Mailboxes that cannot be read at present. told: the kind of event that said so, NULL: none yet, it may pass.
        CREATE TABLE mailbox_alarms (
          mailbox TEXT NOT NULL PRIMARY KEY,
          since TEXT NOT NULL,
          told TEXT
        ) STRICT, WITHOUT ROWID;
        """

    /// Test messages that the page requests and the program that knows the sinks' secrets sends.
    static let sinkTrials = """
        -- trial_requested_at: NULL once it was sent, at trial_at. trial_problem: why it was not accepted.
        ALTER TABLE notification_sinks ADD COLUMN trial_requested_at TEXT;
        ALTER TABLE notification_sinks ADD COLUMN trial_at TEXT;
        ALTER TABLE notification_sinks ADD COLUMN trial_problem TEXT;
        """

    /// Receivers of notifications that a person adds on the page, and the program that delivers takes over.
    static let addedSinks = """
        -- asked_at: a request of the page that is not carried out yet. sealed: the receiver (HPKE) as long as it is needed, NULL to keep the
        -- present one; sealed_to: the key. host: what people may see of it. events: JSON. quiet_from, quiet_to: minutes of the day.
        -- fault: why it is not used, or why a change was refused.
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
        """
}
