extension Schema {
    /// Users and audit log of the web role. Secrets are stored as digests only.
    static let access = """
        -- id: the token's public part; digest: SHA-256 of the token, here and below in hexadecimal; scopes: names with commas.
        CREATE TABLE access_tokens (
          id TEXT NOT NULL PRIMARY KEY,
          name TEXT NOT NULL,
          kind TEXT NOT NULL CHECK (kind IN ('token', 'device')),
          digest TEXT NOT NULL CHECK (length(digest) = 64),
          scopes TEXT NOT NULL,
          created_at TEXT NOT NULL,
          expires_at TEXT,
          last_used_at TEXT,
          revoked_at TEXT
        ) STRICT, WITHOUT ROWID;
        -- A name tells one token from another as long as it is good.
        CREATE UNIQUE INDEX access_tokens_by_name ON access_tokens (name) WHERE revoked_at IS NULL;

        -- At most one row: the slow hash of the passphrase, with its parameters.
        CREATE TABLE login_secret (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          hash TEXT NOT NULL,
          changed_at TEXT NOT NULL
        ) STRICT;

        -- Wrong tries to log in or to pair. client: `from` and an address; empty: everybody together.
        CREATE TABLE login_tries (
          client TEXT NOT NULL PRIMARY KEY,
          tries INTEGER NOT NULL,
          last_at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE login_sessions (
          id TEXT NOT NULL PRIMARY KEY,
          digest TEXT NOT NULL CHECK (length(digest) = 64),
          started_at TEXT NOT NULL,
          last_seen_at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- digest: SHA-256 of salt and code.
        CREATE TABLE pairing_offers (
          id INTEGER PRIMARY KEY,
          name TEXT NOT NULL,
          scopes TEXT NOT NULL,
          salt TEXT NOT NULL,
          digest TEXT NOT NULL CHECK (length(digest) = 64),
          offered_at TEXT NOT NULL,
          expires_at TEXT NOT NULL,
          tries_left INTEGER NOT NULL,
          redeemed_at TEXT,
          token_id TEXT
        ) STRICT;

        -- What the web role last listened as. One row at most.
        CREATE TABLE web_server (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          url TEXT NOT NULL,
          certificate_sha256 TEXT,
          started_at TEXT NOT NULL
        ) STRICT;

        -- who: a kind and a name; route: a template such as /transactions/{id}. No amounts, merchants, addresses, tokens or queries.
        CREATE TABLE audit_log (
          id INTEGER PRIMARY KEY,
          at TEXT NOT NULL,
          event TEXT NOT NULL,
          request_id TEXT,
          who TEXT NOT NULL,
          method TEXT,
          route TEXT,
          status INTEGER
        ) STRICT;
        CREATE INDEX audit_log_by_time ON audit_log (at);
        """

    /// Public keys that log in beside the passphrase (Web Authentication).
    static let passkeys = """
        -- credential: the credential ID in base64url; relying_party: the host name that it is for; user_handle: random, in base64url, and the same for all; public_key: a COSE_Key in base64url.
        CREATE TABLE passkeys (
          id INTEGER PRIMARY KEY,
          credential TEXT NOT NULL UNIQUE,
          relying_party TEXT NOT NULL,
          user_handle TEXT NOT NULL,
          public_key TEXT NOT NULL,
          name TEXT NOT NULL CHECK (name <> ''),
          sign_count INTEGER NOT NULL CHECK (sign_count >= 0),
          created_at TEXT NOT NULL,
          last_used_at TEXT
        ) STRICT;
        """

    /// Triggers that write every decision of a person, with its author, to the audit log; its details stay in the
    /// journal.
    static let auditedDecisions = """
        CREATE TRIGGER changes_audited AFTER INSERT ON changes BEGIN
          INSERT INTO audit_log (at, event, who) VALUES (new.at, 'decision: ' || new.done, trim(new.actor_kind || ' ' || new.actor_name));
        END;
        """
}
