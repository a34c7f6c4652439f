import Ingest
import ServiceLifecycle

/// Takes mailboxes of the page into use.
struct MailboxAdoptionService: Service {
    let adoption: MailboxAdoption
    let mailboxes: WatchedMailboxes

    /// Seconds between two polls. A person waits for the result; a poll is one query.
    private static let interval = 1.0

    func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
                await onThread { adoption.pass(mailboxes) }
            }
        } onCancelOrGracefulShutdown: {
            adoption.stop()
        }
    }
}
