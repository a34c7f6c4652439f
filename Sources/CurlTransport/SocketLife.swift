import Chronology
import Glibc

/// Kernel timeouts of a connection whose peer is silent (tcp(7)): a connection that dies under IDLE ends within 90
/// seconds, before its next probe. TCP_USER_TIMEOUT also covers keep-alive probes.
enum SocketLife {
    /// Seconds of silence before the first keep-alive probe; below the idle timeout of every NAT.
    static let keepAliveIdle = 60
    static let keepAliveInterval = 30
    private static let keepAliveCount: Int32 = 3
    /// Milliseconds for which sent bytes may stay unacknowledged; the default is about a quarter of an hour.
    private static let unacknowledged: UInt32 = 60_000

    /// Sets options that libcurl 7.88 does not offer. A system that rejects them keeps its own timeouts.
    static func bound(_ socket: Int32) {
        var count = keepAliveCount
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_KEEPCNT, &count, socklen_t(MemoryLayout<Int32>.size))
        var timeout = unacknowledged
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &timeout, socklen_t(MemoryLayout<UInt32>.size))
    }

    /// Shortest round trip measured on a TCP connection; `nil` if the system does not report it.
    static func roundTripMicroseconds(_ socket: Int32) -> UInt32? {
        // Offset of `tcpi_min_rtt` in `struct tcp_info` (linux/tcp.h), which the shorter structure of glibc lacks.
        let offset = 148
        var info = [UInt8](repeating: 0, count: 256)
        var length = socklen_t(info.count)
        guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0, length >= offset + 4 else {
            return nil
        }
        return info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
}

/// Time that the machine was suspended since its start: boot time less monotonic time (clock_gettime(2)).
public enum Suspension {
    public static var total: Duration {
        let monotonic = SystemClock.monotonic.nanoseconds
        return .nanoseconds(SystemClock.bootTime.nanoseconds - monotonic)
    }

    /// Shorter suspends do not break a connection. The margin also covers the delay between reading the two clocks.
    static let short = Duration.seconds(2)
}
