/// A kind of period of the calendar. Weeks begin on Monday (ISO 8601), quarters in January, April, July and October.
public enum CalendarPeriod: String, Hashable, Sendable, CaseIterable {
    case week, month, quarter, year

    /// The period that a day is in, cut at the ends of the calendar.
    public func days(around day: CalendarDate) -> DaySpan {
        let (first, last) = ends(around: day)
        return DaySpan(first, through: last) ?? DaySpan(days: 1, through: day)
    }

    private func ends(around day: CalendarDate) -> (CalendarDate, CalendarDate) {
        switch self {
        case .week:
            let monday = day.daysSince1970 - day.weekday
            return (CalendarDate(daysSince1970: monday), CalendarDate(daysSince1970: monday + 6))
        case .month: return months(1, from: day.month, day)
        case .quarter: return months(3, from: (day.month - 1) / 3 * 3 + 1, day)
        case .year: return months(12, from: 1, day)
        }
    }

    private func months(_ count: Int, from first: Int, _ day: CalendarDate) -> (CalendarDate, CalendarDate) {
        let last = first + count - 1
        return (
            CalendarDate(year: day.year, month: first, day: 1) ?? day,
            CalendarDate(year: day.year, month: last, day: CivilCalendar.length(ofMonth: last, day.year)) ?? day
        )
    }
}
