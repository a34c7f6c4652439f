public import Access
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
    let access: AccessGuard
    /// The folders of profile files, later ones before earlier ones; where a template that the page drafts is to be put
    /// is the last.
    public var profileFolders: [String] = []
    /// Puts the accounts of the database in force in this process; told after each change of one.
    public var accountsChanged: @Sendable () -> Void = {}

    public init(
        store: Store, profiles: @escaping @Sendable () -> ProfileSet, mailboxes: [String], version: String,
        logger: Logger, access: AccessPolicy
    ) {
        self.init(
            store: store, profiles: profiles, mailboxes: mailboxes, version: version, logger: logger,
            guard: AccessGuard(access, store: store, logger: logger))
    }

    init(
        store: Store, profiles: @escaping @Sendable () -> ProfileSet, mailboxes: [String], version: String,
        logger: Logger, guard access: AccessGuard
    ) {
        self.store = store
        self.profiles = profiles
        self.mailboxes = mailboxes
        self.version = version
        self.logger = logger
        self.access = access
    }

    /// Runs blocking work on the ledger off the threads that serve.
    func ledger<Result: Sendable>(_ body: @escaping @Sendable (Store) throws -> Result) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive { [store] in try body(store) }
    }
}
