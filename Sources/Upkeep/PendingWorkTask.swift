import Chronology
import IMAP
import Ingest
import Store
import Synchronization

/// Wakes a mailbox when a failed mail is due for a retry or a rescan was requested. A page or `parserctl` requests a
/// rescan through the ledger.
final class PendingWorkTask: UpkeepTask {
    private struct State {
        /// Requests for which the mailbox was woken.
        var announced: Set<Int64> = []
        /// By mailbox: until then the same retries do not wake it again.
        var pauses: [String: Deadline] = [:]
        var nextDue: Deadline?
    }

    /// Between two wakes for the same retries: each wake costs requests to the server.
    private static let pause = Duration.seconds(60)

    private let context: UpkeepContext
    private let state = Mutex(State())

    /// A person waits for the result.
    let schedule = UpkeepSchedule(interval: 5, followsChanges: true)
    let failure = "retries and requested rescans not looked up"
    var nextDue: Deadline? { state.withLock { $0.nextDue } }

    init(_ context: UpkeepContext) { self.context = context }

    func run(isStopped: () -> Bool) throws {
        // Also if the ledger cannot be read now.
        state.withLock { $0.nextDue = .after(Self.pause) }
        let work = try context.store.mailboxes.pendingWork()
        let mailboxes = context.mailboxes()
        let ready = context.states.all.filter(\.noticesWake).map(\.mailbox)
        state.withLock { state in
            var due = work.secondsToNextRetry.map { [Deadline.after(.seconds($0))] } ?? []
            for mailbox in mailboxes {
                let isDue = work.retries.contains(where: mailbox.reads)
                // A request for a bank that is not loaded yet waits for the reload, which wakes every mailbox.
                let requests = work.rescans.filter { mailbox.reads($0.key) && !state.announced.contains($0.id) }
                var pause = state.pauses[mailbox.name].flatMap { $0.isPast ? nil : $0 }
                if ready.contains(mailbox.name), isDue && pause == nil || !requests.isEmpty {
                    if isDue, pause == nil {
                        pause = .after(Self.pause)
                        state.pauses[mailbox.name] = pause
                    }
                    state.announced.formUnion(requests.map(\.id))
                    mailbox.wake.wake()
                }
                if isDue { due.append(pause ?? .after(Self.pause)) }
            }
            state.nextDue = due.min()
        }
    }
}

extension MailboxHealth {
    /// True if a wake leads to a pass and ends no pause after a fault. In the other states a pass begins anyway once
    /// the mailbox can be read, and does all work.
    fileprivate var noticesWake: Bool { state == .watching || state == .reading }
}
