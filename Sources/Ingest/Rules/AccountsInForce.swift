import Ledger
public import Logging
public import Store
import Synchronization

/// The accounts that this process has loaded from the database. Any thread may use it.
public final class AccountsInForce: Sendable {
    private let store: Store
    private let profiles: ProfilesInForce
    private let logger: Logger
    private let generation = Mutex<Int64>(-1)

    public init(store: Store, profiles: ProfilesInForce, logger: Logger) {
        self.store = store
        self.profiles = profiles
        self.logger = logger
    }

    /// Reloads the accounts if one of them has changed. On failure the old ones remain in use.
    /// - Returns: true if the accounts have changed.
    @discardableResult
    public func refresh() -> Bool {
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
