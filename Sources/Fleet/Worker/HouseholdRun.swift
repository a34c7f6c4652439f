import Chronology
import IMAP
import Ingest
import Logging
import PostgreSQL
import Processes
import Profiles
import Settings
import Store
import Synchronization

/// One leased household: its working copy, its services, and a thread for each of its mailboxes.
final class HouseholdRun: Sendable {
    private struct State {
        var loops: [MailboxLoop] = []
        /// The ledger and the health of the mailboxes, while the household is open.
        var context: MailboxContext?
        /// Those of the mailboxes by their names.
        var hosts: [String: String] = [:]
        /// That of the settings with which the household was opened.
        var revision: Int64?
        var accounts: AccountsInForce?
        var services: HouseholdServices?
        var isCatchingUp = false
        /// True if what opening the household needed was released.
        var isReduced = false
        var isOpening = true
        var isStopped = false
        var hasEnded = false
    }

    let lease: Lease
    private let fleet: FleetConfiguration
    private let copies: CopyFolder
    private let households: Households
    private let profiles: ProfileSet
    private let meter: CommitMeter
    private let logger: Logger
    private let state = Mutex(State())
    /// Ends the pause after a fault.
    private let wake = Wake()

    /// Seconds for which a household that cannot be read keeps its lease: another worker would have the same fault. A
    /// fault of the connection to PostgreSQL ends soon, and concerns every household that is being opened.
    static func pause(after error: any Error) -> Int {
        switch error {
        case let error as PostgresError where error.isTransient: 5
        case let error as StoreError where error.kind == .busy: 5
        default: 60
        }
    }

    /// ``MailboxContext/freshSeconds``. Each row costs a commit, and while no mail arrives nearly all commits of a
    /// fleet are such rows. The lease tells at once whether a worker reads the mailbox.
    static let freshSeconds: Int64 = 900

    init(
        _ lease: Lease, _ fleet: FleetConfiguration, _ copies: CopyFolder, _ households: Households,
        _ profiles: ProfileSet, _ meter: CommitMeter, _ logger: Logger
    ) {
        (self.lease, self.fleet, self.copies) = (lease, fleet, copies)
        (self.households, self.profiles, self.meter) = (households, profiles, meter)
        var logger = logger
        logger[metadataKey: "household"] = "\(lease.household)"
        self.logger = logger
    }

    /// True until the ledger is open, or cannot be opened.
    var isOpening: Bool { state.withLock { $0.isOpening } }

    /// True once no thread of the household runs any more.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// What the mailboxes reported last, and whether each thread is within its time limit.
    var figures: (mailboxes: [WorkerSnapshot.Mailbox], areAlive: Bool) {
        let (context, hosts) = state.withLock { ($0.context, $0.hosts) }
        guard let states = context?.states else { return ([], true) }
        return (
            states.all.map { WorkerSnapshot.Mailbox(host: hosts[$0.mailbox] ?? "", health: $0) }, states.areAlive
        )
    }

    /// True if the copy writes nothing any more: the household has to be opened anew.
    var isStale: Bool { state.withLock { $0.context?.store.hasEnded ?? false } }

    /// True if it was opened with older settings.
    func isOlder(than revision: Int64) -> Bool { state.withLock { $0.revision.map { $0 < revision } ?? false } }

    /// Reads the mailboxes until ``stop()``.
    func run() async {
        let path = copies.file(of: lease)
        let opened = await onThread { [self] in Result { try open(path) } }
        state.withLock { $0.isOpening = false }
        switch opened {
        case .success(let loops): await watch(loops)
        case .failure(let error):
            logger.error("household cannot be read", metadata: ["reason": "\(error)"])
            _ = await onThread { [self] in wake.wait(until: .after(.seconds(Self.pause(after: error)))) }
        }
        let services = state.withLock { state in
            defer {
                state.loops = []
                (state.accounts, state.context, state.services) = (nil, nil, nil)
            }
            return state.services
        }
        services?.stop()
        await onThread { services?.waitUntilEnded() }
        copies.remove(path)
        state.withLock { $0.hasEnded = true }
    }

    /// What is done beside reading the mailboxes, while the household is open.
    var services: HouseholdServices? { state.withLock { $0.isStopped ? nil : $0.services } }

    /// True if ``releaseMemory()`` has something to release.
    var hasFreeMemory: Bool {
        let (context, isReduced) = state.withLock { ($0.context, $0.isReduced) }
        return context.map { !isReduced || $0.hasFreeMemory } ?? false
    }

    /// Releases what the opening or mails needed. Blocks while the ledger is written.
    func releaseMemory() {
        let context = state.withLock { state in
            state.isReduced = true
            return state.context
        }
        context?.releaseMemory()
    }

    /// Ends all threads. Returns at once.
    func stop() {
        let (loops, services) = state.withLock { state in
            state.isStopped = true
            return (state.loops, state.services)
        }
        wake.stop()
        services?.stop()
        for loop in loops { loop.wake.stop() }
    }

    /// Reads what replicas have committed, on a thread of its own. Returns at once.
    func catchUp(to version: Int64) {
        let isBehind = state.withLock { state in
            guard let known = state.context?.store.copiedVersion, known < version, !state.isCatchingUp else {
                return false
            }
            state.isCatchingUp = true
            return true
        }
        if isBehind { Task { await onThread { [self] in readCommits(to: version) } } }
    }

    private func readCommits(to version: Int64) {
        let (store, accounts, services) = state.withLock { ($0.context?.store, $0.accounts, $0.services) }
        do {
            if try store?.catchUp(to: version) == true {
                services?.ledgerChanged()
                if accounts?.refresh() == true { for loop in state.withLock({ $0.loops }) { loop.wake.wake() } }
            }
        } catch { logger.warning("changes of people not read yet", metadata: ["reason": "\(error)"]) }
        state.withLock { $0.isCatchingUp = false }
    }

    /// - Returns: the mailboxes, which are not read yet.
    private func open(_ path: String) throws -> [MailboxLoop] {
        copies.remove(path)
        var opened: (household: Household, settings: Settings)?
        let store = try households.copy(lease) { household, primary, rows in
            state.withLock { $0.revision = household.revision }
            let read = try HouseholdSettings.read(household, database: path, fleet)
            opened = (household, read)
            return try Store(
                copy: path, of: meter.metered(primary), timeZone: read.timeZone, homeCurrency: read.homeCurrency,
                rows: rows)
        }
        guard let (household, read) = opened else { throw PrimaryError.leaseEnded }
        var settings = read
        let passwords = PasswordTable(households.database)
        settings.notifications = household.receivers(settings.notifications, with: fleet.keyFile, passwords)
        settings.statements = household.statements(settings.statements, with: fleet.keyFile, passwords)
        // Receivers that were added on the page of a daemon: their files are not here.
        if try !store.outbox.addedSinks().isEmpty { try store.outbox.setAdded([]) }
        try store.seed(from: settings.categories)
        let inForce = ProfilesInForce(profiles)
        let accounts = AccountsInForce(store: store, profiles: inForce, logger: logger)
        accounts.refresh()
        var context = MailboxContext(
            store: store, profiles: inForce, states: MailboxStates(), logger: logger, decisions: settings.decisions)
        context.freshSeconds = Self.freshSeconds
        let loops = settings.mailboxes.map { [context] in
            MailboxLoop(settings: $0, login: login($0, of: household), context: context)
        }
        let services = try HouseholdServices(context, settings, mailboxes: loops)
        state.withLock {
            ($0.context, $0.accounts, $0.services) = (context, accounts, services)
            $0.hosts = Dictionary(settings.mailboxes.map { ($0.name, $0.host) }) { first, _ in first }
        }
        return loops
    }

    /// The sealed password if there is one, otherwise the worker's command.
    private func login(_ mailbox: MailboxSettings, of household: Household) -> any LoginSource {
        let place = SealedPassword.Place(household: household.name, mailbox: mailbox.name, host: mailbox.host)
        guard let sealed = household.passwords[mailbox.name] else {
            return fleet.passwordCommand == nil ? MissingLogin(place: place) : mailbox.loginSource(logger: logger)
        }
        let source = SealedSource(place: place, sealed: sealed, keys: fleet.keyFile) { [households] in
            try PasswordTable(households.database).password(for: place)
        }
        return SealedLogin(user: mailbox.user, mechanism: mailbox.mechanism, source: source)
    }

    private func watch(_ loops: [MailboxLoop]) async {
        let isStopped = state.withLock { state in
            state.loops = loops
            return state.isStopped
        }
        if isStopped { return }
        logger.info("household opened", metadata: ["mailboxes": "\(loops.count)"])
        await withTaskGroup { group in
            for loop in loops {
                group.addTask { [self] in
                    do { try await onDedicatedThread { loop.run() } } catch {
                        logger.error(
                            "mailbox has no thread", metadata: ["mailbox": "\(loop.name)", "reason": "\(error)"])
                    }
                }
            }
        }
    }
}
