public import Chronology
// Public, because a conformance of a public type to a protocol is public.
public import GRDB

// The one spelling of instants and days in the database. Both are texts that sort in order of time.

/// `2026-01-05T06:43:14Z` (ISO 8601, UTC, whole seconds). An instant outside the years 1970...2199 is written as the
/// nearest day inside: a Date header can hold any year.
extension UnixTime: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { description.databaseValue }

    /// A text that is not an instant, which only another program can have written, reads as 1970-01-01.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> UnixTime? {
        String.fromDatabaseValue(value).map { UnixTime(iso: $0) ?? .epoch }
    }
}

/// `2026-01-05`.
extension CalendarDate: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { description.databaseValue }

    /// A text that is not a day, which only another program can have written, reads as 1970-01-01.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> CalendarDate? {
        String.fromDatabaseValue(value).map { CalendarDate(iso: $0) ?? CalendarDate(daysSince1970: 0) }
    }
}

/// `06:43:14`.
extension TimeOfDay: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { description.databaseValue }

    /// A text that is not a time, which only another program can have written, reads as noon, as an unknown time does.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> TimeOfDay? {
        String.fromDatabaseValue(value).map { TimeOfDay(iso: $0) ?? .noon }
    }
}

extension Binder {
    mutating func bind(_ instant: UnixTime?) { bind(instant?.description) }
    mutating func bind(_ day: CalendarDate?) { bind(day?.description) }
    mutating func bind(_ time: TimeOfDay?) { bind(time?.description) }
}

extension Columns {
    func instant(_ index: CInt) -> UnixTime { optionalInstant(index) ?? .epoch }
    func optionalInstant(_ index: CInt) -> UnixTime? { optionalText(index).map { UnixTime(iso: $0) ?? .epoch } }
    func day(_ index: CInt) -> CalendarDate { optionalDay(index) ?? CalendarDate(daysSince1970: 0) }
    func optionalDay(_ index: CInt) -> CalendarDate? { optionalText(index).flatMap { CalendarDate(iso: $0) } }
    func optionalTime(_ index: CInt) -> TimeOfDay? { optionalText(index).flatMap { TimeOfDay(iso: $0) } }
}
