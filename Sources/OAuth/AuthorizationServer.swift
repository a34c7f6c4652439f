/// The authorization and token endpoints of a provider (RFC 6749 section 3), and the requested scope.
public struct AuthorizationServer: Hashable, Sendable {
    /// `https` URLs.
    public var authorizationEndpoint: String
    public var tokenEndpoint: String
    /// Blank-separated scopes (RFC 6749 section 3.3).
    public var scope: String?
    /// Further parameters that this server requires before it issues a refresh token.
    public var parameters: [String: String]
    /// Loopback host in this server's redirects: 127.0.0.1 (RFC 8252 section 7.3) or localhost.
    public var redirectHost: String

    public init(
        authorizationEndpoint: String, tokenEndpoint: String, scope: String? = nil, parameters: [String: String] = [:],
        redirectHost: String = "127.0.0.1"
    ) {
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.scope = scope
        self.parameters = parameters
        self.redirectHost = redirectHost
    }

    /// Google issues a refresh token only for offline access, and a further one only after a new consent.
    public static let gmail = AuthorizationServer(
        authorizationEndpoint: "https://accounts.google.com/o/oauth2/v2/auth",
        tokenEndpoint: "https://oauth2.googleapis.com/token",
        scope: "https://mail.google.com/", parameters: ["access_type": "offline", "prompt": "consent"])

    /// Microsoft's common endpoints; the endpoints of a tenant can replace them. The server matches `http://localhost`
    /// with any port.
    public static let outlook = AuthorizationServer(
        authorizationEndpoint: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
        tokenEndpoint: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
        scope: "https://outlook.office.com/IMAP.AccessAsUser.All offline_access", redirectHost: "localhost")

    /// The servers that the configuration and the page know by a name.
    public static let known: [String: AuthorizationServer] = ["gmail": .gmail, "outlook": .outlook]

    /// The port of a redirect without a listener: the browser shows an error page, whose address has the answer.
    /// Browsers refuse some ports, but not this one.
    public static let unusedPort = 47_113

    /// The address on the loopback interface to which the browser is redirected (RFC 8252 section 7.3).
    public func redirectURI(port: Int = unusedPort) -> String { "http://\(redirectHost):\(port)" }

    /// Host of the token endpoint, used in messages.
    public var name: String {
        let rest = tokenEndpoint.split(separator: "/", omittingEmptySubsequences: true)
        return rest.count > 1 ? String(rest[1]) : tokenEndpoint
    }
}

/// The registration of this program at the authorization server (RFC 6749 section 2).
public struct Client: Sendable {
    public var id: String
    /// `nil` for a public client.
    public var secret: Token?

    public init(id: String, secret: Token?) {
        self.id = id
        self.secret = secret
    }
}
