import DurableFiles
import Synchronization

/// Refuses writes while the last check of the ledger's file failed, also a check by another process.
final class DamageGate: Sendable {
    private struct State {
        var stamp: FileStamp?
        var refusal: StoreError?
    }

    private let path: String
    private let state = Mutex(State())
    private let suspicion = Atomic(false)

    init(path: String) { self.path = path }

    /// Costs one stat(2) before each transaction, which syncs the disk at its end.
    func pass() throws(StoreError) {
        let stamp = CheckRecord.stamp(of: path)
        let refusal = state.withLock { state in
            if state.stamp != stamp {
                state = State(stamp: stamp, refusal: CheckRecord(of: path).refusal(of: path))
            }
            return state.refusal
        }
        if let refusal { throw refusal }
    }

    /// Notes that SQLite found damage in passing.
    func suspect() { suspicion.store(true, ordering: .relaxed) }

    /// True once after ``suspect()``.
    func consumeSuspicion() -> Bool { suspicion.exchange(false, ordering: .relaxed) }
}
