-- Changes of households, and the health of the mailboxes of all of them.

-- Counts the changes of the settings and of the passwords: a worker that runs with older ones starts anew.
ALTER TABLE fleet.households ADD revision bigint NOT NULL DEFAULT 1;

-- The health of the mailboxes of all households, or of one by its name. It names each household in turn to row-level
-- security, and at the end the one that the transaction named before.
CREATE FUNCTION fleet.mailbox_health(only_household text DEFAULT NULL)
RETURNS TABLE (household_id bigint, mailbox text, state text, reason text, last_probe_at text, due_at text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  named text := coalesce(current_setting('fleet.household', true), '');
  household bigint;
BEGIN
  FOR household IN SELECT id FROM fleet.households WHERE only_household IS NULL OR name = only_household LOOP
    PERFORM set_config('fleet.household', household::text, true);
    RETURN QUERY SELECT h.household_id, h.mailbox, h.state, h.reason, h.last_probe_at, h.due_at
      FROM ledger.mailbox_health h;
  END LOOP;
  PERFORM set_config('fleet.household', named, true);
END $$;

-- Passwords of mailboxes, sealed to a public key of the workers: see SealedPassword.
CREATE TABLE fleet.passwords (
  household_id bigint NOT NULL,
  mailbox text NOT NULL,
  -- The public key in base64.
  sealed_to text NOT NULL CHECK (length(sealed_to) = 44),
  sealed bytea NOT NULL CHECK (length(sealed) < 10000),
  sealed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (household_id, mailbox),
  FOREIGN KEY (household_id, mailbox) REFERENCES fleet.mailboxes ON DELETE CASCADE
);

-- Limits of mail servers. A mailbox under a lease has one connection to its host, so these are numbers of mailboxes.
CREATE TABLE fleet.providers (
  -- In lower case, as mailboxes name it.
  host text PRIMARY KEY CHECK (host <> '' AND host = lower(host)),
  -- Connections of all workers together, and of one, which has an address of its own. NULL means no limit.
  fleet_connections bigint CHECK (fleet_connections > 0),
  worker_connections bigint CHECK (worker_connections > 0)
);
