-- The mailboxes under a worker's leases, which the worker counts itself when it leases, gives back and renews. From these
-- numbers each worker knows its share, without counting the mailboxes of all.
ALTER TABLE fleet.workers ADD COLUMN held bigint NOT NULL DEFAULT 0;

CREATE FUNCTION fleet.held(worker bigint) RETURNS bigint LANGUAGE sql STABLE
  AS $$ SELECT count(*) FROM fleet.leases JOIN fleet.mailboxes USING (household_id) WHERE worker_id = worker $$;
