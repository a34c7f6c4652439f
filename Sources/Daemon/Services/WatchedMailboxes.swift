import IMAP
import Ingest
import Processes
import Settings
import Synchronization

/// The mailboxes that this process reads. The page adds and removes some while it runs.
final class WatchedMailboxes: MailboxThreads {
    private struct State {
        var loops: [any MailboxWatcher]
        var isStopped = false
    }

    /// Those whose threads have to be started, in order; ends with ``stopAll()``.
    let begun: AsyncStream<any MailboxWatcher>
    private let begin: AsyncStream<any MailboxWatcher>.Continuation
    private let state: Mutex<State>
    private let states: MailboxStates
    private let make: @Sendable (MailboxSettings) -> any MailboxWatcher

    /// - Parameter make: makes the watcher of a mailbox that is added.
    init(
        _ loops: [any MailboxWatcher] = [], states: MailboxStates,
        make: @escaping @Sendable (MailboxSettings) -> any MailboxWatcher
    ) {
        (begun, begin) = AsyncStream.makeStream()
        state = Mutex(State(loops: loops))
        self.states = states
        self.make = make
        for loop in loops { begin.yield(loop) }
    }

    var all: [any MailboxWatcher] { state.withLock { $0.loops } }

    func start(_ mailbox: MailboxSettings) throws {
        let loop: (any MailboxWatcher)? = try state.withLock { state in
            guard !state.isStopped, !state.loops.contains(where: { $0.name == mailbox.name }) else { return nil }
            let count = state.loops.count + 1
            if let problem = OpenFiles.problem(mailboxes: count, allowed: OpenFiles.allowed) {
                throw TooManyMailboxes(description: problem)
            }
            try TooFewThreads.probe(1)
            let loop = make(mailbox)
            state.loops.append(loop)
            return loop
        }
        if let loop { begin.yield(loop) }
    }

    func stop(_ mailbox: String) -> Bool {
        guard let loop = all.first(where: { $0.name == mailbox }) else { return true }
        loop.wake.stop()
        return false
    }

    /// The thread of a mailbox has ended.
    func ended(_ mailbox: String) {
        let isRemoved = state.withLock { state in
            guard !state.isStopped else { return false }
            state.loops.removeAll { $0.name == mailbox }
            return true
        }
        if isRemoved { states.remove(mailbox) }
    }

    func stopAll() {
        let loops = state.withLock { state in
            state.isStopped = true
            return state.loops
        }
        for loop in loops { loop.wake.stop() }
        begin.finish()
    }
}

/// Error: the process may not open enough files for another mailbox.
struct TooManyMailboxes: Error, CustomStringConvertible {
    let description: String
}
