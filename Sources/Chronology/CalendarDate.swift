/// A day of the proleptic Gregorian calendar, without a time zone, from 1970-01-01 to 2199-12-31.
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let year: Int
    public let month: Int
    public let day: Int

    /// `nil` for a day that the calendar does not have, or outside the years 1970...2199.
    public init?(year: Int, month: Int, day: Int) {
        guard (1970...2199).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilCalendar.length(ofMonth: month, year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day `days` after 1970-01-01, clamped to the years 1970...2199.
    public init(daysSince1970 days: Int) {
        (year, month, day) = CivilCalendar.date(days: min(max(days, 0), 84005))
    }

    public var daysSince1970: Int { CivilCalendar.days(year: year, month: month, day: day) }

    /// The place of the day in its week: 0 for Monday, 6 for Sunday.
    public var weekday: Int { CivilCalendar.weekday(days: daysSince1970) }

    /// `yyyy-mm-dd` (ISO 8601).
    @inlinable public init?(iso text: some StringProtocol) {
        var (year, month, day) = (0, 0, 0)
        var at = 0
        for byte in text.utf8 {
            let digit = Int(byte) - 0x30
            switch at {
            case 4, 7: guard byte == UInt8(ascii: "-") else { return nil }
            case 0...9 where !(0...9).contains(digit): return nil
            case 0...3: year = year * 10 + digit
            case 5, 6: month = month * 10 + digit
            case 8, 9: day = day * 10 + digit
            default: return nil
            }
            at += 1
        }
        guard at == 10 else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `yyyy-mm-dd`.
    public var description: String {
        String(unsafeUninitializedCapacity: 10) { bytes in
            write(to: bytes)
            return 10
        }
    }

    public static func < (a: Self, b: Self) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }
}
