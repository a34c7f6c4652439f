public import Chronology
internal import GRDB

extension OutboxRepository {
    /// Messages that are due, in the order of their events, without those of blocked sinks. A due time more than three
    /// days ahead was written with a wrong clock, and is due.
    public func dueMessages(at now: UnixTime, limit: Int) throws(StoreError) -> [OutboxMessage] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT m.* FROM notification_messages m JOIN notification_sinks s ON s.name = m.sink
                    WHERE m.state = 'waiting' AND (m.due_at <= ?1 OR m.due_at > ?3)
                      AND (s.blocked_until IS NULL OR s.blocked_until <= ?1 OR s.blocked_until > ?3) ORDER BY m.seq LIMIT ?2
                    """, arguments: [now, limit, now + 3 * 86_400]
            ).map { try Self.message(db, $0) }
        }
    }

    /// The time at which the next message is due; `nil` if none waits.
    public func nextDue() throws(StoreError) -> UnixTime? {
        try read { db in
            try UnixTime.fetchOne(
                db,
                sql: """
                    SELECT min(max(m.due_at, coalesce(s.blocked_until, ''))) FROM notification_messages m JOIN notification_sinks s ON s.name = m.sink
                    WHERE m.state = 'waiting'
                    """
            )
        }
    }

    /// Replaces one message for all devices by one for each.
    public func address(_ seq: Int64, to targets: [String]) throws(StoreError) where Scope: WriteScope {
        try write { db in
            for target in targets {
                try db.execute(
                    sql: """
                        INSERT INTO notification_messages (id, sink, target, state, is_urgent, events, event_count, created_at, due_at)
                        SELECT ?, sink, ?, state, is_urgent, events, event_count, created_at, due_at FROM notification_messages WHERE seq = ?
                        """, arguments: [MailID.make(), target, seq])
            }
            try db.execute(sql: "DELETE FROM notification_messages WHERE seq = ?", arguments: [seq])
        }
    }

    /// Marks a message as delivered, or as obsolete for `reason`.
    /// - Returns: true if the sink was blocked before and no longer is.
    @discardableResult
    public func complete(_ message: OutboxMessage, _ reason: String? = nil, at now: UnixTime) throws(StoreError) -> Bool
    where Scope: WriteScope {
        let time = now
        return try write { db in
            try db.execute(
                sql:
                    "UPDATE notification_messages SET state = 'sent', attempts = attempts + 1, reason = ?, settled_at = ? WHERE seq = ?",
                arguments: [reason, time, message.seq])
            guard reason == nil else { return false }
            let failures =
                try Int.fetchOne(
                    db, sql: "SELECT failures FROM notification_sinks WHERE name = ?", arguments: [message.sink]) ?? 0
            try db.execute(
                sql:
                    "UPDATE notification_sinks SET failures = 0, blocked_until = NULL, reason = NULL, last_sent_at = ? WHERE name = ?",
                arguments: [time, message.sink])
            guard failures > 0 else { return false }
            // Messages that waited only because the sink failed.
            try db.execute(
                sql: "UPDATE notification_messages SET due_at = ? WHERE sink = ? AND state = 'waiting' AND due_at > ?",
                arguments: [time, message.sink, time])
            return true
        }
    }

    /// Schedules another attempt at `due`. If `blocksSink`, the sink gets no other message before.
    public func postpone(
        _ message: OutboxMessage, until due: UnixTime, _ reason: String?, failed: Bool, blocksSink: Bool = false
    ) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql:
                    "UPDATE notification_messages SET due_at = ?, attempts = attempts + ?, reason = coalesce(?, reason) WHERE seq = ?",
                arguments: [due, failed ? 1 : 0, reason, message.seq])
            if blocksSink { try Self.block(db, message.sink, until: due, reason) }
        }
    }

    /// Parks a message that was refused for good. `blockedUntil`: set if the refusal concerns everything for this sink.
    public func park(
        _ message: OutboxMessage, _ reason: String, blockedUntil: UnixTime? = nil, at now: UnixTime
    ) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql:
                    "UPDATE notification_messages SET state = 'parked', attempts = attempts + 1, reason = ?, settled_at = ? WHERE seq = ?",
                arguments: [reason, now, message.seq])
            if let blockedUntil { try Self.block(db, message.sink, until: blockedUntil, reason) }
        }
    }

    private static func block(_ db: Database, _ sink: String, until: UnixTime, _ reason: String?) throws {
        try db.execute(
            sql: "UPDATE notification_sinks SET failures = failures + 1, blocked_until = ?, reason = ? WHERE name = ?",
            arguments: [until, reason, sink])
    }

    /// Parks outdated messages, and deletes old or surplus ones that are sent or parked.
    public func prune(at now: UnixTime) throws(StoreError) where Scope: WriteScope {
        let (time, old, forgotten) = (
            now, now - OutboxMessage.expiry, now - OutboxMessage.memory
        )
        try write { db in
            try db.execute(
                sql: """
                    UPDATE notification_messages SET state = 'parked', settled_at = ?,
                      reason = 'given up after \(OutboxMessage.expiry / 86_400) days' || coalesce('; the last try said: ' || reason, '')
                    WHERE state = 'waiting' AND created_at < ?
                    """, arguments: [time, old])
            try db.execute(
                sql: "DELETE FROM notification_messages WHERE state <> 'waiting' AND settled_at < ?",
                arguments: [forgotten])
            // Deleted in this order: sent, parked, then the oldest.
            try db.execute(
                sql: """
                    DELETE FROM notification_messages WHERE seq IN (
                      SELECT seq FROM notification_messages
                      ORDER BY CASE state WHEN 'waiting' THEN 0 WHEN 'parked' THEN 1 ELSE 2 END, seq DESC LIMIT -1 OFFSET \(OutboxMessage.mostMessages))
                    """)
            try db.execute(
                sql: """
                    DELETE FROM notification_events WHERE id < (SELECT max(id) FROM notification_events)
                      AND (at < ? OR id <= (SELECT max(id) FROM notification_events) - \(OutboxMessage.mostEvents))
                    """, arguments: [now - 2 * OutboxMessage.memory])
        }
    }

    /// All messages, the newest first.
    public func messages(
        limit: Int = 200, states: Set<OutboxMessage.State> = Set(OutboxMessage.State.allCases)
    ) throws(StoreError) -> [OutboxMessage] {
        try read { db in
            let names = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
            return try Row.fetchAll(
                db, sql: "SELECT * FROM notification_messages WHERE state IN (\(names)) ORDER BY seq DESC LIMIT ?",
                arguments: [limit]
            ).map { try Self.message(db, $0) }
        }
    }

    /// The state of each sink, by name.
    public func sinkStates() throws(StoreError) -> [SinkState] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT name, last_event, failures, blocked_until, reason, last_sent_at, trial_requested_at, trial_at, trial_problem,
                      (SELECT count(*) FROM notification_messages WHERE sink = name AND state = 'waiting') AS waiting,
                      (SELECT count(*) FROM notification_messages WHERE sink = name AND state = 'parked') AS parked,
                      (SELECT min(created_at) FROM notification_messages WHERE sink = name AND state = 'waiting') AS oldest,
                      (SELECT m.reason FROM notification_messages m WHERE sink = name AND state = 'parked' ORDER BY seq DESC LIMIT 1) AS refusal
                    FROM notification_sinks ORDER BY name
                    """
            ).map { row in
                func instant(_ name: String) -> UnixTime? { row[name] as UnixTime? }
                return SinkState(
                    name: row["name"], lastEvent: row["last_event"], failures: row["failures"],
                    blockedUntil: instant("blocked_until"), reason: row["reason"],
                    lastSentAt: instant("last_sent_at"), waiting: row["waiting"], parked: row["parked"],
                    oldestWaiting: instant("oldest"),
                    parkedReason: row["refusal"], trialRequestedAt: instant("trial_requested_at"),
                    trialAt: instant("trial_at"), trialProblem: row["trial_problem"])
            }
        }
    }
}
