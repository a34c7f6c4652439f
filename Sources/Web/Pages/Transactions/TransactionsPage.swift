import Chronology
import Hummingbird
import Ledger
import Profiles
import Store

/// The list of transactions: search, filters, order, pages.
enum TransactionsPage {
    /// Rows of a page. More would make the page heavier than 100 kB.
    static let rows = 50

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/transactions", on: router) { call in
            let list = TransactionList(call, pages)
            let banks = pages.services.profiles().banks.map { ($0.key, $0.name) }
            return try await pages.show(.transactions, call) { ledger in
                TransactionsView(list, try TransactionsContent(list, in: ledger), banks: banks)
            }
        }
    }

}

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
        query.statuses = fields.text("status").flatMap(TransactionStatus.init).map { [$0] }
        query.category = fields.text("category")
        query.subcategory = fields.text("subcategory")
        query.account = fields.text("account")
        query.userAccountID = fields.text("user_account").flatMap { Int64($0) }
        query.tag = fields.text("tag")
        query.payeeID = fields.text("payee").flatMap { Int64($0) }
        query.bank = fields.text("bank")
        query.type = fields.text("type").flatMap(TransactionType.init)
        query.channel = fields.text("channel").flatMap(Channel.init)
        query.currency = fields.text("currency").flatMap { Currency(code: $0) }
        if let code = fields.text("currency"), query.currency?.isKnown != true {
            problems.append(PageText.of("transactions.no-currency", ["text": "\(code.prefix(10))"]))
        }
        unit = query.currency ?? unit
        query.search = fields.text("q").map { SearchExpression(String($0.prefix(200)), currency: unit) }
        problems += (query.search?.problems ?? []).map {
            PageText.of("transactions.search-problem", ["problem": $0.detail])
        }
        if fields.text("status") == nil, query.search?.namesStatus != true {
            query.statuses = [.confirmed, .needsReview]
        }
        query.amountFrom = units("from", PageText.of("common.amount-from"))
        query.amountTo = units("to", PageText.of("common.amount-to"))
        query.sort = fields.text("sort").flatMap(TransactionQuery.Sort.init) ?? .date
        query.isDescending = fields.text("dir") != "asc"
        query.cursor = fields.text("cursor")
        if let from = query.amountFrom, let to = query.amountTo, from > to {
            problems.append(PageText.of("transactions.amount-order"))
        }
    }

    private mutating func units(_ name: String, _ title: String) -> Int64? {
        guard let text = fields.text(name) else { return nil }
        if let money = Money(typed: text, currency: unit) { return money.minorUnits }
        problems.append(PageText.of("common.problem", ["field": title, "problem": Money.typedForm]))
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

/// The rows of one page of the list, with their sums and filters.
struct TransactionsContent: Sendable {
    var page: TransactionPage
    /// Sums of all pages; only for a filtered list, since the overview has the sums of the ledger.
    var sums: [Statistics.Totals]
    var categories: [CategoryRow]
    var accounts: [UserAccountRow]
    var tags: [String]
    /// The name of the payee that is selected.
    var payee: String?
    var transfers: [Int64: TransferRow]
    var cycles: [StatementCycle]
    var searches: [SavedSearch]
    /// True if the ledger holds no transaction at all.
    var isEmpty: Bool

    init(_ list: TransactionList, in ledger: Snapshot) throws {
        page = try Self.page(list.query, in: ledger)
        sums = list.isFiltered && !page.rows.isEmpty ? try ledger.transactions.totals(of: list.query) : []
        categories = try ledger.categories.all()
        accounts = try ledger.userAccounts.all()
        tags = try ledger.transactions.tags().map(\.name)
        payee = try list.query.payeeID.flatMap { try ledger.payees.find($0)?.name }
        cycles = list.choice.period == nil ? [] : try ledger.statistics.statementCycles()
        searches = try ledger.searches.all()
        transfers = try ledger.transfers.linked(of: page.rows.map(\.id))
        isEmpty = try page.rows.isEmpty && ledger.transactions.page(TransactionQuery(limit: 1)).total == 0
    }

    /// Returns the page at the cursor; the first page if the cursor belongs to another query.
    private static func page(_ query: TransactionQuery, in ledger: Snapshot) throws -> TransactionPage {
        do {
            return try ledger.transactions.page(query)
        } catch {
            guard error.kind == .invalid else { throw error }
        }
        var first = query
        first.cursor = nil
        return try ledger.transactions.page(first)
    }
}

struct TransactionsView: Sendable {
    struct Column: Sendable {
        var title: String
        var path: String
        /// `ascending`, `descending` or `none`.
        var order: String
        var isNumber: Bool
        var name: String
    }

    var isEmpty: Bool
    var isFiltered: Bool
    var hasFilters: Bool
    var problems: [String]
    var q: String
    var since: String
    var until: String
    var period: String
    var bar: PeriodBar?
    var account: String
    var from: String
    var to: String
    var sort: String
    var dir: String
    var currency: String
    var categoryChoices: [SelectChoice]
    var typeChoices: [SelectChoice]
    var statusChoices: [SelectChoice]
    var bankChoices: [SelectChoice]
    var accountChoices: [SelectChoice]
    var tagChoices: [SelectChoice]
    /// The payee whose rows the list shows, from a link to it: a choice of all payees would be too long.
    var payee: String?
    var payeeName: String?
    var bulkChoices: [SelectChoice]
    var columns: [Column]
    var rows: [TransactionLine]
    var total: String
    /// Sums of all pages, one entry for each currency.
    var sums: [String]
    var spans: [DashboardView.Choice]
    var older: String?
    var newest: String?
    var here: String
    /// The page that exports what the filters select.
    var export: String
    /// The page that changes all transactions that the filters select; `nil` for one that shows all of them.
    var bulk: String?
    var saved: SearchesView
    /// The query that can be saved; `nil` for a list of everything, and one that is saved.
    var unsaved: String?

    init(_ list: TransactionList, _ content: TransactionsContent, banks: [(key: String, name: String)]) {
        let (fields, query) = (list.fields, list.query)
        isEmpty = content.isEmpty
        isFiltered = list.isFiltered
        hasFilters = list.hasFilters
        problems = list.problems
        q = fields["q"] ?? ""
        since = fields["since"] ?? ""
        until = fields["until"] ?? ""
        period = fields["period"] ?? ""
        bar = list.choice.period.map {
            PeriodBar($0, list.choice, path: "/app/transactions", query: fields, cycles: content.cycles)
        }
        account = fields["account"] ?? ""
        from = fields["from"] ?? ""
        to = fields["to"] ?? ""
        sort = fields["sort"] ?? ""
        dir = fields["dir"] ?? ""
        currency = fields["currency"] ?? ""
        categoryChoices = Self.categories(content.categories, chosen: query.category)
        typeChoices = Self.choices(
            PageText.of("transactions.every-type"),
            [
                ("expense", PageText.of("common.expense")), ("income", PageText.of("common.income")),
                ("transfer", PageText.of("common.transfer")),
            ],
            chosen: query.type?.rawValue)
        statusChoices = Self.choices(
            PageText.of("transactions.booked-and-waiting"),
            [
                ("confirmed", PageText.of("common.booked")),
                ("needs_review", PageText.of("transactions.waiting-for-review")),
                ("rejected", PageText.of("common.rejected")),
            ],
            chosen: fields.text("status"))
        bankChoices = Self.choices(PageText.of("common.every-bank"), banks, chosen: query.bank)
        accountChoices = Self.choices(
            PageText.of("transactions.every-account"), content.accounts.map { ("\($0.id)", $0.name) },
            chosen: fields.text("user_account"))
        tagChoices = Self.choices(
            PageText.of("transactions.every-tag"), content.tags.map { ($0, $0) }, chosen: query.tag)
        payee = query.payeeID.map(String.init)
        payeeName = content.payee
        bulkChoices = CategorySelection.choices(content.categories, chosen: nil, nil)
        columns = Self.columns(list)
        here = list.address
        let filters = Self.filters(list)
        export = "/app/export" + (filters.isEmpty ? "" : "?" + filters)
        saved = SearchesView(content.searches, current: list.kept)
        unsaved = Self.unsaved(list, among: content.searches)
        bulk = list.isFiltered ? "/app/transactions/bulk?" + FormFields.encoded([("list", filters)]) : nil
        rows = Self.lines(content, back: list.address)
        total = PageText.count(content.page.total, "transaction")
        sums = content.sums.map(Self.sentence)
        spans = Self.spans(list)
        older = content.page.next.map { list.path([("cursor", $0)]) }
        newest = query.cursor.map { _ in list.path([("cursor", nil)]) }
    }

    private static func lines(_ content: TransactionsContent, back: String) -> [TransactionLine] {
        let colors = Dictionary(content.categories.compactMap { row in row.color.map { (row.name, $0) } }) { $1 }
        return content.page.rows.map {
            TransactionLine($0, transfer: content.transfers[$0.id], colors: colors, back: back)
        }
    }

    /// The query that selects the rows of the list: its filters, with the days of its period.
    private static func filters(_ list: TransactionList) -> String {
        let (since, until) = (list.query.since?.description, list.query.until?.description)
        return list.fields.with(
            [("cursor", nil), ("sort", nil), ("dir", nil), ("period", nil)] + PageNotice.parameters
                + (list.choice.period == nil ? [] : [("since", since), ("until", until)]))
    }

    private static func unsaved(_ list: TransactionList, among searches: [SavedSearch]) -> String? {
        let isSaved = searches.contains { $0.query == list.kept }
        return list.isFiltered && !isSaved && list.problems.isEmpty ? list.kept : nil
    }

    private static func choices(_ all: String, _ values: [(String, String)], chosen: String?) -> [SelectChoice] {
        [SelectChoice("", all, chosen: chosen ?? "")] + values.map { SelectChoice($0.0, $0.1, chosen: chosen) }
    }

    /// The categories, and the chosen one even if it is not among them, such as one of imported rows.
    private static func categories(_ categories: [CategoryRow], chosen: String?) -> [SelectChoice] {
        var names = categories.map { ($0.name, CategoryText.name($0.name)) }
        if let chosen, !names.contains(where: { $0.0 == chosen }) { names.append((chosen, CategoryText.name(chosen))) }
        return choices(PageText.of("common.every-category"), names, chosen: chosen)
    }

    private static func columns(_ list: TransactionList) -> [Column] {
        let columns: [(TransactionQuery.Sort, String)] = [
            (.date, PageText.of("common.date")), (.merchant, PageText.of("common.merchant")),
            (.category, PageText.of("common.category")), (.amount, PageText.of("common.amount")),
        ]
        return columns.map { sort, title in
            let isCurrent = list.query.sort == sort
            let descends = isCurrent ? !list.query.isDescending : sort == .date || sort == .amount
            return Column(
                title: title,
                path: list.path([("sort", sort.rawValue), ("dir", descends ? "desc" : "asc"), ("cursor", nil)]),
                order: isCurrent ? (list.query.isDescending ? "descending" : "ascending") : "none",
                isNumber: sort == .amount, name: sort.rawValue)
        }
    }

    private static func sentence(_ sum: Statistics.Totals) -> String {
        let parts: [(String, Money, Int)] = [
            ("transactions.sum-spent", sum.spent, sum.expenses),
            ("transactions.sum-received", sum.received, sum.incomes),
            ("transactions.sum-between", sum.transferred, sum.transfers),
        ]
        return parts.filter { $0.2 > 0 }.map { PageText.of($0.0, ["amount": MoneyText.text($0.1)]) }
            .joined(separator: ", ")
    }

    /// Common spans of days, combined with the other filters.
    private static func spans(_ list: TransactionList) -> [DashboardView.Choice] {
        let today = list.today
        let month = ReportingPeriod(.month, around: today)
        let spans: [(String, ReportingPeriod?)] = [
            (PageText.of("common.all"), nil), (PageText.of("transactions.this-month"), month),
            (PageText.of("transactions.last-month"), month?.previous),
            (PageText.of("period.kind-recent-quarter"), .recent(.quarter, through: today)),
            (PageText.of("transactions.this-year"), ReportingPeriod(.year, around: today)),
        ]
        let hasDays = list.fields.text("since") != nil || list.fields.text("until") != nil
        return spans.map { title, period in
            DashboardView.Choice(
                title: title,
                path: list.path([
                    ("period", period?.description), ("since", nil), ("until", nil), ("cursor", nil),
                ]), isCurrent: !hasDays && list.choice.period == period)
        }
    }
}
