/// A calendar day as SEARCH takes it: `1-Feb-2026` (`date`, RFC 9051 section 9).
///
/// SEARCH compares it with the date part of INTERNALDATE *without regard to the zone*; who asks for "since" should go a
/// day back.
public struct Day: Hashable, Sendable, CustomStringConvertible {
    public let year: Int
    public let month: Int
    public let day: Int

    static let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Refuses a day that the calendar does not have, and years outside 1...9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        guard day <= (month == 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The UTC day of an instant, seconds since 1970. Instants outside the years 1...9999 are clamped.
    /// (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.)
    public init(secondsSinceEpoch seconds: Int64) {
        let days = seconds / 86400 - (seconds % 86400 < 0 ? 1 : 0)
        let z = Int(min(max(days, -719_162), 2_932_896)) + 719_468
        let era = z / 146_097
        let doe = z - era * 146_097
        let yoe = (doe - doe / 1460 + doe / 36524 - doe / 146_096) / 365
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100)
        let mp = (5 * doy + 2) / 153
        day = doy - (153 * mp + 2) / 5 + 1
        month = mp < 10 ? mp + 3 : mp - 9
        year = yoe + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01, negative before it (days_from_civil of the same paper).
    public var daysSince1970: Int {
        let y = month <= 2 ? year - 1 : year
        let era = y / 400
        let yoe = y - era * 400
        let doy = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy
        return era * 146_097 + doe - 719_468
    }

    public var description: String { "\(day)-\(Self.monthNames[month - 1])-\(year)" }
}
