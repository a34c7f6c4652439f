import IMAP
import Ingest
import Ledger
import Logging
import Processes
import ServiceLifecycle
import Store
import Synchronization

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

/// The accounts that this process has loaded from the database. Any thread may use it.
final class AccountsInForce: Sendable {
    private let store: Store
    private let profiles: ProfilesInForce
    private let logger: Logger
    private let generation = Mutex<Int64>(-1)

    init(store: Store, profiles: ProfilesInForce, logger: Logger) {
        self.store = store
        self.profiles = profiles
        self.logger = logger
    }

    /// Reloads the accounts if one of them has changed. On failure the old ones remain in use.
    /// - Returns: true if the accounts have changed.
    @discardableResult
    func refresh() -> Bool {
        generation.withLock { known in
            do {
                let now = try store.accounts.generation()
                guard now != known else { return false }
                let rows = try store.accounts.all().filter(\.isActive)
                let trusted = try store.trustedSenders.all().map(\.sender)
                let problems = profiles.replace(accounts: rows.map(\.profile), trusted: trusted)
                for (account, problem) in problems {
                    logger.error(
                        "account not loaded: correct it on the web page or through the API",
                        metadata: [
                            "account": "\(account.id)", "field": "\(problem.field)", "reason": "\(problem.detail)",
                        ])
                }
                let isFirst = known == -1
                known = now
                if rows.isEmpty, trusted.isEmpty, isFirst { return false }
                logger.info(
                    "accounts loaded",
                    metadata: ["accounts": "\(rows.count - problems.count)", "trusted_senders": "\(trusted.count)"])
                return true
            } catch {
                logger.warning("accounts not read", metadata: ["reason": "\(error)"])
                return false
            }
        }
    }
}
