import Chronology
import Glibc

/// How long the kernel believes in a connection whose other end is silent (tcp(7)): a line that died under IDLE ends
/// within 90 seconds (TCP_USER_TIMEOUT counts for the probes, too), sooner than it is probed.
enum SocketLife {
    /// Seconds of silence before the kernel asks; below every NAT's patience.
    static let keepAliveIdle = 60
    static let keepAliveInterval = 30
    private static let keepAliveCount: Int32 = 3
    /// Milliseconds that what was sent may stay unacknowledged: the retries of a write end then, and not after a
    /// quarter of an hour.
    private static let unacknowledged: UInt32 = 60_000

    /// Sets options that libcurl 7.88 does not offer. A system that refuses them keeps its own timeouts.
    static func bound(_ socket: Int32) {
        var count = keepAliveCount
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_KEEPCNT, &count, socklen_t(MemoryLayout<Int32>.size))
        var patience = unacknowledged
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &patience, socklen_t(MemoryLayout<UInt32>.size))
    }

    /// The shortest that was seen on a TCP connection; `nil` where the system does not say.
    static func roundTripMicroseconds(_ socket: Int32) -> UInt32? {
        // `tcpi_min_rtt` of `struct tcp_info` (linux/tcp.h), which glibc's shorter one lacks.
        let offset = 148
        var info = [UInt8](repeating: 0, count: 256)
        var length = socklen_t(info.count)
        guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0, length >= offset + 4 else {
            return nil
        }
        return info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
}

/// Time that the machine spent suspended since it started: the clock that counts it, less the one that does not
/// (clock_gettime(2)).
public enum Suspension {
    public static var total: Duration {
        let monotonic = SystemClock.monotonic.nanoseconds
        return .nanoseconds(SystemClock.bootTime.nanoseconds - monotonic)
    }

    /// Shorter than this, both ends of a connection are still there; the two clocks are read one after the other, too.
    static let short = Duration.seconds(2)
}
