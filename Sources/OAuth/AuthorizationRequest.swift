import Codecs

/// A request for consent (RFC 6749 section 4.1.1): the URL to open, and the values that tie the answer to it.
public struct AuthorizationRequest: Sendable {
    public let server: AuthorizationServer
    public let client: Client
    public let redirectURI: String
    /// Login name offered on the login page, such as the mail address.
    let loginHint: String?
    public let state: Token
    let proof: ProofKey
    /// The secret that redeems the code.
    public var verifier: Token { proof.verifier }

    public init(server: AuthorizationServer, client: Client, redirectURI: String, loginHint: String?) {
        self.init(
            server: server, client: client, redirectURI: redirectURI, loginHint: loginHint, state: ProofKey.random(),
            proof: ProofKey())
    }

    /// The same request again, on the way of its answer.
    ///
    /// - Returns: `nil` for another verifier than one of RFC 7636 section 4.1.
    public init?(
        server: AuthorizationServer, client: Client, redirectURI: String, loginHint: String?, state: Token,
        verifier: Token
    ) {
        guard let proof = ProofKey(given: verifier) else { return nil }
        self.init(
            server: server, client: client, redirectURI: redirectURI, loginHint: loginHint, state: state, proof: proof)
    }

    init(
        server: AuthorizationServer, client: Client, redirectURI: String, loginHint: String?, state: Token,
        proof: ProofKey
    ) {
        self.server = server
        self.client = client
        self.redirectURI = redirectURI
        self.loginHint = loginHint
        self.state = state
        self.proof = proof
    }

    /// URL to open. It holds no secret: a reader cannot redeem a code with it.
    public var url: String {
        var pairs = [
            (name: "response_type", value: "code"), ("client_id", client.id), ("redirect_uri", redirectURI),
            ("state", state.value),
            ("code_challenge", proof.challenge), ("code_challenge_method", "S256"),
        ]
        if let scope = server.scope { pairs.append(("scope", scope)) }
        if let loginHint { pairs.append(("login_hint", loginHint)) }
        pairs += server.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return server.authorizationEndpoint + (server.authorizationEndpoint.contains("?") ? "&" : "?")
            + FormEncoding.encode(pairs)
    }

    /// Extracts the code from the redirect (RFC 6749 section 4.1.2).
    ///
    /// - Parameter redirect: the whole URL, a request target, or the query alone.
    public func code(in redirect: String) throws(OAuthError) -> Token {
        let query = redirect.drop { $0.isWhitespace }.prefix { !$0.isWhitespace && $0 != "#" }
        let pairs = FormEncoding.decode(
            query.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).last ?? "")
        func only(_ name: String) -> String? {
            let values = pairs.filter { $0.name == name }
            return values.count == 1 ? values[0].value : nil
        }
        guard let got = only("state") else {
            throw OAuthError(.malformedRedirect, server: server.authorizationEndpoint)
        }
        guard got == state.value else { throw OAuthError(.wrongState, server: server.authorizationEndpoint) }
        if let error = only("error") {
            throw OAuthError(
                error == "access_denied" ? .denied : .authorizationRefused, server: server.authorizationEndpoint,
                code: error,
                serverText: only("error_description"))
        }
        guard let code = only("code").flatMap({ Token($0) }) else {
            throw OAuthError(.malformedRedirect, server: server.authorizationEndpoint)
        }
        return code
    }

    /// The code with what redeems it.
    public func grant(of code: Token) -> AuthorizationGrant {
        .code(code, verifier: proof.verifier, redirectURI: redirectURI)
    }

    /// Request that redeems the code at the token endpoint.
    public func redemption(of code: Token) -> TokenRequest {
        TokenRequest(redeeming: grant(of: code), server: server, client: client)
    }
}
