import Chronology
internal import GRDB
import Glibc
import Synchronization

/// Wait for another process's lock on the database: up to ``Store/busyTimeout``, and shorter once the program stops.
final class BusyWait: Sendable {
    /// Milliseconds of the pauses, as in SQLite's own busy handler; the last one repeats.
    private static let pauses: [UInt32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]
    /// Nanoseconds for which waits may continue in total after ``interrupt()``, long enough for ordinary commits of
    /// other processes.
    private static let afterInterrupt: UInt64 = 500_000_000

    /// Time of ``clock()`` in nanoseconds at which every wait ends; `.max` until ``interrupt()``.
    private let end = Atomic<UInt64>(.max)
    /// Limit of one wait in nanoseconds.
    private let limit = Atomic<UInt64>(UInt64(Store.busyTimeout) * 1_000_000_000)

    var isInterrupted: Bool { end.load(ordering: .relaxed) != .max }

    /// Ends all present and later waits within half a second.
    func interrupt() {
        _ = end.compareExchange(expected: .max, desired: Self.clock() + Self.afterInterrupt, ordering: .relaxed)
    }

    /// Runs `body` with waits of at most `milliseconds`. Called on the writing connection only, one call at a time.
    func limited<Result>(to milliseconds: UInt64, _ body: () throws -> Result) rethrows -> Result {
        let usual = limit.exchange(milliseconds * 1_000_000, ordering: .relaxed)
        defer { limit.store(usual, ordering: .relaxed) }
        return try body()
    }

    /// Busy handler of one connection.
    func handler() -> Database.BusyMode {
        let start = Started()
        return .callback { [self] tries in
            let now = Self.clock()
            if tries == 0 { start.instant.store(now, ordering: .relaxed) }
            let waited = now - min(start.instant.load(ordering: .relaxed), now)
            guard waited < limit.load(ordering: .relaxed), now < end.load(ordering: .relaxed) else { return false }
            usleep(Self.pauses[min(tries, Self.pauses.count - 1)] * 1000)
            return true
        }
    }

    private final class Started: Sendable { let instant = Atomic<UInt64>(0) }

    private static func clock() -> UInt64 { UInt64(SystemClock.monotonic.nanoseconds) }
}
