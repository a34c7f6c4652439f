import Ledger
import Store

/// Makes entries from transactions. Only this type decides the payee, places and parts of an entry.
struct EntryMaker: Sendable {
    let accounts: [Int64: ExportAccount]
    /// Categories that have expenses: an income in one of them is a refund.
    let expenseCategories: Set<String>

    /// Shipped categories in which an income is never a refund.
    private static let incomeCategories: Set<String> = [CategoryRow.income, CategoryRow.uncategorized]

    func account(of row: TransactionRow) -> ExportAccount {
        row.userAccountID.flatMap { accounts[$0] } ?? ExportAccount(of: row)
    }

    /// The entry of a single transaction.
    ///
    /// - Parameters:
    ///   - transfer: the linked transfer that it is a side of.
    ///   - splits: the parts of a split payment.
    func entry(_ row: TransactionRow, _ transfer: TransferRow?, _ splits: [SplitPart] = []) -> ExportEntry {
        let flow = Self.flow(of: row, transfer)
        let isTransfer = transfer != nil || row.type == .transfer
        let account = account(of: row)
        let amount = Money(
            minorUnits: flow == .credit ? row.amount.minorUnits : -row.amount.minorUnits, currency: row.amount.currency)
        let parts = splits.map { part in
            let minor = flow == .credit ? -part.minorUnits : part.minorUnits
            return ExportEntry.Part(
                place: place(of: row, category: part.category, part.subcategory),
                amount: Money(minorUnits: minor, currency: amount.currency))
        }
        let whole = ExportEntry.Part(
            place: isTransfer ? .transfers : place(of: row, category: row.category, row.subcategory),
            amount: amount.negated)
        return ExportEntry(
            id: row.exportID, row: row, day: row.date, payee: Self.payee(of: row), account: account, amount: amount,
            parts: parts.isEmpty || isTransfer ? [whole] : parts)
    }

    /// The entry of a refund: a negative expense in the category of the purchase.
    func entry(refund: TransactionRow, of purchase: TransactionRow) -> ExportEntry {
        var row = refund
        (row.category, row.subcategory) = (purchase.category, purchase.subcategory)
        let place = ExportEntry.Place.expense(category: row.category, subcategory: row.subcategory)
        return ExportEntry(
            id: row.exportID, row: row, purchase: purchase, day: row.date, payee: Self.payee(of: row),
            account: account(of: row), amount: row.amount,
            parts: [ExportEntry.Part(place: place, amount: row.amount.negated)])
    }

    /// The entry of an instalment. The purchase is an expense already, so only the interest of the instalment is one.
    ///
    /// - Parameter interest: in minor units, at most the amount.
    func entry(instalment row: TransactionRow, interest: Int64) -> ExportEntry {
        func part(_ place: ExportEntry.Place, _ minor: Int64) -> ExportEntry.Part {
            ExportEntry.Part(place: place, amount: Money(minorUnits: minor, currency: row.amount.currency))
        }
        let parts = [
            part(.transfers, row.amount.minorUnits - interest),
            part(.expense(category: row.category, subcategory: row.subcategory), interest),
        ]
        return ExportEntry(
            id: row.exportID, row: row, day: row.date, payee: Self.payee(of: row), account: account(of: row),
            amount: row.amount.negated, parts: parts.filter { $0.amount.minorUnits > 0 })
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

    static func flow(of row: TransactionRow, _ transfer: TransferRow?) -> TransferLeg.Flow {
        row.flow(linked: transfer.map { $0.debit?.id == row.id ? .debit : .credit })
    }

    private func place(
        of row: TransactionRow, category: String, _ subcategory: String?
    ) -> ExportEntry.Place {
        let isRefund = !Self.incomeCategories.contains(category) && expenseCategories.contains(category)
        return row.type == .expense || isRefund
            ? .expense(category: category, subcategory: subcategory)
            : .income(category: category, subcategory: subcategory)
    }

    private static func payee(of row: TransactionRow) -> String { row.payee ?? row.vendor ?? row.vpa ?? "" }
}

extension Money {
    var negated: Money { Money(minorUnits: 0 &- minorUnits, currency: currency) }
}
