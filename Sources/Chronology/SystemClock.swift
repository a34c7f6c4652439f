import Glibc

/// The system's clocks as numbers (clock_gettime(2)).
///
/// `ContinuousClock` and `SuspendingClock` read `bootTime` and `monotonic`, but their instants cannot be stored, sent
/// to the service manager, or compared with each other.
public enum SystemClock: Sendable {
    /// UTC since 1970-01-01. Jumps when the clock is set.
    case realTime
    /// Never jumps. Stops while the machine is suspended.
    case monotonic
    /// Never jumps. Counts the time in suspend.
    case bootTime
    /// CPU time of the calling thread.
    case threadCPUTime

    public var reading: (seconds: Int64, nanoseconds: Int64) {
        var time = timespec()
        clock_gettime(identifier, &time)
        return (Int64(time.tv_sec), Int64(time.tv_nsec))
    }

    /// Whole seconds, rounded down.
    public var seconds: Int64 { reading.seconds }

    public var milliseconds: Int64 {
        let reading = reading
        return reading.seconds * 1000 + reading.nanoseconds / 1_000_000
    }

    public var microseconds: Int64 {
        let reading = reading
        return reading.seconds * 1_000_000 + reading.nanoseconds / 1000
    }

    public var nanoseconds: Int64 {
        let reading = reading
        return reading.seconds * 1_000_000_000 + reading.nanoseconds
    }

    private var identifier: clockid_t {
        switch self {
        case .realTime: CLOCK_REALTIME
        case .monotonic: CLOCK_MONOTONIC
        case .bootTime: CLOCK_BOOTTIME
        case .threadCPUTime: CLOCK_THREAD_CPUTIME_ID
        }
    }
}
