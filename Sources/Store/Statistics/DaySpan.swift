public import Chronology
public import Ledger

/// A run of days, both ends included.
public struct DaySpan: Hashable, Sendable {
    public let first: CalendarDate
    public let last: CalendarDate

    /// `nil` where `last` lies before `first`.
    public init?(_ first: CalendarDate, through last: CalendarDate) {
        guard first <= last else { return nil }
        self.first = first
        self.last = last
    }

    /// So many days, at least one, the last of which is `last`.
    public init(days: Int, through last: CalendarDate) {
        first = CalendarDate(daysSince1970: last.daysSince1970 - max(days, 1) + 1)
        self.last = last
    }

    public var days: Int { last.daysSince1970 - first.daysSince1970 + 1 }

    /// The same number of days, directly before.
    public var before: DaySpan { DaySpan(days: days, through: CalendarDate(daysSince1970: first.daysSince1970 - 1)) }
}
