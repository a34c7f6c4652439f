public import Chronology
import Glibc
import Synchronization

/// Ends the wait of one mailbox's thread, from any thread or a signal handler: two descriptors are polled beside the
/// socket.
///
/// One `Wake` per mailbox: the wait that a wake ends consumes it.
public final class Wake: Sendable {
    /// Readable after ``wake()`` until a wait consumes it. -1 if the system gave no descriptor.
    public let wakeDescriptor: Int32
    /// Readable after ``stop()`` permanently.
    public let stopDescriptor: Int32
    private let wakeInlet: Int32
    private let stopInlet: Int32
    private let stopped = Atomic(false)

    public init() {
        (wakeDescriptor, wakeInlet) = Self.openPipe()
        (stopDescriptor, stopInlet) = Self.openPipe()
    }

    deinit {
        for descriptor in [wakeDescriptor, wakeInlet, stopDescriptor, stopInlet] where descriptor >= 0 {
            close(descriptor)
        }
    }

    /// Ends the present wait or the next one. Async-signal-safe.
    public func wake() { Self.raise(wakeInlet) }

    /// Ends every wait and every command from now on. Async-signal-safe.
    public func stop() {
        stopped.store(true, ordering: .releasing)
        Self.raise(stopInlet)
    }

    public var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// Consumes a pending wake, for a caller that polls ``wakeDescriptor`` itself.
    ///
    /// - Returns: true if there was one.
    public func consume() -> Bool {
        var bytes: (UInt64, UInt64) = (0, 0)
        var isPending = false
        while read(wakeDescriptor, &bytes, 16) > 0 { isPending = true }
        return isPending
    }

    public enum Outcome: Hashable, Sendable {
        case woken, stopped, timedOut
    }

    /// Sleeps until `deadline`, a wake or a stop.
    public func wait(until deadline: Deadline) -> Outcome {
        while true {
            if isStopped { return .stopped }
            if consume() { return .woken }
            if deadline.isPast { return .timedOut }
            var waiting = [
                pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&waiting, 2, deadline.milliseconds())
        }
    }

    /// A full pipe needs no more bytes.
    private static func raise(_ descriptor: Int32) {
        var one: UInt8 = 1
        let saved = errno
        _ = write(descriptor, &one, 1)
        errno = saved
    }

    /// A socket pair instead of a pipe: non-blocking and close-on-exec from the beginning, so that no thread in between
    /// leaks it to a child.
    private static func openPipe() -> (outlet: Int32, inlet: Int32) {
        var ends: (Int32, Int32) = (-1, -1)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let failed = withUnsafeMutableBytes(of: &ends) {
            socketpair(AF_UNIX, kind, 0, $0.bindMemory(to: Int32.self).baseAddress) != 0
        }
        return failed ? (-1, -1) : ends
    }
}
