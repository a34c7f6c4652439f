public import Store
import Synchronization

/// The health of all mailboxes of this process: written by their threads, read by whoever speaks to the service manager.
public final class MailboxStates: Sendable {
    private struct Entry {
        var health: MailboxHealth
        /// ``Clock/awakeSeconds`` by which the thread promised to come round again.
        var due: Int64
    }

    private let entries = Mutex<[String: Entry]>([:])
    /// Seconds, not counting suspend. Another in tests.
    let awakeSeconds: @Sendable () -> Int64

    public init() { awakeSeconds = { Clock.awakeSeconds } }

    init(awakeSeconds: @escaping @Sendable () -> Int64) { self.awakeSeconds = awakeSeconds }

    /// - Parameter within: seconds, not counting suspend, after which the thread is taken to hang if it did not call again. `nil`: it ended.
    func set(_ health: MailboxHealth, within seconds: Int64?) {
        let due = seconds.map { awakeSeconds() + $0 } ?? .max
        entries.withLock { $0[health.mailbox] = Entry(health: health, due: due) }
    }

    /// The same word by another clock: what the thread promised stays.
    func move(_ health: MailboxHealth) { entries.withLock { $0[health.mailbox]?.health = health } }

    /// By name.
    public var all: [MailboxHealth] {
        entries.withLock { $0.values.map(\.health) }.sorted { $0.mailbox < $1.mailbox }
    }

    /// Every mailbox's last probe was answered, or it waits for its next try, or its present step is still within its time:
    /// the service manager's watchdog may be fed.
    public var areAlive: Bool {
        let now = awakeSeconds()
        return entries.withLock { $0.values.allSatisfy { now <= $0.due } }
    }
}
