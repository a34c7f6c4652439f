import Chronology
import Ledger
import Store

/// What is due, the budgets to watch, the balances, and those that do not add up, as text.
struct StandingView: Sendable {
    struct Account: Sendable {
        var name: String
        var path: String
        var amount: String
        var note: String
    }

    var dues: [DuesView.Line]
    /// The link to all dues; `nil` if all are listed.
    var allDues: String?
    var budgets: [BudgetsView.Line]
    var balances: [Account]
    /// The link to all accounts; `nil` if all are listed.
    var allAccounts: String?
    /// Net worth in the home currency, then what has no rate, by currency.
    var worth: [String]
    /// Accounts with balances that do not follow from what is booked.
    var gaps: [Account]

    var isEmpty: Bool { dues.isEmpty && budgets.isEmpty && balances.isEmpty && gaps.isEmpty }

    private static let accounts = 5

    init(_ standing: Standing, zone: IANATimeZone) {
        dues = standing.dues.map(DuesView.Line.init)
        allDues =
            standing.allDues > dues.count ? PageText.of("overview.all-dues", count: standing.allDues) : nil
        budgets = standing.budgets.map(BudgetsView.Line.init)
        balances = standing.balances.prefix(Self.accounts).map { balance in
            Account(
                name: balance.account.name, path: "/app/accounts/\(balance.account.id)",
                amount: AccountText.balance(balance.position, of: balance.account),
                note: AccountText.basis(balance.position, zone))
        }
        allAccounts =
            standing.balances.count > balances.count
            ? PageText.of("overview.all-accounts", count: standing.balances.count) : nil
        worth =
            standing.worth.map { worth in [worth.total] + worth.unconverted.filter { $0.minorUnits != 0 } }?.map(
                MoneyText.text) ?? []
        gaps = standing.gaps.map { check in
            Account(
                name: check.name, path: "/app/accounts/\(check.account)",
                amount: check.findings > 0 ? PageText.count(check.findings, "gap") : "",
                note: check.findings > 0
                    ? PageText.of("overview.gaps", count: check.findings)
                    : PageText.of("account.the-banks-alerts-of-this"))
        }
    }
}
