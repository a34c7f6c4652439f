import Access
import Chronology
import Glibc
import Hummingbird
import Logging
import Store
import Synchronization

/// State shared by the middlewares: policy, rate limits, audit log, counts and clocks.
final class AccessGuard: Sendable {
    /// Wall time and monotonic time in seconds; tests set their own.
    struct Clock: Sendable {
        /// Since 1970-01-01 UTC.
        var wall: @Sendable () -> UnixTime
        /// Monotonic.
        var steady: @Sendable () -> Double

        static let system = Clock(
            wall: { .now },
            steady: { Double(SystemClock.monotonic.nanoseconds) / 1e9 })
    }

    let policy: AccessPolicy
    let clock: Clock
    let audit: AuditQueue
    let verifier = PassphraseVerifier()
    let challenges = Mutex(PasskeyChallenges())
    /// Codes by which users who have no passphrase set one: that of the first start, and those of new users.
    let startCodes = Mutex<[Int64: StartCode]>([:])
    let responses = ResponseCounts()
    /// Limits of addresses, against floods and guessed tokens.
    private let addresses: Mutex<RateLimit>
    /// Limits of tokens, of sessions, and of addresses without either.
    private let clients: Mutex<RateLimit>

    /// Limits of people: pages that are worked on by single keys need several requests a second.
    private let people: Mutex<RateLimit>

    /// Clients that may share an address at their full rate.
    private static let clientsPerAddress = 10

    init(_ policy: AccessPolicy, store: Store, logger: Logger, clock: Clock = .system) {
        self.policy = policy
        self.clock = clock
        audit = AuditQueue(store: store, days: policy.auditDays, logger: logger)
        addresses = Mutex(RateLimit(perMinute: policy.requestsPerMinute * Self.clientsPerAddress))
        clients = Mutex(RateLimit(perMinute: policy.requestsPerMinute))
        people = Mutex(RateLimit(perMinute: policy.requestsPerMinute * Self.clientsPerAddress))
    }

    /// Counts a request of an address. Returns the seconds to wait, or `nil` if the request is admitted.
    func delay(address: String) -> Int? { addresses.withLock { $0.consume(address, at: clock.steady()) } }

    /// Counts a request of a client. Returns the seconds to wait, or `nil` if the request is admitted.
    ///
    /// - Parameter isPerson: true for a logged-in browser, which has the limit of an address.
    func delay(client: String, isPerson: Bool) -> Int? {
        let now = clock.steady()
        return isPerson
            ? people.withLock { $0.consume(client, at: now) } : clients.withLock { $0.consume(client, at: now) }
    }

    /// Returns true if a login has not expired, by its requests until now.
    func isLive(_ session: LoginSession, at now: UnixTime) -> Bool {
        let lastSeen = max(session.lastSeen, audit.lastSeen(session: session.id) ?? .epoch)
        return policy.sessions.isLive(started: session.started, lastSeen: lastSeen, at: now)
    }

    /// Returns true if the Host header names this server. The check prevents DNS rebinding, in which another site's
    /// name resolves to this address.
    func isServed(authority: String) -> Bool {
        let name = hostName(authority: authority)
        return isLoopback(authority: authority) || !name.isEmpty && policy.names.contains(name)
    }

    /// With the prefix `__Host-`, a browser accepts the cookie over TLS only and for this host only (RFC 6265bis,
    /// section 4.1.3.2).
    var cookieName: String { policy.isTLS ? "__Host-spendwise" : "spendwise" }

    /// The cookie of a login.
    func cookie(_ value: String, maxAge: Int? = nil) -> Cookie {
        Cookie(
            name: cookieName, value: value, maxAge: maxAge, path: "/", secure: policy.isTLS, httpOnly: true,
            sameSite: .strict)
    }
}

/// Returns the host of a Host header in lower case, without port and brackets (RFC 9110, section 7.2); empty if the
/// header is invalid.
func hostName(authority: String) -> String {
    var name = authority.lowercased()[...]
    var port = Substring()
    if name.hasPrefix("[") {
        guard let end = name.firstIndex(of: "]") else { return "" }
        port = name[name.index(after: end)...]
        name = name[name.index(after: name.startIndex)..<end]
    } else if let colon = name.firstIndex(of: ":") {
        port = name[colon...]
        name = name[..<colon]
    }
    guard port.isEmpty || port.hasPrefix(":") && port.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) else {
        return ""
    }
    // The dot of the root (RFC 1034, section 3.1).
    if name.hasSuffix(".") { name.removeLast() }
    return String(name)
}
