import IMAP
import Store
import Synchronization

/// Tells how one mailbox is: this process at once, and the database at every change that lasts and otherwise once a minute.
///
/// Each note in the database is a commit, so a mail that comes while watching makes none.
final class HealthNotes: Sendable {
    private let store: Store
    private let states: MailboxStates
    /// Seconds between two probes at the longest, by the configuration.
    private let probeSeconds: Int64
    private let notes: Mutex<Notes>

    private struct Notes {
        var clock: ClockWatch
        /// The last word, to this process.
        var said: MailboxHealth
        /// When that was, by the clock of ``MailboxStates``.
        var saidAt: Int64
        /// The last word in the database, and until when it is fresh.
        var written: MailboxHealth
        var fresh = Deadline.after(.zero)
        /// The state but for `reading`, which comes and goes, and since when.
        var lasting: (state: MailboxHealth.State, since: Int64)

        /// The time of day. What is kept of it is moved with the clock: an hour ago is an hour ago, whatever the clock says.
        mutating func look() -> (now: Int64, jump: Int64) {
            let (now, jump) = clock.look()
            if jump != 0 {
                said.move(by: jump)
                lasting.since += jump
            }
            return (now, jump)
        }
    }

    private static let freshness = Duration.seconds(60)
    /// Seconds for which what the server says is no news.
    private static let chatter: Int64 = 10
    /// Seconds for what stands beside the waiting itself: answers that are waited for, a loaded machine.
    private static let slack: Int64 = 150

    init(mailbox: String, probeSeconds: Int64, store: Store, states: MailboxStates, clock: ClockWatch = ClockWatch()) {
        self.store = store
        self.states = states
        self.probeSeconds = probeSeconds
        var clock = clock
        let health = MailboxHealth(mailbox: mailbox, state: .stopped, since: clock.look().now)
        notes = Mutex(
            Notes(
                clock: clock, said: health, saidAt: states.awakeSeconds(), written: health,
                lasting: (.stopped, health.since)))
    }

    /// - Parameters:
    ///   - reason: what is wrong, with its remedy.
    ///   - answered: the server has just said something.
    ///   - newMail: it told of new mail.
    ///   - pause: seconds until the next try.
    /// - Throws: where the database cannot be written, which a mailbox better knows before it asks for mail.
    func say(
        _ state: MailboxHealth.State, _ reason: String? = nil, answered: Bool = false, newMail: Bool = false,
        attempts: Int = 0,
        pause: Double? = nil
    ) throws(StoreError) {
        let promise = promise(state, pause)
        // Written with the lock held: what is said second stands in the database second.
        try notes.withLock { notes throws(StoreError) in
            let (now, jump) = notes.look()
            var health = notes.said
            if state == .reading {
                if health.state != .reading { health.since = now }
            } else {
                if notes.lasting.state != state { notes.lasting = (state, now) }
                health.since = notes.lasting.since
            }
            health.state = state
            health.reason = reason
            health.attempts = attempts
            health.nextAttempt = pause.map { now + Int64($0.rounded(.up)) }
            health.due = promise.map { now + $0 }
            if answered { health.lastProbe = now }
            if newMail { health.lastMail = now }
            notes.said = health
            notes.saidAt = states.awakeSeconds()
            states.set(health, within: promise)
            // Reading is usually over before anybody could look.
            let isNews =
                state != .reading
                && (notes.written.state != state || notes.written.reason != reason
                    || notes.written.attempts != attempts)
            guard isNews || jump != 0 || notes.fresh.isPast else { return }
            try store.mailboxes.setHealth(health)
            notes.written = health
            notes.fresh = .after(Self.freshness)
        }
    }

    /// Where the time of day was set: says the last word again, by the clock as it is now. Any thread; the mailbox's own, where it is just saying
    /// something, does it itself.
    func followClock() {
        _ = notes.withLockIfAvailable { notes in
            guard notes.look().jump != 0 else { return }
            let health = notes.said
            states.move(health)
            notes.written = health
            // A database that cannot be written is told of by who needs it.
            try? store.mailboxes.setHealth(health)
        }
    }

    /// Bytes came from the server: the step that is under way goes on, however long it takes as a whole, and its time begins anew. Cheap.
    func heard() {
        let said: MailboxHealth? = notes.withLock {
            states.awakeSeconds() - $0.saidAt < Self.chatter ? nil : $0.said
        }
        if let said { try? say(said.state, said.reason, answered: true, attempts: said.attempts) }
    }

    /// Seconds until the next note at the latest: the longest silence that is borne in this state, and some for the machine.
    private func promise(_ state: MailboxHealth.State, _ pause: Double?) -> Int64? {
        switch state {
        case .connecting: Self.slack
        // A search in a large folder of a slow server.
        case .reading: 300 + Self.slack
        case .watching: probeSeconds + Self.slack
        case .waiting, .refused: Int64(pause ?? 0) + Self.slack
        case .stopped: nil
        }
    }
}
