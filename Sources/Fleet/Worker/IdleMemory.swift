import Chronology
import Processes
import Synchronization

/// Returns memory of households whose mailboxes only wait to the system: most of a worker's households, most of the
/// time.
final class IdleMemory: Sendable {
    private struct State {
        var growth = MemoryGrowth()
        var isReleasing = false
        var pause = Deadline.after(.zero)
    }

    /// Time between two releases, as long as rules are kept after a mail. The growth alone would release at each step
    /// of a worker that reads mails: the code that runs is mapped again at once.
    private static let pause = Duration.seconds(30)

    private let state = Mutex(State())

    /// Releases the memory of those that have free memory once the process has grown, on a thread of its own: it waits
    /// for their ledgers. Returns at once; does nothing while an earlier call works.
    func release(_ runs: some Sequence<HouseholdRun>) {
        let idle = state.withLock { state -> [HouseholdRun] in
            guard !state.isReleasing, state.pause.isPast, state.growth.isLarge() else { return [] }
            let idle = runs.filter(\.hasFreeMemory)
            state.isReleasing = !idle.isEmpty
            return idle
        }
        guard !idle.isEmpty else { return }
        Task {
            await onThread { [self] in
                for run in idle { run.releaseMemory() }
                state.withLock { state in
                    state.growth.release()
                    state.pause = .after(Self.pause)
                    state.isReleasing = false
                }
            }
        }
    }
}
