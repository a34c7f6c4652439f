import Chronology
import Ledger
import Store

/// The statistics as text and shapes.
struct StatisticsView: Sendable {
    struct Bar: Sendable {
        var title: String
        var path: String
        /// The path of the trend; `nil` if there is none.
        var trend: String?
        var amount: String
        var note: String
        /// Width in percent of the whole.
        var width: String
    }

    struct Group: Sendable {
        var title: String
        var id: String
        var bars: [Bar]
        var nothing: String
        var remark: String?
    }

    var problems: [String]
    var period: PeriodBar
    var parts: [DashboardView.Choice]
    var currencies: [DashboardView.Choice]
    var categoryChoices: [SelectChoice]
    /// The title of a trend.
    var filter: String?
    var unfiltered: String
    /// The other fields of the form.
    var kept: [PeriodBar.Field]
    var flowTitle = PageText.of("statistics.flow")
    /// Sums of the period, and what they are compared with.
    var sentences: [String] = []
    var flow: ChartView?
    var stack: ChartView?
    var map: HeatMap?
    var groups: [Group] = []
    var worth: ChartView?
    var worthRemark: String?
    /// True if the part has nothing to show.
    var isEmpty = false

    /// Categories of a stack; the others are one sum.
    static let stacked = 6

    init(_ scope: StatisticsPage.Scope, _ content: StatisticsContent) {
        problems = scope.problems + content.unknown.map(\.sentence)
        period = PeriodBar(
            scope.period, scope.choice, path: StatisticsPage.path, query: scope.query, cycles: content.cycles,
            compares: scope.part == .time)
        func link(_ changes: [(String, String?)]) -> String {
            let text = scope.query.with(changes)
            return StatisticsPage.path + (text.isEmpty ? "" : "?" + text)
        }
        parts = StatisticsPage.Part.allCases.map {
            .init(
                title: $0.title, path: link([("part", $0 == .time ? nil : $0.rawValue)]), isCurrent: $0 == scope.part)
        }
        currencies =
            content.totals.count > 1
            ? content.totals.map {
                .init(
                    title: $0.currency.code, path: link([("currency", $0.currency.code)]),
                    isCurrent: $0.currency == content.currency)
            } : []
        filter =
            [scope.category.map(CategoryText.name), content.filterName].compactMap(\.self).joined(separator: ", ")
            .nonEmpty
        kept = scope.query.fields.filter { $0.name != "category" && !$0.value.isEmpty }.map {
            PeriodBar.Field(name: $0.name, value: $0.value)
        }
        if let filter { flowTitle = PageText.of("statistics.trend-of", ["name": filter]) }
        unfiltered = link([("category", nil), ("payee", nil), ("account", nil)])
        categoryChoices =
            [SelectChoice("", PageText.of("common.every-category"), chosen: scope.category ?? "")]
            + content.categories.map { SelectChoice($0.name, CategoryText.name($0.name), chosen: scope.category) }
        switch scope.part {
        case .time: addTime(scope, content)
        case .days: addDays(scope, content)
        case .groups: addGroups(scope, content, link)
        case .worth: addWorth(scope, content)
        }
    }

    private static func links(_ scope: StatisticsPage.Scope, _ content: StatisticsContent) -> RowLinks {
        let filter: [(String, String?)] = [
            ("category", scope.category), ("payee", scope.payee.map { "\($0)" }),
            ("user_account", scope.account.map { "\($0)" }),
        ]
        return RowLinks(
            currency: content.totals.count > 1 ? content.currency : nil,
            filter.compactMap { name, value in value.map { (name, $0) } })
    }

    private mutating func addTime(_ scope: StatisticsPage.Scope, _ content: StatisticsContent) {
        let (today, step, currency) = (scope.choice.today, scope.step, content.currency)
        let now = content.totals.first { $0.currency == currency } ?? Statistics.Totals(currency: currency)
        sentences = Comparison.sentences(
            now, content.before, scope.period, scope.choice, isPart: scope.isFiltered)
        isEmpty = now.expenses + now.incomes == 0
        guard !isEmpty else { return }
        let buckets = content.sums?.buckets ?? content.buckets
        let steps = buckets.map { ChartStep($0.days, by: step, today: today) }
        let links = Self.links(scope, content)
        var series = [
            ChartSeries(
                title: PageText.of("overview.received"), kind: "received", units: buckets.map(\.received.minorUnits),
                filter: [("type", "income")]),
            ChartSeries(
                title: PageText.of("overview.spent"), kind: "spent", units: buckets.map(\.spent.minorUnits),
                filter: [("type", "expense")]),
        ]
        if scope.isFiltered {
            series.removeAll { $0.kind == "received" && $0.units.allSatisfy { $0 == 0 } }
        } else {
            series.append(
                ChartSeries(
                    title: PageText.of("statistics.saved"), kind: "saved",
                    units: buckets.map { $0.received.minorUnits &- $0.spent.minorUnits }, filter: nil))
        }
        flow = ChartView(
            ChartSteps(unit: step.rawValue, steps: steps), series, as: .grouped, currency,
            summary: PageText.of(
                "statistics.series-by-\(step.rawValue)",
                ["series": series.map(\.title).joined(separator: ", ")]) + " " + sentences.joined(separator: " "),
            links)
        guard let sums = content.sums, !sums.series.isEmpty else { return }
        let colors = Dictionary(content.categories.compactMap { row in row.color.map { (row.name, $0) } }) { $1 }
        stack = ChartView(
            ChartSteps(unit: step.rawValue, steps: steps), Self.stack(sums.series, colors), as: .stacked, currency,
            summary: PageText.of("statistics.categories-by-\(step.rawValue)"), links)
    }

    /// The largest categories, and the sum of the others.
    static func stack(_ all: [Statistics.CategorySeries], _ colors: [String: String]) -> [ChartSeries] {
        let shown = all.prefix(all.count == stacked + 1 ? stacked + 1 : stacked)
        var series = shown.enumerated().map { index, sum in
            // Two categories in one grey cannot be distinguished.
            let color = CategoryColor.fill(colors[sum.category])
            return ChartSeries(
                title: CategoryText.name(sum.category), kind: "category",
                fill: color == CategoryColor.none ? CategoryColor.spare[index % CategoryColor.spare.count] : color,
                units: sum.spent.map(\.minorUnits), filter: [("category", sum.category), ("type", "expense")])
        }
        let rest = all.dropFirst(shown.count)
        if let first = rest.first {
            let sums = first.spent.indices.map { index in rest.reduce(0) { $0 &+ $1.spent[index].minorUnits } }
            series.append(
                ChartSeries(
                    title: PageText.of("overview.other-categories", count: rest.count), kind: "other", units: sums,
                    filter: [("type", "expense")]))
        }
        return series
    }

    private mutating func addDays(_ scope: StatisticsPage.Scope, _ content: StatisticsContent) {
        isEmpty = content.buckets.allSatisfy { $0.expenses == 0 }
        map = isEmpty ? nil : HeatMap(content.buckets, of: scope.period, Self.links(scope, content))
    }

    private mutating func addWorth(_ scope: StatisticsPage.Scope, _ content: StatisticsContent) {
        isEmpty = content.worth.isEmpty
        guard let last = content.worth.last else { return }
        let step = scope.step
        let byDay = Dictionary(content.worth.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
        // Before the first balance is known, the worth is not zero but unknown.
        let known = content.worth.first { $0.total.minorUnits != 0 || !$0.unconverted.isEmpty }?.day
        let ends = step.steps(of: scope.period.elapsed(on: scope.choice.today)).filter { step in
            byDay[step.last] != nil && known.map { step.last >= $0 } ?? true
        }
        let units = ends.compactMap { byDay[$0.last]?.total.minorUnits }
        let steps = ends.map { ChartStep($0, by: step, today: scope.choice.today) }
        worth = ChartView(
            ChartSteps(unit: step.rawValue, steps: steps),
            [ChartSeries(title: PageText.of("statistics.net-worth"), kind: "worth", units: units, filter: [])],
            as: .line, last.total.currency,
            summary: PageText.of(
                "statistics.worth-by-\(step.rawValue)", ["amount": MoneyText.text(last.total)]),
            RowLinks(currency: nil))
        sentences = [
            PageText.of(
                "statistics.worth-at-end", ["amount": MoneyText.text(last.total), "day": DayText.text(last.day)])
        ]
        worthRemark = MoneyText.withoutRate(last.unconverted)
    }
}

extension StatisticsView {
    private mutating func addGroups(
        _ scope: StatisticsPage.Scope, _ content: StatisticsContent, _ link: ([(String, String?)]) -> String
    ) {
        let links = Self.links(scope, content)
        let currency = content.currency
        let whole = content.totals.first { $0.currency == currency }?.spent.minorUnits ?? 0
        func bar(
            _ title: String, _ spent: Money, _ count: String, _ filter: (String, String)?, _ trend: String?
        ) -> Bar {
            let share = whole > 0 ? Double(spent.minorUnits) / Double(whole) : 0
            return Bar(
                title: title, path: links.path(scope.period, (filter.map { [$0] } ?? []) + [("type", "expense")]),
                trend: trend, amount: MoneyText.text(spent),
                note: "\(ShareText.text(share)) · \(count)",
                width: ShareText.width(share))
        }
        func trend(_ name: String, _ id: Int64) -> String { link([("part", nil), (name, "\(id)")]) }
        let accounts = content.accounts.filter { $0.spent.minorUnits > 0 }.map { group in
            bar(
                group.key.isEmpty ? PageText.of("bulk.no-account") : group.key, group.spent,
                PageText.count(group.transactions, "transaction"),
                group.account.map { ("user_account", "\($0)") }, group.account.map { trend("account", $0) })
        }
        let payees = content.payees.map {
            bar(
                $0.payee, $0.spent, PageText.count($0.expenses, "payment"), ("payee", "\($0.payeeID)"),
                trend("payee", $0.payeeID))
        }
        let tags = content.tags.prefix(Self.tags).map {
            bar($0.tag, $0.spent, PageText.count($0.expenses, "payment"), ("q", "tag:\($0.tag)"), nil)
        }
        groups = [
            Group(
                title: PageText.of("statistics.by-account"), id: "by-account", bars: accounts,
                nothing: PageText.of("statistics.nothing-spent")),
            Group(
                title: PageText.of("statistics.by-payee"), id: "by-payee", bars: payees,
                nothing: PageText.of("statistics.no-payee"),
                remark: Self.rest(payees.count, content.payees.reduce(0) { $0 &+ $1.spent.minorUnits }, whole, currency)
            ),
            Group(
                title: PageText.of("statistics.by-tag"), id: "by-tag", bars: tags,
                nothing: PageText.of("statistics.no-tag"),
                remark: Self.remark(content.tags, currency)),
        ]
        isEmpty = whole == 0
    }

    /// Tags that are bars; the others are one sum.
    private static let tags = 15

    /// The sum of the other tags. A payment with several tags counts several times.
    private static func remark(_ tags: [Statistics.TagSum], _ currency: Currency) -> String? {
        guard !tags.isEmpty else { return nil }
        let rest = tags.dropFirst(Self.tags)
        let several = PageText.of("statistics.several-tags")
        guard !rest.isEmpty else { return several }
        let sum = Money(minorUnits: rest.reduce(0) { $0 &+ $1.spent.minorUnits }, currency: currency)
        return PageText.of("statistics.other-tags", count: rest.count, ["amount": MoneyText.text(sum)]) + " " + several
    }

    private static func rest(_ count: Int, _ shown: Int64, _ whole: Int64, _ currency: Currency) -> String? {
        guard count > 0, whole > shown else { return nil }
        let amount = MoneyText.text(Money(minorUnits: whole - shown, currency: currency))
        return PageText.of("statistics.other-payees", ["amount": amount])
    }
}

/// Proportions of a whole.
enum ShareText {
    static func text(_ share: Double) -> String {
        share >= 0.005 ? PercentText.text(share) : PageText.of("statistics.under-one")
    }

    /// The width of a bar in percent; a share that is not zero is visible.
    static func width(_ share: Double) -> String {
        "\(share > 0 ? min(max(1, Int((share * 100).rounded())), 100) : 0)"
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
