import CGMime
public import Chronology

/// A date and time of RFC 5322 section 3.3 with its zone.
public struct HeaderDate: Hashable, Sendable {
    public let instant: UnixTime
    /// Seconds east of UTC: +0530 is 19800.
    public let offsetSeconds: Int32

    public init(_ instant: UnixTime, offsetSeconds: Int32) {
        self.instant = instant
        self.offsetSeconds = offsetSeconds
    }

    /// The day by the clock of the writer.
    public var day: CalendarDate { instant.day(offset: Int(offsetSeconds)) }

    /// Parses the value of a Date field.
    ///
    /// The form of RFC 5322 is parsed here. Every other form goes to GMime, which knows obsolete zones and common
    /// mistakes.
    init?(parsing bytes: [UInt8]) {
        if let exact = Self(exactly: bytes.span) {
            self = exact
            return
        }
        guard bytes.count < 256, bytes.contains(where: \.isDigit) else { return nil }
        GMime.start()
        var text = bytes.map { CChar(bitPattern: $0 == 0 ? ASCII.space : $0) }
        text.append(0)
        guard let date = g_mime_utils_header_decode_date(text) else { return nil }
        defer { g_date_time_unref(date) }
        self.init(
            UnixTime(seconds: Int64(g_date_time_to_unix(date))),
            offsetSeconds: Int32(truncatingIfNeeded: g_date_time_get_utc_offset(date) / 1_000_000))
    }

    /// `[day-name ","] day month year hour ":" minute [":" second] ("+" / "-") 4DIGIT`
    private init?(exactly bytes: borrowing Octets) {
        var reader = DateReader()
        reader.skipDayName(bytes)
        guard let day = reader.number(bytes, digits: 1...2), let month = reader.month(bytes),
            let year = reader.number(bytes, digits: 4...4), let hour = reader.number(bytes, digits: 2...2),
            reader.consume(ASCII.colon, bytes), let minute = reader.number(bytes, digits: 2...2)
        else { return nil }
        var second = 0
        if reader.consume(ASCII.colon, bytes) {
            guard let read = reader.number(bytes, digits: 2...2) else { return nil }
            second = read
        }
        guard let zone = reader.zone(bytes), year >= 1900, hour < 24, minute < 60, second <= 60,
            (1...CivilCalendar.length(ofMonth: month, year)).contains(day)
        else { return nil }
        let days = CivilCalendar.days(year: year, month: month, day: day)
        let local = ((days * 24 + hour) * 60 + minute) * 60 + min(second, 59)
        self.init(UnixTime(seconds: Int64(local - zone)), offsetSeconds: Int32(zone))
    }
}

fileprivate struct DateReader {
    var cursor = 0

    mutating func skipSpaces(_ bytes: borrowing Octets) {
        while cursor < bytes.count, bytes[cursor].isWSP { cursor += 1 }
    }

    mutating func skipDayName(_ bytes: borrowing Octets) {
        skipSpaces(bytes)
        let start = cursor
        while cursor < bytes.count, bytes[cursor].isLetter { cursor += 1 }
        if cursor == start + 3, consume(ASCII.comma, bytes) { return }
        cursor = start
    }

    mutating func consume(_ byte: UInt8, _ bytes: borrowing Octets) -> Bool {
        guard cursor < bytes.count, bytes[cursor] == byte else { return false }
        cursor += 1
        return true
    }

    mutating func number(_ bytes: borrowing Octets, digits: ClosedRange<Int>) -> Int? {
        skipSpaces(bytes)
        let start = cursor
        var value = 0
        while cursor < bytes.count, bytes[cursor].isDigit, cursor - start < 5 {
            value = value * 10 + Int(bytes[cursor] &- 48)
            cursor += 1
        }
        return digits.contains(cursor - start) ? value : nil
    }

    mutating func month(_ bytes: borrowing Octets) -> Int? {
        skipSpaces(bytes)
        guard cursor + 3 < bytes.count, bytes[cursor + 3].isWSP, bytes[cursor].isLetter, bytes[cursor + 1].isLetter,
            bytes[cursor + 2].isLetter
        else { return nil }
        let key = (0..<3).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[cursor + $1] | 0x20) }
        cursor += 3
        return MonthName.month(key: key)
    }

    /// Returns the zone in seconds east of UTC. Only a comment may follow it.
    mutating func zone(_ bytes: borrowing Octets) -> Int? {
        skipSpaces(bytes)
        let sign: Int
        if consume(UInt8(ascii: "+"), bytes) {
            sign = 1
        } else if consume(ASCII.hyphen, bytes) {
            sign = -1
        } else {
            return nil
        }
        guard let digits = number(bytes, digits: 4...4), digits % 100 < 60, digits < 2400 else { return nil }
        skipSpaces(bytes)
        guard cursor == bytes.count || bytes[cursor] == ASCII.openParen else { return nil }
        return sign * (digits / 100 * 60 + digits % 100) * 60
    }
}
