/// The offsets of a time zone by date, in the form of POSIX's `TZ` with the extension of RFC 9636 section 3.3.1:
/// `IST-5:30`, `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable {
    /// A day of each year and a time on it.
    private struct Change {
        enum Day {
            /// 1...365, without 29 February.
            case julian(Int)
            /// 0...365, with 29 February.
            case zeroBased(Int)
            /// Week 5 is the last; weekday 0 is Sunday.
            case weekday(month: Int, week: Int, day: Int)
        }

        var day: Day
        /// Seconds from the day's local midnight, -167...167 hours.
        var time: Int

        /// Seconds from 1970 in local time.
        func seconds(in year: Int) -> Int {
            let newYear = CivilCalendar.days(year: year, month: 1, day: 1)
            switch day {
            case .julian(let day):
                return (newYear + day - (CivilCalendar.isLeap(year) && day > 59 ? 0 : 1)) * 86_400 + time
            case .zeroBased(let day): return (newYear + day) * 86_400 + time
            case .weekday(let month, let week, let day):
                let first = CivilCalendar.days(year: year, month: month, day: 1)
                // The rule counts from Sunday.
                let weekday = (CivilCalendar.weekday(days: first) + 1) % 7
                var place = (day - weekday + 7) % 7 + (week - 1) * 7
                if place >= CivilCalendar.length(ofMonth: month, year) { place -= 7 }
                return (first + place) * 86_400 + time
            }
        }
    }

    private let standard: Int
    /// The other offset with its beginning, in standard time, and its end, in its own time.
    private let summer: (offset: Int, start: Change, end: Change)?

    var isConstant: Bool { summer == nil }

    /// Seconds east of UTC.
    func offset(at seconds: Int64) -> Int {
        guard let summer else { return standard }
        let range = CivilCalendar.dayRange
        let bounds = range.lowerBound * 86_400...range.upperBound * 86_400
        let now = min(max(Int(clamping: seconds), bounds.lowerBound), bounds.upperBound)
        let local = now + standard
        let year = CivilCalendar.date(days: local / 86_400 - (local % 86_400 < 0 ? 1 : 0)).year
        let (start, end) = (summer.start.seconds(in: year) - standard, summer.end.seconds(in: year) - summer.offset)
        let isSummer = start < end ? now >= start && now < end : now >= start || now < end
        return isSummer ? summer.offset : standard
    }

    init?(_ text: ArraySlice<UInt8>) {
        var reader = Reader(text: text)
        guard reader.name(), let standard = reader.time(limit: 24) else { return nil }
        self.standard = -standard
        guard !reader.text.isEmpty else {
            summer = nil
            return
        }
        guard reader.name() else { return nil }
        var offset = self.standard + 3600
        if reader.text.first != UInt8(ascii: ",") {
            guard let time = reader.time(limit: 24) else { return nil }
            offset = -time
        }
        guard let start = reader.change(), let end = reader.change(), reader.text.isEmpty else { return nil }
        summer = (offset, start, end)
    }

    private struct Reader {
        var text: ArraySlice<UInt8>

        private mutating func consume(_ byte: Character) -> Bool {
            guard let value = byte.asciiValue, text.first == value else { return false }
            text.removeFirst()
            return true
        }

        private mutating func number(_ range: ClosedRange<Int>) -> Int? {
            var value: Int?
            while let digit = text.first.map({ $0 &- 0x30 }), digit < 10, value ?? 0 < 1000 {
                value = (value ?? 0) * 10 + Int(digit)
                text.removeFirst()
            }
            return value.flatMap { range.contains($0) ? $0 : nil }
        }

        /// Skips the abbreviation of an offset: letters, or anything between `<` and `>`.
        mutating func name() -> Bool {
            if consume("<") {
                guard let end = text.firstIndex(of: UInt8(ascii: ">")) else { return false }
                text = text[(end + 1)...]
                return true
            }
            let letters = text.prefix { (0x61...0x7A).contains($0 | 0x20) }
            text = text[letters.endIndex...]
            return letters.count >= 3
        }

        /// `5`, `-5:30`, `2:30:15`, in seconds.
        mutating func time(limit: Int) -> Int? {
            let isNegative = consume("-")
            if !isNegative { _ = consume("+") }
            guard var seconds = number(0...limit).map({ $0 * 3600 }) else { return nil }
            for unit in [60, 1] where consume(":") {
                guard let value = number(0...59) else { return nil }
                seconds += value * unit
            }
            return isNegative ? -seconds : seconds
        }

        /// `,M3.5.0/3`, `,J60`, `,0/0`.
        mutating func change() -> Change? {
            guard consume(",") else { return nil }
            let day: Change.Day
            if consume("M") {
                guard let month = number(1...12), consume("."), let week = number(1...5), consume("."),
                    let weekday = number(0...6)
                else { return nil }
                day = .weekday(month: month, week: week, day: weekday)
            } else if consume("J") {
                guard let number = number(1...365) else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(0...365) else { return nil }
                day = .zeroBased(number)
            }
            guard consume("/") else { return Change(day: day, time: 2 * 3600) }
            return time(limit: 167).map { Change(day: day, time: $0) }
        }
    }
}
