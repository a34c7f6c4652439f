import Chronology
import ChronologyFixture
import Ledger
import Store
import Testing

@testable import Web

@Suite struct ChartTests {
    @Test(
        arguments: [
            (0, 0, 0, 200), (0, 200, 0, 200), (0, 201, 0, 300), (0, 401, 0, 500), (0, 99_999, 0, 100_000),
            // 50.1 lakh rupees do not need an axis of a crore.
            (0, 501_000_000, 0, 600_000_000), (0, 500_000_000, 0, 500_000_000), (0, 610_000_000, 0, 800_000_000),
            (-50_000, 120_000, -50_000, 150_000), (-120_000, 0, -120_000, 0), (500, 1_000, 0, 1_000),
        ] as [(Int64, Int64, Int64, Int64)])
    func anAxisFits(lowest: Int64, highest: Int64, bottom: Int64, top: Int64) {
        let axis = ChartAxis(from: lowest, to: highest, unit: 100)
        #expect(axis.bottom == bottom && axis.top == top)
    }

    @Test(
        arguments: [
            0, 1, 99, 100, 101, 999, 12_345, 33_333, 5_010_000, 98_765_432_100, .max / 3, .max - 1, .max, .min, -1,
            -77_777,
        ] as [Int64]) func everyAxisHoldsItsValues(value: Int64)
    {
        for unit in [1, 100, 1000] as [Int64] {
            let axis = ChartAxis(from: value, to: value, unit: unit)
            #expect(axis.bottom <= max(value, -.max) && axis.top >= value)
            #expect(axis.bottom <= 0 && axis.top >= 0 && axis.bottom < axis.top)
            #expect((2...8).contains(axis.ticks.count) && axis.ticks.contains(0))
            #expect(axis.ticks.first == axis.top && axis.ticks.last == axis.bottom)
            // The highest value takes at least half of the chart, except where the steps end.
            let height = value.magnitude
            if height > UInt64(2 * unit), height < UInt64(Int64.max / 20) {
                #expect(Double(height) / Double(axis.top - axis.bottom) > 0.5)
            }
        }
    }

    @Test(
        arguments: [
            ("2026-10-01", "2026-10-31", 31, "day"), ("2026-10-01", "2026-10-31", 18, "week"),
            ("2026-07-01", "2026-09-30", 31, "week"), ("2026-01-01", "2026-12-31", 31, "month"),
            ("2025-12-01", "2026-11-30", 18, "month"), ("2024-01-01", "2026-12-31", 18, "year"),
            ("1970-01-01", "2199-12-31", 31, "year"), ("2026-10-03", "2026-10-03", 18, "day"),
        ] as [(CalendarDate, CalendarDate, Int, String)])
    func stepsFitThePeriod(first: CalendarDate, last: CalendarDate, limit: Int, step: String) throws {
        let days = try #require(DaySpan(first, through: last))
        let found = Statistics.Step(of: days, atMost: limit)
        #expect(found.rawValue == step && (found == .year || found.steps(of: days).count <= limit))
    }

    /// All lengths: the limit is held as long as years are not needed.
    @Test func noLengthHasTooManySteps() {
        for days in 1...4000 {
            let span = DaySpan(days: days, through: "2026-11-23")
            for limit in [7, 18, 31] {
                let step = Statistics.Step(of: span, atMost: limit)
                #expect(step == .year || step.steps(of: span).count <= limit + 1, "\(days) \(limit)")
            }
        }
    }

    static func series(
        _ values: [Int64], _ title: String = "Spent", filter: [(String, String)]? = [("type", "expense")]
    )
        -> ChartSeries
    { ChartSeries(title: title, kind: "spent", units: values, filter: filter) }

    static func chart(_ series: [ChartSeries], _ form: ChartView.Form, today: CalendarDate = "2026-12-20") -> ChartView
    {
        let days = ["2026-10-01", "2026-11-01", "2026-12-01"] as [CalendarDate]
        let steps = days.map { ChartStep(CalendarPeriod.month.days(around: $0), by: .month, today: today) }
        return ChartView(
            ChartSteps(unit: "month", steps: steps), series, as: form, .inr, summary: "", RowLinks(currency: nil))
    }

    @Test func barsStartAtZero() throws {
        let chart = Self.chart([Self.series([10_000, 20_000, 0])], .grouped)
        #expect(chart.scale == ["₹200", "₹100", "₹0"])
        let bars = try chart.marks.map { try #require($0.bar) }
        // The third month has no expenses.
        #expect(bars.map(\.top) == ["150", "0"] && bars.map(\.high) == ["150", "300"])
        #expect(chart.marks.first?.text == "Oct 2026, Spent: ₹100.00")
        #expect(chart.marks.first?.path == "/app/transactions?period=2026-10&type=expense&status=confirmed")
        #expect(chart.rows.map(\.cells) == [["₹100.00"], ["₹200.00"], ["₹0.00"]])
    }

    @Test func negativeValuesGoDown() throws {
        let chart = Self.chart([Self.series([20_000, -20_000, 0], "Saved", filter: nil)], .grouped)
        #expect(chart.scale == ["₹200", "₹0", "\u{2212}₹200"])
        #expect(
            chart.marks.compactMap(\.bar?.top) == ["0", "150"] && chart.marks.compactMap(\.bar?.high) == ["150", "150"])
    }

    @Test func stacksAddUp() {
        let chart = Self.chart(
            [Self.series([10_000, 0, 5_000], "Food"), Self.series([20_000, 30_000, 5_000], "Home")], .stacked)
        #expect(chart.scale.first == "₹300")
        #expect(chart.marks.compactMap(\.bar?.top) == ["200", "0", "0", "250", "200"])
        #expect(chart.marks.compactMap(\.bar?.high) == ["100", "200", "300", "50", "50"])
        #expect(chart.keys.map(\.sum) == ["₹150.00", "₹550.00"])
    }

    @Test func aPeriodThatHasNotEndedIsMarked() {
        let chart = Self.chart([Self.series([1_000, 1_000, 1_000])], .grouped)
        #expect(chart.marks.map { $0.bar?.style.contains("partial") } == [false, false, true])
        #expect(chart.rows.last?.title == "Dec 2026 (in part)" && chart.remark != nil)
        let past = Self.chart([Self.series([1_000, 1_000, 1_000])], .grouped, today: "2027-01-01")
        #expect(past.remark == nil && past.rows.last?.title == "Dec 2026")
    }

    @Test func omittedCategoriesAreSummed() {
        func series(_ count: Int) -> [ChartSeries] {
            let all = (1...count).map {
                Statistics.CategorySeries(
                    category: "C\($0)", spent: [rupees(Int64($0)), rupees(1)], total: rupees(Int64($0) + 1))
            }
            return StatisticsView.stack(all, ["C1": "#112233", "C2": "red"])
        }
        #expect(
            series(3).map(\.title) == ["C1", "C2", "C3"] && series(3).map(\.fill) == ["#112233", "#B08A3C", "#4F8A8B"])
        // A rest of one category is shown as itself.
        #expect(series(7).map(\.title).last == "C7")
        let many = series(9)
        #expect(many.count == 7 && many.last?.title == "Other (3 categories)" && many.last?.units == [24, 3])
    }

    private func rupees(_ minor: Int64) -> Money { Money(minorUnits: minor, currency: .inr) }
}
