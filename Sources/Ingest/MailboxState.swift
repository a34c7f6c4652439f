public import Synchronization

/// What a mailbox's thread is doing, for health and the watchdog.
public struct MailboxState: Sendable, Equatable {
    public enum Activity: String, Sendable {
        case connecting
        /// Reading a folder.
        case reading
        /// In IDLE, or between polls.
        case watching
        /// Until the next try after a fault.
        case waiting
        case stopped
    }

    public var activity = Activity.connecting
    /// Why it waits, in words with a remedy; empty where nothing is wrong.
    public var reason = ""
    /// When the server last answered, seconds since 1970; 0: never.
    public var lastProbe: Int64 = 0
    /// When the thread last came round, on the monotonic clock in seconds.
    public var lastSign: Int64 = 0
}

/// The states of all mailboxes, written by their threads and read by health checks.
public final class MailboxStates: Sendable {
    private let states = Mutex<[String: MailboxState]>([:])

    public init() {}

    public func update(_ mailbox: String, _ change: (inout MailboxState) -> Void) {
        states.withLock { all in
            change(&all[mailbox, default: MailboxState()])
            all[mailbox]?.lastSign = Clock.monotonicSeconds
        }
    }

    public var all: [String: MailboxState] { states.withLock { $0 } }

    /// True while every thread came round within `seconds`: what the service manager's watchdog is told.
    public func areAlive(within seconds: Int64) -> Bool {
        let now = Clock.monotonicSeconds
        return states.withLock { $0.values.allSatisfy { $0.activity == .stopped || now - $0.lastSign <= seconds } }
    }
}
