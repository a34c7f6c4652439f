public import Chronology

/// INTERNALDATE, the time at which the server received a message: `"17-Jul-1996 02:44:25 -0700"` (`date-time`, RFC 9051
/// section 9).
public struct InternalDate: Hashable, Sendable {
    public let instant: UnixTime
    /// The zone of the text, minutes east of UTC.
    public let zoneMinutes: Int

    public init(_ instant: UnixTime, zoneMinutes: Int = 0) {
        self.instant = instant
        self.zoneMinutes = zoneMinutes
    }

    /// Parses the text between the quotes. The day may be padded with a blank or a zero.
    public init?(wire text: some Collection<UInt8>) {
        let b = Array(text.drop { $0 == 0x20 })
        let day = b.count > 1 && b[1] == 0x2D ? 1 : 2
        guard b.count == day + 24, b[day] == 0x2D, b[day + 4] == 0x2D, b[day + 9] == 0x20, b[day + 12] == 0x3A,
            b[day + 15] == 0x3A, b[day + 18] == 0x20, b[day + 19] == 0x2B || b[day + 19] == 0x2D
        else { return nil }
        func number(_ from: Int, _ length: Int) -> Int? {
            var value = 0
            for byte in b[from..<(from + length)] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        let name = b[(day + 1)..<(day + 4)].map { $0 | 0x20 }
        let month = MonthName.month(abbreviated: name)
        guard let dayOfMonth = number(0, day), let month, let year = number(day + 5, 4), let hour = number(day + 10, 2),
            let minute = number(day + 13, 2), let second = number(day + 16, 2), let zone = number(day + 20, 4),
            let date = Day(year: year, month: month, day: dayOfMonth), hour < 24, minute < 60, second <= 60,
            zone % 100 < 60
        else { return nil }
        let east = (zone / 100 * 60 + zone % 100) * (b[day + 19] == 0x2D ? -1 : 1)
        zoneMinutes = east
        instant = UnixTime(
            seconds: Int64(date.daysSince1970) * 86400 + Int64(hour * 3600 + minute * 60 + second - east * 60))
    }
}
