import IMAP
import Ingest
import Ledger
import Logging
import ServiceLifecycle
import Store
import Synchronization

/// Puts the accounts of the database in force, and again whenever somebody changed one: this process or, where web and ingest are two, the other.
struct AccountWatch: Service {
    let accounts: AccountsInForce
    let loops: [any MailboxWatcher]

    /// Seconds. One look at one row costs microseconds.
    private static let interval = 1.0

    func run() async throws {
        for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
            // The older mail of a new sender is asked for at once.
            if await onThread({ accounts.refresh() }) { for loop in loops { loop.wake.wake() } }
        }
    }
}

/// The accounts of the database, as far as they are in force in this process. Any thread.
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

    /// Reads the accounts where one of them changed since the last time.
    /// - Returns: whether others are in force now. What cannot be read leaves the old ones in force.
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
                        "an account is not in force: mend it in the web page or through the API",
                        metadata: [
                            "account": "\(account.id)", "field": "\(problem.field)", "reason": "\(problem.detail)",
                        ])
                }
                let isFirst = known == -1
                known = now
                if rows.isEmpty, trusted.isEmpty, isFirst { return false }
                logger.info(
                    "accounts in force",
                    metadata: ["accounts": "\(rows.count - problems.count)", "trusted_senders": "\(trusted.count)"])
                return true
            } catch {
                logger.warning("accounts not read", metadata: ["reason": "\(error)"])
                return false
            }
        }
    }
}
