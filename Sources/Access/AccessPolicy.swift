/// The configured rules of access to the web role.
public struct AccessPolicy: Sendable {
    /// False: whoever reaches the port may do everything. The configuration allows it on the loopback only.
    public var asksForLogin: Bool
    /// Host names and addresses that it is called by besides the loopback's, lower case, without port.
    public var names: Set<String>
    /// The port speaks TLS: cookies are limited to it, and links begin with https.
    public var isTLS: Bool
    /// Only this machine can reach the port.
    public var isLoopback: Bool
    public var sessions: SessionRules
    /// The limit for one client; 0 sets none.
    public var requestsPerMinute: Int
    /// Days for which the audit log is kept; 0 writes none.
    public var auditDays = 365

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

    /// For this machine alone: asks for nothing and sets no limit.
    public static let open: AccessPolicy = {
        var policy = AccessPolicy(asksForLogin: false, requestsPerMinute: 0)
        policy.auditDays = 0
        return policy
    }()
}
