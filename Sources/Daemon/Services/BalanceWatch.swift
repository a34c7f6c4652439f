import Logging
import Processes
import ServiceLifecycle
import Store

/// Compares the printed balances of each account with its booked movements, and records the balances that do not
/// follow.
struct BalanceWatch: Service {
    let store: Store
    let logger: Logger

    /// Seconds between two checks: a finding is reported an hour after it was found.
    private static let interval = 900.0

    func run() async throws {
        // Not at the start: the mailboxes are still being read.
        for await _ in Ticks(seconds: Self.interval, beginsAtOnce: false).cancelOnGracefulShutdown() {
            do {
                let changed = try await onThread { [store] in Result { try store.userAccounts.recordFindings() } }.get()
                for account in changed {
                    logger.info(
                        "findings of an account changed",
                        metadata: ["account": "\(account.account)", "findings": "\(account.findings)"])
                }
            } catch {
                logger.warning("balances not checked", metadata: ["reason": "\(error)"])
            }
        }
    }
}
