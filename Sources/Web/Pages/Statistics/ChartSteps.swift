import Chronology
import Ledger
import Store

/// A step of time on a chart.
struct ChartStep: Sendable {
    var period: ReportingPeriod
    /// True if the chart shows only a part of the day, week, month or year, or if it has not ended.
    var isPartial: Bool
    /// What it is a part or the whole of; `nil` if the period says it.
    private var step: Statistics.Step?

    init(_ period: ReportingPeriod, isPartial: Bool = false) {
        self.period = period
        self.isPartial = isPartial
    }

    init(_ days: DaySpan, by step: Statistics.Step, today: CalendarDate) {
        let period = ReportingPeriod(days)
        let whole: DaySpan? =
            switch step {
            case .day: nil
            case .week: CalendarPeriod.week.days(around: days.first)
            case .month: CalendarPeriod.month.days(around: days.first)
            case .year: CalendarPeriod.year.days(around: days.first)
            }
        self.init(period, isPartial: whole.map { $0 != days } ?? false || period.isPartial(on: today))
        self.step = step
    }

    /// `Oct 2026`, `19 to 25 Oct 2026`, with a remark if it is partial.
    var title: String {
        var text = PeriodText.title(period)
        if period.kind == .calendar(.week) { text = PeriodText.span(period.days) }
        return isPartial ? text + PageText.of("statistics.in-part") : text
    }

    /// The label below the chart: a part of a month has the name of the month.
    var label: String {
        if step == .month { return DayText.month(period.days.first) }
        return switch period.kind {
        case .calendar(.month): DayText.month(period.days.first)
        case .calendar(.quarter), .calendar(.year): PeriodText.title(period)
        default: DayText.short(period.days.first)
        }
    }
}

/// The steps of a chart, from the left.
struct ChartSteps: Sendable {
    /// The name of a step, in lower case: `month`.
    var unit: String
    var steps: [ChartStep]
}

/// The values of a chart in each step, with their name and appearance.
struct ChartSeries: Sendable {
    var title: String
    /// A class of the style sheet.
    var kind: String
    /// `#RRGGBB` in place of the class.
    var fill: String?
    var units: [Int64]
    /// Query fields that select the transactions of a value; `nil` for a value that no transactions make up.
    var filter: [(String, String)]?
}

/// Links from the values of a page to the lists of their transactions.
struct RowLinks: Sendable {
    /// Query fields of every link, in addition to those of the value.
    var base: [(String, String)] = []
    /// The one place that all values lead to, in place of a list.
    var place: String?

    init(to place: String) { self.place = place }

    /// - Parameter currency: the currency of the values; `nil` if the ledger has one only.
    init(currency: Currency?, _ more: [(String, String)] = []) {
        base = [("status", "confirmed")] + (currency.map { [("currency", $0.code)] } ?? []) + more
    }

    func path(_ period: ReportingPeriod, _ filter: [(String, String)]) -> String {
        place ?? "/app/transactions?" + FormFields.encoded([("period", period.fixed.description)] + filter + base)
    }
}
