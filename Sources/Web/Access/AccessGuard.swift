import Access
import Glibc
import Logging
import Store
import Synchronization

/// What the middlewares share: the rules, the buckets, the audit log and the clocks.
final class AccessGuard: Sendable {
    /// Seconds, by two clocks; tests have their own.
    struct Clock: Sendable {
        /// Since 1970-01-01 UTC.
        var wall: @Sendable () -> Int64
        /// Only goes forward.
        var steady: @Sendable () -> Double

        static let system = Clock(
            wall: { Int64(time(nil)) },
            steady: {
                var now = timespec()
                clock_gettime(CLOCK_MONOTONIC, &now)
                return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
            })
    }

    let policy: AccessPolicy
    let clock: Clock
    let audit: AuditQueue
    let hashing = Hashing()
    /// Of addresses, whoever comes from there: floods, and tries with made-up tokens.
    private let addresses: Mutex<RateLimit>
    /// Of tokens, sessions, and addresses without either.
    private let clients: Mutex<RateLimit>

    /// Several people and programs may share an address.
    private static let clientsOfAnAddress = 10

    init(_ policy: AccessPolicy, store: Store, logger: Logger, clock: Clock = .system) {
        self.policy = policy
        self.clock = clock
        audit = AuditQueue(store: store, days: policy.auditDays, logger: logger)
        addresses = Mutex(RateLimit(perMinute: policy.requestsPerMinute * Self.clientsOfAnAddress))
        clients = Mutex(RateLimit(perMinute: policy.requestsPerMinute))
    }

    /// Seconds to wait, or `nil`.
    func take(address: String) -> Int? { addresses.withLock { $0.take(address, at: clock.steady()) } }
    func take(client: String) -> Int? { clients.withLock { $0.take(client, at: clock.steady()) } }

    /// Whether the Host header names this server: a page elsewhere could have its own name point here (DNS rebinding).
    func isServed(authority: String) -> Bool { isLoopback(authority: authority) || policy.names.contains(hostName(authority: authority)) }

    /// `__Host-`: a browser takes it over TLS only, for this host and path alone (RFC 6265bis section 4.1.3.2).
    var cookieName: String { policy.isTLS ? "__Host-spendwise" : "spendwise" }
}

/// A name or an address in lower case, without the port and the brackets.
func hostName(authority: String) -> String {
    if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }).lowercased() }
    var name = String(authority.prefix { $0 != ":" }).lowercased()
    // The root's dot (RFC 1034 section 3.1).
    if name.hasSuffix(".") { name.removeLast() }
    return name
}
