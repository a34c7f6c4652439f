import Chronology
import CurlTransport
import Deflate
import DurableFiles
public import IMAP
import Logging
public import Settings
import Store

/// A mailbox on a server, watched by its own thread: it connects, reads new mail, waits for more, and recovers
/// from every fault.
public final class MailboxLoop: Sendable {
    public let settings: MailboxSettings
    let login: any LoginSource
    let context: MailboxContext
    let health: HealthReporter
    let caution = FetchCaution()
    let logger: Logger
    /// The interval of STATUS for folders that are not open.
    let statusInterval: Duration
    /// The interval after which the open folder is examined again although the server announced nothing.
    let reopenInterval: Duration
    /// Ends every wait: for a stop, or for a poll at once (after a reload).
    public let wake = Wake()

    /// Seconds between STATUS commands for folders that are not open.
    static let statusInterval = Duration.seconds(30)

    public convenience init(settings: MailboxSettings, login: any LoginSource, context: MailboxContext) {
        self.init(settings: settings, login: login, context: context, statusInterval: Self.statusInterval)
    }

    /// - Parameter reopenInterval: `poll` of the configuration if `nil`, so that no message waits longer.
    init(
        settings: MailboxSettings, login: any LoginSource, context: MailboxContext, statusInterval: Duration,
        reopenInterval: Duration? = nil
    ) {
        (self.settings, self.login, self.context) = (settings, login, context)
        self.statusInterval = statusInterval
        self.reopenInterval = reopenInterval ?? .seconds(settings.pollSeconds)
        health = HealthReporter(
            mailbox: settings.name, probeSeconds: Int64(max(settings.probeSeconds, settings.pollSeconds)),
            freshSeconds: context.freshSeconds, store: context.store, states: context.states)
        logger = context.logger(of: settings.name)
    }

    /// The state of one connection, however it ends.
    struct Attempt {
        var credential: Credential?
        var hasReadAll = false
        /// The folder at which this connection or an earlier one ended.
        var endedAt: String?
        var renewal: IdleRenewal
    }

    private var renewal: IdleRenewal { IdleRenewal(longest: .seconds(settings.probeSeconds)) }

    /// Reads every folder once. Blocks.
    ///
    /// - Throws: the first fault, after the other folders have been read.
    public func runOnce() throws {
        var attempt = Attempt(renewal: renewal)
        do { try converse(watching: false, &attempt) } catch {
            try? health.report(.stopped, String(describing: error))
            throw error
        }
        try health.report(.stopped)
    }

    /// Watches until `wake.stop()`. Blocks; call it on a separate thread.
    public func run() {
        var backoff = MailboxBackoff()
        var attempt = Attempt(renewal: renewal)
        while !wake.isStopped {
            attempt = Attempt(endedAt: attempt.endedAt, renewal: attempt.renewal)
            let stamp = login.stamp
            let stableLifetime = Deadline.after(MailboxBackoff.stableLifetime)
            let fault: any Error
            do {
                try converse(watching: true, &attempt)
                continue
            } catch {
                fault = error
            }
            guard !wake.isStopped else { break }
            if attempt.hasReadAll { backoff.completedPass(wasStable: stableLifetime.isPast) }
            recover(from: fault, attempt, stamp, &backoff)
        }
        try? health.report(.stopped)
    }

    /// Waits as the fault requires.
    private func recover(
        from fault: any Error, _ attempt: Attempt, _ stamp: [FileStamp?], _ backoff: inout MailboxBackoff
    ) {
        if let limit = fault as? DownloadLimitReached { return wait(for: limit) }
        let kind = MailboxBackoff.Class(fault)
        let pause = backoff.pause(after: kind, isLocal: fault is StoreError)
        var reason = String(describing: fault)
        if pause == 0 {
            logger.notice("connection lost, opening another", metadata: ["reason": "\(reason)"])
            return
        }
        let refused = fault.refusesLogin ? attempt.credential : nil
        if refused != nil {
            login.refused()
            // An expired token is replaced at once; if the server refuses the next one, too, the pause counts.
            do {
                if !backoff.hasNewToken, try login.credential(wake: wake) != refused {
                    backoff.hasNewToken = true
                    return
                }
            } catch {
                // For example a withdrawn consent, which a person must know of.
                reason = String(describing: error)
            }
        }
        logger.error("mailbox cannot be read", metadata: ["reason": "\(reason)", "retry.seconds": "\(Int(pause))"])
        try? health.report(
            kind == .afterChange ? .refused : .waiting, reason, attempts: backoff.failures, pause: pause)
        let until = Deadline.after(.milliseconds(Int(pause * 1000)))
        if kind == .afterChange {
            waitForChange(since: stamp, refused: refused, until: until)
        } else {
            _ = wake.wait(until: until)
        }
    }

    private func wait(for limit: DownloadLimitReached) {
        logger.notice("mailbox waits", metadata: ["reason": "\(limit)"])
        try? health.report(.waiting, limit.description, pause: Double(limit.seconds))
        _ = wake.wait(until: .after(.seconds(limit.seconds)))
    }

    /// Waits until the password's file changes, or until a reload.
    private func waitForChange(since stamp: [FileStamp?], refused: Credential?, until: Deadline) {
        var stamp = stamp
        while !until.isPast {
            switch wake.wait(until: min(until, .after(Self.changeInterval))) {
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

    private static let changeInterval = Duration.seconds(5)

    private func isStill(_ refused: Credential) -> Bool {
        // If there is none, the next attempt reports why.
        guard let present = try? login.credential(wake: wake) else { return true }
        return present == refused
    }

    /// One connection, from login to its end.
    private func converse(watching: Bool, _ attempt: inout Attempt) throws {
        try health.report(.connecting)
        let credential = try login.credential(wake: wake)
        attempt.credential = credential
        // A command that prints the password may take as long as the connection.
        try health.report(.connecting)
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
