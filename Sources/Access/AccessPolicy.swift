/// Configured access rules of the web role.
public struct AccessPolicy: Sendable {
    /// If false, every client that reaches the port has all permissions. The configuration allows this on the loopback
    /// only.
    public var asksForLogin: Bool
    /// Accepted host names and addresses besides the loopback's, lower case, without port.
    public var names: Set<String>
    /// Clients use TLS: cookies are limited to it, and links begin with https.
    public var isTLS: Bool
    /// Only programs on this machine can reach the port.
    public var isLoopback: Bool
    public var sessions: SessionRules
    /// Request limit of one client; 0 means no limit.
    public var requestsPerMinute: Int
    /// Days for which the audit log is kept; 0 disables the log.
    public var auditDays = 365
    /// Whose word about the client of a request counts.
    public var proxies = TrustedProxies()

    public init(
        asksForLogin: Bool = true, names: Set<String> = [], isTLS: Bool = false, isLoopback: Bool = true,
        sessions: SessionRules = SessionRules(),
        requestsPerMinute: Int = 60
    ) {
        self.asksForLogin = asksForLogin
        self.names = names
        self.isTLS = isTLS
        self.isLoopback = isLoopback
        self.sessions = sessions
        self.requestsPerMinute = requestsPerMinute
    }

    /// A policy for the loopback: no login and no request limit.
    public static let open: AccessPolicy = {
        var policy = AccessPolicy(asksForLogin: false, requestsPerMinute: 0)
        policy.auditDays = 0
        return policy
    }()
}
