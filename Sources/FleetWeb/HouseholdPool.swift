import Fleet
import Logging
import NIOPosix
import Web

/// The open copies of a replica, the least recently used of which is closed for another.
actor HouseholdPool {
    private struct Entry {
        let household: ServedHousehold
        /// Counts the uses of all households.
        var use: UInt64
        /// Runs until the site ends.
        let task: Task<Void, Never>
    }

    /// A copy with an open page.
    struct WatchedCopy: Sendable {
        let name: String
        let household: ServedHousehold
        /// The newest commit that it contained before others are asked for.
        let mark: CommitMark
    }

    private let replica: Replica
    private var open: [String: Entry] = [:]
    private var opening: [String: Task<ServedHousehold, any Error>] = [:]
    private var closing: [ObjectIdentifier: Task<Void, Never>] = [:]
    private var uses: UInt64 = 0
    private var isClosed = false

    init(_ replica: Replica) { self.replica = replica }

    /// The newest commit that the open copy of a household contains.
    func mark(of name: String) -> CommitMark? { open[name]?.household.mark }

    /// The open copies whose pages wait for changes.
    func watched() -> [WatchedCopy] {
        open.filter { $0.value.household.site.isWatched }.map {
            WatchedCopy(name: $0.key, household: $0.value.household, mark: $0.value.household.mark)
        }
    }

    /// The open copy of a household; a new one if there is none, or if the household has other settings now.
    ///
    /// - Parameter known: ``mark(of:)`` before the household was found.
    func household(_ found: FoundHousehold, known: CommitMark?) async throws -> ServedHousehold {
        if let entry = open[found.name] {
            if entry.household.serves(found, known: known) {
                uses += 1
                open[found.name]?.use = uses
                return entry.household
            }
            discard(entry.household, of: found.name)
        }
        if let task = opening[found.name] { return try await task.value }
        guard !isClosed else { throw CancellationError() }
        let task = Task { [replica] in
            try await replica.openingThreads.runIfActive { try ServedHousehold(found, replica) }
        }
        opening[found.name] = task
        defer { opening[found.name] = nil }
        let household = try await task.value
        guard !isClosed else { throw CancellationError() }
        add(household, found.name)
        return household
    }

    private func add(_ household: ServedHousehold, _ name: String) {
        while open.count >= replica.serving.households {
            let unused = open.filter { !$0.value.household.site.isInUse }
            guard let oldest = (unused.isEmpty ? open : unused).min(by: { $0.value.use < $1.value.use }) else { break }
            close(oldest.key)
        }
        uses += 1
        let (site, logger) = (household.site, replica.logger)
        open[name] = Entry(
            household: household, use: uses,
            task: Task {
                do { try await site.run() } catch {
                    logger.error("audit log of a household ended", metadata: ["reason": "\(error)"])
                }
            })
    }

    /// Closes a copy that takes no part in the commits of its household any more. Its open pages connect again, to
    /// another copy if there is still a household.
    func discard(_ household: ServedHousehold, of name: String) {
        guard open[name]?.household === household else { return }
        close(name)
        household.site.disconnectPages()
    }

    /// Ends the services of a copy. Its file goes with the last request that uses it.
    private func close(_ name: String) {
        guard let entry = open.removeValue(forKey: name) else { return }
        let id = ObjectIdentifier(entry.household)
        closing[id] = Task {
            await entry.household.site.end()
            await entry.task.value
            closing[id] = nil
        }
    }

    /// Closes all copies, and opens none any more.
    func closeAll() async {
        isClosed = true
        for name in Array(open.keys) { close(name) }
        for task in closing.values { await task.value }
    }
}
