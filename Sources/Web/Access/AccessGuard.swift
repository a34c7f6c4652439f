import Access
import Chronology
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
            wall: { UnixTime.now.seconds },
            steady: { Double(SystemClock.monotonic.nanoseconds) / 1e9 })
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
    func isServed(authority: String) -> Bool {
        let name = hostName(authority: authority)
        return isLoopback(authority: authority) || !name.isEmpty && policy.names.contains(name)
    }

    /// `__Host-`: a browser takes it over TLS only, for this host and path alone (RFC 6265bis section 4.1.3.2).
    var cookieName: String { policy.isTLS ? "__Host-spendwise" : "spendwise" }
}

/// A name or an address in lower case, without the port and the brackets; empty where it is none (RFC 9110 section 7.2:
/// `host [":" port]`).
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
    // The root's dot (RFC 1034 section 3.1).
    if name.hasSuffix(".") { name.removeLast() }
    return String(name)
}
