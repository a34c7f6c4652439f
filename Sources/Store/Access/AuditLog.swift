public import Chronology
internal import GRDB

/// One line of the audit log, without amounts, merchants, addresses, tokens or queries.
public struct AuditEvent: Hashable, Sendable {
    /// Seconds since 1970-01-01 UTC.
    public var at: UnixTime
    /// Event in a few words: `request`, `login`, `login refused`, `token revoked` …
    public var event: String
    public var requestID: String?
    /// Kind and name of the client, such as `token phone`; empty if it is unknown.
    public var who: String
    public var method: String?
    /// Route template such as `/transactions/{id}`.
    public var route: String?
    public var status: Int?

    public init(at: UnixTime, event: String, who: String) {
        self.at = at
        self.event = event
        self.who = who
    }

    /// - Parameter fill: sets further values.
    public init(at: UnixTime, event: String, who: String, fill: (inout AuditEvent) throws -> Void) rethrows {
        self.init(at: at, event: event, who: who)
        try fill(&self)
    }
}

extension AuditRepository {
    public func append(_ event: AuditEvent) throws(StoreError) where Scope: WriteScope {
        try write { try event.insert($0) }
    }

    /// The newest `limit` events, oldest first.
    ///
    /// - Parameter since: seconds since 1970-01-01 UTC.
    public func latest(since: UnixTime = .epoch, limit: Int) throws(StoreError) -> [AuditEvent] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM audit_log WHERE at >= ? ORDER BY id DESC LIMIT ?",
                arguments: [since, limit]
            ).reversed().map { row in
                AuditEvent(at: row["at"], event: row["event"], who: row["who"]) {
                    $0.requestID = row["request_id"]
                    $0.method = row["method"]
                    $0.route = row["route"]
                    $0.status = row["status"]
                }
            }
        }
    }

    /// Deletes the events before the oldest one that is kept, in small transactions so that other writers do not wait
    /// long. The chain continues from the newest event that was deleted.
    public func prune(before instant: UnixTime) throws(StoreError) where Scope: WriteScope {
        let kept: Int64? = try read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT max(coalesce((SELECT id FROM audit_log WHERE at >= ? ORDER BY id LIMIT 1), max(id) + 1),
                      max(id) - ? + 1) FROM audit_log
                    """, arguments: [instant, AuditEvent.maximum])
        }
        guard let kept else { return }
        var deleted = 0
        repeat {
            deleted = try write { try AuditChain.prune($0, before: kept, limit: 10_000) }
        } while deleted == 10_000
    }
}

extension AuditEvent {
    /// Limit of rows of any age: about 100 bytes each.
    static let maximum = 1_000_000

    func insert(_ db: Database) throws {
        try db.cachedStatement(
            sql:
                "INSERT INTO audit_log (at, event, request_id, who, method, route, status) VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        .execute(arguments: [
            at, event, requestID, who, method, route, status,
        ])
    }
}
