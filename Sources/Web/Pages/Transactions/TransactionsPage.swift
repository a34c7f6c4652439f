import Chronology
import Hummingbird
import Ledger
import Profiles
import Store

/// The list of transactions: search, filters, order, pages.
enum TransactionsPage {
    /// Rows of a page: with more of them the page would weigh over 100 kB.
    static let rows = 50

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/transactions", on: router) { call in
            let (query, problems) = Self.query(call.query)
            let (page, sums, categories, transfers, isEmpty) = try await pages.services.ledger { store in
                let page: TransactionPage
                do { page = try store.transactions.page(query) } catch let error as StoreError
                    where error.kind == .invalid
                {
                    // A cursor of another query: its first page.
                    var first = query
                    first.cursor = nil
                    page = try store.transactions.page(first)
                }
                // Of a part of the ledger; the overview has the sums of all.
                let sums =
                    TransactionsView.isFiltered(call.query) && !page.rows.isEmpty
                    ? try store.transactions.totals(of: query) : []
                return (
                    page, sums, try store.categories.all(), try store.transfers.linked(of: page.rows.map(\.id)),
                    try page.rows.isEmpty && store.transactions.page(TransactionQuery(limit: 1)).total == 0
                )
            }
            let view = TransactionsView(
                page, sums, query, call, categories, transfers,
                banks: pages.services.profiles().banks.map { ($0.key, $0.name) }, problems, today: pages.today,
                isEmpty: isEmpty)
            return await pages.show("transactions", view, call, title: "Transactions", section: .transactions)
        }
    }

    /// What cannot be read is left out, and said.
    static func query(_ fields: FormFields) -> (query: TransactionQuery, problems: [String]) {
        var query = TransactionQuery(limit: rows)
        var problems: [String] = []
        query.text = fields.text("q").map { String($0.prefix(200)) }
        func day(_ name: String, _ title: String) -> CalendarDate? {
            guard let text = fields.text(name) else { return nil }
            if let day = CalendarDate(iso: text) { return day }
            problems.append("\(title): write the day as yyyy-mm-dd.")
            return nil
        }
        query.since = day("since", "From")
        query.until = day("until", "To")
        query.statuses = fields.text("status").flatMap(TransactionStatus.init).map { [$0] }
        if fields.text("status") == nil { query.statuses = [.confirmed, .needsReview] }
        query.category = fields.text("category")
        query.subcategory = fields.text("subcategory")
        query.account = fields.text("account")
        query.bank = fields.text("bank")
        query.type = fields.text("type").flatMap(TransactionType.init)
        query.channel = fields.text("channel").flatMap(Channel.init)
        query.currency = fields.text("currency").flatMap { Currency(code: $0) }
        func units(_ name: String, _ title: String) -> Int64? {
            guard let text = fields.text(name) else { return nil }
            if let money = Money(typed: text, currency: query.currency ?? .inr) { return money.minorUnits }
            problems.append("\(title): \(Money.typedForm).")
            return nil
        }
        query.amountFrom = units("from", "Amount from")
        query.amountTo = units("to", "Amount to")
        query.sort = fields.text("sort").flatMap(TransactionQuery.Sort.init) ?? .date
        query.isDescending = fields.text("dir") != "asc"
        query.cursor = fields.text("cursor")
        return (query, problems)
    }
}

struct TransactionsView {
    struct Column {
        var title: String
        var path: String
        /// `ascending`, `descending` or `none`.
        var order: String
        var isNumber: Bool
        var name: String
    }

    var isEmpty: Bool
    var isFiltered: Bool
    var problems: [String]
    var q: String
    var since: String
    var until: String
    var account: String
    var from: String
    var to: String
    var sort: String
    var dir: String
    var categoryChoices: [SelectChoice]
    var typeChoices: [SelectChoice]
    var statusChoices: [SelectChoice]
    var bankChoices: [SelectChoice]
    var currency: String
    var columns: [Column]
    var rows: [TransactionLine]
    var total: String
    /// Of what is shown on all pages, each currency by itself.
    var sums: [String]
    var spans: [DashboardView.Choice]
    var older: String?
    var newest: String?
    var bulkChoices: [SelectChoice]
    var here: String
    /// Whether anything is set beside the search.
    var hasFilters: Bool

    init(
        _ page: TransactionPage, _ sums: [Statistics.Totals], _ query: TransactionQuery, _ call: PageCall,
        _ categories: [CategoryRow], _ transfers: [Int64: TransferRow], banks: [(key: String, name: String)],
        _ problems: [String],
        today: CalendarDate, isEmpty: Bool
    ) {
        let fields = call.query
        self.isEmpty = isEmpty
        self.problems = problems
        q = fields["q"] ?? ""
        since = fields["since"] ?? ""
        until = fields["until"] ?? ""
        account = fields["account"] ?? ""
        from = fields["from"] ?? ""
        to = fields["to"] ?? ""
        sort = fields["sort"] ?? ""
        dir = fields["dir"] ?? ""
        currency = fields["currency"] ?? ""
        func named(_ all: String, _ values: [(String, String)], _ chosen: String?) -> [SelectChoice] {
            [SelectChoice("", all, chosen: chosen ?? "")] + values.map { SelectChoice($0.0, $0.1, chosen: chosen) }
        }
        var names = categories.map { ($0.name, $0.name) }
        // One that the list does not have, such as of rows that came from elsewhere.
        if let other = query.category, !names.contains(where: { $0.0 == other }) { names.append((other, other)) }
        categoryChoices = named("Every category", names, query.category)
        typeChoices = named(
            "Every type", [("expense", "Expense"), ("income", "Income"), ("transfer", "Transfer")], query.type?.rawValue
        )
        statusChoices = named(
            "Booked and waiting",
            [("confirmed", "Booked"), ("needs_review", "Waiting for review"), ("rejected", "Rejected")],
            fields.text("status"))
        bankChoices = named("Every bank", banks, query.bank)
        // Days alone are seen in the choice of the span.
        hasFilters = Self.filters.contains { fields.text($0) != nil }
        isFiltered = Self.isFiltered(fields)
        spans = Self.spans(fields, today)
        func column(_ sort: TransactionQuery.Sort, _ title: String, isNumber: Bool = false) -> Column {
            let isCurrent = query.sort == sort
            let descends = isCurrent ? !query.isDescending : sort == .date || sort == .amount
            return Column(
                title: title,
                path: "/app/transactions?"
                    + fields.with([
                        ("sort", sort.rawValue), ("dir", descends ? "desc" : "asc"), ("cursor", nil), ("done", nil),
                        ("undo", nil), ("offer", nil),
                    ]),
                order: isCurrent ? (query.isDescending ? "descending" : "ascending") : "none", isNumber: isNumber,
                name: sort.rawValue)
        }
        columns = [
            column(.date, "Date"), column(.merchant, "Merchant"), column(.category, "Category"),
            column(.amount, "Amount", isNumber: true),
        ]
        let kept = fields.with([("done", nil), ("undo", nil), ("offer", nil)])
        here = call.request.uri.path + (kept.isEmpty ? "" : "?" + kept)
        let colors = Dictionary(categories.compactMap { row in row.color.map { (row.name, $0) } }) { first, _ in first }
        rows = page.rows.map { [here] in TransactionLine($0, transfer: transfers[$0.id], colors: colors, back: here) }
        total = DashboardView.count(page.total, "transaction")
        self.sums = sums.map { sum in
            let parts: [(String, Money, Int)] = [
                ("spent", sum.spent, sum.expenses), ("received", sum.received, sum.incomes),
                ("between your accounts", sum.transferred, sum.transfers),
            ]
            return parts.filter { $0.2 > 0 }.map { "\(MoneyText.text($0.1)) \($0.0)" }.joined(separator: ", ")
        }
        older = page.next.map {
            "/app/transactions?" + fields.with([("cursor", $0), ("done", nil), ("undo", nil), ("offer", nil)])
        }
        newest = query.cursor.map { _ in
            "/app/transactions?" + fields.with([("cursor", nil), ("done", nil), ("undo", nil), ("offer", nil)])
        }
        bulkChoices = CategorySelection.choices(categories, chosen: nil, nil)
    }

    private static let filters = [
        "account", "from", "to", "category", "subcategory", "type", "status", "bank", "currency", "channel",
    ]

    static func isFiltered(_ fields: FormFields) -> Bool {
        (filters + ["q", "since", "until"]).contains { fields.text($0) != nil }
    }

    /// Days that are asked for often, with whatever else is set.
    private static func spans(_ fields: FormFields, _ today: CalendarDate) -> [DashboardView.Choice] {
        let month = CalendarDate(year: today.year, month: today.month, day: 1) ?? today
        let last = CalendarDate(daysSince1970: month.daysSince1970 - 1)
        let year = CalendarDate(year: today.year, month: 1, day: 1) ?? today
        let spans: [(String, CalendarDate?, CalendarDate?)] = [
            ("All", nil, nil), ("This month", month, nil),
            ("Last month", CalendarDate(year: last.year, month: last.month, day: 1), last),
            ("90 days", CalendarDate(daysSince1970: today.daysSince1970 - 89), nil), ("This year", year, nil),
        ]
        return spans.map { title, first, last in
            DashboardView.Choice(
                title: title,
                path: "/app/transactions?"
                    + fields.with([
                        ("since", first?.description), ("until", last?.description), ("cursor", nil), ("done", nil),
                        ("undo", nil), ("offer", nil),
                    ]),
                isCurrent: fields.text("since") == first?.description && fields.text("until") == last?.description)
        }
    }
}
