import Synchronization

/// Numbers of responses by status since the start of the process. A rise of refusals shows guesses and floods.
final class ResponseCounts: Sendable {
    /// Statuses that are reported from the start, as 0, because a rate needs a value before the first event: 401 no
    /// login, 403 no right, 421 another host name, 429 too many requests, 500 a fault.
    private static let watched = [401, 403, 421, 429, 500]

    private let counts = Mutex(Dictionary(uniqueKeysWithValues: watched.map { ($0, 0) }))

    func add(_ status: Int) { counts.withLock { $0[status, default: 0] += 1 } }

    var byStatus: [Int: Int] { counts.withLock { $0 } }
}
