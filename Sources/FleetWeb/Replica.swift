import Fleet
import Logging
import NIOPosix
import Profiles

/// What all households of a replica share.
struct Replica: Sendable {
    let fleet: FleetConfiguration
    let serving: ServingConfiguration
    let profiles: ProfileSet
    let logger: Logger
    let copies: CopyFolder
    /// Makes copies, with few connections of their own: a large household delays only others that are opened.
    let households: Households
    /// Finds households before each request, with connections that nothing else uses.
    let lookups: Households

    private static let openings = 2
    private static let lookupThreads = 4
    /// Commits and catching up: one of each household at a time.
    private static let commits = 16
    /// To PostgreSQL.
    static let connections = openings + lookupThreads + commits
    /// Threads of the ledgers' work. Most wait for a commit, so there are more than processors.
    static let ledgerThreads = 64

    let openingThreads: NIOThreadPool
    let lookupPool: NIOThreadPool

    init(
        _ fleet: FleetConfiguration, _ serving: ServingConfiguration, profiles: ProfileSet, logger: Logger
    ) throws {
        (self.fleet, self.serving, self.profiles, self.logger) = (fleet, serving, profiles, logger)
        try FleetDatabase(fleet.postgresql).check()
        copies = try CopyFolder(fleet.copies)
        households = Households(
            FleetDatabase(fleet.postgresql, connections: Self.openings),
            commits: FleetDatabase(fleet.postgresql, connections: Self.commits))
        lookups = Households(FleetDatabase(fleet.postgresql, connections: Self.lookupThreads))
        openingThreads = NIOThreadPool(numberOfThreads: Self.openings)
        lookupPool = NIOThreadPool(numberOfThreads: Self.lookupThreads)
        openingThreads.start()
        lookupPool.start()
    }
}
