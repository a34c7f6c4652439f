internal import GRDB

/// How a mailbox of the configuration is doing, as the process that reads it last wrote down: at each change of state
/// and each probe. Instants are seconds since 1970-01-01 UTC.
public struct MailboxHealth: Hashable, Sendable {
    public enum State: String, Sendable, CaseIterable {
        case connecting
        /// Reading a folder.
        case reading
        /// In IDLE, or between polls: all is well.
        case watching
        /// After a fault that goes by itself; the next try comes at ``nextAttempt``.
        case waiting
        /// A person must do something: a password, a setting, the server. Tried again at ``nextAttempt``, or at once
        /// after that change.
        case refused
        case stopped
    }

    public var mailbox: String
    public var state: State
    /// The fault and its remedy, without secrets and mail text. `nil` if there is none.
    public var reason: String?
    /// The beginning of this state.
    public var since: Int64
    /// The server's last answer.
    public var lastProbe: Int64?
    /// The server's last report of new mail, from any sender.
    public var lastMail: Int64?
    /// When the newest mail of a bank arrived that has been recorded. Kept by ``Store/record(_:advancing:)`` itself.
    public var lastBankMail: Int64?
    /// The number of consecutive failures.
    public var attempts: Int = 0
    public var nextAttempt: Int64?
    /// The reading process will have written this row again by then; one that lies in the past tells that it is gone or
    /// hangs.
    public var due: Int64?

    public init(mailbox: String, state: State, since: Int64) {
        self.mailbox = mailbox
        self.state = state
        self.since = since
    }

    /// - Parameter fill: sets other values.
    public init(mailbox: String, state: State, since: Int64, fill: (inout MailboxHealth) throws -> Void) rethrows {
        self.init(mailbox: mailbox, state: state, since: since)
        try fill(&self)
    }

    /// No promise reaches further: the longest wait is that for a day's `download_limit`.
    static let longestPromise: Int64 = 2 * 86_400

    /// Whether the process that reads this mailbox has not kept its word; one that ended in good order (`stopped`) has.
    /// A promise of a day far ahead was made by a clock that was, and by a process that has not corrected it: it is
    /// gone, too.
    public func isOverdue(at now: Int64) -> Bool {
        state != .stopped && due.map { $0 < now || $0 > now + Self.longestPromise } ?? false
    }

    /// After the clock was set forward by so many seconds, or back: the same instants, by the clock as it is now.
    public mutating func move(by seconds: Int64) {
        since += seconds
        lastProbe = lastProbe.map { $0 + seconds }
        lastMail = lastMail.map { $0 + seconds }
        nextAttempt = nextAttempt.map { $0 + seconds }
        due = due.map { $0 + seconds }
    }
}

extension MailboxRepository {
    /// Writes the row of one mailbox. `lastProbe` and `lastMail` stay where this process has none yet, unless they lie
    /// in the future: a clock that was ahead wrote them. `lastBankMail` is not this call's to say and is left as it is.
    public func setHealth(_ health: MailboxHealth) throws(StoreError) where Scope: WriteScope {
        let announcing = notificationPolicy
        let seconds = now()
        let news = try write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO mailbox_health (mailbox, state, reason, since, last_probe_at, last_mail_at, attempts, next_attempt_at, due_at)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                    ON CONFLICT DO UPDATE SET state = excluded.state, reason = excluded.reason, since = excluded.since,
                      last_probe_at = coalesce(excluded.last_probe_at, iif(last_probe_at <= ?10, last_probe_at, NULL)),
                      last_mail_at = coalesce(excluded.last_mail_at, iif(last_mail_at <= ?10, last_mail_at, NULL)),
                      attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at, due_at = excluded.due_at
                    """
            ).execute(arguments: [
                health.mailbox, health.state.rawValue, health.reason, Instant.text(health.since),
                health.lastProbe.map(Instant.text),
                health.lastMail.map(Instant.text), health.attempts, health.nextAttempt.map(Instant.text),
                health.due.map(Instant.text),
                Instant.text(seconds),
            ])
            guard let announcing else { return 0 }
            var news = try NotificationWriter(db, announcing, seconds: seconds)
            try news.tell(db, health)
            return news.count
        }
        if news > 0 { access.afterCommit { announcing?.changed() } }
    }

    /// Of every mailbox that was ever read, by name.
    public func health() throws(StoreError) -> [MailboxHealth] { try read(MailboxHealth.all) }
}

extension MailboxHealth {
    static func all(_ db: Database) throws -> [MailboxHealth] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT mailbox, state, reason, since, last_probe_at, last_mail_at, last_bank_mail_at, attempts, next_attempt_at, due_at
                FROM mailbox_health ORDER BY mailbox
                """
        ).map { row in
            func instant(_ index: Int) -> Int64? { (row[index] as String?).flatMap(Instant.seconds) }
            // A CHECK constraint restricts the column to the enum's values.
            let state = MailboxHealth.State(rawValue: row[1]) ?? .stopped
            return MailboxHealth(mailbox: row[0], state: state, since: instant(3) ?? 0) {
                $0.reason = row[2]
                $0.lastProbe = instant(4)
                $0.lastMail = instant(5)
                $0.lastBankMail = instant(6)
                $0.attempts = row[7]
                $0.nextAttempt = instant(8)
                $0.due = instant(9)
            }
        }
    }
}

extension Store {
    /// An instant, seconds since 1970-01-01 UTC, as it stands in the database and in every output:
    /// `2026-01-05T06:43:14Z`.
    public static func timestamp(_ seconds: Int64) -> String { Instant.text(seconds) }
}
