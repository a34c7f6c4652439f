public import Logging
internal import NIOPosix
public import Profiles
public import Store

/// What the routes work with. One value, made once by the program that serves.
public struct WebServices: Sendable {
    let store: Store
    /// The profiles in force at this instant.
    let profiles: @Sendable () -> ProfileSet
    /// The names that the configuration has, servers and Maildirs.
    let mailboxes: [String]
    let version: String
    let logger: Logger

    public init(
        store: Store, profiles: @escaping @Sendable () -> ProfileSet, mailboxes: [String], version: String, logger: Logger
    ) {
        self.store = store
        self.profiles = profiles
        self.mailboxes = mailboxes
        self.version = version
        self.logger = logger
    }

    /// Runs blocking work on the ledger off the threads that serve.
    func ledger<Result: Sendable>(_ body: @escaping @Sendable (Store) throws -> Result) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive { [store] in try body(store) }
    }
}
