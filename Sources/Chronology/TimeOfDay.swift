/// A wall-clock time, 00:00:00 to 23:59:59, as printed in an alert. Seconds are 0 if only hours and minutes were
/// printed.
public struct TimeOfDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let hour: Int
    public let minute: Int
    public let second: Int

    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// `HH:mm` or `HH:mm:ss`.
    public init?(iso text: some StringProtocol) {
        var parts = (0, 0, 0)
        var at = 0
        for byte in text.utf8 {
            let digit = Int(byte) - 0x30
            switch at {
            case 2, 5: guard byte == UInt8(ascii: ":") else { return nil }
            case 0...7 where !(0...9).contains(digit): return nil
            case 0, 1: parts.0 = parts.0 * 10 + digit
            case 3, 4: parts.1 = parts.1 * 10 + digit
            case 6, 7: parts.2 = parts.2 * 10 + digit
            default: return nil
            }
            at += 1
        }
        guard at == 5 || at == 8 else { return nil }
        self.init(hour: parts.0, minute: parts.1, second: parts.2)
    }

    private init(hour: Int) { (self.hour, minute, second) = (hour, 0, 0) }

    /// 12:00, for an event of which only the day is known.
    public static let noon = TimeOfDay(hour: 12)

    /// 23:59:59.
    public static let lastSecond = TimeOfDay(hour: 23, minute: 59, second: 59) ?? .noon

    public var secondsSinceMidnight: Int { hour * 3600 + minute * 60 + second }

    /// `HH:mm`.
    public var hoursAndMinutes: String { "\(twoDigits(hour)):\(twoDigits(minute))" }

    /// `HH:mm:ss`.
    public var description: String { "\(twoDigits(hour)):\(twoDigits(minute)):\(twoDigits(second))" }

    public static func < (a: Self, b: Self) -> Bool { a.secondsSinceMidnight < b.secondsSinceMidnight }
}

fileprivate func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
