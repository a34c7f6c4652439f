import Chronology
import Hummingbird
import Ledger
import Store

/// The page of dues: open and late ones, the recurring items, and detected items as proposals.
enum DuesPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/dues", on: router) { call in
            try await pages.show(.dues, call) { try DuesView(RecurringForm(in: $0), in: $0) }
        }
        pages.post("/app/dues/recurring", on: router) { try await pages.addRecurring($0) }
        DuePaymentPage.add(pages, to: router)
        RecurringPage.add(pages, to: router)
        pages.post("/app/dues/recurring/{id}/delete", on: router) { call in
            let id = try call.number(of: "entry")
            let group = LedgerChange.newGroup()
            try await pages.services.write { [actor = call.context.actor] in
                try $0.recurring.delete(id, by: actor, group: group)
            }
            return pages.seeOther("/app/dues", done: "deleted", undo: group)
        }
        pages.post("/app/dues/detected/{id}/confirm", on: router) { try await pages.decide($0, isRecurring: true) }
        pages.post("/app/dues/detected/{id}/refuse", on: router) { try await pages.decide($0, isRecurring: false) }
    }
}

extension Pages {
    fileprivate func addRecurring(_ call: PageCall) async throws -> Response {
        let group = LedgerChange.newGroup()
        let invalid = try await services.write { [actor = call.context.actor] ledger -> RecurringForm? in
            var form = RecurringForm(call.form)
            guard let item = form.item(on: ledger.today) else { return form }
            _ = try ledger.recurring.add(item, by: actor, group: group)
            return nil
        }
        guard let invalid else { return seeOther("/app/dues", done: "added", undo: group) }
        return try await show(.dues, call) { try DuesView(invalid, in: $0) }
    }

    /// - Parameter isRecurring: false if the payment is not to be proposed again.
    fileprivate func decide(_ call: PageCall, isRecurring: Bool) async throws -> Response {
        let id = try call.number(of: "transaction")
        let group = LedgerChange.newGroup()
        try await services.write { [actor = call.context.actor] in
            _ = try $0.recurring.decide(id, isRecurring: isRecurring, by: actor, group: group)
        }
        return seeOther("/app/dues", done: isRecurring ? "added" : "saved", undo: group)
    }
}

struct DuesView: FormView {
    struct Line: Sendable {
        var day: String
        var title: String
        var amount: String
        var state: String
        /// True if it needs a person's attention.
        var isAlarming: Bool
        var note: String
        /// The transactions that settled it.
        var payments: [Payment]
        /// The page that chooses its payment.
        var paymentPath: String
    }

    struct Payment: Sendable {
        var title: String
        var path: String
    }

    struct Item: Sendable {
        var name: String
        var amount: String
        var note: String
        var path: String
    }

    struct Group: Sendable {
        var id: String
        var title: String
        var lines: [Line]
    }

    var groups: [Group]
    /// The cash of the days to come; `nil` if no balance is known or nothing is to come.
    var ahead: ChartView?
    var aheadSentences: [String] = []
    var items: [Item]
    var detected: [Item]
    var form: RecurringForm
    var problems: [String]
    var choices: RecurringChoices
    let isNew = true

    init(_ form: RecurringForm, in ledger: Snapshot) throws {
        self.form = form
        problems = form.problems
        let outlook = try ledger.dues.outlook()
        let rows = outlook.rows
        let today = ledger.today
        groups = [
            Group(
                id: "late", title: PageText.of("dues.late"),
                lines: rows.filter { $0.item.state.isAlarming }.map(Line.init)),
            Group(
                id: "open", title: PageText.of("dues.open"),
                lines: rows.filter { $0.item.state.isOpen && !$0.item.state.isAlarming }.map(Line.init)),
            Group(
                id: "done", title: PageText.of("dues.settled"),
                lines: rows.filter { !$0.item.state.isOpen && !$0.item.state.isAlarming }.reversed().map(Line.init)),
        ].filter { !$0.lines.isEmpty }
        items = try ledger.recurring.all().filter(\.item.isActive).map { Item($0, today) }
        detected = try ledger.recurring.detected().map(Item.init)
        choices = try RecurringChoices(form, in: ledger)
        if let forecast = outlook.cash {
            addForecast(forecast, isMoving: rows.contains { $0.item.state.isOpen })
        }
    }
}

extension DuesView {
    /// - Parameter isMoving: false if nothing is to come, so that the line would be flat.
    fileprivate mutating func addForecast(_ forecast: CashForecast, isMoving: Bool) {
        guard isMoving else { return }
        let (lowest, currency) = (forecast.lowest, forecast.days[0].balance.currency)
        let steps = forecast.days.compactMap { DaySpan($0.day, through: $0.day) }.map {
            ChartStep(ReportingPeriod($0))
        }
        aheadSentences = [
            lowest.balance.minorUnits < 0
                ? PageText.of(
                    "dues.too-little", ["amount": MoneyText.text(lowest.balance), "day": DayText.text(lowest.day)])
                : PageText.of(
                    "dues.lowest", ["amount": MoneyText.text(lowest.balance), "day": DayText.text(lowest.day)]),
            PageText.of("dues.assumption"),
        ]
        if let remark = MoneyText.withoutRate(forecast.unconverted) { aheadSentences.append(remark) }
        ahead = ChartView(
            ChartSteps(unit: "day", steps: steps),
            [
                ChartSeries(
                    title: PageText.of("dues.cash"), kind: "worth", units: forecast.days.map(\.balance.minorUnits),
                    filter: [])
            ],
            as: .line, currency, summary: PageText.of("dues.chart", ["lowest": aheadSentences[0]]),
            RowLinks(to: "#open"))
    }
}

extension DuesView.Line {
    init(_ row: DueRow) {
        let (item, due) = (row.item, row.item.due)
        day = due.hasDay ? DayText.text(due.day) : PageText.of("dues.no-day")
        title = row.title.isEmpty ? PageText.of("dues.no-payee") : row.title
        amount = MoneyText.signed(due.amount, isIncome: due.isIncome)
        state = item.state.title
        isAlarming = item.state.isAlarming
        let minimum = due.minimum.map { PageText.of("dues.at-least", ["amount": MoneyText.text($0)]) }
        let isPart = item.paid > 0 && item.rest.minorUnits > 0
        note = [
            due.kind.title, due.kind == .bill ? nil : row.accountName, item.state.isOpen ? minimum : nil,
            isPart ? PageText.of("dues.left", ["amount": MoneyText.text(item.rest)]) : nil,
            due.isDeclaredSettled ? PageText.of("dues.by-person") : nil,
            row.payerName.map { PageText.of("dues.from", ["account": $0]) },
            item.suffices.map { $0 ? PageText.of("dues.enough") : PageText.of("dues.too-low") },
        ].compactMap { $0 }.joined(separator: " · ")
        payments = item.payments.map {
            .init(
                title: PageText.of(
                    "dues.paid-on", ["amount": MoneyText.text($0.amount), "day": DayText.short($0.day)]),
                path: "/app/transactions/\($0.transaction)")
        }
        paymentPath = DuePaymentPage.path(due.id)
    }
}

extension DuesView.Item {
    init(_ row: RecurringRow, _ today: CalendarDate) {
        name = row.item.name
        amount = MoneyText.signed(row.item.amount, isIncome: row.item.isIncome)
        note = [
            RuleText.words(row.item.rule), row.item.mode.title, row.accountName,
            row.next(after: today).map { PageText.of("dues.next-on", ["day": DayText.text($0)]) },
        ].compactMap { $0 }.joined(separator: " · ")
        path = "/app/dues/recurring/\(row.id)"
    }

    init(_ candidate: RecurringCandidate) {
        name = candidate.payee
        amount = MoneyText.signed(candidate.amount, isIncome: candidate.isIncome)
        let first = candidate.payments.first.map { PageText.of("dues.since", ["day": DayText.text($0.day)]) } ?? ""
        note = [
            RuleText.words(candidate.rule),
            PageText.of("dues.payments-since", count: candidate.payments.count, ["since": first]),
            PageText.of("dues.next-about", ["day": DayText.text(candidate.next)]),
            candidate.priceChanges.last.map {
                PageText.of(
                    "dues.price-change",
                    [
                        "before": MoneyText.text($0.before), "day": DayText.text($0.day),
                        "after": MoneyText.text($0.after),
                    ])
            },
        ].compactMap { $0 }.joined(separator: " · ")
        path = "/app/dues/detected/\(candidate.payments.last?.id ?? 0)"
    }
}

extension Due.Kind {
    var title: String {
        switch self {
        case .bill: PageText.of("dues.kind-bill")
        case .mandate: PageText.of("dues.kind-mandate")
        case .recurring: PageText.of("dues.kind-recurring")
        }
    }
}

extension DueItem.State {
    var title: String {
        switch self {
        case .upcoming: PageText.of("dues.open")
        case .due: PageText.of("dues.state-due")
        case .overdue: PageText.of("dues.state-overdue")
        case .partlySettled: PageText.of("dues.state-part")
        case .settled: PageText.of("dues.state-paid")
        case .differs: PageText.of("dues.state-differs")
        case .missed: PageText.of("dues.state-missed")
        case .carried: PageText.of("dues.state-carried")
        }
    }
}

extension RecurringItem.Mode {
    var title: String {
        switch self {
        case .expected: PageText.of("dues.mode-expected")
        case .posted: PageText.of("dues.mode-posted")
        }
    }
}
