import Ledger
import Store

/// The balances of the accounts: the sums of the entries that were written to a file.
struct BalanceProof: Sendable {
    /// In minor units of the account's own currency.
    private var balances: [Int64: Int64] = [:]

    /// Adds a change, and compares the balance with the one that the alert printed.
    mutating func add(
        _ amount: Money, to account: ExportAccount, of row: TransactionRow?
    ) -> ExportEntry.PrintedBalance? {
        guard let id = account.id else { return nil }
        if amount.currency == account.currency { balances[id, default: 0] &+= amount.minorUnits }
        guard let row, let printed = account.printedBalance(row) else { return nil }
        return ExportEntry.PrintedBalance(
            amount: Money(minorUnits: printed, currency: account.currency), holds: printed == balances[id, default: 0])
    }
}
