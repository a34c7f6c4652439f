import IMAP
import Ingest
import Logging
import Processes
import ServiceLifecycle
import Store

/// Wakes a watched mailbox when a failed mail is due for a retry or a rescan was requested. `parserctl` requests a
/// rescan through the database.
struct PendingWorkService: Service {
    let store: Store
    let mailboxes: WatchedMailboxes
    let states: MailboxStates
    let logger: Logger

    /// Seconds between two queries. A user waits for the result; a query takes microseconds.
    private static let interval = 5.0
    /// Queries between two wakes for the same retries: each wake costs requests to the server.
    private static let pause = 12

    func run() async throws {
        var announced: Set<Int64> = []
        var pauses: [String: Int] = [:]
        for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
            let work: PendingWork
            do { work = try await onThread { Result { try store.mailboxes.pendingWork() } }.get() } catch {
                logger.debug("pending work not read", metadata: ["reason": "\(error)"])
                continue
            }
            for watcher in mailboxes.all {
                pauses[watcher.name] = max(0, (pauses[watcher.name] ?? 0) - 1)
                // A mailbox that cannot be read now checks for all work once it can.
                guard states.all.contains(where: { $0.mailbox == watcher.name && $0.state == .watching }) else {
                    continue
                }
                // A request for a bank that is not loaded yet waits for the reload, which wakes every mailbox.
                let requests = work.rescans.filter { watcher.reads($0.key) && !announced.contains($0.id) }
                let isDue = pauses[watcher.name] == 0 && work.retries.contains(where: watcher.reads)
                guard isDue || !requests.isEmpty else { continue }
                if isDue { pauses[watcher.name] = Self.pause }
                announced.formUnion(requests.map(\.id))
                watcher.wake.wake()
            }
        }
    }
}
