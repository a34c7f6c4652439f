import Access
import Chronology
import Fleet
import Ingest
import Logging
import NIOPosix
import Profiles
import Settings
import Store
import Synchronization
import Web

/// One household's open copy with its routes. The file is removed when nothing uses the value any more.
final class ServedHousehold: Sendable {
    let id: Int64
    let site: WebSite
    private let settings: Int64
    private let store: Store
    private let primary: HouseholdPrimary
    private let accounts: AccountsInForce
    private let file: CopyFile
    /// One at a time, so that a slow household needs one thread.
    private let catchingUp = Mutex<Task<Void, any Error>?>(nil)

    /// Removes the file after the ledger is closed.
    private final class CopyFile: Sendable {
        let path: String
        private let copies: CopyFolder

        init(_ copies: CopyFolder, of household: Int64) { (self.copies, path) = (copies, copies.file(of: household)) }

        deinit { copies.remove(path) }
    }

    /// Makes a copy of the household's rows. Blocks.
    init(_ found: FoundHousehold, _ replica: Replica) throws {
        guard let host = HostedName.host(of: found.name, domain: replica.serving.domain) else {
            throw FleetError("'\(found.name)' is no host name")
        }
        (id, settings) = (found.id, found.settings)
        let file = CopyFile(replica.copies, of: found.id)
        self.file = file
        var opened: (settings: Settings, primary: HouseholdPrimary)?
        let store = try replica.households.copy(of: found.id) { household, primary, rows in
            let settings = try HouseholdSettings.read(household, database: file.path, replica.fleet)
            opened = (settings, primary)
            return try Store(
                copy: file.path, of: primary, timeZone: settings.timeZone, homeCurrency: settings.homeCurrency,
                rows: rows)
        }
        guard let (read, primary) = opened else { throw FleetError("the household has no settings") }
        (self.store, self.primary) = (store, primary)
        try store.seed(from: read.categories)
        // No worker takes mailboxes from the page.
        if try store.mailboxSetups.sealingKey() != nil { try store.mailboxSetups.setSealingKey(nil, at: .now) }
        try store.restrictWrites(to: .web)
        var logger = replica.logger
        logger[metadataKey: "household"] = "\(found.id)"
        let profiles = ProfilesInForce(replica.profiles)
        let accounts = AccountsInForce(store: store, profiles: profiles, logger: logger)
        accounts.refresh()
        self.accounts = accounts
        site = WebSite(
            Self.services(store, read, profiles, accounts, replica, policy(of: host, replica.serving.web), logger))
    }

    private static func services(
        _ store: Store, _ settings: Settings, _ profiles: ProfilesInForce, _ accounts: AccountsInForce,
        _ replica: Replica, _ policy: AccessPolicy, _ logger: Logger
    ) -> WebServices {
        var services = WebServices(
            store: store, profiles: { profiles.current }, mailboxes: settings.mailboxes.map(\.name),
            version: ProgramVersion.number, logger: logger, access: policy)
        services.profileFolders = replica.fleet.parsers
        if settings.decisions.keepsRaw {
            // The worker of the household decides them.
            let upload = UploadIntake(
                store: store, profiles: { profiles.current }, decisions: settings.decisions)
            services.recordMails = { try upload.record($0, named: $1) }
        }
        let phone = SMSIntake(store: store, profiles: { profiles.current }, decisions: settings.decisions)
        services.recordSMS = { try phone.record($0) }
        let retained: @Sendable () throws -> RetainedMails = {
            try RetainedMails(store, profiles.current, settings)
        }
        services.mailActions = MailActions(
            release: { id, actor, group in try retained().release(id, by: actor, group: group)?.outcome },
            decideAgain: { try retained().decideAgain($0) })
        services.accountsChanged = { accounts.refresh() }
        return services
    }

    /// True if the copy is of this household with these settings, and still takes part in its commits.
    ///
    /// - Parameter known: the copy's newest commit before the household was found. If the database has an earlier or
    ///   another one, it was restored, or failed over to a server that missed commits.
    func serves(_ found: FoundHousehold, known: CommitMark?) -> Bool {
        let isContinued = known?.isContinued(by: found.mark) ?? true
        return id == found.id && settings == found.settings && isContinued && !hasEnded
    }

    /// True if the copy takes no part in the household's commits any more.
    var hasEnded: Bool { store.hasEnded }

    /// The newest commit that the copy contains.
    var mark: CommitMark { primary.mark }

    /// Reads what others have committed.
    func catchUp(to version: Int64) async throws {
        while mark.version < version {
            let task = catchingUp.withLock { running in
                if let running { return running }
                let task = Task {
                    defer { catchingUp.withLock { $0 = nil } }
                    try await NIOThreadPool.singleton.runIfActive { [store, accounts] in
                        if try store.catchUp(to: version) { accounts.refresh() }
                    }
                }
                running = task
                return task
            }
            try await task.value
        }
    }
}

/// The rules of a household's host.
fileprivate func policy(of host: String, _ web: WebSettings) -> AccessPolicy {
    var policy = web.policy
    policy.names = [host]
    // A balancer on this machine is no person on it.
    policy.isLoopback = false
    return policy
}
