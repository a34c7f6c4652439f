import Chronology
import Ledger
import Review
import Store

/// The overview as text.
struct DashboardView {
    struct Choice {
        var title: String
        var path: String
        var isCurrent: Bool
    }

    struct Figure {
        var title: String
        var value: String
        /// The change against the period before; `nil` without a period to compare with.
        var change: String?
        /// `more`, `less` or `same`.
        var trend: String
        /// The value of the other period with its name; `nil` without one.
        var than: String?
        var note: String
        /// A class of the style sheet after a space. It keeps sums of lakhs and crores on one line of a phone.
        let size: String

        init(title: String, value: String, change: Comparison?, than: String?, note: String) {
            (self.title, self.value, self.note) = (title, value, note)
            (self.change, trend) = (change?.words, change?.trend ?? "same")
            self.than = change == nil ? nil : than
            size =
                switch value.count {
                case ..<12: ""
                case ..<14: " long"
                case ..<17: " longest"
                default: " crores"
                }
        }
    }

    struct Bar {
        var title: String
        /// `#RRGGBB`.
        var color: String
        var amount: String
        var share: String
        /// Width in percent.
        var width: String
        var path: String
        var count: String
        /// The subcategories, as text.
        var parts: String?
    }

    struct Merchant {
        var name: String
        var amount: String
        var count: String
        var last: String
        var path: String
    }

    struct Activation {
        var id: String
        var sentence: String
    }

    /// One sign of a change, as a line that opens.
    struct Alarm {
        var first: AlarmView
        /// The number of others, in words; `nil` if there are none.
        var more: String?

        init(_ first: AlarmView, others: Int) {
            self.first = first
            more = others > 0 ? PageText.of("alarm.more", count: others) : nil
        }
    }

    struct Waiting {
        var title: String
        var date: String
        var amount: String?
        var path: String
    }

    var activations: [Activation]
    var alarm: Alarm?
    var standing: StandingView?
    var isEmpty: Bool
    var hasNoMailbox: Bool
    /// Values of the address that are invalid.
    var problems: [String]
    var period: PeriodBar
    /// Empty if there is only one.
    var currencies: [Choice]
    var figures: [Figure]
    var bars: [Bar]
    var merchants: [Merchant]
    var chart: ChartView?
    var waiting: [Waiting]
    var waitingMore: String?
    /// The number of proposed transfers and other links, as text.
    var questions: String?
    /// What the statements of mails wait for.
    var statements: [String]
    var troubles: [String]
    var troublesMore: String?
    var uncategorized: String?
    var uncategorizedPath: String

    /// Limit of shown categories, the largest first.
    private static let bars = 12
    private static let troubles = 4

    init(_ sums: DashboardPage.Sums, _ scope: DashboardPage.Scope, zone: IANATimeZone) {
        activations = sums.activations.map { activation in
            Activation(
                id: "\(activation.id)",
                sentence: PageText.of(
                    "templates.was-activated",
                    [
                        "template": activation.template,
                        "at": DayText.instant(activation.decidedAt ?? activation.askedAt, zone),
                    ]))
        }
        let period = scope.period
        let many = sums.totals.count > 1
        isEmpty = sums.isEmpty
        hasNoMailbox = sums.health.isEmpty && sums.isEmpty
        problems = scope.problems
        self.period = PeriodBar(
            period, scope.choice, path: "/", query: scope.query, cycles: sums.cycles, compares: true)
        currencies =
            many
            ? sums.totals.map {
                Choice(
                    title: $0.currency.code, path: "/?" + scope.query.with([("currency", $0.currency.code)]),
                    isCurrent: $0.currency == sums.currency)
            } : []
        let now = sums.totals.first { $0.currency == sums.currency } ?? Statistics.Totals(currency: sums.currency)
        figures = Self.figures(
            now, sums.before, period.elapsed(on: scope.choice.today).days,
            before: Comparison.name(period, scope.choice))
        let links = RowLinks(currency: many ? sums.currency : nil)
        func list(_ more: [(String, String)]) -> String { links.path(period, more + [("type", "expense")]) }
        bars = Self.bars(sums, now, list)
        merchants = sums.merchants.map {
            Merchant(
                name: $0.merchant, amount: MoneyText.text($0.spent), count: PageText.count($0.expenses, "payment"),
                last: DayText.text($0.lastDate), path: list([("q", SearchExpression.text(merchant: $0.merchant))]))
        }
        chart = now.spent.minorUnits > 0 ? Self.chart(sums, scope, links) : nil
        waiting = sums.waiting.map { line in
            Waiting(
                title: line.merchant ?? line.subject ?? line.sender ?? PageText.of("notice.item"),
                date: line.date.map { DayText.text($0) } ?? "", amount: line.amount.map(MoneyText.text),
                path: "/app/review/\(line.id.argument)")
        }
        waitingMore =
            sums.waitingTotal > sums.waiting.count ? PageText.of("overview.all-waiting", count: sums.waitingTotal) : nil
        questions = sums.questions > 0 ? PageText.count(sums.questions, "question") : nil
        statements = Self.sentences(sums.statements)
        troubles = Array(sums.health.prefix(Self.troubles))
        troublesMore =
            sums.health.count > Self.troubles
            ? PageText.of("overview.more-troubles", count: sums.health.count - Self.troubles) : nil
        let without = sums.categories.filter { $0.category == CategoryRow.uncategorized }.reduce(0) { $0 + $1.expenses }
        uncategorized = without > 0 ? PageText.count(without, "payment") : nil
        uncategorizedPath = list([("category", CategoryRow.uncategorized)])
        standing = sums.standing.map { StandingView($0, zone: zone) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A sentence for each state of the statements that wait.
    private static func sentences(_ files: [StatementFile]) -> [String] {
        let states: [(state: StatementFile.State, key: String)] = [
            (.needsPassword, "overview.needs-password"), (.needsAccount, "overview.needs-account"),
            (.refused, "overview.unread-statements"),
        ]
        return states.compactMap { state, key in
            let number = files.count { $0.state == state }
            return number > 0 ? PageText.of(key, count: number) : nil
        }
    }

    /// Days are bars: their sums do not follow from each other as the points of a line do.
    private static func chart(
        _ sums: DashboardPage.Sums, _ scope: DashboardPage.Scope, _ links: RowLinks
    ) -> ChartView {
        let most = sums.buckets.max { $0.spent.minorUnits < $1.spent.minorUnits }
        let steps = sums.buckets.map { ChartStep($0.days, by: scope.step, today: scope.choice.today) }
        let series = ChartSeries(
            title: PageText.of("overview.spent"), kind: "spent", units: sums.buckets.map(\.spent.minorUnits),
            filter: [("type", "expense")])
        let received = ChartSeries(
            title: PageText.of("overview.received"), kind: "received", units: sums.buckets.map(\.received.minorUnits),
            filter: nil)
        let name = scope.step.rawValue
        var chart = ChartView(
            ChartSteps(unit: scope.step.rawValue, steps: steps), [series], as: .grouped, sums.currency,
            summary: PageText.of("overview.by-\(name)")
                + (most.map {
                    " "
                        + PageText.of(
                            "overview.most-in-one-\(name)",
                            ["amount": MoneyText.text($0.spent), "days": PeriodText.span($0.days)])
                } ?? ""), links)
        chart.addColumn(received, sums.currency)
        return chart
    }

    /// - Parameters:
    ///   - days: the days that have passed.
    ///   - name: the other period.
    private static func figures(
        _ now: Statistics.Totals, _ before: Statistics.Totals?, _ days: Int, before name: String?
    ) -> [Figure] {
        func figure(
            _ title: String, _ text: (Statistics.Totals) -> String, _ note: String,
            _ units: (Statistics.Totals) -> Int64
        ) -> Figure {
            let change = Comparison(units(now), with: before.map(units))
            let key = change?.trend == "same" ? "overview.same-as" : "overview.other-than"
            return Figure(
                title: title, value: text(now), change: change,
                than: before.flatMap { old in name.map { PageText.of(key, ["value": text(old), "period": $0]) } },
                note: note)
        }
        func average(_ totals: Statistics.Totals) -> Money {
            Money(minorUnits: totals.spent.minorUnits / Int64(max(days, 1)), currency: totals.currency)
        }
        let largest =
            now.expenses > 0
            ? PageText.of("overview.largest", ["amount": MoneyText.text(now.largest)])
            : PageText.of("overview.no-payments")
        return [
            figure(PageText.of("overview.spent"), { MoneyText.text($0.spent) }, largest) { $0.spent.minorUnits },
            figure(
                PageText.of("overview.received"), { MoneyText.text($0.received) }, PageText.count(now.incomes, "credit")
            ) {
                $0.received.minorUnits
            },
            figure(
                PageText.of("overview.spent-a-day"), { MoneyText.text(average($0)) },
                PageText.of("overview.over-days", count: days)
            ) {
                average($0).minorUnits
            },
            figure(
                PageText.of("overview.payments"), { MoneyText.number($0.expenses) },
                now.transfers > 0
                    ? PageText.of("overview.transfers-apart", count: now.transfers)
                    : PageText.of("overview.no-transfers")
            ) { Int64($0.expenses) },
        ]
    }

    private static func bars(
        _ sums: DashboardPage.Sums, _ now: Statistics.Totals, _ list: ([(String, String)]) -> String
    ) -> [Bar] {
        var order: [String] = []
        var whole: [String: (units: Int64, expenses: Int, parts: [String])] = [:]
        for sum in sums.categories {
            if whole[sum.category] == nil { order.append(sum.category) }
            var entry = whole[sum.category] ?? (0, 0, [])
            entry.units += sum.spent.minorUnits
            entry.expenses += sum.expenses
            if let name = sum.subcategory {
                entry.parts.append("\(CategoryText.name(name)) \(MoneyText.text(sum.spent))")
            }
            whole[sum.category] = entry
        }
        let shown = order.prefix(order.count == Self.bars + 1 ? order.count : Self.bars)
        let bars = shown.map { name in
            let entry = whole[name] ?? (0, 0, [])
            let share = now.spent.minorUnits > 0 ? Double(entry.units) / Double(now.spent.minorUnits) : 0
            return Bar(
                title: CategoryText.name(name), color: CategoryColor.fill(sums.colors[name]),
                amount: MoneyText.text(Money(minorUnits: entry.units, currency: sums.currency)),
                share: ShareText.text(share), width: ShareText.width(share),
                path: list([("category", name)]), count: PageText.count(entry.expenses, "payment"),
                parts: entry.parts.isEmpty ? nil : entry.parts.prefix(3).joined(separator: " · "))
        }
        return bars
            + [
                other(
                    order.dropFirst(shown.count).compactMap { whole[$0] }.map { ($0.units, $0.expenses) }, now, list([])
                )
            ]
            .compactMap(\.self)
    }
}

extension DashboardView {
    /// The sum of the categories that are left out; `nil` if there are none.
    private static func other(_ sums: [(units: Int64, expenses: Int)], _ now: Statistics.Totals, _ path: String) -> Bar?
    {
        guard !sums.isEmpty, now.spent.minorUnits > 0 else { return nil }
        let units = sums.reduce(0) { $0 &+ $1.units }
        let share = Double(units) / Double(now.spent.minorUnits)
        return Bar(
            title: PageText.of("overview.other-categories", count: sums.count), color: CategoryColor.none,
            amount: MoneyText.text(Money(minorUnits: units, currency: now.currency)), share: ShareText.text(share),
            width: ShareText.width(share), path: path,
            count: PageText.count(sums.reduce(0) { $0 + $1.expenses }, "payment"),
            parts: nil)
    }
}

enum CategoryColor {
    static let none = "#8E8E93"
    /// For categories without a colour, in charts of several ones.
    static let spare = ["#7A6FB0", "#B08A3C", "#4F8A8B", "#A8577E", "#6B7F3A", "#8A6D5A", "#5B7DB1"]

    /// Returns a valid colour: the value becomes part of the markup.
    static func fill(_ color: String?) -> String {
        guard let color, color.utf8.count == 7, color.utf8.first == UInt8(ascii: "#"),
            color.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) })
        else { return none }
        return color
    }
}
