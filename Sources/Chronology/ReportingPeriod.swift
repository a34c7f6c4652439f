/// A period of a report: one of the calendar, a financial year, any range of days, or the days up to today.
///
/// Its text is part of addresses, queries and commands: reading what ``description`` writes gives the same period.
public struct ReportingPeriod: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case day
        case calendar(CalendarPeriod)
        case financialYear
        /// Also a statement cycle, whose days are not those of a month.
        case range
        /// The 7, 30, 90 or 365 days up to today.
        case recent(CalendarPeriod)
    }

    public let kind: Kind
    public let days: DaySpan

    /// The first month of a financial year. April is that of India, its states and its companies (General Clauses Act
    /// 1897, section 3 (21)).
    static let financialMonth = 4

    /// The accepted forms, as the end of a sentence.
    public static let forms =
        "2026-10 (month), 2026-W43 (week), 2026-Q3 (quarter), 2026 (year), fy2026 (financial year from April 2026), 2026-10-03 (day), 2026-10-03..2026-11-02 (any days), this-month or last-month (also week, quarter, year, fy), or week, month, quarter, year (7, 30, 90, 365 days up to today)"

    init(_ kind: Kind, _ days: DaySpan) {
        self.kind = kind
        self.days = days
    }

    /// Reads a period in one of ``forms``, in any case of letters.
    public init?(_ text: some StringProtocol, today: CalendarDate) {
        guard text.utf8.count <= 24 else { return nil }
        let word = text.lowercased()
        guard let found = Self.relative(word, today) ?? Self.absolute(word) else { return nil }
        self = found
    }

    /// Reads a period that does not depend on today, in one of ``forms``.
    public init?(fixed text: some StringProtocol) {
        guard text.utf8.count <= 24, let found = Self.absolute(text.lowercased()) else { return nil }
        self = found
    }

    /// Any days. They have the kind of a day, week, month, quarter or year if they are one.
    public init(_ days: DaySpan) {
        let exact = CalendarPeriod.allCases.first { ReportingPeriod($0, around: days.first)?.days == days }
        let isYear = Self.financialYear(around: days.first)?.days == days
        kind = days.days == 1 ? .day : exact.map { .calendar($0) } ?? (isYear ? .financialYear : .range)
        self.days = days
    }

    /// The period of the calendar that a day is in; `nil` if the calendar of ``CalendarDate`` cuts it.
    public init?(_ period: CalendarPeriod, around day: CalendarDate) {
        let days = period.days(around: day)
        guard period != .week || days.days == 7 else { return nil }
        self.init(.calendar(period), days)
    }

    /// The financial year that a day is in.
    public static func financialYear(around day: CalendarDate) -> ReportingPeriod? {
        financialYear(day.month >= financialMonth ? day.year : day.year - 1)
    }

    /// The days up to today.
    public static func recent(_ period: CalendarPeriod, through today: CalendarDate) -> ReportingPeriod {
        let count =
            switch period {
            case .week: 7
            case .month: 30
            case .quarter: 90
            case .year: 365
            }
        return ReportingPeriod(.recent(period), DaySpan(days: count, through: today))
    }

    /// The months up to the one that a day is in, at the end of which the period ends.
    public static func months(_ count: Int, through day: CalendarDate) -> ReportingPeriod {
        let month = CalendarPeriod.month.days(around: day)
        let first = month.first.adding(months: 1 - count) ?? month.first
        return ReportingPeriod(DaySpan(first, through: month.last) ?? month)
    }

    public var description: String {
        let first = days.first
        switch kind {
        case .day: return first.description
        case .calendar(.week):
            let (year, week) = Self.week(of: first)
            return "\(year)-W\(week < 10 ? "0" : "")\(week)"
        case .calendar(.month): return String(first.description.prefix(7))
        case .calendar(.quarter): return "\(first.year)-Q\((first.month + 2) / 3)"
        case .calendar(.year): return "\(first.year)"
        case .financialYear: return "fy\(first.year)"
        case .range: return "\(first)..\(days.last)"
        case .recent(let period): return period.rawValue
        }
    }
}

extension ReportingPeriod {
    private static func relative(_ word: String, _ today: CalendarDate) -> ReportingPeriod? {
        if let period = CalendarPeriod(rawValue: word) { return recent(period, through: today) }
        let parts = word.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, parts[0] == "this" || parts[0] == "last" else { return nil }
        let current =
            parts[1] == "fy"
            ? financialYear(around: today)
            : CalendarPeriod(rawValue: String(parts[1])).flatMap { ReportingPeriod($0, around: today) }
        return parts[0] == "this" ? current : current?.previous
    }

    private static func absolute(_ word: String) -> ReportingPeriod? {
        if let dots = word.firstRange(of: "..") {
            guard let first = CalendarDate(iso: word[..<dots.lowerBound]),
                let last = CalendarDate(iso: word[dots.upperBound...]), let days = DaySpan(first, through: last)
            else { return nil }
            return ReportingPeriod(.range, days)
        }
        if let day = CalendarDate(iso: word) { return ReportingPeriod(.day, DaySpan(days: 1, through: day)) }
        if word.hasPrefix("fy") { return number(word.dropFirst(2), digits: 4).flatMap(financialYear) }
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard let year = number(parts[0], digits: 4), parts.count <= 2 else { return nil }
        guard let part = parts.dropFirst().first else { return calendar(.year, year, month: 1) }
        switch part.first {
        case "w": return number(part.dropFirst(), digits: 2).flatMap { week(year, $0) }
        case "q":
            return number(part.dropFirst(), digits: 1).flatMap {
                (1...4).contains($0) ? calendar(.quarter, year, month: 3 * $0 - 2) : nil
            }
        default: return number(part, digits: 2).flatMap { calendar(.month, year, month: $0) }
        }
    }

    /// ASCII digits of this count.
    private static func number(_ text: Substring, digits: Int) -> Int? {
        text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    private static func calendar(_ period: CalendarPeriod, _ year: Int, month: Int) -> ReportingPeriod? {
        CalendarDate(year: year, month: month, day: 1).flatMap { ReportingPeriod(period, around: $0) }
    }

    private static func financialYear(_ year: Int) -> ReportingPeriod? {
        guard let first = CalendarDate(year: year, month: financialMonth, day: 1),
            let end = CalendarDate(year: year + 1, month: financialMonth, day: 1),
            let days = DaySpan(first, through: CalendarDate(daysSince1970: end.daysSince1970 - 1))
        else { return nil }
        return ReportingPeriod(.financialYear, days)
    }

    /// Monday of the first week of a year, the one with 4 January (ISO 8601), in days since 1970.
    private static func firstMonday(_ year: Int) -> Int {
        let day = CivilCalendar.days(year: year, month: 1, day: 4)
        return day - CivilCalendar.weekday(days: day)
    }

    private static func weeks(in year: Int) -> Int { (firstMonday(year + 1) - firstMonday(year)) / 7 }

    private static func week(_ year: Int, _ number: Int) -> ReportingPeriod? {
        guard (1970...2199).contains(year), number >= 1, number <= weeks(in: year) else { return nil }
        return span(from: firstMonday(year) + (number - 1) * 7, count: 7).map { ReportingPeriod(.calendar(.week), $0) }
    }

    /// The year and the number of the week that begins on a Monday. Its Thursday is always of that year.
    private static func week(of monday: CalendarDate) -> (year: Int, week: Int) {
        let thursday = CivilCalendar.date(days: monday.daysSince1970 + 3)
        return (thursday.year, (monday.daysSince1970 - firstMonday(thursday.year)) / 7 + 1)
    }

    /// `nil` for days outside of ``CalendarDate``.
    private static func span(from first: Int, count: Int) -> DaySpan? {
        let (start, end) = (CalendarDate(daysSince1970: first), CalendarDate(daysSince1970: first + count - 1))
        guard start.daysSince1970 == first, end.daysSince1970 == first + count - 1 else { return nil }
        return DaySpan(start, through: end)
    }
}

extension ReportingPeriod {
    /// The period directly before and after; `nil` at the ends of the calendar.
    public var previous: ReportingPeriod? { shifted(-1) }
    public var next: ReportingPeriod? { shifted(1) }

    /// The same period of the year before: the same week by number, the same days otherwise. Of week 53, the last one.
    public var yearBefore: ReportingPeriod? {
        switch kind {
        case .calendar(.week):
            let (year, number) = Self.week(of: days.first)
            return Self.week(year - 1, min(number, Self.weeks(in: year - 1)))
        case .calendar(let period):
            return days.first.adding(months: -12).flatMap { ReportingPeriod(period, around: $0) }
        case .financialYear: return previous
        case .recent:
            return days.last.adding(months: -12).map { ReportingPeriod(.range, DaySpan(days: days.days, through: $0)) }
        case .day, .range:
            if let months = wholeMonths { return shifted(months: -12, of: months) }
            guard let first = days.first.adding(months: -12), let last = days.last.adding(months: -12) else {
                return nil
            }
            return DaySpan(first, through: last).map { ReportingPeriod(kind, $0) }
        }
    }

    /// True if the period has begun and not ended.
    public func isPartial(on today: CalendarDate) -> Bool { days.first <= today && today < days.last }

    /// The days up to today of a period that has begun and not ended, otherwise all.
    public func elapsed(on today: CalendarDate) -> DaySpan {
        isPartial(on: today) ? DaySpan(days.first, through: today) ?? days : days
    }

    /// The days of another period that may be compared with this one: of a period that has not ended, as many as have
    /// passed.
    public func comparable(_ other: ReportingPeriod, on today: CalendarDate) -> DaySpan {
        guard isPartial(on: today) else { return other.days }
        let count = min(elapsed(on: today).days, other.days.days)
        return Self.span(from: other.days.first.daysSince1970, count: count) ?? other.days
    }

    /// The period of the same kind that a day is in; `nil` if it is more than five years of such periods away, or
    /// outside of the calendar.
    public func moved(to day: CalendarDate) -> ReportingPeriod? {
        switch kind {
        case .day: return ReportingPeriod(.day, DaySpan(days: 1, through: day))
        case .calendar(let period): return ReportingPeriod(period, around: day)
        case .financialYear: return Self.financialYear(around: day)
        case .recent(let period): return .recent(period, through: day)
        case .range:
            var found = self
            for _ in 0..<60 where !found.days.contains(day) {
                guard let other = found.days.last < day ? found.next : found.previous else { return nil }
                found = other
            }
            return found.days.contains(day) ? found : nil
        }
    }

    /// The period with its days instead of a word for the days up to today.
    public var fixed: ReportingPeriod {
        if case .recent = kind { return ReportingPeriod(.range, days) }
        return self
    }

    private func shifted(_ direction: Int) -> ReportingPeriod? {
        switch kind {
        case .calendar(.week):
            Self.span(from: days.first.daysSince1970 + 7 * direction, count: 7).map { ReportingPeriod(kind, $0) }
        case .calendar(let period):
            days.first.adding(months: direction * (period == .month ? 1 : period == .quarter ? 3 : 12))
                .flatMap { ReportingPeriod(period, around: $0) }
        case .financialYear: Self.financialYear(days.first.year + direction)
        case .day, .range, .recent:
            if kind == .range, let months = wholeMonths {
                shifted(months: direction * months.count, of: months)
            } else {
                Self.span(from: days.first.daysSince1970 + direction * days.days, count: days.days)
                    .map { ReportingPeriod(kind == .day ? .day : .range, $0) }
            }
        }
    }

    /// Whole months from any day of a month to the day before it, as a statement cycle has them.
    private struct Months {
        var count: Int
        /// True if they begin on the last day of a month, whichever that is.
        var isFromEnd: Bool
    }

    private var wholeMonths: Months? {
        guard kind == .range, days.days >= 28 else { return nil }
        let end = CalendarDate(daysSince1970: days.last.daysSince1970 + 1)
        let count = (end.year - days.first.year) * 12 + end.month - days.first.month
        guard count > 0 else { return nil }
        for isFromEnd in [false, true] where !isFromEnd || days.first.isLastOfMonth {
            if days.first.adding(months: count, isToEnd: isFromEnd) == end {
                return Months(count: count, isFromEnd: isFromEnd)
            }
        }
        return nil
    }

    private func shifted(months: Int, of whole: Months) -> ReportingPeriod? {
        guard let first = days.first.adding(months: months, isToEnd: whole.isFromEnd),
            let end = days.first.adding(months: months + whole.count, isToEnd: whole.isFromEnd)
        else { return nil }
        return DaySpan(first, through: CalendarDate(daysSince1970: end.daysSince1970 - 1))
            .map { ReportingPeriod(.range, $0) }
    }
}

extension CalendarDate {
    var isLastOfMonth: Bool { day == CivilCalendar.length(ofMonth: month, year) }

    /// The same day of another month, or its last one if it is shorter; `nil` outside of the calendar.
    ///
    /// - Parameter isToEnd: true for the last day of that month.
    public func adding(months: Int, isToEnd: Bool = false) -> CalendarDate? {
        let index = year * 12 + month - 1 + months
        let (year, month) = (index / 12, index % 12 + 1)
        guard (1970...2199).contains(year) else { return nil }
        let length = CivilCalendar.length(ofMonth: month, year)
        return CalendarDate(year: year, month: month, day: isToEnd ? length : min(day, length))
    }
}
