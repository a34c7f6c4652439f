import Codecs

/// A request to the token endpoint. Its body holds secrets.
public struct TokenRequest: Sendable, CustomReflectable {
    public let server: AuthorizationServer
    /// Values that messages must hide, even if the server repeats them.
    let secrets: [Token]
    /// `application/x-www-form-urlencoded`
    public let body: [UInt8]

    init(server: AuthorizationServer, client: Client, fields: [(name: String, value: String)], secrets: [Token]) {
        self.server = server
        self.secrets = secrets + [client.secret].compactMap(\.self)
        // Google and Microsoft require the credentials in the body; RFC 6749 section 2.3.1 allows it.
        var fields = fields + [("client_id", client.id)]
        if let secret = client.secret { fields.append(("client_secret", secret.value)) }
        body = Array(FormEncoding.encode(fields).utf8)
    }

    /// Requests a new access token (RFC 6749 section 6). Without a scope the granted one remains.
    public init(refreshing token: Token, server: AuthorizationServer, client: Client) {
        self.init(
            server: server, client: client, fields: [("grant_type", "refresh_token"), ("refresh_token", token.value)],
            secrets: [token])
    }

    public var customMirror: Mirror { Mirror(self, children: ["server": server]) }
}
