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

/// Tries the forms of a date at one place of a text.
fileprivate struct DateScanner {
    let text: [UInt8]
    let end: Int

    private struct Number {
        var value: Int
        var digits: Int
        var end: Int
    }

    func date(at start: Int) -> PrintedDate? {
        if start > 0, isWordPart(start - 1) { return nil }
        if let era = eraDate(start) { return era }
        if let number = number(start) {
            return marked(number, start) ?? numeric(number, start) ?? dayAndName(number, start)
        }
        return nameAndDay(start)
    }

    // MARK: Forms

    /// Taiwan counts the years from 1912 on.
    private static func year(_ number: Number) -> Int { number.digits == 3 ? number.value + 1911 : number.value }

    /// `2026年1月5日`, `1月5日`, `2026년 1월 5일`, `115年1月5日`.
    private func marked(_ first: Number, _ start: Int) -> PrintedDate? {
        func unit(_ at: Int, _ words: [String]) -> Int? {
            words.lazy.compactMap { text[at...].starts(with: $0.utf8) ? blank(at + $0.utf8.count) : nil }.first
        }
        var year: Int?
        var month = first
        if let next = unit(first.end, ["年", "년"]), let number = number(next) {
            year = Self.year(first)
            month = number
        }
        guard let next = unit(month.end, ["月", "월"]), let day = number(next), (1...12).contains(month.value),
            let after = ["日", "일", "號", "号"].first(where: { text[day.end...].starts(with: $0.utf8) })
        else { return nil }
        return PrintedDate(
            span: start..<day.end + after.utf8.count, first: day.value, second: month.value, year: year,
            isOrdered: true, isYearWhole: first.digits >= 3)
    }

    /// `令和8年1月5日`, `R8.1.5`: the era Reiwa began in 2019.
    private func eraDate(_ start: Int) -> PrintedDate? {
        guard let name = ["令和", "R"].first(where: { text[start...].starts(with: $0.utf8) }),
            let year = number(start + name.utf8.count), year.digits <= 2
        else { return nil }
        var at = year.end
        if text[at...].starts(with: "年".utf8) {
            at += "年".utf8.count
        } else if at < end, text[at] == UInt8(ascii: ".") || text[at] == UInt8(ascii: "/") {
            at += 1
        } else {
            return nil
        }
        guard let month = number(at), (1...12).contains(month.value) else { return nil }
        at = month.end
        if text[at...].starts(with: "月".utf8) {
            at += "月".utf8.count
        } else if at < end, text[at] == UInt8(ascii: ".") || text[at] == UInt8(ascii: "/") {
            at += 1
        } else {
            return nil
        }
        guard let day = number(at) else { return nil }
        return PrintedDate(
            span: start..<day.end, first: day.value, second: month.value, year: 2018 + year.value, isOrdered: true,
            isYearWhole: true)
    }

    /// `05-01-26`, `2026/1/5`, `3. 2. 2024`, `115/01/05`.
    private func numeric(_ first: Number, _ start: Int) -> PrintedDate? {
        guard first.end < end, "-/.".utf8.contains(text[first.end]) else { return nil }
        let mark = text[first.end]
        func next(_ at: Int) -> Number? {
            guard at < end, text[at] == mark else { return nil }
            return number(mark == UInt8(ascii: ".") ? blank(at + 1) : at + 1)
        }
        guard let second = next(first.end), second.digits <= 2 else { return nil }
        guard let third = next(second.end), !isHour(third), !isFollowedByNumber(third.end, mark) else {
            return yearless(first, second, start)
        }
        let isRepublic = first.digits == 3 && (100...150).contains(first.value) && mark != UInt8(ascii: "-")
        if first.digits == 4 || isRepublic, third.digits <= 2 {
            return PrintedDate(
                span: start..<third.end, first: third.value, second: second.value, year: Self.year(first),
                isOrdered: true, isYearWhole: true)
        }
        guard first.digits <= 2, third.digits == 4 || third.digits == 2 || first.digits == 2 && third.digits == 1 else {
            return nil
        }
        return PrintedDate(
            span: start..<third.end, first: first.value, second: second.value, year: third.value, isOrdered: false,
            isYearWhole: third.digits == 4, endsShort: third.digits == 1)
    }

    /// `01/19 12:30`, `12.02. um 10:15`: two numbers are a day only before a time.
    private func yearless(_ first: Number, _ second: Number, _ start: Int) -> PrintedDate? {
        guard first.digits <= 2, second.end < end else { return nil }
        var at = separator(second.end)
        guard at > second.end, text[at - 1] == 0x20 else { return nil }
        if let word = Self.wordsOfTime.first(where: { text[at...].starts(with: $0.utf8) }) {
            at = blank(at + word.utf8.count)
        }
        guard let hour = number(at), isHour(hour) || isHourOfH(hour) else { return nil }
        return PrintedDate(
            span: start..<second.end, first: first.value, second: second.value, year: nil, isOrdered: false,
            isYearWhole: false)
    }

    /// The words between a day and its time, each with the blank behind it.
    private static let wordsOfTime = [
        "a las ", "às ", "as ", "à ", "at ", "um ", "om ", "alle ore ", "alle ", "ore ", "o godz. ", "o ", "godz. ",
        "saat ",
        "pukul ", "jam ", "lúc ", "luc ", "v ", "kl. ", "kl ", "เวลา ", "الساعة ", "klo ",
    ]

    /// `05 de setiembre de 2026`, `28/MAY/2019`, `10/Feb`, `5th January`, `12 tháng 2 năm 2026`.
    private func dayAndName(_ day: Number, _ start: Int) -> PrintedDate? {
        guard day.digits <= 2, (1...31).contains(day.value) else { return nil }
        var at = day.end
        for ending in ["st", "nd", "rd", "th", "er", "º", "°", "."] where text[at...].starts(with: ending.utf8) {
            if !isWordPart(at + ending.utf8.count) {
                at += ending.utf8.count
                break
            }
        }
        var place = separator(at)
        for word in ["de", "of", "tháng"] where text[place...].starts(with: word.utf8) {
            if !isWordPart(place + word.utf8.count) { place = separator(place + word.utf8.count) }
        }
        let month: (value: Int, end: Int)
        if let named = monthName(place) {
            month = named
        } else if text[..<place].suffix(8).elementsEqual(" tháng ".utf8) || text[..<place].hasSuffix("tháng "),
            let numbered = number(place), (1...12).contains(numbered.value)
        {
            month = (numbered.value, numbered.end)
        } else {
            return nil
        }
        var result = PrintedDate(
            span: start..<month.end, first: day.value, second: month.value, year: nil, isOrdered: true,
            isYearWhole: false)
        addYear(to: &result, behind: month.end)
        return result
    }

    /// `Jan 5, 2026`, `february 12th`.
    private func nameAndDay(_ start: Int) -> PrintedDate? {
        guard let month = monthName(start) else { return nil }
        guard let day = number(separator(month.end)), day.digits <= 2, (1...31).contains(day.value), !isHour(day)
        else { return nil }
        var at = day.end
        for ending in ["st", "nd", "rd", "th"] where text[at...].starts(with: ending.utf8) {
            at += ending.utf8.count
            break
        }
        var result = PrintedDate(
            span: start..<at, first: day.value, second: month.value, year: nil, isOrdered: true, isYearWhole: false)
        addYear(to: &result, behind: at)
        return result
    }

    /// The year after day and month: four digits, or two that are not an hour.
    private func addYear(to date: inout PrintedDate, behind start: Int) {
        var at = separator(start)
        for word in ["del", "de", "năm"] where text[at...].starts(with: word.utf8) {
            if !isWordPart(at + word.utf8.count) {
                at = separator(at + word.utf8.count)
                break
            }
        }
        guard let year = number(at), !isHour(year) else { return }
        let isWhole = year.digits == 4 && (1970...2743).contains(year.value)
        // "12 Jan 50 points": after a blank, two digits are a year only if it is near, by either calendar.
        let isJoined = at == start || text[at - 1] != 0x20
        guard
            isWhole
                || year.digits == 2 && (isJoined || (20...39).contains(year.value) || (63...82).contains(year.value))
        else { return }
        date.year = year.value
        date.isYearWhole = year.digits == 4
        date.span = date.span.lowerBound..<year.end
    }

    // MARK: Parts

    private func number(_ start: Int) -> Number? {
        var number = Number(value: 0, digits: 0, end: start)
        while number.end < end, let (digit, length) = DecimalDigit.read(text[number.end...], at: number.end) {
            guard number.digits < 4 else { return nil }
            number.value = number.value * 10 + Int(digit)
            number.digits += 1
            number.end += length
        }
        return number.digits > 0 && number.end <= end ? number : nil
    }

    func numberEnd(_ start: Int) -> Int {
        var at = start
        while at < end, let (_, length) = DecimalDigit.read(text[at...], at: at) { at += length }
        return max(at, start + 1)
    }

    func wordEnd(_ start: Int) -> Int {
        // Between characters of three bytes a number may begin, as in 日2026.
        if text[start] >= 0x80 {
            var at = start + 1
            while at < end, text[at] & 0xC0 == 0x80 { at += 1 }
            return at
        }
        var at = start
        while at < end, (0x61...0x7A).contains(text[at] | 0x20) { at += 1 }
        return max(at, start + 1)
    }

    /// The name of a month at `start`, up to a character that is not a letter.
    private func monthName(_ start: Int) -> (value: Int, end: Int)? {
        var at = start
        // Thai abbreviations have points between their letters.
        while at < end, at - start <= MonthNames.longest + 4,
            text[at] >= 0x80 || (0x61...0x7A).contains(text[at] | 0x20)
                || text[at] == UInt8(ascii: ".") && at > start && text[at - 1] >= 0x80
        { at += 1 }
        guard at - start >= 3 else { return nil }
        guard let month = MonthNames.month(String(decoding: text[start..<at], as: UTF8.self)) else { return nil }
        if at < end, text[at] == UInt8(ascii: ".") { at += 1 }
        return (month, at)
    }

    /// Two digits before a colon are an hour, never a year.
    private func isHour(_ number: Number) -> Bool {
        number.digits <= 2 && number.end + 1 < end && text[number.end] == UInt8(ascii: ":")
            && text[number.end + 1] &- 0x30 < 10
    }

    /// `10h15`, `10h`
    private func isHourOfH(_ number: Number) -> Bool {
        number.digits <= 2 && number.end < end && text[number.end] == UInt8(ascii: "h")
            && (number.end + 1 == end || text[number.end + 1] &- 0x30 < 10 || !isWordPart(number.end + 1))
    }

    private func isFollowedByNumber(_ at: Int, _ mark: UInt8) -> Bool {
        at + 1 < end && text[at] == mark && text[at + 1] &- 0x30 < 10
    }

    private func isWordPart(_ at: Int) -> Bool {
        guard at >= 0, at < end else { return false }
        return text[at] &- 0x30 < 10 || (0x61...0x7A).contains(text[at] | 0x20)
    }

    private func blank(_ start: Int) -> Int {
        var at = start
        while at < end, text[at] == 0x20 { at += 1 }
        return at
    }

    /// Behind at most one mark and blanks.
    private func separator(_ start: Int) -> Int {
        var at = blank(start)
        if at < end, "-/.,'".utf8.contains(text[at]) { at = blank(at + 1) }
        return at
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
