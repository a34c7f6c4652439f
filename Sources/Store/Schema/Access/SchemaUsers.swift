extension Schema {
    /// Users of a household. What grants access belongs to one; the former single login becomes the first owner.
    static let users = """
        -- created_at: NULL for the first user, who is as old as the ledger. The names' upper and lower case is the same.
        CREATE TABLE users (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
          role TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'reader')),
          created_at TEXT,
          disabled_at TEXT
        ) STRICT;
        INSERT INTO users (id, name, role) VALUES (1, 'person', 'owner');

        -- hash: the slow hash of the passphrase, with its parameters.
        CREATE TABLE login_secrets (
          user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
          hash TEXT NOT NULL CHECK (hash <> ''),
          changed_at TEXT NOT NULL
        ) STRICT;
        INSERT INTO login_secrets (user_id, hash, changed_at) SELECT 1, hash, changed_at FROM login_secret;
        DROP TABLE login_secret;

        -- user_id: NULL for tries that name no user.
        ALTER TABLE login_tries ADD COLUMN user_id INTEGER REFERENCES users (id) ON DELETE CASCADE;

        CREATE TABLE users_sessions (
          id TEXT NOT NULL PRIMARY KEY,
          digest TEXT NOT NULL CHECK (length(digest) = 64),
          started_at TEXT NOT NULL,
          last_seen_at TEXT NOT NULL,
          user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        INSERT INTO users_sessions SELECT id, digest, started_at, last_seen_at, 1 FROM login_sessions;
        DROP TABLE login_sessions;
        ALTER TABLE users_sessions RENAME TO login_sessions;
        CREATE INDEX login_sessions_by_user ON login_sessions (user_id);

        -- user_handle: the same for all passkeys of a user.
        CREATE TABLE users_passkeys (
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
        INSERT INTO users_passkeys SELECT *, 1 FROM passkeys;
        DROP TABLE passkeys;
        ALTER TABLE users_passkeys RENAME TO passkeys;
        CREATE INDEX passkeys_by_user ON passkeys (user_id);

        CREATE TABLE users_tokens (
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
        INSERT INTO users_tokens SELECT *, 1 FROM access_tokens;
        DROP TABLE access_tokens;
        ALTER TABLE users_tokens RENAME TO access_tokens;
        CREATE UNIQUE INDEX access_tokens_by_name ON access_tokens (name) WHERE revoked_at IS NULL;
        CREATE INDEX access_tokens_by_user ON access_tokens (user_id);

        CREATE TABLE users_offers (
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
        INSERT INTO users_offers SELECT *, 1 FROM pairing_offers;
        DROP TABLE pairing_offers;
        ALTER TABLE users_offers RENAME TO pairing_offers;

        -- user_id: who registered the phone; NULL without a login.
        ALTER TABLE devices ADD COLUMN user_id INTEGER REFERENCES users (id) ON DELETE CASCADE;
        UPDATE devices SET user_id = 1;
        CREATE INDEX devices_by_user ON devices (user_id) WHERE user_id IS NOT NULL;

        -- user_id: the author, whose name may change; NULL for other authors, and once the user is removed.
        ALTER TABLE changes ADD COLUMN user_id INTEGER REFERENCES users (id) ON DELETE SET NULL;
        UPDATE changes SET user_id = 1 WHERE actor_kind = 'page' AND actor_name = 'person';
        CREATE INDEX changes_by_user ON changes (user_id) WHERE user_id IS NOT NULL;

        -- A household without an owner could give nobody access any more.
        CREATE TRIGGER users_last_owner_changed BEFORE UPDATE OF role, disabled_at ON users
        WHEN OLD.role = 'owner' AND OLD.disabled_at IS NULL AND (NEW.role <> 'owner' OR NEW.disabled_at IS NOT NULL)
          AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'owner' AND disabled_at IS NULL AND id <> OLD.id)
        BEGIN SELECT RAISE(ABORT, 'the last owner stays an owner'); END;
        CREATE TRIGGER users_last_owner_removed BEFORE DELETE ON users
        WHEN OLD.role = 'owner' AND OLD.disabled_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'owner' AND disabled_at IS NULL AND id <> OLD.id)
        BEGIN SELECT RAISE(ABORT, 'the last owner is not removed'); END;
        -- Nothing that a disabled user had grants access, also after the user is enabled again.
        CREATE TRIGGER users_disabled AFTER UPDATE OF disabled_at ON users
        WHEN OLD.disabled_at IS NULL AND NEW.disabled_at IS NOT NULL BEGIN
          DELETE FROM login_sessions WHERE user_id = NEW.id;
          DELETE FROM passkeys WHERE user_id = NEW.id;
          DELETE FROM login_tries WHERE user_id = NEW.id;
          DELETE FROM pairing_offers WHERE user_id = NEW.id AND redeemed_at IS NULL;
          UPDATE devices SET is_active = 0 WHERE user_id = NEW.id;
          UPDATE access_tokens SET revoked_at = NEW.disabled_at WHERE user_id = NEW.id AND revoked_at IS NULL;
        END;
        """
}
