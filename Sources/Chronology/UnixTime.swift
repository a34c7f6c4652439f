/// An instant in whole seconds since 1970-01-01 00:00:00 UTC, without leap seconds (POSIX time).
public struct UnixTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    public var seconds: Int64

    public init(seconds: Int64) { self.seconds = seconds }

    public static var now: UnixTime { UnixTime(seconds: SystemClock.realTime.seconds) }

    /// 1970-01-01 00:00:00 UTC.
    public static let epoch = UnixTime(seconds: 0)

    /// `2026-01-05T06:43:14Z` (ISO 8601).
    public init?(iso text: some StringProtocol) {
        guard text.utf8.count == 20, text.last == "Z",
            let date = CalendarDate(iso: text.prefix(10)),
            let time = TimeOfDay(iso: text.dropFirst(11).prefix(8))
        else { return nil }
        self.init(date, time)
    }

    /// The instant of a day and a wall-clock time in UTC; midnight if there is no time.
    public init(_ day: CalendarDate, _ time: TimeOfDay? = nil) {
        self.init(seconds: Int64(day.daysSince1970) * 86400 + Int64(time?.secondsSinceMidnight ?? 0))
    }

    /// The day in a zone that is `offset` seconds east of UTC.
    public func day(offset: Int = 0) -> CalendarDate {
        let (sum, isOverflow) = seconds.addingReportingOverflow(Int64(offset))
        let local = isOverflow ? seconds : sum
        return CalendarDate(daysSince1970: Int(local / 86400) - (local % 86400 < 0 ? 1 : 0))
    }

    /// ISO 8601 in UTC, such as `2026-01-05T06:43:14Z`: 20 bytes that sort in order of time.
    ///
    /// An instant outside the years 1970...2199 gives the nearest day inside, because a Date header can hold any year.
    public var description: String {
        let days = seconds >= 0 ? seconds / 86400 : -1
        let date = CalendarDate(daysSince1970: Int(clamping: days))
        let rest = days < 0 ? 0 : Int(seconds - days * 86400)
        // Made for every mail: one allocation in place of one for each number.
        return String(unsafeUninitializedCapacity: 20) { bytes in
            date.write(to: bytes)
            bytes[10] = UInt8(ascii: "T")
            write(rest / 3600, 11, to: bytes)
            bytes[13] = UInt8(ascii: ":")
            write(rest / 60 % 60, 14, to: bytes)
            bytes[16] = UInt8(ascii: ":")
            write(rest % 60, 17, to: bytes)
            bytes[19] = UInt8(ascii: "Z")
            return 20
        }
    }

    public static func < (a: Self, b: Self) -> Bool { a.seconds < b.seconds }
}

/// Arithmetic in whole seconds. It saturates: instants come from mail headers and settings, which can hold any number.
extension UnixTime {
    public static func + (instant: UnixTime, seconds: Int64) -> UnixTime {
        let (sum, isOverflow) = instant.seconds.addingReportingOverflow(seconds)
        return UnixTime(seconds: isOverflow ? (seconds < 0 ? .min : .max) : sum)
    }

    public static func - (instant: UnixTime, seconds: Int64) -> UnixTime {
        let (difference, isOverflow) = instant.seconds.subtractingReportingOverflow(seconds)
        return UnixTime(seconds: isOverflow ? (seconds < 0 ? .max : .min) : difference)
    }

    /// Seconds from `earlier` to `later`; negative if `later` comes first.
    public static func - (later: UnixTime, earlier: UnixTime) -> Int64 { (later - earlier.seconds).seconds }

    public static func += (instant: inout UnixTime, seconds: Int64) { instant = instant + seconds }
    public static func -= (instant: inout UnixTime, seconds: Int64) { instant = instant - seconds }
}

extension CalendarDate {
    /// `yyyy-mm-dd` into the first ten bytes.
    func write(to bytes: UnsafeMutableBufferPointer<UInt8>) {
        Chronology.write(year / 100, 0, to: bytes)
        Chronology.write(year % 100, 2, to: bytes)
        bytes[4] = UInt8(ascii: "-")
        Chronology.write(month, 5, to: bytes)
        bytes[7] = UInt8(ascii: "-")
        Chronology.write(day, 8, to: bytes)
    }
}

/// Two digits at `index`.
fileprivate func write(_ value: Int, _ index: Int, to bytes: UnsafeMutableBufferPointer<UInt8>) {
    bytes[index] = UInt8(0x30 + value / 10 % 10)
    bytes[index + 1] = UInt8(0x30 + value % 10)
}
