import Processes
import Synchronization

/// Returns memory of households whose mailboxes only wait to the system: most of a worker's households, most of the
/// time.
final class IdleMemory: Sendable {
    private let isReleasing = Atomic(false)

    /// Releases the memory of those that have free memory, on a thread of its own: it waits for their ledgers. Returns
    /// at once; does nothing while an earlier call works.
    func release(_ runs: some Sequence<HouseholdRun>) {
        let idle = runs.filter(\.hasFreeMemory)
        guard !idle.isEmpty, !isReleasing.exchange(true, ordering: .acquiring) else { return }
        Task {
            await onThread {
                for run in idle { run.releaseMemory() }
                ProcessMemory.release()
            }
            isReleasing.store(false, ordering: .releasing)
        }
    }
}
