import CurlTransport
public import IMAP
import InternetMessage
import Ledger
public import Logging
import Profiles
public import Settings
public import Store
import Synchronization

/// One mailbox, watched for ever by one thread of its own: connect, read what is new, wait for more, and come back after every fault.
public final class MailboxLoop: Sendable {
    public let settings: MailboxSettings
    private let store: Store
    private let profiles: ProfilesInForce
    private let autoConfirmAt: Double
    private let keepsRaw: Bool
    private let states: MailboxStates
    private let logger: Logger
    private let progress: @Sendable (PassProgress) -> Void
    private let login: any LoginSource
    private let caution = FetchCaution()
    /// What the database says of this mailbox, and until when that is fresh.
    private let shown: Mutex<(health: Store.MailboxHealth, until: Deadline)>
    /// Ends every wait: for a stop, or for a look at once (after a reload).
    public let wake = Wake()

    public init(
        settings: MailboxSettings, login: any LoginSource, store: Store, profiles: ProfilesInForce, autoConfirmAt: Double, keepsRaw: Bool,
        states: MailboxStates, logger: Logger, progress: @escaping @Sendable (PassProgress) -> Void
    ) {
        self.settings = settings
        self.login = login
        shown = Mutex((Store.MailboxHealth(mailbox: settings.name, state: .connecting, since: Clock.now), .after(.zero)))
        self.store = store
        self.profiles = profiles
        self.autoConfirmAt = autoConfirmAt
        self.keepsRaw = keepsRaw
        self.states = states
        self.progress = progress
        var logger = logger
        logger[metadataKey: "mailbox"] = "\(settings.name)"
        self.logger = logger
    }

    /// Reads every folder once. Blocks. Throws the first fault, after the folders that could be read were read.
    public func runOnce() throws {
        do { try converse(watching: false) } catch {
            report(.stopped, String(describing: error))
            throw error
        }
        report(.stopped)
    }

    /// Watches until `wake.stop()`. Blocks; call it from a thread of its own.
    public func run() {
        var backoff = Backoff()
        while !wake.isStopped {
            let fault: any Error
            do {
                try converse(watching: true) { backoff.reset() }
                continue
            } catch {
                fault = error
            }
            guard !wake.isStopped else { break }
            let pause = fault.needsPerson ? Backoff.afterRefusal : backoff.next()
            let reason = String(describing: fault)
            logger.error("mailbox cannot be read", metadata: ["reason": "\(reason)", "retry.seconds": "\(Int(pause))"])
            report(fault.needsPerson ? .refused : .waiting, reason, attempts: backoff.failures, pause: Int64(pause))
            _ = wake.wait(until: .after(.milliseconds(Int(pause * 1000))))
        }
        report(.stopped)
    }

    /// One connection, from login to its end.
    private func converse(watching: Bool, readAll: () -> Void = {}) throws {
        report(.connecting)
        let connection = try CurlConnection(to: settings.endpoint, credential: try login.credential(wake: wake), wake: wake)
        var session = try Session(over: connection)
        var hasSaidWatching = false
        // Of the only folder, once it is open: it then stays open.
        var opened: UIDValidity?
        var rules = try store.categoryRules()
        var rulesRead = Deadline.after(Self.rulesLifetime)
        while true {
            report(.reading, answered: true)
            var fault: IMAPError?
            if rulesRead.isPast {
                rules = try store.categoryRules()
                rulesRead = .after(Self.rulesLifetime)
            }
            let intake = Intake(
                profiles: profiles.current, categories: rules, authentication: settings.policy, autoConfirmAt: autoConfirmAt, keepsRaw: keepsRaw)
            for folder in settings.folders {
                do {
                    let summary = try read(folder, &session, intake, opened: opened)
                    if settings.folders.count == 1 { opened = summary.uidValidity }
                } catch let error as IMAPError where error.scope == .folder && error.kind == .refused {
                    // A folder that is gone does not keep the others from being read.
                    logger.error("folder cannot be read", metadata: ["folder": "\(folder)", "reason": "\(error)"])
                    fault = error
                }
            }
            if !watching {
                session.logout()
                if let fault { throw fault }
                return
            }
            readAll()
            if settings.folders.count > 1, let first = settings.folders.first { _ = try session.examine(FolderName(first)) }
            report(.watching, fault?.description, answered: true)
            if !hasSaidWatching {
                logger.info("watching", metadata: ["idle": "\(session.capabilities.idle)"])
                hasSaidWatching = true
            }
            var isQuiet = true
            while isQuiet {
                switch try session.waitForChange(poll: Duration.seconds(settings.pollSeconds)) {
                case .changed: isQuiet = false
                case .woken:
                    if wake.isStopped { return }
                    isQuiet = false
                case .renewed:
                    report(.watching, fault?.description, answered: true)
                    // IDLE tells of one folder only; the others are looked at each time it is renewed.
                    isQuiet = settings.folders.count == 1
                }
            }
        }
    }

    /// A keyword that a person adds counts for new mail after this at the latest; reading all of them for every mail would cost more than the mail.
    private static let rulesLifetime = Duration.seconds(30)

    private func read<Stream: ByteStream & ~Copyable>(
        _ folder: String, _ session: inout Session<Stream>, _ intake: Intake, opened: UIDValidity?
    ) throws -> PassSummary {
        let pass = FolderPass(
            store: store, intake: intake, mailbox: settings.name, folder: folder, since: Day(secondsSinceEpoch: Clock.now - Int64(settings.sinceDays + 1) * 86400),
            progress: { [self] step in
                report(.reading, answered: true)
                progress(step)
            }, caution: caution)
        let summary = try pass.run(&session, opened: opened)
        guard summary.found > 0 else { return summary }
        logger.info(
            "pass finished",
            metadata: [
                "folder": "\(folder)", "mails": "\(summary.done)",
                "outcomes": "\(summary.outcomes.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue)=\($0.value)" }.joined(separator: " "))",
            ])
        return summary
    }

    /// - Parameters:
    ///   - answered: the server has just said something.
    ///   - pause: seconds until the next try.
    private func report(_ state: Store.MailboxHealth.State, _ reason: String? = nil, answered: Bool = false, attempts: Int = 0, pause: Int64? = nil) {
        let now = Clock.now
        let promise = Self.promises[state].map { $0 + (pause ?? 0) }
        // Every note is a commit, so a mail that comes while watching makes none: only what lasts is noted, and the last answer twice a minute.
        let news: Store.MailboxHealth? = shown.withLock { shown in
            var health = shown.health
            let isChanged = health.state != state || health.reason != reason || health.attempts != attempts
            health.state = state
            health.reason = reason
            if isChanged { health.since = now }
            if answered { health.lastProbe = now }
            health.attempts = attempts
            health.nextAttempt = pause.map { now + $0 }
            health.due = promise.map { now + $0 }
            states.set(health, within: promise)
            guard shown.until.isPast || (isChanged && state != .reading && !(state == .watching && shown.health.state == .watching)) else { return nil }
            shown = (health, .after(.seconds(30)))
            return health
        }
        // A database that cannot be written is reported by the pass itself.
        if let news { try? store.setHealth(news) }
    }

    /// Seconds until the next report at the latest: past them the thread is taken to hang.
    private static let promises: [Store.MailboxHealth.State: Int64] = [.connecting: 180, .reading: 420, .watching: 360, .waiting: 60, .refused: 60]
}

extension MailboxSettings {
    var policy: AuthenticationPolicy {
        switch authentication {
        case .authservID(let id): .pinned(authservID: id)
        case .trustDelivery: .trustDelivery
        }
    }

    var endpoint: Endpoint { Endpoint(host: host, port: UInt16(port), tls: tls == .implicit ? .implicit : .startTLS, caFile: caFile) }
}

extension Error {
    /// Trying again soon would change nothing, and could lock an account.
    var needsPerson: Bool {
        if let error = self as? IMAPError { return error.retry == .afterReconfiguration }
        return self is SecretError
    }
}
