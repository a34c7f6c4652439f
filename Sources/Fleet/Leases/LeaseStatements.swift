extension LeaseTable {
    /// Renews the leases of the worker $1 that no commit has locked, for $2 seconds.
    static let renewFree = """
        WITH free AS (
          SELECT household_id FROM fleet.leases
          WHERE worker_id = $1 AND expires_at > clock_timestamp() FOR UPDATE SKIP LOCKED
        )
        UPDATE fleet.leases l SET expires_at = clock_timestamp() + make_interval(secs => $2)
        FROM free, fleet.households h
        WHERE l.household_id = free.household_id AND h.id = l.household_id
        RETURNING l.household_id, h.revision
        """

    /// Renews the lease of one household, after the commit that has locked it.
    static let renewOne = """
        UPDATE fleet.leases l SET expires_at = clock_timestamp() + make_interval(secs => $2)
        FROM fleet.households h
        WHERE l.household_id = $3 AND worker_id = $1 AND expires_at > clock_timestamp() AND h.id = l.household_id
        RETURNING l.household_id, h.revision
        """

    /// Removes workers that do not renew, with their leases' end, and closes their connections: one that is stopped
    /// within a transaction keeps its locks, and others wait for them.
    static let endDead = """
        WITH dead AS (
          DELETE FROM fleet.workers WHERE seen_at <= clock_timestamp() - make_interval(secs => $1) RETURNING id
        )
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity, dead
        WHERE usename = current_user AND application_name = 'spendwise-fleet ' || dead.id
        """

    /// Live workers, and the mailboxes of each under its leases.
    private static let workers = """
        live AS (
          SELECT w.id, w.capacity, (
            SELECT count(*) FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id)
            WHERE l.worker_id = w.id AND l.expires_at > clock_timestamp()) AS held
          FROM fleet.workers w
          WHERE NOT w.is_draining AND w.seen_at > clock_timestamp() - make_interval(secs => $2)
        ), share AS (
          SELECT ceil(
            (SELECT count(*) FROM fleet.mailboxes)::numeric / (SELECT greatest(count(*), 1) FROM live)) AS fair
        )
        """

    /// Connections to each limited mail server: of all workers, and of the worker $1.
    private static let used = """
        used AS MATERIALIZED (
          SELECT p.host, count(*) AS of_fleet, count(*) FILTER (WHERE l.worker_id = $1) AS own
          FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id)
          JOIN fleet.providers p ON p.host = lower(m.host)
          WHERE l.expires_at > clock_timestamp() GROUP BY p.host
        )
        """

    /// Connections to a mail server that the worker may still open; NULL if nothing limits them.
    private static let left = """
        least(p.fleet_connections - coalesce(u.of_fleet, 0), p.worker_connections - coalesce(u.own, 0))
        """

    /// Free households that the worker has room for, each by itself, with its room up to its share and its capacity.
    static let candidates = """
        WITH \(workers), \(used), room AS (
          SELECT capacity - held AS most, (least(capacity, fair) - held)::bigint AS fair
          FROM live, share WHERE id = $1
        )
        SELECT l.household_id, (l.expires_at <= clock_timestamp() - make_interval(secs => $3))::int::bigint,
          (SELECT count(*) FROM fleet.mailboxes m WHERE m.household_id = l.household_id), room.fair, room.most
        FROM fleet.leases l, room
        WHERE l.expires_at <= clock_timestamp()
          AND (SELECT h.ledger_migration FROM fleet.households h WHERE h.id = l.household_id) = $4
          AND (SELECT count(*) FROM fleet.mailboxes m WHERE m.household_id = l.household_id) BETWEEN 1 AND room.most
          AND NOT EXISTS (
            SELECT FROM fleet.mailboxes m JOIN fleet.providers p ON p.host = lower(m.host)
            LEFT JOIN used u ON u.host = p.host
            WHERE m.household_id = l.household_id
            GROUP BY p.host, u.of_fleet, u.own HAVING count(*) > \(left))
        ORDER BY l.expires_at, l.household_id
        LIMIT (SELECT most FROM room WHERE most > 0)
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
    /// time.
    static let surplus = """
        WITH \(workers), connections AS MATERIALIZED (
          SELECT l.worker_id, p.host, count(*) AS used
          FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id)
          JOIN fleet.providers p ON p.host = lower(m.host)
          WHERE l.expires_at > clock_timestamp() AND p.worker_connections IS NOT NULL GROUP BY 1, 2
        ), given AS (
          SELECT l.household_id, count(*) AS mailboxes, held - fair AS most, bool_or(EXISTS (
            SELECT FROM fleet.providers p WHERE p.host = lower(m.host) AND p.worker_connections IS NOT NULL)) AS is_limited
          FROM fleet.leases l JOIN fleet.mailboxes m USING (household_id), live, share
          WHERE live.id = $1 AND l.worker_id = $1 AND l.expires_at > clock_timestamp()
            AND EXISTS (
              SELECT FROM live other WHERE other.held < least(other.capacity, fair) AND NOT EXISTS (
                SELECT FROM fleet.mailboxes o JOIN fleet.providers p ON p.host = lower(o.host)
                LEFT JOIN connections c ON c.worker_id = other.id AND c.host = p.host
                WHERE o.household_id = l.household_id
                GROUP BY p.host, c.used HAVING count(*) + coalesce(c.used, 0) > p.worker_connections))
          GROUP BY l.household_id, held, fair
          HAVING held - count(*) >= fair
          ORDER BY mailboxes, l.household_id
          LIMIT $3
        ), summed AS (
          SELECT household_id, most, is_limited, sum(mailboxes) OVER so_far AS total,
            count(*) FILTER (WHERE is_limited) OVER so_far AS limited
          FROM given WINDOW so_far AS (ORDER BY mailboxes, household_id)
        )
        SELECT household_id FROM summed WHERE total <= most AND NOT (is_limited AND limited > 1)
        """
}
