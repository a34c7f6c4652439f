public import Chronology
internal import GRDB

/// Messages on their way to receivers, delivered at least once. A message leaves the state `waiting` only by a commit
/// after the receiver's answer. A crash between the two sends it again under the same id; no crash loses it.
///
/// | state | meaning |
/// |---|---|
/// | event with `id > last_event` | no message for this sink yet |
/// | `waiting` | is sent from `due_at` on, and again after each failed attempt |
/// | `sent` | accepted by the receiver; kept for a while for display |
/// | `parked` | refused for good, or too old: sent again only after `parserctl notify retry` or a restart |
public struct OutboxMessage: Hashable, Sendable {
    public enum State: String, Sendable, CaseIterable { case waiting, parked, sent }

    public var seq: Int64
    /// Equal for all attempts.
    public var id: String
    public var sink: String
    /// A device's id, or empty.
    public var target: String
    public var state: State
    public var isUrgent: Bool
    /// Ids of at most ``eventsKept`` events.
    public var events: [Int64]
    public var eventCount: Int
    public var createdAt: UnixTime
    public var dueAt: UnixTime
    public var attempts: Int
    /// The reason of the last failure or refusal.
    public var reason: String?
    public var settledAt: UnixTime?

    /// Limit; a digest names fewer.
    public static let eventsKept = 100
    /// Seconds after which an undelivered message is given up because it is outdated.
    public static let expiry: Int64 = 3 * 86_400
    /// Seconds for which sent and parked messages are kept for display.
    static let memory: Int64 = 7 * 86_400
    /// Limit of the rows of messages, and of events, however many receivers fail.
    static let mostMessages = 2000
    static let mostEvents = 20_000
}

/// The state of a sink.
public struct SinkState: Hashable, Sendable {
    public var name: String
    public var lastEvent: Int64
    /// Consecutive failed attempts.
    public var failures: Int
    public var blockedUntil: UnixTime?
    public var reason: String?
    public var lastSentAt: UnixTime?
    public var waiting = 0
    public var parked = 0
    /// Creation time of the oldest waiting message.
    public var oldestWaiting: UnixTime?
    public var parkedReason: String?
    /// The last test message: requested and not sent yet, sent, and the reason if it was not accepted.
    public var trialRequestedAt: UnixTime?
    public var trialAt: UnixTime?
    public var trialProblem: String?
}

/// Messages made from events for one sink.
public enum DeliveryOutcome: Hashable, Sendable {
    case message(events: [Int64], due: UnixTime, isUrgent: Bool)
    /// Added to a message that was never attempted, which is then due at `due`.
    case added(to: Int64, events: [Int64], due: UnixTime)
}

extension OutboxRepository {
    /// Sets the configured sinks; others are deleted with their messages. A new sink starts with the next event.
    /// - Parameter releasing: retry parked messages, because a new start may follow a corrected configuration.
    public func setSinks(_ names: [String], releasing: Bool, at now: UnixTime) throws(StoreError)
    where Scope: WriteScope {
        let time = now
        try write { db in
            let marks = names.map { _ in "?" }.joined(separator: ", ")
            try db.execute(
                sql: "DELETE FROM notification_sinks WHERE name NOT IN (\(marks))", arguments: StatementArguments(names)
            )
            for name in names {
                try db.execute(
                    sql:
                        "INSERT INTO notification_sinks (name, last_event) SELECT ?, coalesce(max(id), 0) FROM notification_events WHERE true ON CONFLICT DO NOTHING",
                    arguments: [name])
            }
            if releasing { try Self.release(db, sink: nil, time: time) }
        }
    }

    /// Makes the parked and waiting messages of one sink, or of all, due now.
    /// - Returns: number of waiting messages.
    @discardableResult
    public func retry(of sink: String? = nil) throws(StoreError) -> Int where Scope: WriteScope {
        let time = now()
        return try write { db in
            try Self.release(db, sink: sink, time: time)
            return try Int.fetchOne(
                db,
                sql: "SELECT count(*) FROM notification_messages WHERE state = 'waiting' AND (?1 IS NULL OR sink = ?1)",
                arguments: [sink]) ?? 0
        }
    }

    private static func release(_ db: Database, sink: String?, time: UnixTime) throws {
        // Given a new creation time; otherwise its age would park it again at once.
        try db.execute(
            sql: """
                UPDATE notification_messages SET state = 'waiting', attempts = 0, due_at = ?2, created_at = ?2, settled_at = NULL
                WHERE state = 'parked' AND (?1 IS NULL OR sink = ?1)
                """, arguments: [sink, time])
        try db.execute(
            sql:
                "UPDATE notification_messages SET due_at = ?2 WHERE state = 'waiting' AND due_at > ?2 AND (?1 IS NULL OR sink = ?1)",
            arguments: [sink, time])
        try db.execute(
            sql: "UPDATE notification_sinks SET blocked_until = NULL, failures = 0 WHERE ?1 IS NULL OR name = ?1",
            arguments: [sink])
    }

    /// Events that are not in a message of this sink, oldest first, at most `limit`; and the last id read, including
    /// kinds that this version does not know.
    public func unposted(of sink: String, limit: Int) throws(StoreError) -> (events: [Notification], last: Int64?) {
        try read { db in
            let from =
                try Int64.fetchOne(
                    db, sql: "SELECT last_event FROM notification_sinks WHERE name = ?", arguments: [sink]) ?? .max
            let last = try Int64.fetchOne(
                db, sql: "SELECT max(id) FROM (SELECT id FROM notification_events WHERE id > ? ORDER BY id LIMIT ?)",
                arguments: [from, limit])
            guard let last else { return ([], nil) }
            let events = try NotificationReader(db, where: "e.id > ? AND e.id <= ? ORDER BY e.id").all {
                $0.bind(from)
                $0.bind(last)
            }
            return (events, last)
        }
    }

    /// True if a sink has events that are not in a message yet.
    public func hasUnposted() throws(StoreError) -> Bool {
        try read { db in
            try Bool.fetchOne(
                db,
                sql:
                    "SELECT (SELECT max(id) FROM notification_events) > (SELECT min(last_event) FROM notification_sinks)"
            ) ?? false
        }
    }

    /// Message that more events can be added to: never attempted, not urgent, and not due yet or of a failing sink.
    public func openMessage(of sink: String, at now: UnixTime) throws(StoreError) -> OutboxMessage? {
        try read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT * FROM notification_messages
                    WHERE sink = ?1 AND state = 'waiting' AND attempts = 0 AND is_urgent = 0 AND target = ''
                      AND (due_at > ?2 OR (SELECT failures FROM notification_sinks WHERE name = ?1) > 0)
                    ORDER BY seq DESC LIMIT 1
                    """, arguments: [sink, now]
            ).map { try Self.message(db, $0) }
        }
    }

    /// Makes messages of the events up to `last`, and marks the events as posted, in one transaction.
    public func post(
        _ postings: [DeliveryOutcome], of sink: String, through last: Int64, at now: UnixTime
    ) throws(StoreError)
    where Scope: WriteScope {
        let time = now
        try write { db in
            for posting in postings {
                switch posting {
                case .message(let events, let due, let isUrgent):
                    try db.execute(
                        sql: """
                            INSERT INTO notification_messages (id, sink, state, is_urgent, events, event_count, created_at, due_at) VALUES (?, ?, 'waiting', ?, ?, ?, ?, ?)
                            """,
                        arguments: [
                            MailID.make(), sink, isUrgent, Self.list(events.prefix(OutboxMessage.eventsKept)),
                            events.count, time, due,
                        ])
                case .added(let seq, let events, let due):
                    let kept =
                        try Int.fetchOne(
                            db, sql: "SELECT json_array_length(events) FROM notification_messages WHERE seq = ?",
                            arguments: [seq]) ?? 0
                    for id in events.prefix(max(0, OutboxMessage.eventsKept - kept)) {
                        try db.execute(
                            sql:
                                "UPDATE notification_messages SET events = json_insert(events, '$[#]', ?) WHERE seq = ?",
                            arguments: [id, seq])
                    }
                    try db.execute(
                        // Dated by its newest event, so that it is not given up for the age of its first.
                        sql:
                            "UPDATE notification_messages SET event_count = event_count + ?, due_at = ?, created_at = ? WHERE seq = ?",
                        arguments: [events.count, due, time, seq])
                }
            }
            try db.execute(
                sql: "UPDATE notification_sinks SET last_event = max(last_event, ?) WHERE name = ?",
                arguments: [last, sink])
        }
    }

    private static func list(_ ids: some Sequence<Int64>) -> String {
        "[" + ids.map(String.init).joined(separator: ",") + "]"
    }

    static func message(_ db: Database, _ row: Row) throws -> OutboxMessage {
        func instant(_ name: String) -> UnixTime? { row[name] as UnixTime? }
        return OutboxMessage(
            seq: row["seq"], id: row["id"], sink: row["sink"], target: row["target"],
            state: OutboxMessage.State(rawValue: row["state"]) ?? .waiting,
            isUrgent: row["is_urgent"],
            events: try Int64.fetchAll(db, sql: "SELECT value FROM json_each(?)", arguments: [row["events"] as String]),
            eventCount: row["event_count"], createdAt: instant("created_at") ?? .epoch,
            dueAt: instant("due_at") ?? .epoch,
            attempts: row["attempts"],
            reason: row["reason"], settledAt: instant("settled_at"))
    }
}
