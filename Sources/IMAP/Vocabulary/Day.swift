public import Chronology

/// A calendar day in SEARCH: `1-Feb-2026` (`date`, RFC 9051 section 9).
///
/// SEARCH compares it with the date part of INTERNALDATE without regard to the zone, so a search for "since" should
/// begin one day earlier.
public struct Day: Hashable, Sendable, CustomStringConvertible {
    public let year: Int
    public let month: Int
    public let day: Int

    /// Refuses a day that the calendar does not have, and years outside 1...9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilCalendar.length(ofMonth: month, year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The UTC day of an instant. Instants outside the years 1...9999 are clamped.
    public init(_ instant: UnixTime) {
        let seconds = instant.seconds
        let days = seconds / 86400 - (seconds % 86400 < 0 ? 1 : 0)
        (year, month, day) = CivilCalendar.date(days: Int(days))
    }

    /// Days since 1970-01-01, negative before it.
    public var daysSince1970: Int { CivilCalendar.days(year: year, month: month, day: day) }

    public var description: String { "\(day)-\(MonthName.abbreviation(month))-\(year)" }
}
