import IMAP
import Ingest
import Processes
import ServiceLifecycle

/// The mailbox threads as one service. All end within a second of a graceful shutdown or of another service's failure:
/// `stop()` interrupts every wait.
struct MailboxService: Service {
    let mailboxes: WatchedMailboxes

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Also those that are added later, until the stop.
                for await loop in mailboxes.begun {
                    group.addTask { [mailboxes] in
                        // If one thread cannot be created, stop the others: an unwatched mailbox must not go unnoticed.
                        do { try await onDedicatedThread { loop.run() } } catch {
                            mailboxes.stopAll()
                            throw error
                        }
                        mailboxes.ended(loop.name)
                    }
                }
                try await group.waitForAll()
            }
        } onCancelOrGracefulShutdown: {
            mailboxes.stopAll()
        }
    }
}
