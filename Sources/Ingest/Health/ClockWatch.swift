import Chronology

/// Detects that the time of day was set, by a person or a time server.
struct ClockWatch {
    /// Seconds. A smaller difference is rounding, or a gradual correction.
    private static let tolerance: Int64 = 3

    private let now: @Sendable () -> UnixTime
    private let elapsed: @Sendable () -> Int64
    /// The time of day when `elapsed` was 0.
    private var origin: UnixTime

    init(
        now: @escaping @Sendable () -> UnixTime = { .now },
        elapsed: @escaping @Sendable () -> Int64 = { SystemClock.bootTime.seconds }
    ) {
        (self.now, self.elapsed) = (now, elapsed)
        origin = now() - elapsed()
    }

    /// Returns the time of day, and the seconds by which it was set forward (below zero: back) since the last call.
    mutating func read() -> (now: UnixTime, jump: Int64) {
        let now = now()
        let before = origin
        origin = now - elapsed()
        let jump = origin - before
        return (now, abs(jump) < Self.tolerance ? 0 : jump)
    }
}
