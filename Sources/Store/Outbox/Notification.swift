public import Chronology
internal import GRDB
public import Ledger

/// A notification event, with the current state of its transaction.
public struct Notification: Sendable {
    public var id: Int64 = 0
    public var kind: NotificationKind
    /// Seconds since 1970-01-01 UTC: the time of the event, and of the arrival of its mail.
    public var at: UnixTime
    public var receivedAt: UnixTime?
    /// `nil` if the event has no transaction, or it was deleted since.
    public var transaction: TransactionRow?
    public var hasTransaction: Bool = false
    public var mailID: String?
    /// The mailbox, or the bank's key.
    public var subject: String = ""
    /// Details without mail text.
    public var details: String = ""
    /// True if the event ends an earlier fault.
    public var isOver: Bool = false

    public init(kind: NotificationKind, at: UnixTime) {
        self.kind = kind
        self.at = at
    }

    /// - Parameter fill: sets further values.
    public init(kind: NotificationKind, at: UnixTime, fill: (inout Notification) throws -> Void) rethrows {
        self.init(kind: kind, at: at)
        try fill(&self)
        if transaction != nil { hasTransaction = true }
    }
}

/// The events that this process writes for its sinks. A process that sets it also delivers.
public struct NotificationPolicy: Sendable {
    public var kinds: Set<NotificationKind>
    /// Maximum age of mail in seconds: older mail causes no event, so that a first pass over years sends none.
    public var maxAge: Int64
    /// Called after a commit that wrote events; must not block.
    public var changed: @Sendable () -> Void
    /// Called when the database cannot be written; must not block.
    public var databaseFault: @Sendable (StoreError) -> Void

    public init(
        kinds: Set<NotificationKind>, maxAge: Int64, changed: @escaping @Sendable () -> Void,
        databaseFault: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) {
        self.kinds = kinds
        self.maxAge = maxAge
        self.changed = changed
        self.databaseFault = databaseFault
    }
}

extension OutboxRepository {
    /// The existing events with these ids, in their order.
    public func events(_ ids: [Int64]) throws(StoreError) -> [Notification] {
        try read { db in
            let select = try NotificationReader(db, where: "e.id = ?")
            return try ids.compactMap { id in try select.all { $0.bind(id) }.first }
        }
    }
}

/// Reads events with their transactions.
struct NotificationReader {
    private let events: PreparedStatement
    private let transactions: PreparedStatement

    init(_ db: Database, where condition: String) throws {
        events = try PreparedStatement(
            db,
            "SELECT id, kind, at, received_at, transaction_id, mail_id, subject, details, is_over FROM notification_events e WHERE \(condition)"
        )
        transactions = try PreparedStatement(
            db, "SELECT \(TransactionRow.columns) FROM transactions WHERE id = ? AND deleted_at IS NULL")
    }

    func all(_ bind: (inout Binder) -> Void) throws -> [Notification] {
        var found: [(Notification, Int64?)] = []
        try events.each(bind) { row in
            // Kinds of later versions are skipped.
            guard let kind = NotificationKind(rawValue: row.text(1)) else { return true }
            let event = Notification(kind: kind, at: row.instant(2)) {
                $0.id = row.int(0)
                $0.receivedAt = row.optionalInstant(3)
                $0.mailID = row.optionalText(5)
                $0.subject = row.text(6)
                $0.details = row.text(7)
                $0.isOver = row.int(8) != 0
            }
            found.append((event, row.optionalInt(4)))
            return true
        }
        return try found.map { event, transaction in
            guard let transaction else { return event }
            var event = event
            event.hasTransaction = true
            event.transaction = try transactions.first({ $0.bind(transaction) }, TransactionRow.init)
            return event
        }
    }
}
