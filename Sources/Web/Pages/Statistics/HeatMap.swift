import Chronology
import Ledger
import Store

/// Expenses of each day as a calendar: a table with a row for each week, so that it is its own text.
struct HeatMap: Sendable {
    struct Cell: Sendable {
        var number: String
        /// `nil` for a day without expenses, or outside of the period.
        var path: String?
        var amount: String
        var text: String
        /// 0 for nothing to 4 for the highest sums.
        var level: Int
        var isOutside: Bool
    }

    struct Week: Sendable {
        var title: String
        var cells: [Cell]
    }

    var weeks: [Week]
    /// The remark on days that are left out; `nil` if all are shown.
    var cut: String?
    var summary: String
    let weekdays = DayText.weekdays

    /// Half a year: a year would be a page of 60 kB.
    static let mostWeeks = 27

    /// The shown days of a period: the last ones.
    static func days(of period: ReportingPeriod, on today: CalendarDate) -> DaySpan {
        let days = period.elapsed(on: today)
        let monday = CalendarPeriod.week.days(around: days.last).first.daysSince1970 - 7 * (mostWeeks - 1)
        return DaySpan(max(days.first, CalendarDate(daysSince1970: monday)), through: days.last) ?? days
    }

    /// - Parameter buckets: the sums of each day of ``days(of:on:)``.
    init(_ buckets: [Statistics.Bucket], of period: ReportingPeriod, _ links: RowLinks) {
        let spent = buckets.map(\.spent.minorUnits)
        let limits = Self.limits(spent)
        let sums = Dictionary(buckets.map { ($0.days.first, $0) }, uniquingKeysWith: { first, _ in first })
        weeks = Statistics.Step.week.steps(of: DaySpan(buckets) ?? period.days).map { part in
            let week = CalendarPeriod.week.days(around: part.first)
            let first = week.last.daysSince1970 - 6
            return Week(
                title: DayText.text(part.first),
                cells: (0..<7).map { index in
                    let day = CalendarDate(daysSince1970: first + index)
                    guard let sum = sums[day] else {
                        return Cell(number: "", path: nil, amount: "", text: "", level: 0, isOutside: true)
                    }
                    return Self.cell(day, sum, limits, links)
                })
        }
        let most = buckets.max { $0.spent.minorUnits < $1.spent.minorUnits }
        summary =
            most.map {
                PageText.of(
                    "statistics.most-on-a-day",
                    ["amount": MoneyText.text($0.spent), "day": DayText.text($0.days.first)])
            } ?? ""
        cut =
            (buckets.first?.days.first).flatMap {
                $0 > period.days.first ? PageText.of("statistics.shown-from", ["day": DayText.text($0)]) : nil
            }
    }

    private static func cell(
        _ day: CalendarDate, _ sum: Statistics.Bucket, _ limits: [Int64], _ links: RowLinks
    ) -> Cell {
        let units = sum.spent.minorUnits
        let isEmpty = sum.expenses == 0
        return Cell(
            number: day.day == 1 ? DayText.short(day) : "\(day.day)",
            path: isEmpty ? nil : links.path(ReportingPeriod(sum.days), [("type", "expense")]),
            amount: isEmpty ? "" : MoneyText.short(sum.spent),
            text:
                "\(DayText.text(day)): \(MoneyText.text(sum.spent)), \(PageText.count(sum.expenses, "payment"))",
            level: isEmpty ? 0 : 1 + limits.filter { units > $0 }.count, isOutside: false)
    }

    /// The quartiles of the days with expenses: one large payment does not give all other days one colour.
    private static func limits(_ spent: [Int64]) -> [Int64] {
        let sorted = spent.filter { $0 > 0 }.sorted()
        guard !sorted.isEmpty else { return [] }
        return [1, 2, 3].map { sorted[min(sorted.count * $0 / 4, sorted.count - 1)] }
    }
}

extension DaySpan {
    /// From the first to the last of the steps.
    fileprivate init?(_ buckets: [Statistics.Bucket]) {
        guard let first = buckets.first?.days.first, let last = buckets.last?.days.last else { return nil }
        self.init(first, through: last)
    }
}
