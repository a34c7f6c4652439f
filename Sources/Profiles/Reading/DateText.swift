public import Chronology
public import Ledger

/// Reads a printed date: `05-01-26`, `05/01/2026`, `5.1.26`, `05 Jan, 2026`, `5th January 2026`, `12May26`, `Jan 05,
/// 2026`, `2026-01-05`, `9 Sep`, and the forms of ``PrintedDate`` in other languages.
public enum DateText {
    /// Reads `text`; a missing year is the one that makes the day the nearest before `arrival`. `nil`: not a day of the
    /// calendar. Day precedes month unless a profile sets another order.
    public static func read(
        _ text: some Collection<UInt8>, order: DateOrder = .dayFirst, arrival: CalendarDate
    ) -> CalendarDate? {
        if let parts = Parts(text, isStrict: true), let day = day(of: parts, order, arrival) { return day }
        let bytes = Array(text)
        if let printed = PrintedDate.next(in: bytes, from: 0, upTo: bytes.count),
            let day = printed.day(order: order, isCertain: true, arrival: arrival)
        {
            return day
        }
        return Parts(text, isStrict: false).flatMap { day(of: $0, order, arrival) }
    }

    private static func day(of parts: Parts, _ order: DateOrder, _ arrival: CalendarDate) -> CalendarDate? {
        let (numbers, count) = (parts.numbers, parts.count)
        if let month = parts.month {
            switch (count, month.after) {
            case (2, 1) where numbers[0].digits == 4: return date(numbers[0], month.value, numbers[1])
            case (2, 0), (2, 1): return date(numbers[1], month.value, numbers[0])
            case (1, 0), (1, 1): return yearless(month.value, numbers[0].value, arrival)
            default: return nil
            }
        }
        guard count == 3 else { return nil }
        if numbers[0].digits == 4 { return date(numbers[0], numbers[1].value, numbers[2]) }
        switch order {
        case .dayFirst: return date(numbers[2], numbers[1].value, numbers[0])
        case .monthFirst: return date(numbers[2], numbers[0].value, numbers[1])
        case .yearFirst: return date(numbers[0], numbers[1].value, numbers[2])
        }
    }

    /// The numbers and the name of the month in a printed date.
    private struct Parts {
        /// A date has three numbers at most; nothing is allocated for them.
        private(set) var numbers = InlineArray<3, (value: Int, digits: Int)>(repeating: (0, 0))
        private(set) var count = 0
        /// The month, and the number of numbers before it.
        private(set) var month: (value: Int, after: Int)?
        /// The first three letters of a word, and its length.
        private var word: (key: UInt32, letters: Int) = (0, 0)
        private var isInNumber = false
        /// True if only an English name in full, or its first three letters, is a month: `martes` is not.
        private let isStrict: Bool

        /// `nil` if the text has more than three numbers, or one of more than eight digits, or an hour in place
        /// of a year.
        init?(_ text: some Collection<UInt8>, isStrict: Bool) {
            self.isStrict = isStrict
            for byte in text {
                switch byte {
                case 0x30...0x39:
                    endWord()
                    guard add(Int(byte - 0x30)) else { return nil }
                    isInNumber = true
                case 0x41...0x5A, 0x61...0x7A:
                    isInNumber = false
                    if word.letters < 3 { word.key = word.key << 8 | UInt32(byte | 0x20) }
                    word.letters += 1
                case UInt8(ascii: ":") where isHour: return nil
                default:
                    isInNumber = false
                    endWord()
                }
            }
            endWord()
        }

        /// True after the two digits of an hour in the place of a year: in `05 JUN 12:31`, but not in `2026:04:21`.
        private var isHour: Bool { isInNumber && month != nil && count == 2 && numbers[1].digits <= 2 }

        private mutating func add(_ digit: Int) -> Bool {
            if isInNumber {
                guard numbers[count - 1].digits < 8 else { return false }
                numbers[count - 1] = (numbers[count - 1].value * 10 + digit, numbers[count - 1].digits + 1)
            } else {
                guard count < 3 else { return false }
                numbers[count] = (digit, 1)
                count += 1
            }
            return true
        }

        private mutating func endWord() {
            if month == nil, word.letters >= 3, let value = MonthName.month(key: word.key),
                !isStrict || word.letters == 3 || word.letters == DateText.nameLengths[value - 1]
                    || value == 9 && word.letters == 4
            {
                month = (value, count)
            }
            word = (0, 0)
        }
    }

    private static func date(
        _ year: (value: Int, digits: Int), _ month: Int, _ day: (value: Int, digits: Int)
    ) -> CalendarDate? {
        guard year.digits == 4 || year.digits == 2, day.digits <= 2 else { return nil }
        return CalendarDate(year: year.digits == 2 ? 2000 + year.value : year.value, month: month, day: day.value)
    }

    private static func yearless(_ month: Int, _ day: Int, _ arrival: CalendarDate) -> CalendarDate? {
        guard let this = CalendarDate(year: arrival.year, month: month, day: day) else { return nil }
        // Alerts come after the event; two days allow for clocks and zones.
        return this.daysSince1970 > arrival.daysSince1970 + 2
            ? CalendarDate(year: arrival.year - 1, month: month, day: day) : this
    }

    /// Letters of the English names of the months.
    private static let nameLengths = [7, 8, 5, 5, 3, 4, 4, 6, 9, 7, 8, 8]

    /// Order of an LDML date format, such as `MM/dd/yyyy`; `nil` if day, month or year is missing.
    package static func order(ofFormat format: String) -> DateOrder? {
        guard let day = format.firstIndex(of: "d"), let month = format.firstIndex(of: "M"),
            let year = format.firstIndex(of: "y")
        else { return nil }
        if year < month { return .yearFirst }
        return month < day ? .monthFirst : .dayFirst
    }
}
