/// The reason why no worker reads a household.
public enum WaitReason: Hashable, Sendable, CustomStringConvertible {
    case noMailboxes
    /// Its ledger has the tables of another version.
    case otherTables
    case noWorker
    /// No worker has room for so many mailboxes.
    case noRoom(mailboxes: Int64)
    /// The connections of the fleet to a host.
    case fleetLimit(host: String, needed: Int64, used: Int64, limit: Int64)
    /// No worker with room may open so many connections to a host.
    case workerLimit(host: String, needed: Int64, limit: Int64)
    /// `spendwise-fleet remove` is deleting it, or did not finish within the last hour.
    case removal
    /// Nothing hinders it: a worker takes it within seconds.
    case soon

    public var description: String {
        switch self {
        case .noMailboxes: "it has no mailboxes"
        case .otherTables: "its ledger has the tables of another version"
        case .noWorker: "no worker runs"
        case .noRoom(let mailboxes): "no worker has room for \(mailboxes) mailboxes"
        case .fleetLimit(let host, let needed, let used, let limit):
            "\(host): needs \(needed) connections, and \(used) of \(limit) for the fleet are used"
        case .workerLimit(let host, let needed, let limit):
            "\(host): needs \(needed) connections, more than each worker has left of its \(limit)"
        case .removal: "it is being removed"
        case .soon: "a worker takes it within seconds"
        }
    }

    /// A live worker that does not drain.
    struct Worker {
        /// Mailboxes that it may read beside those that it has.
        let room: Int64
        /// Its connections to each host with a limit.
        var used: [String: Int64] = [:]
    }

    /// The reason for a household that nobody reads.
    ///
    /// - Parameter connections: its mailboxes at each host with a limit.
    init(
        mailboxes: Int64, hasPresentTables: Bool, connections: [String: Int64], workers: [Worker],
        providers: [ProviderTable.Provider]
    ) {
        func reason() -> WaitReason {
            if mailboxes == 0 { return .noMailboxes }
            if !hasPresentTables { return .otherTables }
            if workers.isEmpty { return .noWorker }
            let limited = providers.compactMap { provider in
                connections[provider.host].map { (provider: provider, needed: $0) }
            }
            for (provider, needed) in limited {
                guard let limit = provider.fleetLimit, provider.used + needed > limit else { continue }
                return .fleetLimit(host: provider.host, needed: needed, used: provider.used, limit: limit)
            }
            var able = workers.filter { $0.room >= mailboxes }
            if able.isEmpty { return .noRoom(mailboxes: mailboxes) }
            for (provider, needed) in limited {
                guard let limit = provider.workerLimit else { continue }
                able = able.filter { ($0.used[provider.host] ?? 0) + needed <= limit }
                if able.isEmpty { return .workerLimit(host: provider.host, needed: needed, limit: limit) }
            }
            return .soon
        }
        self = reason()
    }
}
