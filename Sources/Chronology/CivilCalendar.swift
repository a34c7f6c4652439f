/// Arithmetic of the proleptic Gregorian calendar (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
///
/// Foundation's `Calendar` works on instants in a time zone and allocates; a day without a zone is pure integer
/// arithmetic.
public enum CivilCalendar {
    /// Days from 1970-01-01 to the first day of year 1 and to the last of year 9999.
    static let dayRange = -719_162...2_932_896

    public static func isLeap(_ year: Int) -> Bool { (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 }

    /// The number of days of a month 1...12.
    public static func length(ofMonth month: Int, _ year: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days from 1970-01-01, negative before it (`days_from_civil`). The year must not be below 1.
    public static func days(year: Int, month: Int, day: Int) -> Int {
        // Counted from 1 March, so that the leap day is the last of its year.
        let y = month <= 2 ? year - 1 : year
        let era = y / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The place of a day in its week, from the days since 1970-01-01: 0 for Monday, 6 for Sunday.
    static func weekday(days: Int) -> Int {
        // 1970-01-01 was a Thursday.
        ((days + 3) % 7 + 7) % 7
    }

    /// The date `days` after 1970-01-01 (`civil_from_days`), clamped to the years 1...9999.
    public static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let z = min(max(days, dayRange.lowerBound), dayRange.upperBound) + 719_468
        let era = z / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
