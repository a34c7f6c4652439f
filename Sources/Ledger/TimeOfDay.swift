/// A wall-clock time, 00:00:00 to 23:59:59, as printed in an alert. Seconds are 0 where only hours and minutes were printed.
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
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), let second = parts.count == 3 ? Int(parts[2]) : 0
        else { return nil }
        self.init(hour: hour, minute: minute, second: second)
    }

    public var secondsSinceMidnight: Int { hour * 3600 + minute * 60 + second }

    /// `HH:mm:ss`.
    public var description: String { "\(twoDigits(hour)):\(twoDigits(minute)):\(twoDigits(second))" }

    public static func < (a: Self, b: Self) -> Bool { a.secondsSinceMidnight < b.secondsSinceMidnight }
}
