import Chronology
import Ledger

/// A date in a text of any language: `05 de setiembre de 2026`, `28/MAY/2019`, `10/Feb`, `3.2.2024`, `Jan 5th, 2026`,
/// `2026年1月5日`, `令和8年1月5日`, `5/1/2569`.
///
/// One pass from a digit or a name of a month on; each form is tried at each such place, so the time is linear.
struct PrintedDate {
    /// The bytes of the date.
    var span: Range<Int>
    /// The parts as printed; `nil` for a missing year.
    var first: Int
    var second: Int
    var year: Int?
    /// True if the parts are day and month already, because the month is named or marked.
    var isOrdered: Bool
    /// True if the year was printed with four digits or an era.
    var isYearWhole: Bool
    /// True if the last number has one digit, so that the year is the first one or none: `26/3/9`.
    var endsShort = false

    /// The next date at or after `start`.
    static func next(in text: [UInt8], from start: Int, upTo end: Int) -> PrintedDate? {
        var at = start
        while at < end {
            let isNumber = DecimalDigit.read(text[at...], at: at) != nil
            if isNumber || isLetter(text[at]) {
                let scanner = DateScanner(text: text, end: end)
                if let found = scanner.date(at: at) { return found }
                at = isNumber ? scanner.numberEnd(at) : scanner.wordEnd(at)
            } else {
                at += 1
            }
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) }

    /// The day that is meant.
    /// - Parameters:
    ///   - order: that of the bank's numeric dates.
    ///   - arrival: gives a missing year, and decides between the two orders if the day in the given one is far from it
    ///     and the other is near.
    func day(order: DateOrder, isCertain: Bool, arrival: CalendarDate) -> CalendarDate? {
        if let day = dayBehindYear(order: order, isCertain: isCertain, arrival: arrival) { return day }
        let usual = isOrdered || !isMonthFirst(order) ? (first, second) : (second, first)
        let day = resolved(day: usual.0, month: usual.1, arrival)
        if isOrdered { return day }
        let other = resolved(day: usual.1, month: usual.0, arrival)
        guard let day else { return isCertain ? nil : other }
        guard let other, !isCertain, !Self.isNear(day, arrival), Self.isNear(other, arrival) else { return day }
        return other
    }

    /// The day of `26/02/12` if its first number is the year: in the order of the country, or because only this day is
    /// near the arrival.
    private func dayBehindYear(order: DateOrder, isCertain: Bool, arrival: CalendarDate) -> CalendarDate? {
        guard !isOrdered, !isYearWhole, let last = year, order == .yearFirst || !isCertain,
            let day = CalendarDate(year: 2000 + first, month: second, day: last)
        else { return nil }
        let others = [resolved(day: first, month: second, arrival), resolved(day: second, month: first, arrival)]
            .compactMap { $0 }
        if order == .yearFirst {
            func distance(_ day: CalendarDate) -> Int { abs(arrival.daysSince1970 - day.daysSince1970) }
            return isCertain || others.allSatisfy { distance($0) >= distance(day) } ? day : nil
        }
        return Self.isNear(day, arrival) && !others.contains { Self.isNear($0, arrival) } ? day : nil
    }

    /// The days of a numeric date in both orders; `nil` if only one order has a day of the calendar, or both the same.
    private func days(_ arrival: CalendarDate) -> (dayFirst: CalendarDate, monthFirst: CalendarDate)? {
        guard !isOrdered, first != second, let dayFirst = resolved(day: first, month: second, arrival),
            let monthFirst = resolved(day: second, month: first, arrival)
        else { return nil }
        return (dayFirst, monthFirst)
    }

    /// The day in the order in which `day(order:isCertain:arrival:)` does not read it, if the arrival does not decide.
    func otherDay(order: DateOrder, arrival: CalendarDate) -> (order: DateOrder, day: CalendarDate)? {
        guard let days = days(arrival), !Self.isNear(days.dayFirst, arrival), !Self.isNear(days.monthFirst, arrival),
            dayBehindYear(order: order, isCertain: false, arrival: arrival) == nil
        else { return nil }
        return isMonthFirst(order) ? (.dayFirst, days.dayFirst) : (.monthFirst, days.monthFirst)
    }

    /// The order that a whole numeric date proves: the other has no such day, or only this one fits the arrival.
    func provenOrder(arrival: CalendarDate) -> DateOrder? {
        guard !isOrdered, year != nil, dayBehindYear(order: .dayFirst, isCertain: false, arrival: arrival) == nil
        else { return nil }
        if let days = days(arrival) {
            let isNear = (Self.isNear(days.dayFirst, arrival), Self.isNear(days.monthFirst, arrival))
            return isNear.0 == isNear.1 ? nil : isNear.0 ? .dayFirst : .monthFirst
        }
        guard first != second else { return nil }
        let readings = [(DateOrder.dayFirst, first, second), (.monthFirst, second, first)]
        return readings.first { _, day, month in
            resolved(day: day, month: month, arrival).map { abs(arrival.daysSince1970 - $0.daysSince1970) } ?? .max
                <= Self.evidenceDays
        }?.0
    }

    /// A number that looks like a date years away, such as that of a version, proves nothing.
    private static let evidenceDays = 400
    /// An alert has fewer dates.
    private static let maximumDates = 24

    /// The orders that the dates of a text prove.
    static func provenOrders(in text: [UInt8], arrival: CalendarDate) -> Set<DateOrder> {
        var found: Set<DateOrder> = []
        var at = 0
        for _ in 0..<maximumDates {
            guard let date = next(in: text, from: at, upTo: text.count) else { break }
            at = date.span.upperBound
            if let order = date.provenOrder(arrival: arrival) { found.insert(order) }
        }
        return found
    }

    /// If the year is first, the month is second: 01/19.
    private func isMonthFirst(_ order: DateOrder) -> Bool {
        order == .monthFirst || order == .yearFirst && year == nil
    }

    /// An alert arrives within days of the event.
    private static func isNear(_ day: CalendarDate, _ arrival: CalendarDate) -> Bool {
        (-2...5).contains(arrival.daysSince1970 - day.daysSince1970)
    }

    private func resolved(day: Int, month: Int, _ arrival: CalendarDate) -> CalendarDate? {
        guard let year else {
            guard let this = CalendarDate(year: arrival.year, month: month, day: day) else { return nil }
            return this.daysSince1970 > arrival.daysSince1970 + 2
                ? CalendarDate(year: arrival.year - 1, month: month, day: day) : this
        }
        if endsShort { return nil }
        if isYearWhole {
            // The Buddhist calendar counts from 543 BC.
            return CalendarDate(year: (2400...2743).contains(year) ? year - 543 : year, month: month, day: day)
        }
        let gregorian = CalendarDate(year: 2000 + year, month: month, day: day)
        let buddhist = CalendarDate(year: 2500 + year - 543, month: month, day: day)
        guard let buddhist, Self.isNear(buddhist, arrival) else { return gregorian }
        return gregorian.map { Self.isNear($0, arrival) } ?? false ? gregorian : buddhist
    }
}
