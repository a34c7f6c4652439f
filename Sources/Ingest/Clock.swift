import Glibc

/// Clocks in whole seconds.
enum Clock {
    /// Since 1970-01-01 UTC; jumps when the clock is set.
    static var now: Int64 { seconds(CLOCK_REALTIME) }

    /// Never jumps; counts time in suspend too, so that a thread that slept with the machine shows.
    static var monotonicSeconds: Int64 { seconds(CLOCK_BOOTTIME) }

    private static func seconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec)
    }
}
