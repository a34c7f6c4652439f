import Chronology
import Ledger
import Store

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
    /// Names that nothing in the ledger has.
    var hints: [String]
    var q: String
    var since: String
    var until: String
    var period: String
    var bar: PeriodBar
    var account: String
    var from: String
    var to: String
    var sort: String
    var dir: String
    var currency: String
    var categoryChoices: [SelectChoice]
    var subcategoryChoices: [SelectChoice]
    var channelChoices: [SelectChoice]
    var typeChoices: [SelectChoice]
    var statusChoices: [SelectChoice]
    var bankChoices: [SelectChoice]
    var accountChoices: [SelectChoice]
    var tagChoices: [SelectChoice]
    /// The payee whose rows the list shows, from a link to it: a choice of all payees would be too long.
    var payee: String?
    var payeeName: String?
    var bulkChoices: [CategoryChoices]
    var columns: [Column]
    var rows: [TransactionLine]
    var total: String
    /// Sums of all pages, one entry for each currency.
    var sums: [String]
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
        hints = content.unknown.map(\.sentence)
        q = fields["q"] ?? ""
        since = fields["since"] ?? ""
        until = fields["until"] ?? ""
        period = fields["period"] ?? ""
        bar = PeriodBar(
            list.period, list.choice, path: "/app/transactions", query: fields, cycles: content.cycles,
            mayBeAll: true)
        if list.period == nil { bar.name(since: query.since, until: query.until) }
        account = fields["account"] ?? ""
        from = fields["from"] ?? ""
        to = fields["to"] ?? ""
        sort = fields["sort"] ?? ""
        dir = fields["dir"] ?? ""
        currency = fields["currency"] ?? ""
        categoryChoices = Self.categories(content.categories, chosen: query.category)
        subcategoryChoices = Self.subcategories(content.categories, of: query.category, chosen: query.subcategory)
        channelChoices = Self.choices(
            PageText.of("transactions.every-channel"), Channel.allCases.map { ($0.rawValue, $0.words) },
            chosen: query.channel?.rawValue)
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
            chosen: query.statuses.flatMap { $0.count == 1 ? $0.first?.rawValue : nil })
        let own = Set(content.accounts.flatMap { $0.numbers.map(\.profile) } + [query.bank].compactMap(\.self))
        bankChoices = Self.choices(
            PageText.of("common.every-bank"), banks.filter { own.contains($0.key) }.map { ($0.key, $0.name) },
            chosen: query.bank)
        accountChoices = Self.choices(
            PageText.of("transactions.every-account"), content.accounts.map { ("\($0.id)", $0.name) },
            chosen: query.userAccountID.map(String.init))
        tagChoices = Self.choices(
            PageText.of("transactions.every-tag"), content.tags.map { ($0, $0) }, chosen: query.tag)
        payee = query.payeeID.map(String.init)
        payeeName = content.payee
        bulkChoices = content.categories.map(CategoryChoices.init)
        columns = Self.columns(list)
        here = list.address
        let filters = Self.filters(list)
        export = "/app/export" + (filters.isEmpty ? "" : "?" + filters)
        saved = SearchesView(content.searches, current: list.kept)
        unsaved = content.unknown.isEmpty ? Self.unsaved(list, among: content.searches) : nil
        bulk =
            list.isFiltered && list.problems.isEmpty && content.unknown.isEmpty
            ? "/app/transactions/bulk?" + FormFields.encoded([("list", filters)]) : nil
        rows = Self.lines(content)
        total = PageText.count(content.page.total, "transaction")
        sums = content.sums.map(Self.sentence)
        older = content.page.next.map { list.path([("cursor", $0)]) }
        newest = query.cursor.map { _ in list.path([("cursor", nil)]) }
    }

    private static func lines(_ content: TransactionsContent) -> [TransactionLine] {
        let colors = Dictionary(content.categories.compactMap { row in row.color.map { (row.name, $0) } }) { $1 }
        return content.page.rows.map { TransactionLine($0, transfer: content.transfers[$0.id], colors: colors) }
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

    /// A value that is not among them, such as a category of imported rows, is one more choice: no form drops it.
    private static func choices(_ all: String, _ values: [(String, String)], chosen: String?) -> [SelectChoice] {
        let isKnown = chosen.map { chosen in values.contains { $0.0 == chosen } } ?? true
        return [SelectChoice("", all, chosen: chosen ?? "")] + values.map { SelectChoice($0.0, $0.1, chosen: chosen) }
            + (isKnown ? [] : [SelectChoice(chosen ?? "", chosen ?? "", isChosen: true)])
    }

    /// The categories, and the chosen one in the spelling of the list, if it has it in any case of letters.
    private static func categories(_ categories: [CategoryRow], chosen: String?) -> [SelectChoice] {
        let names = categories.map { ($0.name, CategoryText.name($0.name)) }
        let known = names.first { $0.0.lowercased() == chosen?.lowercased() }?.0
        return choices(PageText.of("common.every-category"), names, chosen: known ?? chosen)
    }

    /// The subcategories of the chosen category: those of all would be a tenth of the page. The script puts them in as
    /// soon as a category is chosen.
    private static func subcategories(
        _ categories: [CategoryRow], of category: String?, chosen: String?
    ) -> [SelectChoice] {
        let inside =
            categories.first { $0.name.lowercased() == category?.lowercased() }?.subcategories.map(\.name) ?? []
        let known = inside.first { $0.lowercased() == chosen?.lowercased() }
        return choices(
            PageText.of("transactions.every-subcategory"), inside.map { ($0, CategoryText.name($0)) },
            chosen: known ?? chosen)
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
}
