import CurlTransport
import Deflate
public import IMAP
public import Logging
public import Settings
public import Store

/// One mailbox, watched for ever by one thread of its own: connect, read what is new, wait for more, and come back after every fault.
public final class MailboxLoop: Sendable {
    public let settings: MailboxSettings
    let login: any LoginSource
    let store: Store
    let rules: RulesInForce
    let profiles: ProfilesInForce
    let autoConfirmAt: Double
    let keepsRaw: Bool
    let keepsSettled: SettledKeeping
    let health: HealthNotes
    let caution = FetchCaution()
    let logger: Logger
    let lookAtOthers: Duration
    let lookAnew: Duration
    let progress: @Sendable (PassProgress) -> Void
    /// Ends every wait: for a stop, or for a look at once (after a reload).
    public let wake = Wake()

    public init(
        settings: MailboxSettings, login: any LoginSource, store: Store, rules: RulesInForce? = nil,
        profiles: ProfilesInForce, autoConfirmAt: Double, keepsRaw: Bool, keepsSettled: SettledKeeping = .nothing,
        states: MailboxStates, logger: Logger, lookAtOthers: Duration = MailboxLoop.lookAtOthers,
        lookAnew: Duration = MailboxLoop.lookAnew, progress: @escaping @Sendable (PassProgress) -> Void
    ) {
        self.settings = settings
        self.login = login
        self.store = store
        self.rules = rules ?? RulesInForce(store: store)
        self.profiles = profiles
        self.autoConfirmAt = autoConfirmAt
        self.keepsRaw = keepsRaw
        self.keepsSettled = keepsSettled
        self.progress = progress
        self.lookAtOthers = lookAtOthers
        self.lookAnew = lookAnew
        health = HealthNotes(
            mailbox: settings.name, probeSeconds: Int64(max(settings.probeSeconds, settings.pollSeconds)), store: store,
            states: states)
        var logger = logger
        logger[metadataKey: "mailbox"] = "\(settings.name)"
        self.logger = logger
    }

    /// What one try at a conversation came to, however it ended.
    struct Attempt {
        var credential: Credential?
        var hasReadAll = false
        /// At which the conversation ended, here or in an earlier try.
        var endedAt: String?
        var renewal: IdleRenewal
    }

    private var renewal: IdleRenewal { IdleRenewal(longest: .seconds(settings.probeSeconds)) }

    /// Reads every folder once. Blocks. Throws the first fault, after the folders that could be read were read.
    public func runOnce() throws {
        var attempt = Attempt(renewal: renewal)
        do { try converse(watching: false, &attempt) } catch {
            try? health.say(.stopped, String(describing: error))
            throw error
        }
        try health.say(.stopped)
    }

    /// Watches until `wake.stop()`. Blocks; call it from a thread of its own.
    public func run() {
        var retry = Retry()
        var attempt = Attempt(renewal: renewal)
        while !wake.isStopped {
            attempt = Attempt(endedAt: attempt.endedAt, renewal: attempt.renewal)
            let stamp = login.stamp
            let goodLife = Deadline.after(Retry.goodLife)
            let fault: any Error
            do {
                try converse(watching: true, &attempt)
                continue
            } catch {
                fault = error
            }
            guard !wake.isStopped else { break }
            if attempt.hasReadAll { retry.hasTakenAnother = false }
            if attempt.hasReadAll, goodLife.isPast { retry.reset() }
            settle(fault, attempt, stamp, &retry)
        }
        try? health.say(.stopped)
    }

    /// Waits as the fault asks for.
    private func settle(_ fault: any Error, _ attempt: Attempt, _ stamp: [Int64], _ retry: inout Retry) {
        if let limit = fault as? DownloadLimitReached {
            logger.notice("mailbox waits", metadata: ["reason": "\(limit)"])
            try? health.say(.waiting, limit.description, pause: Double(limit.seconds))
            _ = wake.wait(until: .after(.seconds(limit.seconds)))
            return
        }
        let kind = Retry.Class(fault)
        let pause = retry.pause(after: kind, isHere: fault is StoreError)
        var reason = String(describing: fault)
        if pause == 0 {
            logger.notice("connection lost, opening another", metadata: ["reason": "\(reason)"])
            return
        }
        let refused = fault.refusesLogin ? attempt.credential : nil
        if refused != nil {
            login.refused()
            // A token that had run out is no longer the one that is to be had; but a server that refuses the next one, too, is not asked for ever.
            do {
                if !retry.hasTakenAnother, try login.credential(wake: wake) != refused {
                    retry.hasTakenAnother = true
                    return
                }
            } catch {
                // Such as a consent that was withdrawn: that is what a person must know.
                reason = String(describing: error)
            }
        }
        logger.error("mailbox cannot be read", metadata: ["reason": "\(reason)", "retry.seconds": "\(Int(pause))"])
        try? health.say(kind == .afterChange ? .refused : .waiting, reason, attempts: retry.failures, pause: pause)
        let until = Deadline.after(.milliseconds(Int(pause * 1000)))
        if kind == .afterChange {
            waitForChange(since: stamp, refused: refused, until: until)
        } else {
            _ = wake.wait(until: until)
        }
    }

    /// Until a person may have changed something: the password's file, or whatever else before a reload.
    private func waitForChange(since stamp: [Int64], refused: Credential?, until: Deadline) {
        var stamp = stamp
        while !until.isPast {
            switch wake.wait(until: min(until, .after(Self.lookForChange))) {
            case .stopped: return
            case .woken: break
            case .timedOut:
                let now = login.stamp
                if now == stamp { continue }
                stamp = now
            }
            // The same secret again would only count against the account.
            guard let refused, isStill(refused) else { return }
            logger.notice("the login is still the one that the server refused")
        }
    }

    private static let lookForChange = Duration.seconds(5)

    private func isStill(_ refused: Credential) -> Bool {
        // Where none can be had, the next try says why.
        guard let present = try? login.credential(wake: wake) else { return true }
        return present == refused
    }

    /// One connection, from login to its end.
    private func converse(watching: Bool, _ attempt: inout Attempt) throws {
        try health.say(.connecting)
        let credential = try login.credential(wake: wake)
        attempt.credential = credential
        // A password may take a command its time, as the connection does.
        try health.say(.connecting)
        var session = try open(
            DeflateStream(try CurlConnection(to: settings.endpoint, credential: credential, wake: wake)), attempt)
        if settings.compress == .on { try session.compress() }
        try read(&session, watching: watching, &attempt)
        if !watching { session.logout() }
    }

    func open<Stream: ByteStream & ~Copyable>(
        _ connection: consuming Stream, _ attempt: Attempt
    ) throws(IMAPError) -> Session<Stream> {
        health.heard()
        var timing = settings.timing
        timing.probe = attempt.renewal.answer
        return try Session(over: connection, timing: timing) { [health] in health.heard() }
    }
}

extension MailboxSettings {
    var endpoint: Endpoint {
        var endpoint = Endpoint(
            host: host, port: UInt16(port), tls: tls == .implicit ? .implicit : .startTLS, caFile: caFile)
        endpoint.connectTimeout = .seconds(timeoutSeconds)
        return endpoint
    }

    var timing: Timing {
        var timing = Timing()
        let timeout = Duration.seconds(timeoutSeconds)
        (timing.answer, timing.silence, timing.search) = (timeout, timeout, timeout * 5)
        return timing
    }
}
