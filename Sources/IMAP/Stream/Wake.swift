import Glibc
import Synchronization

/// Ends the waiting of one mailbox's thread from any other thread or a signal handler: two pipes are polled beside the socket.
///
/// One `Wake` per mailbox: a wake is used up by the wait that it ends.
public final class Wake: Sendable {
    /// Readable after ``wake()`` until a wait takes it. -1 when no descriptor was to be had.
    public let wakeDescriptor: Int32
    /// Readable for ever after ``stop()``.
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

    /// Ends the present wait, or the next one. Async-signal-safe.
    public func wake() { Self.raise(wakeInlet) }

    /// Ends every wait and every command from now on, for ever. Async-signal-safe.
    public func stop() {
        stopped.store(true, ordering: .releasing)
        Self.raise(stopInlet)
    }

    public var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// Takes a pending wake. For who polls ``wakeDescriptor``.
    public func take() -> Bool {
        var bytes: (UInt64, UInt64) = (0, 0)
        var taken = false
        while read(wakeDescriptor, &bytes, 16) > 0 { taken = true }
        return taken
    }

    public enum Outcome: Hashable, Sendable {
        case woken, stopped, timedOut
    }

    /// Sleeps: the pause before the next try.
    public func wait(until deadline: Deadline) -> Outcome {
        while true {
            if isStopped { return .stopped }
            if take() { return .woken }
            if deadline.isPast { return .timedOut }
            var waiting = [
                pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&waiting, 2, deadline.milliseconds())
        }
    }

    /// A full pipe is as good as one more byte.
    private static func raise(_ descriptor: Int32) {
        var one: UInt8 = 1
        let saved = errno
        _ = write(descriptor, &one, 1)
        errno = saved
    }

    /// A socket pair and not a pipe: it is non-blocking and closed on exec from the beginning, whatever other threads start meanwhile.
    private static func openPipe() -> (outlet: Int32, inlet: Int32) {
        var ends: (Int32, Int32) = (-1, -1)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let failed = withUnsafeMutableBytes(of: &ends) {
            socketpair(AF_UNIX, kind, 0, $0.bindMemory(to: Int32.self).baseAddress) != 0
        }
        return failed ? (-1, -1) : ends
    }
}
