import IMAP
import Ingest
import Logging
import ServiceLifecycle
import Store

/// Wakes a watching mailbox when a failed mail is due for another try, or when somebody asked for older mail: the database is all that the daemon
/// and `parserctl` share.
struct ErrandService: Service {
    let store: Store
    let watchers: [any MailboxWatcher]
    let states: MailboxStates
    let logger: Logger

    /// Seconds. A person who asked waits for it; a look costs microseconds.
    private static let interval = 5.0
    /// Looks between two wakes for the same mails: each wake asks the server something.
    private static let pause = 12

    func run() async throws {
        var told: Set<Int64> = []
        var rest: [String: Int] = [:]
        for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
            let errands: PendingWork
            do { errands = try await onThread { Result { try store.mailboxes.pendingWork() } }.get() } catch {
                logger.debug("errands not looked up", metadata: ["reason": "\(error)"])
                continue
            }
            for watcher in watchers {
                rest[watcher.name] = max(0, (rest[watcher.name] ?? 0) - 1)
                // One that cannot be read now is not hurried: it looks at everything when it can.
                guard states.all.contains(where: { $0.mailbox == watcher.name && $0.state == .watching }) else {
                    continue
                }
                // A request that cannot be fulfilled yet, because its bank is not in force, waits for the reload, which wakes everybody.
                let requests = errands.rescans.filter { watcher.reads($0.key) && !told.contains($0.id) }
                let isDue = rest[watcher.name] == 0 && errands.retries.contains(where: watcher.reads)
                guard isDue || !requests.isEmpty else { continue }
                if isDue { rest[watcher.name] = Self.pause }
                told.formUnion(requests.map(\.id))
                watcher.wake.wake()
            }
        }
    }
}
