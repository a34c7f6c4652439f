public import Chronology
import Codecs
internal import GRDB
public import Ledger

/// A receiver of notifications that a person added on the page, as other programs than the delivery know it.
public struct AddedSink: Sendable, Hashable {
    /// Why it is not used, or why a change was refused.
    public enum Fault: String, Sendable, CaseIterable {
        /// Sealed to another key or for another receiver.
        case sealed
        /// A receiver of the configuration has this name.
        case name
        /// A value that the delivery does not accept.
        case invalid
        /// The delivery cannot write or read its files.
        case files
    }

    /// Minutes of the day.
    public struct Quiet: Sendable, Hashable {
        public var from: Int
        public var to: Int

        public init(from: Int, to: Int) { (self.from, self.to) = (from, to) }
    }

    public var name: String
    public var kind: ReceiverKind
    /// The server. The whole address may be a secret.
    public var host: String
    public var events: Set<NotificationKind>
    public var quiet: Quiet?
    /// The receiver, sealed; `nil` to keep the present one.
    public internal(set) var sealed: String?
    /// The key that it is sealed to.
    public internal(set) var sealedTo: String?
    /// The time of a request that is not carried out yet.
    public internal(set) var asked: UnixTime?
    public var fault: Fault?
    public internal(set) var removalRequested: UnixTime?

    /// Limit of receivers that the page adds.
    public static let maximum = 20

    public init(
        name: String, kind: ReceiverKind, host: String, events: Set<NotificationKind>, quiet: Quiet?,
        fault: Fault? = nil
    ) {
        (self.name, self.kind, self.host) = (name, kind, host)
        (self.events, self.quiet, self.fault) = (events, quiet, fault)
    }

    /// The context of the sealed receiver.
    public var context: [String] { ["notifications", name, kind.rawValue, host] }

    fileprivate init(_ row: Row) {
        // A CHECK constraint restricts the column to the enum's values.
        self.init(
            name: row["name"], kind: ReceiverKind(rawValue: row["kind"]) ?? .webhook, host: row["host"],
            events: Self.events(row["events"]),
            quiet: (row["quiet_from"] as Int?).flatMap { from in
                (row["quiet_to"] as Int?).map { Quiet(from: from, to: $0) }
            }, fault: (row["fault"] as String?).map { Fault(rawValue: $0) ?? .invalid })
        (sealed, sealedTo, asked) = (row["sealed"], row["sealed_to"], row["asked_at"])
        removalRequested = row["removal_requested_at"]
    }

    private static func events(_ text: String) -> Set<NotificationKind> {
        Set(
            (JSON.parsed(text).elements ?? []).compactMap { $0.textValue.flatMap { NotificationKind(rawValue: $0) } })
    }

    fileprivate var eventsText: String {
        JSON.array(NotificationKind.allCases.filter(events.contains).map { .string($0.rawValue) }).text
    }
}

/// Requests of the page. ``WriteRules/web`` names who writes what.
extension OutboxRepository {
    /// The receivers that were added on the page, by name.
    public func addedSinks() throws(StoreError) -> [AddedSink] {
        try read { try Row.fetchAll($0, sql: "SELECT * FROM added_sinks ORDER BY name").map(AddedSink.init) }
    }

    /// Asks for a new receiver.
    ///
    /// - Parameter sealed: the receiver, for ``AddedSink/context``.
    /// - Throws: `conflict` if the name is taken, or above ``AddedSink/maximum``.
    public func ask(for sink: AddedSink, sealed: String, to key: String, at now: UnixTime) throws(StoreError)
    where Scope: WriteScope {
        try write { db in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM added_sinks") ?? 0
            guard count < AddedSink.maximum else { throw StoreError.conflict("too many receivers were added") }
            let isTaken = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM added_sinks WHERE name = ?1)
                      OR EXISTS (SELECT 1 FROM notification_sinks WHERE name = ?1)
                    """, arguments: [sink.name])
            guard isTaken == false else { throw StoreError.conflict("a receiver '\(sink.name)' exists") }
            try db.execute(
                sql: """
                    INSERT INTO added_sinks
                      (name, kind, host, events, quiet_from, quiet_to, asked_at, sealed_to, sealed)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    sink.name, sink.kind.rawValue, sink.host, sink.eventsText, sink.quiet?.from, sink.quiet?.to, now,
                    key, sealed,
                ])
        }
    }

    /// Asks for a change of the events and the quiet hours.
    ///
    /// - Parameter receiver: the new receiver and its key; `nil` to keep the present one.
    /// - Throws: `notFound` if no receiver of the page has this name.
    public func ask(
        toChange sink: AddedSink, receiver: (sealed: String, to: String)?, at now: UnixTime
    ) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE added_sinks SET events = ?, quiet_from = ?, quiet_to = ?, asked_at = ?
                    WHERE name = ? AND removal_requested_at IS NULL
                    """, arguments: [sink.eventsText, sink.quiet?.from, sink.quiet?.to, now, sink.name])
            guard db.changesCount == 1 else { throw StoreError.notFound("receiver '\(sink.name)' of the page") }
            guard let receiver else { return }
            try db.execute(
                sql: "UPDATE added_sinks SET host = ?, sealed_to = ?, sealed = ? WHERE name = ?",
                arguments: [sink.host, receiver.to, receiver.sealed, sink.name])
        }
    }

    /// - Throws: `notFound` if no receiver of the page has this name.
    public func requestRemoval(ofSink name: String, at now: UnixTime) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: "UPDATE added_sinks SET removal_requested_at = ? WHERE name = ?", arguments: [now, name])
            guard db.changesCount == 1 else { throw StoreError.notFound("receiver '\(name)' of the page") }
        }
    }
}

/// What the delivery writes.
extension OutboxRepository {
    /// True if the page asked for something. Cheap, to be called every second.
    public func hasSinkRequests() throws(StoreError) -> Bool {
        try read {
            try Bool.fetchOne(
                $0.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM added_sinks
                          WHERE asked_at IS NOT NULL OR removal_requested_at IS NOT NULL)
                        """)) ?? false
        }
    }

    /// Makes the rows those of the file, such as after a restored ledger. Requests stay.
    public func setAdded(_ sinks: [AddedSink]) throws(StoreError) where Scope: WriteScope {
        try write { db in
            let names = Set(sinks.map(\.name))
            let rows = try String.fetchAll(
                db, sql: "SELECT name FROM added_sinks WHERE asked_at IS NULL AND removal_requested_at IS NULL")
            for name in rows where !names.contains(name) {
                try db.execute(sql: "DELETE FROM added_sinks WHERE name = ?", arguments: [name])
            }
            for sink in sinks {
                try db.execute(
                    sql: """
                        INSERT INTO added_sinks (name, kind, host, events, quiet_from, quiet_to, fault)
                          VALUES (?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT DO UPDATE SET kind = excluded.kind, host = excluded.host, events = excluded.events,
                          quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, fault = excluded.fault
                          WHERE asked_at IS NULL
                        """,
                    arguments: [
                        sink.name, sink.kind.rawValue, sink.host, sink.eventsText, sink.quiet?.from, sink.quiet?.to,
                        sink.fault?.rawValue,
                    ])
            }
        }
    }

    /// Ends a request. One that was made meanwhile stays.
    ///
    /// - Parameters:
    ///   - request: as it was read.
    ///   - sink: what is used now, with the fault of a refusal.
    public func finish(_ request: AddedSink, _ sink: AddedSink) throws(StoreError) where Scope: WriteScope {
        try write {
            try $0.execute(
                sql: """
                    UPDATE added_sinks SET kind = ?, host = ?, events = ?, quiet_from = ?, quiet_to = ?, fault = ?,
                      asked_at = NULL, sealed = NULL, sealed_to = NULL
                    WHERE name = ? AND asked_at IS ? AND sealed IS ?
                    """,
                arguments: [
                    sink.kind.rawValue, sink.host, sink.eventsText, sink.quiet?.from, sink.quiet?.to,
                    sink.fault?.rawValue, request.name, request.asked, request.sealed,
                ])
        }
    }

    /// Deletes the row of a receiver whose files are gone.
    public func removeAdded(_ name: String) throws(StoreError) where Scope: WriteScope {
        try write { try $0.execute(sql: "DELETE FROM added_sinks WHERE name = ?", arguments: [name]) }
    }
}
