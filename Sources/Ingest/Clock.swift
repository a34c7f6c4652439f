import Glibc

/// Clocks in whole seconds.
enum Clock {
    /// Since 1970-01-01 UTC; jumps when the clock is set.
    static var now: Int64 { seconds(CLOCK_REALTIME) }

    /// Never jumps and stands still in suspend: the time that a thread had to do something.
    static var awakeSeconds: Int64 { seconds(CLOCK_MONOTONIC) }

    /// Never jumps and counts suspend: how long something of somebody else's, such as a token, is good for.
    static var elapsedSeconds: Int64 { seconds(CLOCK_BOOTTIME) }

    private static func seconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec)
    }
}
