/// An instant of a clock that includes suspend, so that a connection that died during suspend is noticed at once.
public struct Deadline: Comparable, Sendable {
    /// Nanoseconds of ``SystemClock/bootTime``.
    private let instant: Int64

    private init(instant: Int64) { self.instant = instant }

    private static var now: Int64 { SystemClock.bootTime.nanoseconds }

    public static func after(_ duration: Duration) -> Deadline {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = now.addingReportingOverflow(overflow ? Int64.max / 2 : whole + attoseconds / 1_000_000_000)
        return Deadline(instant: carry ? .max : sum)
    }

    public var isPast: Bool { Self.now >= instant }

    /// The time left; zero if the deadline is past.
    public var remaining: Duration { .nanoseconds(max(0, instant - Self.now)) }

    /// The milliseconds left for `poll(2)`, rounded up, at most `cap`. The clock of `poll` stops in suspend, so wait in
    /// slices and ask again.
    public func milliseconds(atMost cap: Int32 = Self.pollSlice) -> Int32 {
        let left = instant - Self.now
        if left <= 0 { return 0 }
        return left >= Int64(cap) * 1_000_000 ? cap : Int32((left + 999_999) / 1_000_000)
    }

    /// Ten seconds: the maximum delay after a resume.
    public static let pollSlice: Int32 = 10_000

    public static func < (a: Deadline, b: Deadline) -> Bool { a.instant < b.instant }
}
