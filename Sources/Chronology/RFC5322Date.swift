/// The value of a Date header (RFC 5322 section 3.3): `Mon, 05 Jan 2026 13:30:00 +0530`.
public enum RFC5322Date {
    /// - Parameter offset: seconds east of UTC.
    public static func text(_ instant: UnixTime, offset: Int = 0) -> String {
        let local = max(instant + Int64(offset), .epoch)
        let day = local.day()
        let seconds = Int(local.seconds % 86400)
        let minutes = abs(offset) / 60
        let weekday = WeekdayName.abbreviation(day)
        let time = "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        let zone = "\(offset < 0 ? "-" : "+")\(two(minutes / 60))\(two(minutes % 60))"
        return "\(weekday), \(two(day.day)) \(MonthName.abbreviation(day.month)) \(day.year) \(time) \(zone)"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
