public import Chronology

/// Days of a search: `21 Nov`, `Nov 21`, `21 Nov 2026`, `Nov 2026`, `today`, `yesterday`, `this` or `last` before
/// `week`, `month`, `quarter` or `year`, and the periods of ``ReportingPeriod`` except a year alone.
public enum SearchDays: Hashable, Sendable {
    case span(DaySpan)
    case from(CalendarDate)
    case upTo(CalendarDate)
    case today
    case yesterday
    case this(CalendarPeriod)
    case last(CalendarPeriod)
    /// The last such day up to today.
    case dayOfYear(month: Int, day: Int)

    /// The days, as seen on a day; `nil` for a day that no year has.
    public func span(today: CalendarDate) -> DaySpan? {
        switch self {
        case .span(let span): span
        case .from(let day): DaySpan(day, through: CalendarDate(daysSince1970: .max))
        case .upTo(let day): DaySpan(CalendarDate(daysSince1970: 0), through: day)
        case .today: DaySpan(days: 1, through: today)
        case .yesterday: DaySpan(days: 1, through: today).before
        case .this(let period): period.days(around: today)
        case .last(let period):
            period.days(around: CalendarDate(daysSince1970: period.days(around: today).first.daysSince1970 - 1))
        case .dayOfYear(let month, let day):
            // 29 February may be eight years ago.
            (0...8).lazy.compactMap { CalendarDate(year: today.year - $0, month: month, day: day) }
                .first { $0 <= today }.map { DaySpan(days: 1, through: $0) }
        }
    }

    /// Reads the days that the first words name.
    ///
    /// - Returns: the days and the number of words; `nil` if the first word names none.
    static func read(_ words: ArraySlice<SearchWord>) -> (SearchDays, Int)? {
        let plain = words.prefix(3).prefix { $0.plain != nil }.map { $0.text.lowercased() }
        for count in stride(from: plain.count, to: 0, by: -1) {
            if let days = SearchDays(Array(plain.prefix(count))) { return (days, count) }
        }
        return nil
    }

    private init?(_ words: [String]) {
        let days: SearchDays? =
            switch words.count {
            case 1: Self.one(words[0])
            case 2: Self.relative(words[0], words[1]) ?? Self.pair(words[0], words[1])
            default: Self.whole(words)
            }
        guard let days else { return nil }
        self = days
    }

    private static func one(_ word: String) -> SearchDays? {
        if word == "today" { return .today }
        if word == "yesterday" { return .yesterday }
        // A year alone is an amount or text.
        guard word.utf8.count > 4 else { return nil }
        return ReportingPeriod(fixed: word).map { .span($0.days) }
    }

    private static func relative(_ first: String, _ second: String) -> SearchDays? {
        guard let period = CalendarPeriod(rawValue: second) else { return nil }
        return first == "this" ? .this(period) : first == "last" ? .last(period) : nil
    }

    private static func pair(_ first: String, _ second: String) -> SearchDays? {
        if let month = month(first), let year = year(second), let start = CalendarDate(year: year, month: month, day: 1)
        {
            return .span(CalendarPeriod.month.days(around: start))
        }
        return dayAndMonth(first, second).map { .dayOfYear(month: $0.month, day: $0.day) }
    }

    private static func whole(_ words: [String]) -> SearchDays? {
        guard let year = year(words[2]), let (month, day) = dayAndMonth(words[0], words[1]) else { return nil }
        return CalendarDate(year: year, month: month, day: day).map { .span(DaySpan(days: 1, through: $0)) }
    }

    /// A day that a leap year has.
    private static func dayAndMonth(_ first: String, _ second: String) -> (month: Int, day: Int)? {
        let found =
            month(second).flatMap { month in day(first).map { (month, $0) } }
            ?? month(first).flatMap { month in day(second).map { (month, $0) } }
        guard let found, CalendarDate(year: 2000, month: found.0, day: found.1) != nil else { return nil }
        return found
    }

    private static func day(_ word: String) -> Int? {
        let digits = word.utf8.prefix { (0x30...0x39).contains($0) }
        let suffix = String(word.dropFirst(digits.count))
        guard (1...2).contains(digits.count), ["", "st", "nd", "rd", "th"].contains(suffix) else { return nil }
        return Int(word.prefix(digits.count))
    }

    private static func year(_ word: String) -> Int? {
        guard word.utf8.count == 4, let year = Int(word), (1970...2199).contains(year) else { return nil }
        return year
    }

    /// A month by its English name or an abbreviation of at least three letters.
    private static func month(_ word: String) -> Int? {
        guard let month = MonthName.month(abbreviated: word.utf8.prefix(3)) else { return nil }
        return MonthName.name(month).lowercased().hasPrefix(word) ? month : nil
    }
}
