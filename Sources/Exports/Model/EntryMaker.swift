import Ledger
import Store

/// Makes entries from transactions. Payees, places and parts of an entry are made here and nowhere else.
struct EntryMaker: Sendable {
    let accounts: [Int64: ExportAccount]
    /// Categories that have expenses: an income in one of them is a refund.
    let expenseCategories: Set<String>

    /// Shipped names of categories that are never those of a refund.
    private static let incomeCategories: Set<String> = ["Income", CategoryRow.uncategorized]

    func account(of row: TransactionRow) -> ExportAccount {
        row.userAccountID.flatMap { accounts[$0] } ?? ExportAccount(of: row)
    }

    /// The entry of a transaction on its own.
    ///
    /// - Parameter transfer: the linked transfer that it is a side of.
    /// - Returns: `nil` for a transfer whose direction is not known.
    func entry(_ row: TransactionRow, _ transfer: TransferRow?) -> ExportEntry? {
        guard let flow = Self.flow(of: row, transfer) else { return nil }
        let account = account(of: row)
        let amount = Money(
            minorUnits: flow == .credit ? row.amount.minorUnits : -row.amount.minorUnits, currency: row.amount.currency)
        return ExportEntry(
            id: row.exportID, row: row, day: row.date, payee: Self.payee(of: row), account: account, amount: amount,
            parts: [ExportEntry.Part(place: place(of: row, transfer), amount: amount.negated)])
    }

    /// The entry of both sides of a transfer, on the day of the debit.
    func entry(debit: TransactionRow, credit: TransactionRow) -> ExportEntry {
        let amount = debit.amount
        return ExportEntry(
            id: debit.exportID, row: debit, counterpart: credit, day: debit.date, payee: Self.payee(of: debit),
            account: account(of: debit), amount: amount.negated,
            parts: [ExportEntry.Part(place: .account(account(of: credit)), amount: amount)])
    }

    func opening(_ opening: OpeningBalance, of account: ExportAccount) -> ExportEntry {
        ExportEntry(
            id: "opening-\(account.id ?? 0)", day: opening.day, payee: "Opening balance", account: account,
            amount: opening.balance, parts: [ExportEntry.Part(place: .openings, amount: opening.balance.negated)])
    }

    /// The direction of a transaction; `nil` for a transfer without a known one.
    static func flow(of row: TransactionRow, _ transfer: TransferRow?) -> TransferLeg.Flow? {
        if let transfer { return transfer.debit?.id == row.id ? .debit : .credit }
        switch row.type {
        case .expense: return .debit
        case .income: return .credit
        case .transfer: return nil
        }
    }

    private func place(of row: TransactionRow, _ transfer: TransferRow?) -> ExportEntry.Place {
        if transfer != nil { return .transfers }
        let isRefund = !Self.incomeCategories.contains(row.category) && expenseCategories.contains(row.category)
        return row.type == .expense || isRefund
            ? .expense(category: row.category, subcategory: row.subcategory)
            : .income(category: row.category, subcategory: row.subcategory)
    }

    private static func payee(of row: TransactionRow) -> String { row.payee ?? row.vendor ?? row.vpa ?? "" }
}

extension Money {
    var negated: Money { Money(minorUnits: 0 &- minorUnits, currency: currency) }
}
