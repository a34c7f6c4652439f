import Ingest
import Notify
import Processes
import ServiceLifecycle

/// Takes mailboxes and receivers of notifications into use that were added on the page.
struct AdoptionService: Service {
    let mailboxes: MailboxAdoption
    let watched: WatchedMailboxes
    let sinks: SinkAdoption?

    /// Seconds between two polls. A person waits for the result; a poll is one query for each.
    private static let interval = 1.0

    func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
                await onThread {
                    // First: the test of a mailbox takes up to minutes.
                    sinks?.pass()
                    mailboxes.pass(watched)
                }
            }
        } onCancelOrGracefulShutdown: {
            mailboxes.stop()
        }
    }
}
