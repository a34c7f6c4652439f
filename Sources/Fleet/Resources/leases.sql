-- A worker renews its own row, not one for each of its households.

-- A worker that has not renewed for this time is dead: other workers may end it and lease its households.
CREATE FUNCTION fleet.lease_length() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT interval '25 seconds' $$;
CREATE FUNCTION fleet.is_live(seen_at timestamptz) RETURNS boolean LANGUAGE sql
  AS $$ SELECT seen_at > clock_timestamp() - fleet.lease_length() $$;

-- The time since which a household without a worker is free. It is in the future while the household is being removed.
ALTER TABLE fleet.leases RENAME expires_at TO free_since;

-- As in changes.sql, but the time does not matter: a lease is held until another worker ends its holder, which waits for
-- the row that this function locks. A late worker can therefore write only to households that no other one has leased.
CREATE OR REPLACE FUNCTION fleet.begin_commit(
  household bigint, known_version bigint, known_writer bigint, writer bigint, worker bigint, held_fence bigint
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('fleet.household', household::text, true);
  UPDATE fleet.leases SET version = version + 1, last_writer = writer
    WHERE household_id = household AND worker_id = worker AND fence = held_fence AND version = known_version
      AND last_writer = known_writer;
  IF FOUND THEN
    RETURN;
  END IF;
  PERFORM FROM fleet.leases
    WHERE household_id = household AND worker_id = worker AND fence = held_fence AND version > known_version;
  IF FOUND THEN
    RAISE EXCEPTION 'others have committed to the household' USING ERRCODE = 'SWF02';
  END IF;
  RAISE EXCEPTION 'the lease of the household has ended' USING ERRCODE = 'SWF01';
END $$;
