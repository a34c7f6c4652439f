import Chronology
import IMAP
import Store
import Synchronization

/// Reports the health of one mailbox: to this process at once, and to the database at every lasting change; a report
/// that changes nothing but times is written only if the row is older than `freshSeconds`.
///
/// Each report to the database is a commit, so mail that arrives while watching makes none.
final class HealthReporter: Sendable {
    private let store: Store
    private let states: MailboxStates
    /// Maximum seconds between two probes, by the configuration.
    private let probeSeconds: Int64
    private let freshSeconds: Int64
    private let reports: Mutex<Reports>

    private struct Reports {
        var clock: ClockWatch
        /// The last report to this process.
        var last: MailboxHealth
        /// Its time, by the clock of ``MailboxStates``.
        var lastAt: Int64
        /// The last report in the database, and how long it is fresh.
        var written: MailboxHealth
        var fresh = Deadline.after(.zero)
        /// The last state other than `reading`, which is short, and its beginning.
        var lasting: (state: MailboxHealth.State, since: UnixTime)

        /// Reads the clock. Recorded times move with it: an hour ago stays an hour ago.
        mutating func readClock() -> (now: UnixTime, jump: Int64) {
            let (now, jump) = clock.read()
            if jump != 0 {
                last.move(by: jump)
                lasting.since += jump
            }
            return (now, jump)
        }
    }

    /// Minimum seconds between two reports of received bytes.
    private static let heardInterval: Int64 = 10
    /// Seconds beyond the wait itself, for responses and a loaded machine.
    private static let slack: Int64 = 150

    /// - Parameter freshSeconds: for which a row of the database stays as it is if nothing but times changes.
    init(
        mailbox: String, probeSeconds: Int64, freshSeconds: Int64 = MailboxContext.usualFreshSeconds, store: Store,
        states: MailboxStates, clock: ClockWatch = ClockWatch()
    ) {
        self.store = store
        self.states = states
        self.probeSeconds = probeSeconds
        self.freshSeconds = freshSeconds
        var clock = clock
        let health = MailboxHealth(mailbox: mailbox, state: .stopped, since: clock.read().now)
        reports = Mutex(
            Reports(
                clock: clock, last: health, lastAt: states.awakeSeconds(), written: health,
                lasting: (.stopped, health.since)))
    }

    /// - Parameters:
    ///   - reason: the fault, with its remedy.
    ///   - answered: the server has just responded.
    ///   - newMail: it announced new mail.
    ///   - pause: seconds until the next attempt.
    /// - Throws: if the database cannot be written. A mailbox should know before it fetches mail.
    func report(
        _ state: MailboxHealth.State, _ reason: String? = nil, answered: Bool = false, newMail: Bool = false,
        attempts: Int = 0,
        pause: Double? = nil
    ) throws(StoreError) {
        let maximumSilence = maximumSilence(state, pause)
        // Written with the lock held, so that reports reach the database in order.
        try reports.withLock { reports throws(StoreError) in
            let (now, jump) = reports.readClock()
            var health = reports.last
            if state == .reading {
                if health.state != .reading { health.since = now }
            } else {
                if reports.lasting.state != state { reports.lasting = (state, now) }
                health.since = reports.lasting.since
            }
            health.state = state
            health.reason = reason
            health.attempts = attempts
            health.nextAttempt = pause.map { now + Int64($0.rounded(.up)) }
            health.due = maximumSilence.map { now + $0 }
            if answered { health.lastProbe = now }
            if newMail { health.lastMail = now }
            reports.last = health
            reports.lastAt = states.awakeSeconds()
            states.set(health, within: maximumSilence)
            // Reading is usually too short to be seen.
            let isChange =
                state != .reading
                && (reports.written.state != state || reports.written.reason != reason
                    || reports.written.attempts != attempts)
            guard isChange || jump != 0 || reports.fresh.isPast else { return }
            try write(health)
            reports.written = health
            reports.fresh = .after(.seconds(freshSeconds))
        }
    }

    /// Repeats the last report by the present clock if the time of day was set. May be called on any thread; a report
    /// in progress does the same.
    func followClock() {
        _ = reports.withLockIfAvailable { reports in
            guard reports.readClock().jump != 0 else { return }
            let health = reports.last
            states.move(health)
            reports.written = health
            // A pass reports a database that cannot be written.
            try? write(health)
        }
    }

    /// The next report may find the row fresh and not write it, so `due` of the row is later by that time.
    private func write(_ health: MailboxHealth) throws(StoreError) {
        var health = health
        health.due = health.due.map { $0 + freshSeconds - MailboxContext.usualFreshSeconds }
        try store.mailboxes.setHealth(health)
    }

    /// Records that bytes arrived: the present step makes progress, and its time limit starts again. Cheap.
    func heard() {
        let last: MailboxHealth? = reports.withLock {
            states.awakeSeconds() - $0.lastAt < Self.heardInterval ? nil : $0.last
        }
        if let last { try? report(last.state, last.reason, answered: true, attempts: last.attempts) }
    }

    /// Maximum seconds until the next report: the longest silence allowed in this state, and the slack.
    private func maximumSilence(_ state: MailboxHealth.State, _ pause: Double?) -> Int64? {
        switch state {
        case .connecting: Self.slack
        // SEARCH in a large folder of a slow server.
        case .reading: 300 + Self.slack
        case .watching: probeSeconds + Self.slack
        case .waiting, .refused: Int64(pause ?? 0) + Self.slack
        case .stopped: nil
        }
    }
}
