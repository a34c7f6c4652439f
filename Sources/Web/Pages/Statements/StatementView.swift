import Chronology
import Ledger
import Review
import Store

/// The statements of one account.
struct StatementsView: Sendable {
    struct Line: Sendable {
        var path: String
        var period: String
        var closing: String
        var state: String
        var file: String
    }

    var account: String
    var accountPath: String
    var uploadPath: String
    var lines: [Line]
    /// The lists of payments that can be read.
    var lists: [String]

    init(_ id: Int64, lists: [String], in ledger: Snapshot) throws {
        self.lists = lists
        account = try AccountsPage.row(id, ledger).name
        accountPath = "/app/accounts/\(id)"
        uploadPath = "/app/accounts/\(id)/statements"
        lines = try ledger.statements.all(of: id).map { row in
            Line(
                path: "/app/statements/\(row.id)", period: StatementView.period(row),
                closing: row.closing.map { MoneyText.text($0) } ?? "", state: StatementView.state(row),
                file: row.fileName ?? "")
        }
    }
}

/// One statement, or one list of payments, beside the ledger.
struct StatementView: TitledView {
    /// A line and its transaction.
    struct Pair: Sendable {
        var row: String
        var day: String
        var text: String
        var amount: String
        /// The transaction; empty for a line without one.
        var path = ""
        var booked = ""
        var note = ""
        var mayBook = false
    }

    /// A row of a list of payments that makes no line.
    struct Omitted: Sendable {
        var row: String
        var reason: String
    }

    /// A transaction without a line.
    struct Missing: Sendable {
        var path: String
        var text: String
        var cause: String
    }

    var title: String
    var id: String
    var accountPath: String
    var statementsPath: String
    var state: String
    var proof: String
    /// Lines that are only in the statement.
    var open: [Pair]
    var different: [Pair]
    var missing: [Missing]
    var agreed: [Pair]
    var openCount: String
    var mayBook: Bool
    /// True for a list of payments.
    var isList: Bool
    var openTitle: String
    var agreedTitle: String
    /// Payments of a list that have only their amount in common with a transaction.
    var possible: [Pair] = []
    var omitted: [Omitted]

    init(_ id: Int64, in ledger: Snapshot) throws {
        let content = try ledger.statements.content(of: id)
        let comparison = try StatementComparison(content, in: ledger)
        let row = content.row
        isList = row.list != nil
        let period = Self.period(row)
        title =
            row.list.map { PageText.of("statement.list-title", ["list": $0, "period": period]) }
            ?? PageText.of("statement.title", ["period": period])
        openTitle = isList ? PageText.of("statement.not-booked-yet") : PageText.of("statement.only-in-the-statement")
        agreedTitle = isList ? PageText.of("statement.booked-already") : PageText.of("statement.booked-as-stated")
        omitted = content.statement.omitted.map { Omitted(row: "\($0.row)", reason: $0.reason.sentence) }
        self.id = "\(id)"
        accountPath = "/app/accounts/\(row.account)"
        statementsPath = "/app/accounts/\(row.account)/statements"
        state = Self.state(row)
        proof =
            isList ? PageText.of("statement.list-proves-nothing") : row.proof.sentence
        let isProven = row.proof != .none || isList
        let lines = content.statement.lines
        open = comparison.result.onlyInStatement.map { index in
            var pair = Pair(lines[index], row.currency)
            pair.mayBook = isProven && lines[index].change != 0
            return pair
        }
        mayBook = open.contains(where: \.mayBook)
        openCount = PageText.count(open.count, "line")
        let pairs = comparison.result.matches.map { match in
            (match, Pair(lines[match.line], row.currency, match, comparison.transactions[match.transaction]))
        }
        let isUncertain: (Reconciliation.Match) -> Bool = { row.list != nil && $0.strength == .amount }
        possible = pairs.filter { isUncertain($0.0) }.map(\.1)
        let certain = pairs.filter { !isUncertain($0.0) }
        different = certain.filter { !$0.0.differences.isEmpty }.map(\.1)
        agreed = certain.filter { $0.0.differences.isEmpty }.map(\.1)
        missing = comparison.result.onlyInLedger.compactMap { missing in
            comparison.transactions[missing.transaction].map {
                Missing(
                    path: "/app/transactions/\($0.id)",
                    text: [DayText.text($0.date), $0.vendor ?? $0.vpa ?? "", MoneyText.text($0.amount)].joined(
                        separator: " · "), cause: missing.cause.sentence)
            }
        }
    }

    static func period(_ row: StatementRow) -> String {
        PageText.of("period.span", ["first": DayText.text(row.period.first), "last": DayText.text(row.period.last)])
    }

    static func state(_ row: StatementRow) -> String {
        if row.reconciledAt != nil { return PageText.of("statement.reconciled") }
        return row.open == 0
            ? PageText.of("statement.all-linked")
            : PageText.count(row.open, "line") + PageText.of("statement.not-booked")
    }
}

extension StatementView.Pair {
    init(
        _ line: StatementLine, _ currency: Currency, _ match: Reconciliation.Match? = nil,
        _ transaction: TransactionRow? = nil
    ) {
        row = "\(line.row)"
        day = DayText.text(line.day)
        text = line.text
        amount = MoneyText.text(Money(minorUnits: line.change, currency: currency))
        guard let match, let transaction else { return }
        path = "/app/transactions/\(transaction.id)"
        booked = [
            DayText.text(transaction.date), transaction.vendor ?? transaction.vpa ?? "",
            MoneyText.text(transaction.amount),
        ].joined(separator: " · ")
        note =
            match.differences.isEmpty
            ? match.strength.sentence
            : PageText.of(
                "statement.differs",
                ["fields": match.differences.map(\.rawValue).sorted().joined(separator: ", ")])
    }
}
