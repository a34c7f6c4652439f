import IMAP
import Ingest
import Processes
import ServiceLifecycle

/// Loads the accounts of the database, and reloads them after a change by this or by another process.
struct AccountWatch: Service {
    let accounts: AccountsInForce
    let mailboxes: WatchedMailboxes

    /// Seconds between two checks. A check reads one row.
    private static let interval = 1.0

    func run() async throws {
        for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
            // Fetch the older mail of a new sender immediately.
            if await onThread({ accounts.refresh() }) { for loop in mailboxes.all { loop.wake.wake() } }
        }
    }
}
