public import Chronology

/// Limit of the expenses of a category or subcategory in each period, in one currency.
public struct Budget: Hashable, Sendable {
    /// Limit of one period; above zero.
    public var amount: Money
    public var period: CalendarPeriod
    /// True if the rest of a period, or the excess, is carried into the next one.
    public var rollsOver: Bool
    /// A day of the first period. Earlier expenses do not count.
    public var start: CalendarDate

    public init(amount: Money, period: CalendarPeriod, rollsOver: Bool = false, start: CalendarDate) {
        self.amount = amount
        self.period = period
        self.rollsOver = rollsOver
        self.start = start
    }

    /// Faults of the values, by field.
    public var problems: [FieldProblem] {
        var check = FieldCheck()
        if !(1...Money.maximumMinorUnits).contains(amount.minorUnits) {
            check.refuse("amount", .amountRange)
        }
        check.currency("currency", amount.currency)
        check.century("starts_on", start)
        return check.problems
    }

    /// First day whose expenses count: the first one of the period that ``start`` is in.
    public var firstDay: CalendarDate { period.days(around: start).first }

    /// Days whose expenses determine the status on a day; `nil` before the first period.
    public func countedDays(on day: CalendarDate) -> DaySpan? {
        let current = period.days(around: day)
        return rollsOver ? DaySpan(firstDay, through: current.last) : firstDay <= current.first ? current : nil
    }
}
