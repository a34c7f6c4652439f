extension Schema {
    /// Mailboxes that a person adds on the page, and the program that reads mail tests and takes over.
    static let mailboxSetups = """
        -- At most one row, written by the mail reader: the public key (X25519, base64) that passwords on the page are sealed to.
        CREATE TABLE mailbox_keys (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          sealing_key TEXT NOT NULL CHECK (length(sealing_key) = 44),
          made_at TEXT NOT NULL
        ) STRICT;

        -- A request of the page. sealed: the password (HPKE), as long as it is needed; sealed_to: the key. authority: PEM of a private authority.
        -- fault, reason: why it was refused. finding: JSON of what the test found. authserv_id and verifies: the person's choice at the acceptance.
        CREATE TABLE mailbox_setups (
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
          sealed TEXT CHECK (length(sealed) < 2000),
          asked_at TEXT NOT NULL,
          state TEXT NOT NULL CHECK (state IN ('asked', 'tested', 'accepted', 'used', 'refused')),
          finding TEXT CHECK (finding IS NULL OR json_valid(finding)),
          fault TEXT,
          reason TEXT,
          authserv_id TEXT,
          verifies INTEGER NOT NULL DEFAULT 0 CHECK (verifies IN (0, 1)),
          CHECK ((sealed IS NULL) = (state IN ('used', 'refused'))),
          CHECK ((fault IS NOT NULL) = (state = 'refused')),
          CHECK (finding IS NOT NULL OR state IN ('asked', 'refused'))
        ) STRICT;

        -- What other programs need of the mailboxes in the mail reader's own file. folders: JSON. problem: why it is not read.
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
        ) STRICT, WITHOUT ROWID;
        """

    /// Logins by OAuth of such mailboxes.
    static let mailboxConsents = """
        -- As before, and oauth: JSON of the client's registration, without a secret; `sealed` is then the code of the consent with its proof, and
        -- after the test the refresh token. client_secret: sealed, of a client that has one; kept for another try. renews: a new consent for the
        -- mailbox of this name, which is used at once.
        CREATE TABLE mailbox_setups_with_oauth (
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
        INSERT INTO mailbox_setups_with_oauth (id, name, address, host, port, tls, user, authority, folder, since_days, sealed_to, sealed,
            asked_at, state, finding, fault, reason, authserv_id, verifies)
          SELECT id, name, address, host, port, tls, user, authority, folder, since_days, sealed_to, sealed,
            asked_at, state, finding, fault, reason, authserv_id, verifies FROM mailbox_setups;
        DROP TABLE mailbox_setups;
        ALTER TABLE mailbox_setups_with_oauth RENAME TO mailbox_setups;

        -- What the page needs to ask for a new consent.
        ALTER TABLE added_mailboxes ADD COLUMN port INTEGER NOT NULL DEFAULT 993 CHECK (port BETWEEN 1 AND 65535);
        ALTER TABLE added_mailboxes ADD COLUMN tls TEXT NOT NULL DEFAULT 'implicit' CHECK (tls IN ('implicit', 'starttls'));
        ALTER TABLE added_mailboxes ADD COLUMN oauth TEXT CHECK (oauth IS NULL OR json_valid(oauth));
        """
}
