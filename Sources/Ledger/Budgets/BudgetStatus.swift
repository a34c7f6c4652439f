public import Chronology

/// State of a budget on one day: what is spent, what is left, and the sum to expect at the end of the period.
///
/// Sums that exceed the range of an amount are clamped to it: the state stays correct.
public struct BudgetStatus: Hashable, Sendable {
    /// Level of a budget by the proportion that is spent.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Before the first period.
        case pending
        case within
        /// At least ``BudgetStatus/warningPercent`` of the available amount is spent.
        case warning
        /// All of the available amount is spent, or more.
        case exceeded
    }

    /// Percentage of the available amount at which a budget warns: early enough to change the rest of the period.
    public static let warningPercent: Int64 = 80

    /// The period that the day is in.
    public var days: DaySpan
    public var state: State
    /// The unspent rest of the earlier periods; negative if they were exceeded, zero without roll-over.
    public var carried: Money
    /// Expenses of the whole period, those with a later date included.
    public var spent: Money
    /// The limit of the period plus ``carried``.
    public var available: Money
    /// Available less spent; negative if the budget is exceeded.
    public var remaining: Money
    /// Spent in percent of available, rounded down; `nil` if nothing is available.
    public var percent: Int64?
    /// Expected payments in the period that are not booked yet.
    public var upcoming: Money
    /// The expected expenses of the whole period: the daily mean up to and including the day, times the days of the
    /// period; at least the sum of ``spent`` and ``upcoming``.
    public var forecast: Money
    /// State at the end of the period by the forecast.
    public var expected: State

    /// - Parameters:
    ///   - expenses: sum of each day in minor units, of at least ``Budget/countedDays(on:)``.
    ///   - known: payments to come by day; those outside of the period do not count.
    public init(
        _ budget: Budget, on day: CalendarDate, expenses: [CalendarDate: Int64],
        known: [CalendarDate: Int64] = [:]
    ) {
        let current = budget.period.days(around: day)
        var (before, untilDay, all): (Int64, Int64, Int64) = (0, 0, 0)
        for (date, sum) in expenses where date >= budget.firstDay {
            if date < current.first { before = before.clampedSum(sum) }
            guard current.contains(date) else { continue }
            all = all.clampedSum(sum)
            if date <= day { untilDay = untilDay.clampedSum(sum) }
        }
        let unit = budget.amount.currency
        func money(_ units: Int64) -> Money { Money(minorUnits: units, currency: unit) }

        let limit = budget.amount.minorUnits
        var rest: Int64 = 0
        if budget.rollsOver, budget.firstDay < current.first {
            let periods = Self.periods(budget.period, from: budget.firstDay, before: current.first)
            rest = limit.clampedProduct(periods).clampedSum(before.negated)
        }
        let available = limit.clampedSum(rest)
        let toCome = known.filter { current.contains($0.key) && $0.key >= budget.firstDay }.values.reduce(Int64(0)) {
            $0.clampedSum($1)
        }
        // A payment with a later date or a known one is certain, whatever the pace so far.
        let elapsed = Int64(day.daysSince1970 - current.first.daysSince1970 + 1)
        let forecast = max(all.clampedSum(toCome), untilDay.scaled(Int64(current.days), by: elapsed))
        let isPending = current.first < budget.firstDay
        days = current
        carried = money(rest)
        spent = money(all)
        self.available = money(available)
        remaining = money(available.clampedSum(all.negated))
        percent = available > 0 ? all.scaledDown(100, by: available) : nil
        upcoming = money(toCome)
        self.forecast = money(forecast)
        state = isPending ? .pending : State(spent: all, of: available)
        expected = isPending ? .pending : State(spent: forecast, of: available)
    }

    /// Number of periods from a first day to the day before another first day.
    private static func periods(
        _ period: CalendarPeriod, from first: CalendarDate, before end: CalendarDate
    ) -> Int64 {
        switch period {
        case .week: Int64((end.daysSince1970 - first.daysSince1970 + 6) / 7)
        case .month: Int64((end.year - first.year) * 12 + end.month - first.month)
        case .quarter: Int64(((end.year - first.year) * 12 + end.month - first.month) / 3)
        case .year: Int64(end.year - first.year)
        }
    }
}

extension BudgetStatus {
    /// `84 % of INR 8000.00 is spent, INR 1250.00 is left until 2026-11-30`.
    public var summary: String {
        let proportion = percent.map { "\($0) % of \(available)" } ?? "\(spent)"
        let rest =
            remaining.minorUnits < 0
            ? "\(Money(minorUnits: remaining.minorUnits.negated, currency: remaining.currency)) too much"
            : "\(remaining) is left"
        return "\(proportion) is spent, \(rest) until \(days.last)"
    }
}

extension BudgetStatus.State {
    fileprivate init(spent: Int64, of available: Int64) {
        if spent >= available {
            self = .exceeded
        } else {
            self = spent.scaledDown(100, by: available) >= BudgetStatus.warningPercent ? .warning : .within
        }
    }
}

extension Int64 {
    /// The sum, clamped to the range of the type.
    fileprivate func clampedSum(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? (other < 0 ? .min : .max) : sum
    }

    /// The product with a number that is not negative, clamped to the range of the type.
    fileprivate func clampedProduct(_ count: Int64) -> Int64 {
        let (product, isOver) = multipliedReportingOverflow(by: count)
        return isOver ? (self < 0 ? .min : .max) : product
    }

    fileprivate var negated: Int64 { self == .min ? .max : -self }

    /// This times `factor` by `divisor`, both above zero, rounded to the nearest and clamped.
    fileprivate func scaled(_ factor: Int64, by divisor: Int64) -> Int64 {
        let (product, isOver) = multipliedReportingOverflow(by: factor)
        guard !isOver else { return (self / divisor).clampedProduct(factor) }
        return (product / divisor).clampedSum(product % divisor * 2 >= divisor ? 1 : 0)
    }

    /// This times `factor` by `divisor`, both above zero, rounded towards zero and clamped.
    fileprivate func scaledDown(_ factor: Int64, by divisor: Int64) -> Int64 {
        let (product, isOver) = multipliedReportingOverflow(by: factor)
        return isOver ? (self / divisor).clampedProduct(factor) : product / divisor
    }
}
