import Chronology
import GRDB
import Ledger

/// Writes notification events within the caller's transaction.
struct NotificationWriter {
    private let kinds: Set<NotificationKind>
    /// Earliest arrival of mail that causes an event.
    private let oldest: UnixTime
    private let now: UnixTime
    private let insert: PreparedStatement
    private let told: PreparedStatement
    /// Events of mails whose links with other reports are not searched yet.
    private var waiting: [MailEvent] = []
    private(set) var count = 0

    private struct MailEvent {
        var kind: NotificationKind
        var receivedAt: UnixTime?
        var transaction: Int64?
        var mail: String
        var subject: String
        var details: String
        /// True if the transaction was booked before, by an alert of the other medium.
        var isTakenOver: Bool
    }

    init(_ db: Database, _ announcing: NotificationPolicy, now: UnixTime) throws {
        kinds = announcing.kinds
        oldest = now - announcing.maxAge
        self.now = now
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO notification_events (kind, at, received_at, transaction_id, mail_id, subject, details, is_over) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        told = try PreparedStatement(
            db,
            """
            SELECT EXISTS (SELECT 1 FROM transaction_links WHERE kind = 'same_event' AND state = 'made'
                AND (from_id = ?1 AND to_id < ?1 OR to_id = ?1 AND from_id < ?1))
              OR ?2 AND EXISTS (SELECT 1 FROM notification_events WHERE transaction_id = ?1)
            """)
    }

    /// Adds the event of a booked or waiting mail; ``finish()`` writes it.
    mutating func add(_ entry: MailEntry, _ verdict: EntryVerdict, transaction: Int64?, mail: String) {
        let kind: NotificationKind
        switch verdict.outcome {
        case .recorded: kind = .transaction
        case .review: kind = .review
        case .duplicate, .ignored, .unclaimed, .quarantined, .failed: return
        }
        let arrival = entry.receivedAt ?? entry.sentAt
        guard (arrival ?? now) >= oldest else { return }
        waiting.append(
            MailEvent(
                kind: kind, receivedAt: arrival, transaction: transaction, mail: mail,
                subject: entry.decision.profile ?? "", details: verdict.remark ?? "",
                isTakenOver: verdict.replaced != nil))
    }

    /// Writes the events of the mails, after the search for links: of several reports of one payment, only the first
    /// is announced.
    mutating func finish() throws {
        for event in waiting {
            if try isTold(event) { continue }
            try write(
                event.kind, about: (event.receivedAt, event.transaction, event.mail), subject: event.subject,
                details: event.details)
        }
        waiting = []
    }

    private func isTold(_ event: MailEvent) throws -> Bool {
        guard let transaction = event.transaction else { return false }
        return try told.first(
            {
                $0.bind(transaction)
                $0.bind(Int64(event.isTakenOver ? 1 : 0))
            }, { $0.int(0) != 0 }) ?? false
    }

    mutating func write(
        _ kind: NotificationKind,
        about mail: (receivedAt: UnixTime?, transaction: Int64?, id: String?) = (nil, nil, nil),
        subject: String, details: String, isOver: Bool = false
    ) throws {
        guard kinds.contains(kind) else { return }
        try insert.run { row in
            row.bind(kind.rawValue)
            row.bind(now)
            row.bind(mail.receivedAt)
            row.bind(mail.transaction)
            row.bind(mail.id)
            row.bind(subject)
            row.bind(details)
            row.bind(isOver ? 1 : 0 as Int64)
        }
        count += 1
    }

    /// Writes the event of a lasting fault of a mailbox, and of its end; each once.
    mutating func write(_ db: Database, _ health: MailboxHealth) throws {
        let known = try Row.fetchOne(
            db, sql: "SELECT since, told FROM mailbox_alarms WHERE mailbox = ?", arguments: [health.mailbox])
        let reported = (known?[1] as String?).flatMap(NotificationKind.init)
        switch health.state {
        case .watching:
            guard known != nil else { return }
            try db.execute(sql: "DELETE FROM mailbox_alarms WHERE mailbox = ?", arguments: [health.mailbox])
            if let reported { try write(reported, subject: health.mailbox, details: "", isOver: true) }
        case .waiting, .refused:
            if known == nil {
                try db.execute(
                    sql: "INSERT INTO mailbox_alarms (mailbox, since) VALUES (?, ?)",
                    arguments: [health.mailbox, now])
            }
            let since = known?[0] as UnixTime? ?? now
            guard health.state == .refused || now - since >= HealthReport.gracePeriod else { return }
            let reason = health.reason ?? health.state.rawValue
            // The phrase that the log, the status and the manual use for it.
            let kind: NotificationKind = reason.contains("re-consent needed") ? .login : .mailbox
            guard reported == nil || (kind == .login && reported != .login) else { return }
            try db.execute(
                sql: "UPDATE mailbox_alarms SET told = ? WHERE mailbox = ?", arguments: [kind.rawValue, health.mailbox])
            try write(kind, subject: health.mailbox, details: reason)
        // Transitional states, and mailboxes that are not read.
        case .connecting, .reading, .stopped: return
        }
    }
}

extension Repository where Scope: WriteScope {
    /// Writes notifications in one transaction, and wakes the delivery after its commit.
    ///
    /// - Parameter body: gets the time of the notifications.
    /// - Returns: the number of notifications.
    func announce(
        by policy: NotificationPolicy, _ body: (Database, UnixTime, inout NotificationWriter) throws -> Void
    ) throws(StoreError) -> Int {
        let time = now()
        let count = try write { db in
            var writer = try NotificationWriter(db, policy, now: time)
            try body(db, time, &writer)
            return writer.count
        }
        if count > 0 { access.afterCommit { policy.changed() } }
        return count
    }
}
