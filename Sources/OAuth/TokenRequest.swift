import Codecs

/// A request to the token endpoint. Its body holds secrets.
public struct TokenRequest: Sendable, CustomReflectable {
    public let server: AuthorizationServer
    /// Values that messages must hide, even if the server repeats them.
    let secrets: [Token]
    /// True for the code of a consent, false for a refresh token.
    let redeemsCode: Bool
    /// `application/x-www-form-urlencoded`
    public let body: [UInt8]

    /// Requests an access token for a code (RFC 6749 section 4.1.3) or for a refresh token (section 6). Without a scope
    /// the granted one remains.
    public init(redeeming grant: AuthorizationGrant, server: AuthorizationServer, client: Client) {
        self.server = server
        secrets = grant.secrets + [client.secret].compactMap(\.self)
        var fields: [(name: String, value: String)]
        switch grant {
        case .code(let code, let verifier, let redirectURI):
            redeemsCode = true
            fields = [
                ("grant_type", "authorization_code"), ("code", code.value), ("redirect_uri", redirectURI),
                ("code_verifier", verifier.value),
            ]
        case .refreshToken(let token):
            redeemsCode = false
            fields = [("grant_type", "refresh_token"), ("refresh_token", token.value)]
        }
        // Google and Microsoft require the credentials in the body; RFC 6749 section 2.3.1 allows it.
        fields.append(("client_id", client.id))
        if let secret = client.secret { fields.append(("client_secret", secret.value)) }
        body = Array(FormEncoding.encode(fields).utf8)
    }

    public init(refreshing token: Token, server: AuthorizationServer, client: Client) {
        self.init(redeeming: .refreshToken(token), server: server, client: client)
    }

    public var customMirror: Mirror { Mirror(self, children: ["server": server]) }
}
