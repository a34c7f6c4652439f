/// A day of the proleptic Gregorian calendar, without a time zone.
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let year: Int
    public let month: Int
    public let day: Int

    /// Refuses a day that the calendar does not have, and years outside 1970...2199.
    public init?(year: Int, month: Int, day: Int) {
        guard (1970...2199).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        let length = month == 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        guard day <= length else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day `days` after 1970-01-01. Days outside 1970...2199 are clamped to the nearest one inside.
    /// (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.)
    public init(daysSince1970 days: Int) {
        let z = min(max(days, 0), 84005) + 719_468
        let era = z / 146_097
        let doe = z - era * 146_097
        let yoe = (doe - doe / 1460 + doe / 36524 - doe / 146_096) / 365
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100)
        let mp = (5 * doy + 2) / 153
        day = doy - (153 * mp + 2) / 5 + 1
        month = mp < 10 ? mp + 3 : mp - 9
        year = yoe + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01 (days_from_civil of the same paper).
    public var daysSince1970: Int {
        let y = month <= 2 ? year - 1 : year
        let era = y / 400
        let yoe = y - era * 400
        let doy = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy
        return era * 146_097 + doe - 719_468
    }

    /// `yyyy-mm-dd` (ISO 8601).
    public init?(iso text: some StringProtocol) {
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

    public var description: String { "\(year)-\(twoDigits(month))-\(twoDigits(day))" }

    public static func < (a: Self, b: Self) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }
}

func twoDigits(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
