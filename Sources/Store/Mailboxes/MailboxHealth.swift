public import Chronology
internal import GRDB

/// Health of a configured mailbox, written by the process that reads it at each change of state and each probe.
/// Instants are seconds since 1970-01-01 UTC.
public struct MailboxHealth: Hashable, Sendable {
    public enum State: String, Sendable, CaseIterable {
        case connecting
        /// Reading a folder.
        case reading
        /// In IDLE, or between polls, without faults.
        case watching
        /// After a temporary fault; the next attempt is at ``nextAttempt``.
        case waiting
        /// A person must correct a password, a setting or the server. Retried at ``nextAttempt``, or at once after that
        /// change.
        case refused
        case stopped
    }

    public var mailbox: String
    public var state: State
    /// The fault and its remedy, without secrets and mail text. `nil` if there is none.
    public var reason: String?
    /// The beginning of this state.
    public var since: UnixTime
    /// Time of the server's last response.
    public var lastProbe: UnixTime?
    /// Time of the server's last report of new mail, from any sender.
    public var lastMail: UnixTime?
    /// Arrival of the newest recorded mail of a bank. Written by ``Store/record(_:advancing:)``.
    public var lastBankMail: UnixTime?
    /// The number of consecutive failures.
    public var attempts: Int = 0
    public var nextAttempt: UnixTime?
    /// Time by which the process writes this row again; a time in the past means that the process ended or hangs.
    public var due: UnixTime?

    public init(mailbox: String, state: State, since: UnixTime) {
        self.mailbox = mailbox
        self.state = state
        self.since = since
    }

    /// - Parameter fill: sets further values.
    public init(mailbox: String, state: State, since: UnixTime, fill: (inout MailboxHealth) throws -> Void) rethrows {
        self.init(mailbox: mailbox, state: state, since: since)
        try fill(&self)
    }

    /// Maximum of ``due``: the longest wait is that for the daily `download_limit`.
    static let longestPromise: Int64 = 2 * 86_400

    /// True if the process that reads this mailbox missed ``due``. A process that ended normally (`stopped`) never has.
    /// A time far in the future was written with a wrong clock by a process that did not correct it, so it counts as
    /// missed.
    public func isOverdue(at now: UnixTime) -> Bool {
        state != .stopped && due.map { $0 < now || $0 > now + Self.longestPromise } ?? false
    }

    /// Shifts all instants after the clock was set forward by this number of seconds, or back.
    public mutating func move(by seconds: Int64) {
        since += seconds
        lastProbe = lastProbe.map { $0 + seconds }
        lastMail = lastMail.map { $0 + seconds }
        nextAttempt = nextAttempt.map { $0 + seconds }
        due = due.map { $0 + seconds }
    }
}

extension MailboxRepository {
    /// Writes the row of one mailbox. `lastProbe` and `lastMail` keep their values if this process has none yet, unless
    /// they are in the future because of a wrong clock. `lastBankMail` is never changed.
    public func setHealth(_ health: MailboxHealth) throws(StoreError) where Scope: WriteScope {
        let announcing = notificationPolicy
        let time = now()
        let count = try write { db in
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
                health.mailbox, health.state.rawValue, health.reason, health.since,
                health.lastProbe,
                health.lastMail, health.attempts, health.nextAttempt,
                health.due,
                time,
            ])
            guard let announcing else { return 0 }
            var writer = try NotificationWriter(db, announcing, now: time)
            try writer.write(db, health)
            return writer.count
        }
        if count > 0 { access.afterCommit { announcing?.changed() } }
    }

    /// Health of every mailbox that was ever read, by name.
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
            func instant(_ index: Int) -> UnixTime? { row[index] as UnixTime? }
            // A CHECK constraint restricts the column to the enum's values.
            let state = MailboxHealth.State(rawValue: row[1]) ?? .stopped
            return MailboxHealth(mailbox: row[0], state: state, since: instant(3) ?? .epoch) {
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
