import Ledger
import Store

/// An account of the user as files name it.
struct ExportAccount: Hashable, Sendable {
    /// `user_accounts.id`; `nil` for the account of rows that name none.
    var id: Int64?
    /// Unique among the accounts with a number, in any case of letters.
    var name: String
    var type: UserAccountType
    var currency: Currency
    var institution: String?
    var lastFour: String?
    var creditLimit: Money?

    var isDebt: Bool { type == .card || type == .loan }

    /// The account of a row that names no account of the user: by the words of the row.
    init(of row: TransactionRow) {
        (id, name) = (nil, row.account ?? "Unassigned")
        (type, currency) = (.bank, row.amount.currency)
    }

    init(unassigned currency: Currency) {
        (id, name) = (nil, "Unassigned")
        (type, self.currency) = (.bank, currency)
    }

    private init(_ row: UserAccountRow, name: String) {
        (id, self.name, type, currency) = (row.id, name, row.type, row.currency)
        (institution, lastFour, creditLimit) = (row.institution, row.lastFour, row.creditLimit)
    }

    /// The accounts by number. Names that a format could write alike get their number.
    static func all(_ rows: [UserAccountRow]) -> [Int64: ExportAccount] {
        let forms = [Path.dashed, Path.worded].map { form in rows.map { form($0.name).lowercased() } }
        let counts = forms.map { Dictionary($0.map { ($0, 1) }, uniquingKeysWith: +) }
        var accounts: [Int64: ExportAccount] = [:]
        for (index, row) in rows.enumerated() {
            let isAlone = zip(forms, counts).allSatisfy { names, counts in
                counts[names[index]] == 1 && names[index] != "unassigned"
            }
            accounts[row.id] = ExportAccount(row, name: isAlone ? row.name : "\(row.name) (\(row.id))")
        }
        return accounts
    }

    /// The balance after a movement as an alert printed it; for a card, the available limit less the credit limit.
    func printedBalance(_ row: TransactionRow) -> Int64? {
        if let balance = row.balance, balance.currency == currency { return balance.minorUnits }
        guard type == .card, let limit = row.limit, limit.currency == currency, let credit = creditLimit else {
            return nil
        }
        return limit.minorUnits &- credit.minorUnits
    }
}
