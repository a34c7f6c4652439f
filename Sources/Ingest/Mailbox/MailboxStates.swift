import Chronology
public import Store
import Synchronization

/// The health of all mailboxes of this process. Their threads write it; the watchdog and the web role read it.
public final class MailboxStates: Sendable {
    private struct Entry {
        var health: MailboxHealth
        /// The ``SystemClock/monotonic`` in seconds by which the thread must report again.
        var due: Int64
    }

    private let entries = Mutex<[String: Entry]>([:])
    /// Seconds without suspend. A test clock in tests.
    let awakeSeconds: @Sendable () -> Int64

    public init() { awakeSeconds = { SystemClock.monotonic.seconds } }

    init(awakeSeconds: @escaping @Sendable () -> Int64) { self.awakeSeconds = awakeSeconds }

    /// - Parameter within: the seconds without suspend after which a thread that has not called again hangs. `nil`: it
    ///   has ended.
    func set(_ health: MailboxHealth, within seconds: Int64?) {
        let due = seconds.map { awakeSeconds() + $0 } ?? .max
        entries.withLock { $0[health.mailbox] = Entry(health: health, due: due) }
    }

    /// Forgets a mailbox whose thread has ended.
    public func remove(_ mailbox: String) { _ = entries.withLock { $0.removeValue(forKey: mailbox) } }

    /// Replaces the times after the clock was set. The time limit stays.
    func move(_ health: MailboxHealth) { entries.withLock { $0[health.mailbox]?.health = health } }

    /// By name.
    public var all: [MailboxHealth] {
        entries.withLock { $0.values.map(\.health) }.sorted { $0.mailbox < $1.mailbox }
    }

    /// True if every thread is within its time limit: the watchdog of the service manager may be notified.
    public var areAlive: Bool {
        let now = awakeSeconds()
        return entries.withLock { $0.values.allSatisfy { now <= $0.due } }
    }
}
