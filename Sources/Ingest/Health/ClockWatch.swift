import Chronology

/// Detects that the time of day was set, by a person or a time server.
struct ClockWatch {
    /// Seconds. A smaller difference is rounding, or a gradual correction.
    private static let tolerance: Int64 = 3

    private let now: @Sendable () -> Int64
    private let elapsed: @Sendable () -> Int64
    private var difference: Int64

    init(
        now: @escaping @Sendable () -> Int64 = { UnixTime.now.seconds },
        elapsed: @escaping @Sendable () -> Int64 = { SystemClock.bootTime.seconds }
    ) {
        (self.now, self.elapsed) = (now, elapsed)
        difference = now() - elapsed()
    }

    /// Returns the time of day, and the seconds by which it was set forward (below zero: back) since the last call.
    mutating func read() -> (now: Int64, jump: Int64) {
        let now = now()
        let before = difference
        difference = now - elapsed()
        let jump = difference - before
        return (now, abs(jump) < Self.tolerance ? 0 : jump)
    }
}
