import IMAP
import Ingest
import ServiceLifecycle

/// The mailbox threads as one service. All end within a second of a graceful shutdown or of another service's failure:
/// `stop()` interrupts every wait.
struct MailboxService: Service {
    let loops: [any MailboxWatcher]

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for loop in loops { group.addTask { try await onDedicatedThread { loop.run() } } }
                // If one thread cannot be created, stop the others: an unwatched mailbox must not go unnoticed.
                do { try await group.waitForAll() } catch {
                    stop()
                    throw error
                }
            }
        } onCancelOrGracefulShutdown: {
            stop()
        }
    }

    private func stop() { for loop in loops { loop.wake.stop() } }
}
