extension LeaseTable {
    /// Renews the worker $1: whether it drains, and whether others might have ended it before.
    static let renewal = """
        UPDATE fleet.workers w SET seen_at = clock_timestamp(), held = fleet.held(w.id)
        FROM (SELECT id, seen_at FROM fleet.workers WHERE id = $1 FOR UPDATE) former
        WHERE w.id = former.id
        RETURNING w.is_draining::int::bigint, (NOT fleet.is_live(former.seen_at))::int::bigint
        """

    /// Closes the connections of dead workers: one that is stopped within a transaction keeps its locks, and others
    /// wait for them.
    static let closeDead = """
        SELECT pg_terminate_backend(a.pid)::int::bigint FROM fleet.workers w
        JOIN pg_stat_activity a ON a.usename = current_user AND a.application_name = 'spendwise-fleet ' || w.id
        WHERE NOT fleet.is_live(w.seen_at)
        """

    /// Ends dead workers, and with them their leases.
    static let endDead = """
        WITH dead AS (
          SELECT id FROM fleet.workers WHERE NOT fleet.is_live(seen_at) FOR UPDATE SKIP LOCKED
        ), freed AS (
          UPDATE fleet.leases SET worker_id = NULL, free_since = clock_timestamp()
          WHERE worker_id IN (SELECT id FROM dead)
        )
        DELETE FROM fleet.workers WHERE id IN (SELECT id FROM dead)
        """

    /// Sets the number of mailboxes under the leases of the worker $1.
    static let holding = "UPDATE fleet.workers SET held = fleet.held(id) WHERE id = $1"

    /// Live workers, and the mailboxes of each under its leases. Each worker counts its own: if each counted those of
    /// all, the work would grow with the square of the fleet.
    private static let workers = """
        live AS (
          SELECT w.id, w.capacity, w.held FROM fleet.workers w WHERE NOT w.is_draining AND fleet.is_live(w.seen_at)
        ), share AS (
          SELECT ceil((
            (SELECT coalesce(sum(held), 0) FROM fleet.workers) + (
              SELECT count(*) FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id) WHERE l.worker_id IS NULL)
            ) / (SELECT greatest(count(*), 1) FROM live)) AS fair
        )
        """

    /// Connections to each limited mail server: of all workers, and of the worker $1.
    private static let used = """
        used AS MATERIALIZED (
          SELECT p.host, count(*) AS of_fleet, count(*) FILTER (WHERE l.worker_id = $1) AS own
          FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id)
          JOIN fleet.providers p ON p.host = lower(m.host)
          WHERE l.worker_id IS NOT NULL GROUP BY p.host
        )
        """

    /// Connections to a mail server that the worker may still open; NULL if nothing limits them.
    private static let left = """
        least(p.fleet_connections - coalesce(u.of_fleet, 0), p.worker_connections - coalesce(u.own, 0))
        """

    /// At most $4 free households that the worker has room for, each by itself, with its room up to its share and its
    /// capacity.
    static let candidates = """
        WITH \(workers), \(used), room AS (
          SELECT capacity - held AS most, (least(capacity, fair) - held)::bigint AS fair
          FROM live, share WHERE id = $1
        )
        SELECT l.household_id, (l.free_since <= clock_timestamp() - make_interval(secs => $2))::int::bigint,
          (SELECT count(*) FROM fleet.mailboxes m WHERE m.household_id = l.household_id), room.fair, room.most
        FROM fleet.leases l, room
        WHERE l.worker_id IS NULL AND l.free_since <= clock_timestamp()
          AND (SELECT h.ledger_migration FROM fleet.households h WHERE h.id = l.household_id) = $3
          AND (SELECT count(*) FROM fleet.mailboxes m WHERE m.household_id = l.household_id) BETWEEN 1 AND room.most
          AND NOT EXISTS (
            SELECT FROM fleet.mailboxes m JOIN fleet.providers p ON p.host = lower(m.host)
            LEFT JOIN used u ON u.host = p.host
            WHERE m.household_id = l.household_id
            GROUP BY p.host, u.of_fleet, u.own HAVING count(*) > \(left))
        ORDER BY l.free_since, l.household_id
        LIMIT (SELECT least(most, $4) FROM room WHERE most > 0)
        FOR UPDATE OF l SKIP LOCKED
        """

    /// The connections that the households $2 need to each limited mail server, and those that may still be opened.
    static let needs = """
        WITH \(used)
        SELECT m.household_id, p.host, count(*), \(left)
        FROM fleet.mailboxes m JOIN fleet.providers p ON p.host = lower(m.host) LEFT JOIN used u ON u.host = p.host
        WHERE m.household_id = ANY ($2)
        GROUP BY m.household_id, p.host, u.of_fleet, u.own
        """

    /// A receiver with few connections left to a host could not take many, so one household with a limited host at a
    /// time. In nearly every call one of the first two conditions is false, and no household is compared with each
    /// worker.
    static let surplus = """
        WITH \(workers), connections AS MATERIALIZED (
          SELECT l.worker_id, p.host, count(*) AS used
          FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id)
          JOIN fleet.providers p ON p.host = lower(m.host)
          WHERE l.worker_id IS NOT NULL AND p.worker_connections IS NOT NULL GROUP BY 1, 2
        ), given AS (
          SELECT l.household_id, count(*) AS mailboxes, held - fair AS most, bool_or(EXISTS (
            SELECT FROM fleet.providers p WHERE p.host = lower(m.host) AND p.worker_connections IS NOT NULL)) AS is_limited
          FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id), live, share
          WHERE live.id = $1 AND l.worker_id = $1 AND held > fair
            AND EXISTS (SELECT FROM live needy, share WHERE needy.held < least(needy.capacity, fair))
            AND EXISTS (
              SELECT FROM live other WHERE other.held < least(other.capacity, fair) AND NOT EXISTS (
                SELECT FROM fleet.mailboxes o JOIN fleet.providers p ON p.host = lower(o.host)
                LEFT JOIN connections c ON c.worker_id = other.id AND c.host = p.host
                WHERE o.household_id = l.household_id
                GROUP BY p.host, c.used HAVING count(*) + coalesce(c.used, 0) > p.worker_connections))
          GROUP BY l.household_id, held, fair
          HAVING held - count(*) >= fair
          ORDER BY mailboxes, l.household_id
          LIMIT $2
        ), summed AS (
          SELECT household_id, most, is_limited, sum(mailboxes) OVER so_far AS total,
            count(*) FILTER (WHERE is_limited) OVER so_far AS limited
          FROM given WINDOW so_far AS (ORDER BY mailboxes, household_id)
        )
        SELECT household_id FROM summed WHERE total <= most AND NOT (is_limited AND limited > 1)
        """
}
