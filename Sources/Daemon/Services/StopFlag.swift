import Synchronization

/// Set once when the daemon stops, for work on another thread that is to end early.
final class StopFlag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .relaxed) }
    func raise() { value.store(true, ordering: .relaxed) }
}
