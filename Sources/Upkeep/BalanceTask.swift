import Logging
import Store

/// Compares the printed balances of each account with its booked movements, and records the balances that do not
/// follow.
struct BalanceTask: UpkeepTask {
    let store: Store
    let logger: Logger

    /// A finding is reported an hour after it was found.
    let schedule = UpkeepSchedule(interval: 900, beginsAtOnce: false)
    let failure = "balances not checked"

    func run(isStopped: () -> Bool) throws {
        for account in try store.userAccounts.recordFindings() {
            logger.info(
                "findings of an account changed",
                metadata: ["account": "\(account.account)", "findings": "\(account.findings)"])
        }
    }
}
