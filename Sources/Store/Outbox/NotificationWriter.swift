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
    private(set) var count = 0

    init(_ db: Database, _ announcing: NotificationPolicy, now: UnixTime) throws {
        kinds = announcing.kinds
        oldest = now - announcing.maxAge
        self.now = now
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO notification_events (kind, at, received_at, transaction_id, mail_id, subject, details, is_over) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    /// Writes the event of a booked or waiting mail.
    mutating func write(_ entry: MailEntry, _ verdict: Verdict, transaction: Int64?, mail: String) throws {
        let kind: NotificationKind
        switch verdict.outcome {
        case .recorded: kind = .transaction
        case .review: kind = .review
        case .duplicate, .ignored, .unclaimed, .quarantined, .failed: return
        }
        let arrival = entry.receivedAt ?? entry.sentAt
        guard (arrival ?? now) >= oldest else { return }
        try write(
            kind, about: (arrival, transaction, mail), subject: entry.decision.profile ?? "",
            details: verdict.remark ?? "")
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
