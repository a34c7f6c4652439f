import Chronology
import HummingbirdCore
import Ledger
import Store

/// The query of the list, as the address has it.
struct TransactionList: Sendable {
    var fields: FormFields
    var query = TransactionQuery(limit: TransactionsPage.rows)
    /// Values that are invalid. They are ignored and reported.
    var problems: [String] = []
    /// The path of the list with its query.
    var address: String
    var today: CalendarDate
    var choice: PeriodChoice
    /// The currency of typed amounts: the one that is chosen, otherwise the home currency.
    private var unit: Currency

    init(_ call: PageCall, _ pages: Pages) { self.init(call.query, path: call.request.uri.path, pages) }

    init(_ fields: FormFields, path: String = "/app/transactions", _ pages: Pages) {
        let today = pages.today
        self.fields = fields
        self.today = today
        unit = pages.home
        let kept = fields.with(PageNotice.parameters)
        address = path + (kept.isEmpty ? "" : "?" + kept)
        choice = PeriodChoice(fields, today: today)
        problems = choice.problems
        (query.since, query.until) = fields.days(&problems)
        if let period = choice.period {
            if query.since != nil || query.until != nil {
                problems.append(PageText.of("transactions.days-not-period"))
            } else {
                (query.since, query.until) = (period.days.first, period.days.last)
            }
        }
        query.category = fields.text("category")
        query.subcategory = fields.text("subcategory")
        query.account = fields.text("account")
        query.tag = fields.text("tag")
        query.bank = fields.text("bank")
        readChoices()
        query.currency = fields.currency(&problems)
        unit = query.currency ?? unit
        query.search = fields.text("q").map { SearchExpression(String($0.prefix(200)), currency: unit) }
        problems += (query.search?.faults ?? []).map(\.sentence)
        if query.statuses == nil, query.search?.namesStatus != true {
            query.statuses = [.confirmed, .needsReview]
        }
        query.amountFrom = units("from", PageText.of("common.amount-from"))
        query.amountTo = units("to", PageText.of("common.amount-to"))
        query.cursor = fields.text("cursor")
        if let from = query.amountFrom, let to = query.amountTo, from > to {
            problems.append(PageText.of("transactions.amount-order"))
        }
    }

    private enum Direction: String, CaseIterable {
        case asc, desc
    }

    /// Reads what the lists of the form offer, as the API reads its own parameters.
    private mutating func readChoices() {
        var reader = Query(fields)
        query.statuses = reader.choice("status", TransactionStatus.self).map { [$0] }
        query.type = reader.choice("type", TransactionType.self)
        query.channel = reader.choice("channel", Channel.self)
        query.userAccountID = reader.number("user_account", 1...Int.max).map(Int64.init)
        query.payeeID = reader.number("payee", 1...Int.max).map(Int64.init)
        query.sort = reader.choice("sort", TransactionQuery.Sort.self) ?? .date
        query.isDescending = reader.choice("dir", Direction.self) != .asc
        problems += reader.sentences
    }

    /// The period of the list, also if it was typed as its first and last day.
    var period: ReportingPeriod? {
        if let period = choice.period, fields.text("since") == nil, fields.text("until") == nil { return period }
        guard let since = query.since, let until = query.until else { return nil }
        return DaySpan(since, through: until).map { ReportingPeriod($0) }
    }

    private mutating func units(_ name: String, _ title: String) -> Int64? {
        guard let text = fields.text(name) else { return nil }
        if let money = Money(typed: text, currency: unit) { return money.minorUnits }
        problems.append(PageText.of("common.problem", ["field": title, "problem": FieldFault.amountForm.sentence]))
        return nil
    }

    /// Filters in the fold-out part of the form. Days alone are visible in the choice of the span.
    private static let filters = [
        "account", "user_account", "payee", "tag", "from", "to", "category", "subcategory", "type", "status", "bank",
        "currency",
        "channel",
    ]

    /// The part that a saved search keeps: the fields that select and order.
    var kept: String { fields.with([("cursor", nil)] + PageNotice.parameters) }

    var hasFilters: Bool { Self.filters.contains { fields.text($0) != nil } }
    var isFiltered: Bool { hasFilters || ["q", "period", "since", "until"].contains { fields.text($0) != nil } }

    /// The address of the list with changed fields, without the notice of the last edit.
    func path(_ changes: [(String, String?)]) -> String {
        "/app/transactions?" + fields.with(changes + PageNotice.parameters)
    }
}
