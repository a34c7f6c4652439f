-- Households, workers and leases. Times are those of this database, never of a worker.

-- The household of the transaction; NULL outside of one that names it.
CREATE FUNCTION fleet.household() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('fleet.household', true), '')::bigint $$;

CREATE TABLE fleet.households (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  -- YAML: the keys of spendwise.yaml(5) that a household may set, without secrets.
  settings text NOT NULL,
  -- The newest migration of the ledger whose tables these rows have.
  ledger_migration text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE fleet.mailboxes (
  household_id bigint NOT NULL REFERENCES fleet.households ON DELETE CASCADE,
  name text NOT NULL CHECK (name <> ''),
  host text NOT NULL CHECK (host <> ''),
  PRIMARY KEY (household_id, name)
);

CREATE TABLE fleet.workers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  -- Most mailboxes that it reads.
  capacity bigint NOT NULL CHECK (capacity > 0),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  is_draining boolean NOT NULL DEFAULT false
);

-- One row for each household. `version` counts the commits; with `fence`, which counts the leases, it lets a commit
-- succeed only on the state that its worker knows.
CREATE TABLE fleet.leases (
  household_id bigint PRIMARY KEY REFERENCES fleet.households ON DELETE CASCADE,
  worker_id bigint REFERENCES fleet.workers ON DELETE SET NULL,
  fence bigint NOT NULL DEFAULT 0 CHECK (fence >= 0),
  version bigint NOT NULL DEFAULT 0 CHECK (version >= 0),
  expires_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

CREATE INDEX leases_of_worker ON fleet.leases (worker_id);

-- The first statement of every commit: names the household to row-level security, and refuses a worker whose lease has
-- ended, or whose copy is not of the newest version. It keeps the lease from others until the transaction ends.
CREATE FUNCTION fleet.begin_commit(household bigint, worker bigint, held_fence bigint, known_version bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('fleet.household', household::text, true);
  UPDATE fleet.leases SET version = version + 1
    WHERE household_id = household AND worker_id = worker AND fence = held_fence AND version = known_version
      AND expires_at > clock_timestamp();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the lease of the household has ended' USING ERRCODE = 'SWF01';
  END IF;
END $$;
