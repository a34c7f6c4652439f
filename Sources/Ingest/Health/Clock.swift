import Glibc

/// System clocks in whole seconds.
enum Clock {
    /// Since 1970-01-01 UTC; jumps when the clock is set.
    static var now: Int64 { seconds(CLOCK_REALTIME) }

    /// Never jumps, and stops in suspend: the time that a thread had to do something.
    static var awakeSeconds: Int64 { seconds(CLOCK_MONOTONIC) }

    /// Never jumps, and counts suspend: for the lifetime of a token.
    static var elapsedSeconds: Int64 { seconds(CLOCK_BOOTTIME) }

    private static func seconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec)
    }
}

/// Detects that the time of day was set, by a person or a time server.
struct ClockWatch {
    /// Seconds. A smaller difference is rounding, or a gradual correction.
    private static let tolerance: Int64 = 3

    private let now: @Sendable () -> Int64
    private let elapsed: @Sendable () -> Int64
    private var difference: Int64

    init(
        now: @escaping @Sendable () -> Int64 = { Clock.now },
        elapsed: @escaping @Sendable () -> Int64 = { Clock.elapsedSeconds }
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
