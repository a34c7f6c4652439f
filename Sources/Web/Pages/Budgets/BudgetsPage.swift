import Chronology
import Hummingbird
import Ledger
import Store

/// Budgets with their state in the current period, and the form of one.
enum BudgetsPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/budgets", on: router) { call in
            let choice = PeriodChoice(call.query, today: pages.today)
            return try await pages.show(.budgets, call) { ledger in
                var view = try BudgetsView(BudgetForm(in: ledger, call.query), on: choice.lastDay, in: ledger)
                view.add(choice, call.query)
                return view
            }
        }
        pages.post("/app/budgets", on: router) { call in try await pages.save(call, id: nil) }
        pages.get("/app/budgets/{id}", on: router) { call in
            let id = try call.number(of: "entry")
            return try await pages.show(.budget, call) { ledger in
                guard let row = try ledger.budgets.find(id) else {
                    throw PageProblem.missing(PageText.of("missing.budget", ["id": "\(id)"]))
                }
                return try BudgetsView(BudgetForm(row), of: row, in: ledger)
            }
        }
        pages.post("/app/budgets/{id}", on: router) { call in
            try await pages.save(call, id: try call.number(of: "entry"))
        }
        pages.post("/app/budgets/{id}/delete", on: router) { call in
            let id = try call.number(of: "entry")
            let group = LedgerChange.newGroup()
            try await pages.services.write { [actor = call.context.actor] in
                try $0.budgets.delete(id, by: actor, group: group)
            }
            return pages.seeOther("/app/budgets", done: "deleted", undo: group)
        }
    }
}

extension Pages {
    private enum Outcome: Sendable {
        case invalid(BudgetForm)
        case saved
        case unchanged
    }

    /// - Parameter id: the budget to change; `nil` makes one.
    fileprivate func save(_ call: PageCall, id: Int64?) async throws -> Response {
        let group = LedgerChange.newGroup()
        let outcome = try await services.write { [actor = call.context.actor] ledger -> Outcome in
            var form = BudgetForm(call.form)
            guard let new = try form.budget(ledger.categories.all()) else { return .invalid(form) }
            if let other = try ledger.budgets.find(like: new), other.id != id {
                form.problems = [PageText.of("budgets.exists")]
                return .invalid(form)
            }
            guard let id else {
                _ = try ledger.budgets.add(new, by: actor, group: group)
                return .saved
            }
            let old = try ledger.budgets.find(id)
            return try ledger.budgets.update(id, new, by: actor, group: group) == old ? .unchanged : .saved
        }
        switch outcome {
        case .invalid(let form):
            return try await show(id == nil ? .budgets : .budget, call) { ledger in
                try BudgetsView(form, of: id.flatMap { try ledger.budgets.find($0) }, in: ledger)
            }
        case .saved: return seeOther("/app/budgets", done: id == nil ? "added" : "saved", undo: group)
        case .unchanged: return seeOther("/app/budgets", done: "unchanged")
        }
    }
}

struct BudgetsView: FormView {
    struct Line: Sendable {
        var title: String
        /// `₹800.00 of ₹1,000.00`
        var sum: String
        /// The state in words, if the person should act.
        var alert: String?
        var note: String
        /// The part that is spent and what is left.
        var short: String
        /// Width of the bar in percent.
        var width: String
        var state: String
        /// The list of the expenses that count.
        var path: String
        var editPath: String
    }

    var lines: [Line]
    /// Spent and available in the newest periods of one budget; `nil` before its first.
    var history: ChartView?
    /// `nil` on the page of one budget.
    var period: PeriodBar?
    /// The period whose budgets are shown, at its end; `nil` for the current one.
    var past: String?
    /// Values of the address that are invalid.
    var faults: [String] = []
    var form: BudgetForm
    var problems: [String]
    /// The path that the form posts to.
    var action: String
    /// True if the page is about one budget.
    var isChange: Bool
    var categoryChoices: [SelectChoice]
    var periodChoices: [SelectChoice]

    /// - Parameter day: the day of the state of the budgets; today by default.
    init(
        _ form: BudgetForm, of row: BudgetRow? = nil, on day: CalendarDate? = nil, in ledger: Snapshot
    ) throws {
        self.form = form
        problems = form.problems
        isChange = row != nil
        action = "/app/budgets" + (row.map { "/\($0.id)" } ?? "")
        lines = row == nil ? try ledger.budgets.reports(on: day).map(Line.init) : []
        categoryChoices = CategorySelection.choices(try ledger.categories.all(), chosen: nil, nil).map {
            SelectChoice($0.value, $0.title, chosen: form.category)
        }
        periodChoices = CalendarPeriod.allCases.map { SelectChoice($0.rawValue, $0.title, chosen: form.period) }
        if let row { addHistory(of: row, try ledger.budgets.history(of: row, periods: Self.periods), ledger.today) }
    }

    /// Periods of a budget that its page shows: a year of months.
    private static let periods = 12

    private mutating func addHistory(of row: BudgetRow, _ states: [BudgetStatus], _ today: CalendarDate) {
        guard !states.isEmpty else { return }
        let steps = states.map { status in
            let period = ReportingPeriod(status.days)
            return ChartStep(period, isPartial: period.isPartial(on: today))
        }
        let series = [
            ChartSeries(
                title: PageText.of("overview.spent"), kind: "spent", units: states.map(\.spent.minorUnits), filter: []),
            ChartSeries(
                title: PageText.of("budgets.available"), kind: "other", units: states.map(\.available.minorUnits),
                filter: []),
        ]
        let exceeded = states.count { $0.remaining.minorUnits < 0 }
        history = ChartView(
            ChartSteps(unit: row.budget.period.rawValue, steps: steps), series, as: .grouped,
            row.budget.amount.currency,
            summary:
                PageText.of(
                    "budgets.by-\(row.budget.period.rawValue)", count: states.count, ["exceeded": "\(exceeded)"]),
            RowLinks(currency: row.budget.amount.currency, row.expenses))
    }

    mutating func add(_ choice: PeriodChoice, _ query: FormFields) {
        faults = choice.problems
        past = choice.period.map(PeriodText.title)
        guard let shown = choice.period ?? ReportingPeriod(.month, around: choice.today) else { return }
        period = PeriodBar(shown, choice, path: "/app/budgets", query: query, cycles: [])
    }
}

extension PeriodChoice {
    /// The day up to which the sums of a period count; `nil` for today.
    fileprivate var lastDay: CalendarDate? { period.map { $0.elapsed(on: today).last } }
}

extension BudgetsView.Line {
    init(_ report: BudgetReport) {
        let (row, status) = (report.row, report.status)
        title = CategoryText.name(row.category, row.subcategory)
        sum = PageText.of(
            "budgets.spent-of", ["spent": MoneyText.text(status.spent), "available": MoneyText.text(status.available)])
        alert = status.alert
        note = status.note(of: row.budget)
        short = status.proportion
        width = "\(min(max(status.percent ?? 100, 0), 100))"
        state = status.state.rawValue
        editPath = "/app/budgets/\(row.id)"
        path =
            "/app/transactions?"
            + FormFields.encoded(
                row.expenses + [
                    ("since", "\(status.days.first)"), ("until", "\(status.days.last)"),
                    ("currency", row.budget.amount.currency.code), ("status", "confirmed"),
                ])
    }
}

extension BudgetRow {
    /// Fields of the query for the expenses that count, besides days and currency.
    fileprivate var expenses: [(String, String)] {
        [("category", category)] + (subcategory.map { [("subcategory", $0)] } ?? []) + [("type", "expense")]
    }
}

extension BudgetStatus {
    fileprivate var alert: String? {
        switch (state, expected) {
        case (.exceeded, _):
            remaining.minorUnits < 0
                ? PageText.of("budgets.exceeded-by", ["amount": MoneyText.text(Self.magnitude(remaining))])
                : PageText.of("budgets.all-spent")
        case (.warning, _): PageText.of("budgets.almost-spent")
        case (.within, .exceeded): PageText.of("budgets.likely-exceeded")
        default: nil
        }
    }

    fileprivate var proportion: String {
        [
            percent.map { PageText.of("budgets.percent", ["percent": "\($0)"]) },
            remaining.minorUnits > 0 ? PageText.of("budgets.left", ["amount": MoneyText.text(remaining)]) : nil,
        ].compactMap { $0 }.joined(separator: " · ")
    }

    fileprivate func note(of budget: Budget) -> String {
        let period = PageText.of(
            "budgets.period",
            ["kind": budget.period.title, "first": DayText.short(days.first), "last": DayText.text(days.last)])
        guard state != .pending else {
            return PageText.of("budgets.begins", ["period": period, "day": DayText.text(budget.firstDay)])
        }
        return [
            period, proportion.isEmpty ? nil : proportion,
            upcoming.minorUnits > 0 ? PageText.of("budgets.known", ["amount": MoneyText.text(upcoming)]) : nil,
            PageText.of("budgets.expected", ["amount": MoneyText.text(forecast)]),
            carried.minorUnits > 0 ? PageText.of("budgets.carried", ["amount": MoneyText.text(carried)]) : nil,
            carried.minorUnits < 0
                ? PageText.of("budgets.carried-less", ["amount": MoneyText.text(Self.magnitude(carried))]) : nil,
        ].compactMap { $0 }.joined(separator: " · ")
    }

    private static func magnitude(_ money: Money) -> Money {
        Money(minorUnits: Int64(clamping: money.minorUnits.magnitude), currency: money.currency)
    }
}
