import Chronology
import Store
import Synchronization

/// Counts the commits of a worker and the time that they take.
final class CommitMeter: Sendable {
    struct Figures: Hashable {
        var commits: Int64 = 0
        var failures: Int64 = 0
        var nanoseconds: Int64 = 0
    }

    private let state = Mutex(Figures())

    var figures: Figures { state.withLock { $0 } }

    /// The same primary, whose commits are counted.
    func metered(_ primary: any LedgerPrimary) -> any LedgerPrimary { Metered(primary: primary, meter: self) }

    private struct Metered: LedgerPrimary {
        let primary: any LedgerPrimary
        let meter: CommitMeter

        var version: Int64 { primary.version }

        func confirm() throws(PrimaryError) { try primary.confirm() }

        func catchUp(in tables: [String: LedgerTable], _ apply: (LedgerChanges.TableChanges) throws -> Void) throws {
            try primary.catchUp(in: tables, apply)
        }

        func commit(_ changes: LedgerChanges) throws(PrimaryError) {
            let start = SystemClock.monotonic.nanoseconds
            var isDone = false
            defer {
                let duration = SystemClock.monotonic.nanoseconds - start
                meter.state.withLock { figures in
                    figures.commits += isDone ? 1 : 0
                    figures.failures += isDone ? 0 : 1
                    figures.nanoseconds += duration
                }
            }
            try primary.commit(changes)
            isDone = true
        }
    }
}
