/// A range of days, both ends included.
public struct DaySpan: Hashable, Sendable {
    public let first: CalendarDate
    public let last: CalendarDate

    /// `nil` if `last` is before `first`.
    public init?(_ first: CalendarDate, through last: CalendarDate) {
        guard first <= last else { return nil }
        self.first = first
        self.last = last
    }

    /// A range of `days`, at least one, that ends with `last`.
    public init(days: Int, through last: CalendarDate) {
        first = CalendarDate(daysSince1970: last.daysSince1970 - max(days, 1) + 1)
        self.last = last
    }

    public func contains(_ day: CalendarDate) -> Bool { first <= day && day <= last }

    public var days: Int { last.daysSince1970 - first.daysSince1970 + 1 }

    /// The range of the same length directly before.
    public var before: DaySpan { DaySpan(days: days, through: CalendarDate(daysSince1970: first.daysSince1970 - 1)) }
}
