import Ledger

/// Tries the forms of a date at one place of a text.
struct DateScanner {
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
        guard let second = unitEnd(year.end, "年"), let month = number(second), (1...12).contains(month.value),
            let third = unitEnd(month.end, "月"), let day = number(third)
        else { return nil }
        return PrintedDate(
            span: start..<day.end, first: day.value, second: month.value, year: 2018 + year.value, isOrdered: true,
            isYearWhole: true)
    }

    /// The place behind the word of a unit, or a point or slash in its place.
    private func unitEnd(_ start: Int, _ word: String) -> Int? {
        if text[start...].starts(with: word.utf8) { return start + word.utf8.count }
        return start < end && (text[start] == UInt8(ascii: ".") || text[start] == UInt8(ascii: "/")) ? start + 1 : nil
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
