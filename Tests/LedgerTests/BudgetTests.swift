import Chronology
import ChronologyFixture
import Testing

@testable import Ledger

fileprivate func date(_ text: String) -> CalendarDate { CalendarDate(iso: text) ?? CalendarDate(daysSince1970: 0) }

@Suite struct BudgetTests {
    static let limit: Int64 = 100_00

    static func budget(
        _ period: CalendarPeriod, rollsOver: Bool = false, from start: String = "2026-01-01", _ minor: Int64 = limit
    ) -> Budget {
        Budget(
            amount: Money(minorUnits: minor, currency: .inr), period: period, rollsOver: rollsOver, start: date(start))
    }

    static func status(_ budget: Budget, on day: String, _ expenses: [(String, Int64)]) -> BudgetStatus {
        BudgetStatus(
            budget, on: date(day),
            expenses: Dictionary(expenses.map { (date($0.0), $0.1) }, uniquingKeysWith: +))
    }

    @Test(
        arguments: [
            (.week, "2026-01-01", "2025-12-29", "2026-01-04"), (.week, "2026-01-05", "2026-01-05", "2026-01-11"),
            (.week, "1970-01-01", "1970-01-01", "1970-01-04"), (.month, "2024-02-29", "2024-02-01", "2024-02-29"),
            (.month, "2026-12-31", "2026-12-01", "2026-12-31"), (.quarter, "2026-03-31", "2026-01-01", "2026-03-31"),
            (.quarter, "2026-11-23", "2026-10-01", "2026-12-31"), (.year, "2026-07-01", "2026-01-01", "2026-12-31"),
            (.year, "2199-12-31", "2199-01-01", "2199-12-31"),
        ] as [(CalendarPeriod, String, String, String)])
    func periodsOfTheCalendar(period: CalendarPeriod, day: String, first: String, last: String) {
        let days = period.days(around: date(day))
        #expect((days.first, days.last) == (date(first), date(last)))
    }

    /// States change exactly at 80 % and 100 %, on the last day of the month, so that the forecast is the sum.
    @Test(
        arguments: [
            (0, .within, 0), (79_99, .within, 79), (80_00, .warning, 80), (99_99, .warning, 99),
            (100_00, .exceeded, 100), (250_50, .exceeded, 250),
        ] as [(Int64, BudgetStatus.State, Int64)])
    func levels(spent: Int64, state: BudgetStatus.State, percent: Int64) {
        let status = Self.status(Self.budget(.month), on: "2026-01-31", [("2026-01-02", spent)])
        #expect((status.state, status.expected, status.percent) == (state, state, percent))
        #expect(status.remaining.minorUnits == Self.limit - spent && status.forecast.minorUnits == spent)
    }

    @Test(
        arguments: [
            // 31 days, of which 10 have passed: 30.00 becomes 93.00.
            ("2026-01-10", [("2026-01-03", 30_00)], 93_00, .warning),
            ("2026-01-01", [("2026-01-01", 4_00)], 124_00, .exceeded),
            // Rounded to the nearest: 1.00 in 3 of 31 days is 10.33.
            ("2026-01-03", [("2026-01-01", 1_00)], 10_33, .within),
            // A later payment is certain and does not raise the pace.
            ("2026-01-10", [("2026-01-20", 50_00)], 50_00, .within),
            ("2026-01-10", [("2026-01-03", 30_00), ("2026-01-20", 70_00)], 100_00, .exceeded),
            ("2026-01-10", [("2025-12-31", 900_00), ("2026-02-01", 900_00)], 0, .within),
        ] as [(String, [(String, Int64)], Int64, BudgetStatus.State)])
    func forecasts(day: String, expenses: [(String, Int64)], forecast: Int64, expected: BudgetStatus.State) {
        let status = Self.status(Self.budget(.month), on: day, expenses)
        #expect((status.forecast.minorUnits, status.expected) == (forecast, expected))
    }

    @Test(
        arguments: [
            (.month, "2026-01-15", "2026-03-10", [("2026-01-02", 40_00), ("2026-02-05", 90_00)], 70_00),
            (.month, "2026-01-15", "2026-03-10", [("2026-02-05", 350_00), ("2025-12-31", 10_00)], -150_00),
            (.month, "2025-11-01", "2026-02-01", [], 300_00), (.month, "2026-03-05", "2026-03-10", [], 0),
            (.week, "2026-01-01", "2026-01-19", [("2025-12-30", 50_00)], 250_00),
            (.quarter, "2025-05-05", "2026-02-01", [], 300_00), (.year, "2024-05-05", "2026-02-01", [], 200_00),
        ] as [(CalendarPeriod, String, String, [(String, Int64)], Int64)])
    func theRestOfEarlierPeriodsIsCarried(
        period: CalendarPeriod, start: String, day: String, expenses: [(String, Int64)], carried: Int64
    ) {
        let status = Self.status(Self.budget(period, rollsOver: true, from: start), on: day, expenses)
        #expect(status.carried.minorUnits == carried && status.available.minorUnits == Self.limit + carried)
        let alone = Self.status(Self.budget(period, from: start), on: day, expenses)
        #expect(alone.carried.minorUnits == 0 && alone.available.minorUnits == Self.limit)
    }

    /// What is known to come is certain, as a payment with a later date; the pace can exceed it.
    @Test(
        arguments: [
            ([("2026-01-20", 60_00)], 70_00, .within), ([("2026-01-20", 95_00)], 105_00, .exceeded),
            ([("2026-02-01", 95_00), ("2025-12-31", 95_00)], 31_00, .within), ([("2026-01-20", 5_00)], 31_00, .within),
            ([("2026-01-20", .max), ("2026-01-21", .max)], .max, .exceeded),
        ] as [([(String, Int64)], Int64, BudgetStatus.State)])
    func knownPayments(known: [(String, Int64)], forecast: Int64, expected: BudgetStatus.State) {
        let status = BudgetStatus(
            Self.budget(.month), on: date("2026-01-10"), expenses: [date("2026-01-03"): 10_00],
            known: Dictionary(known.map { (date($0.0), $0.1) }, uniquingKeysWith: +))
        #expect((status.forecast.minorUnits, status.expected) == (forecast, expected))
        #expect(status.spent.minorUnits == 10_00)
    }

    @Test(
        arguments: [
            ("XYZ", "2026-01-01", ["currency"]), ("INR", "1999-12-31", ["starts_on"]), ("INR", "2026-01-01", []),
        ] as [(String, String, [String])])
    func badValuesAreRefused(code: String, start: String, fields: [String]) throws {
        var budget = Self.budget(.month, from: start)
        budget.amount.currency = try #require(Currency(code: code))
        #expect(budget.problems.map(\.field) == fields)
    }

    @Test func nothingAvailableIsExceeded() {
        let expenses: [(String, Int64)] = [("2026-01-05", 250_00)]
        let status = Self.status(Self.budget(.month, rollsOver: true), on: "2026-02-01", expenses)
        #expect((status.state, status.percent, status.available.minorUnits) == (.exceeded, nil, -50_00))
    }

    @Test(arguments: [true, false]) func pendingBeforeTheFirstPeriod(rollsOver: Bool) {
        let budget = Self.budget(.month, rollsOver: rollsOver, from: "2026-03-01")
        let status = Self.status(budget, on: "2026-01-20", [("2026-01-05", 500_00)])
        #expect((status.state, status.expected, status.spent.minorUnits) == (.pending, .pending, 0))
        #expect(budget.countedDays(on: date("2026-02-28")) == nil)
    }

    @Test func hugeSumsAreClamped() {
        let budget = Self.budget(.week, rollsOver: true, from: "1970-01-01", Money.maximumMinorUnits)
        let status = Self.status(budget, on: "2199-12-30", [("2199-12-30", .max), ("1970-01-02", .max)])
        #expect(status.spent.minorUnits == .max && status.state == .exceeded)
        #expect(status.forecast.minorUnits == .max && status.percent != nil)
    }

    @Test(arguments: [(0, false), (-1, false), (1, true), (Money.maximumMinorUnits, true), (.max, false)])
    func limitsOfTheAmount(minor: Int64, isAccepted: Bool) {
        #expect(Self.budget(.month, minor).problems.isEmpty == isAccepted)
    }
}
