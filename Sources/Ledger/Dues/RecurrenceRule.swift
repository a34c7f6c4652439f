public import Chronology

/// Days of a recurring event: the part of the recurrence rules of RFC 5545, section 3.3.10, that payments need.
///
/// `FREQ` is `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`; `INTERVAL`, `COUNT` and `UNTIL` are optional. `BYDAY` belongs to
/// weeks (`MO,TH`) and months (`1MO`, `-1FR`), `BYMONTHDAY` to months (`5`, `-1` for the last day). A day that a month
/// or year does not have is left out, as the standard requires.
public struct RecurrenceRule: Hashable, Sendable {
    public enum Frequency: String, Hashable, Sendable, CaseIterable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// In the order of the week, which begins on Monday (`WKST=MO`, the default).
    public enum Weekday: String, Hashable, Sendable, CaseIterable {
        case monday = "MO"
        case tuesday = "TU"
        case wednesday = "WE"
        case thursday = "TH"
        case friday = "FR"
        case saturday = "SA"
        case sunday = "SU"

        public init(_ day: CalendarDate) { self = Self.allCases[day.weekday] }

        /// As ``CalendarDate/weekday``.
        public var offset: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// A weekday, in a month also its number from the beginning or, if negative, from the end.
    public struct Place: Hashable, Sendable {
        public var number: Int?
        public var weekday: Weekday
    }

    public var frequency: Frequency
    public var interval = 1
    public var weekdays: [Place] = []
    /// 1...31 from the beginning of the month, -31...-1 from its end.
    public var monthDays: [Int] = []
    /// Number of occurrences from the first day on.
    public var count: Int?
    /// Last possible day.
    public var end: CalendarDate?

    public init(_ frequency: Frequency, interval: Int = 1, monthDays: [Int] = []) {
        self.frequency = frequency
        self.interval = interval
        self.monthDays = monthDays
    }

    /// The occurrences within a range of days, in order.
    /// - Parameter start: the first day (`DTSTART`); it is an occurrence only if the rule matches it.
    public func occurrences(from start: CalendarDate, within span: DaySpan) -> [CalendarDate] {
        var found: [CalendarDate] = []
        var (step, counted) = (0, 0)
        while let period = period(step, from: start), period.first <= span.last, period.first <= end ?? period.first {
            step += 1
            for day in period.days where day >= start && day <= end ?? day {
                counted += 1
                if let count, counted > count { return found }
                if span.contains(day) { found.append(day) }
            }
        }
        return found
    }

    /// The first occurrence on or after a day.
    public func next(from start: CalendarDate, onOrAfter day: CalendarDate) -> CalendarDate? {
        // Two periods of the longest gap: a leap day comes after eight years at most.
        let reach = frequency == .yearly ? 366 * 9 * interval : 62 * 12 * interval
        let last = CalendarDate(daysSince1970: day.daysSince1970 + reach)
        return DaySpan(day, through: last).flatMap { occurrences(from: start, within: $0).first }
    }

    /// Mean number of days between two occurrences, rounded down; at least 1.
    public var typicalDays: Int {
        let days =
            switch frequency {
            case .daily: interval
            case .weekly: 7 * interval / max(weekdays.count, 1)
            case .monthly: 30 * interval / max(weekdays.count + monthDays.count, 1)
            case .yearly: 365 * interval
            }
        return max(days, 1)
    }

    /// The first day of a period and the days that the rule selects in it; `nil` after the last day of the calendar.
    private func period(_ step: Int, from start: CalendarDate) -> (first: CalendarDate, days: [CalendarDate])? {
        switch frequency {
        case .daily:
            return Self.day(start.daysSince1970 + step * interval).map { ($0, [$0]) }
        case .weekly:
            let weekday = start.weekday
            let monday = start.daysSince1970 - weekday + 7 * step * interval
            let offsets = weekdays.isEmpty ? [weekday] : weekdays.map(\.weekday.offset).sorted()
            return CalendarDate.last.daysSince1970 < monday
                ? nil : (CalendarDate(daysSince1970: monday), offsets.compactMap { Self.day(monday + $0) })
        case .monthly:
            let month = start.year * 12 + start.month - 1 + step * interval
            guard let first = CalendarDate(year: month / 12, month: month % 12 + 1, day: 1) else { return nil }
            return (first, days(inMonthOf: first, otherwise: start.day))
        case .yearly:
            let year = start.year + step * interval
            guard let first = CalendarDate(year: year, month: 1, day: 1) else { return nil }
            return (first, [CalendarDate(year: year, month: start.month, day: start.day)].compactMap { $0 })
        }
    }

    private func days(inMonthOf first: CalendarDate, otherwise day: Int) -> [CalendarDate] {
        let length = CivilCalendar.length(ofMonth: first.month, first.year)
        var days: Set<Int> = []
        for number in monthDays { days.insert(number > 0 ? number : length + 1 + number) }
        let weekday = first.weekday
        for place in weekdays {
            let earliest = 1 + (place.weekday.offset - weekday + 7) % 7
            let all = Array(stride(from: earliest, through: length, by: 7))
            switch place.number {
            case nil: days.formUnion(all)
            case let number? where number > 0: if number <= all.count { days.insert(all[number - 1]) }
            case let number?: if -number <= all.count { days.insert(all[all.count + number]) }
            }
        }
        if weekdays.isEmpty, monthDays.isEmpty { days = [day] }
        return days.sorted().compactMap { CalendarDate(year: first.year, month: first.month, day: $0) }
    }

    /// `nil` after the last day of the calendar.
    private static func day(_ number: Int) -> CalendarDate? {
        number > CalendarDate.last.daysSince1970 ? nil : CalendarDate(daysSince1970: number)
    }
}

extension CalendarDate {
    /// The last day of the calendar.
    fileprivate static let last = CalendarDate(daysSince1970: .max)
}
