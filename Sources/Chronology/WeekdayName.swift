/// English weekday names, Monday first (ISO 8601).
public enum WeekdayName {
    public static let abbreviations = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// The names in lower case.
    public static let words: Set = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// `Thu` for 1970-01-01.
    public static func abbreviation(_ day: CalendarDate) -> String { abbreviations[day.weekday] }
}
