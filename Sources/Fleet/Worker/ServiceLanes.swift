import Processes
import Synchronization

/// The threads that the services of all households of a worker share.
final class ServiceLanes: Sendable {
    /// The work of one ledger after the other, so that a pass over all of them needs the memory of few.
    private static let upkeepThreads = 2
    /// Most wait for a receiver, up to a minute for each message.
    private static let deliveryThreads = 32

    private let upkeep = WorkLane(threads: upkeepThreads)
    private let delivery = WorkLane(threads: deliveryThreads)

    /// Begins what is due. Returns at once.
    func pass(over households: some Sequence<HouseholdServices>) {
        for services in households {
            for lane in HouseholdServices.Lane.allCases where services.take(lane) {
                let threads = lane == .upkeep ? upkeep : delivery
                threads.add { services.run(lane) }
            }
        }
    }
}

/// Runs work in the order in which it was added, on at most a given number of threads. Without work there is no thread.
final class WorkLane: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: [Work] = []
        var threads = 0
    }

    private let threads: Int
    private let state = Mutex(State())

    init(threads: Int) { self.threads = threads }

    /// Returns at once.
    func add(_ work: @escaping Work) {
        let begins = state.withLock { state in
            state.waiting.append(work)
            guard state.threads < threads else { return false }
            state.threads += 1
            return true
        }
        if begins { Task { await onThread { [self] in drain() } } }
    }

    private func drain() { while let work = next() { work() } }

    private func next() -> Work? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.threads -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
