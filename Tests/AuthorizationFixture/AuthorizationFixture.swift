import COpenSSL
import Codecs
import Glibc
import OAuth
import Synchronization

/// An authorization server for tests: consent, tokens and introspection (RFC 6749, 7636, 7662), with faults on demand.
///
/// The token endpoint speaks HTTPS with the test's certificate; introspection for Dovecot speaks HTTP.
public final class AuthorizationFixture: Sendable {
    public struct Failure: Error, CustomStringConvertible { public let description: String }

    /// The behaviour of the token endpoint.
    public enum Behaviour: Sendable {
        case correct
        case answer(status: Int, body: String)
        /// An endless body.
        case huge
        /// Reads the request and never answers.
        case silent
        /// Closes after half of the answer.
        case cut
    }

    struct Code {
        var challenge: String
        var redirectURI: String
    }

    struct State {
        var behaviour = Behaviour.correct
        var codes: [String: Code] = [:]
        var refreshTokens: Set<String> = []
        var accessTokens: Set<String> = []
        var grants: [String] = []
        var requests = 0
        var issued = 0
        var lifetime = 3600
        var rotates = false
        var givesRefreshToken = true
    }

    public static let clientID = "spendwise-test"
    public static let clientSecret = "blue-kettle-81-ropes"

    private let state = Mutex(State())
    private let https: Listener
    private let http: Listener
    private let user: String

    /// - Parameter user: the owner of the mailbox.
    public init(user: String) throws {
        // OpenSSL writes without MSG_NOSIGNAL: a client that disconnects must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        self.user = user
        https = try Listener()
        http = try Listener()
        http.serve { [weak self] in self?.introspect($0) }
    }

    deinit {
        https.stop()
        http.stop()
    }

    /// - Parameters: paths of PEM files.
    public func startTLS(certificate: String, key: String) throws {
        guard let context = SSL_CTX_new(TLS_server_method()),
            SSL_CTX_use_certificate_chain_file(context, certificate) == 1,
            SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1
        else { throw Failure(description: "no TLS with \(certificate)") }
        nonisolated(unsafe) let shared = context  // OpenSSL counts references to it, and nothing changes it any more
        https.serve { [weak self] client in
            guard let peer = Peer(client, context: shared) else { return }
            self?.token(peer)
        }
    }

    public var authorizationEndpoint: String { "https://localhost:\(https.port)/authorize" }
    public var tokenEndpoint: String { "https://localhost:\(https.port)/token" }
    public var introspectionURL: String { "http://127.0.0.1:\(http.port)/introspect?token=" }

    public func behave(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }
    /// Sets `expires_in` of new access tokens, in seconds.
    public func setLifetime(_ seconds: Int) { state.withLock { $0.lifetime = seconds } }
    /// From now on each refresh returns a new refresh token and invalidates the old one.
    public func rotate() { state.withLock { $0.rotates = true } }
    public func giveNoRefreshToken() { state.withLock { $0.givesRefreshToken = false } }
    /// Revokes every access token; refresh tokens remain valid.
    public func expire() { state.withLock { $0.accessTokens = [] } }
    /// Revokes all tokens.
    public func revoke() {
        state.withLock {
            $0.accessTokens = []
            $0.refreshTokens = []
        }
    }

    /// The requested grants in order: `authorization_code`, `refresh_token`.
    public var grants: [String] { state.withLock { $0.grants } }
    /// Number of requests to the token endpoint, answered or not.
    public var requests: Int { state.withLock { $0.requests } }
    /// Every token that is or was valid. None may occur in a log.
    public var secrets: [String] {
        state.withLock { Array($0.refreshTokens) + Array($0.accessTokens) } + [Self.clientSecret]
    }

    /// Issues a refresh token, like an earlier login.
    public func issueRefreshToken() -> String {
        state.withLock { state in
            let token = Self.name("refresh", &state)
            state.refreshTokens.insert(token)
            return token
        }
    }

    /// Issues an access token, like the token endpoint.
    public func issueAccessToken() -> String {
        state.withLock { state in
            let token = Self.name("access", &state)
            state.accessTokens.insert(token)
            return token
        }
    }

    /// Returns the URL to which a browser is redirected after consent.
    public func consent(to url: String) throws -> String {
        let query = Dictionary(
            FormEncoding.decode(url.split(separator: "?", maxSplits: 1).last ?? "").map { ($0.name, $0.value) }
        ) { $1 }
        guard url.hasPrefix(authorizationEndpoint + "?"), query["response_type"] == "code",
            query["client_id"] == Self.clientID,
            query["code_challenge_method"] == "S256", let challenge = query["code_challenge"],
            let state = query["state"], let redirect = query["redirect_uri"]
        else { throw Failure(description: "not an authorization request: \(url)") }
        let code = self.state.withLock { all in
            let code = Self.name("code", &all)
            all.codes[code] = Code(challenge: challenge, redirectURI: redirect)
            return code
        }
        return redirect + "/?" + FormEncoding.encode([("state", state), ("code", code)])
    }

    private static func name(_ kind: String, _ state: inout State) -> String {
        state.issued += 1
        return "\(kind)-\(state.issued)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    private func introspect(_ client: Int32) {
        guard let peer = Peer(client, context: nil), let request = peer.request() else { return }
        // Dovecot adds a client ID and a secret.
        let token =
            FormEncoding.decode(request.target.split(separator: "?", maxSplits: 1).last ?? "").first {
                $0.name == "token"
            }?
            .value ?? ""
        let isActive = state.withLock { $0.accessTokens.contains(token) }
        peer.answer(200, isActive ? #"{"active":true,"username":"\#(user)"}"# : #"{"active":false}"#)
    }

    private func token(_ peer: Peer) {
        guard let request = peer.request() else { return }
        let behaviour = state.withLock { state in
            state.requests += 1
            return state.behaviour
        }
        switch behaviour {
        case .correct: break
        case .answer(let status, let body): return peer.answer(status, body)
        case .huge:
            guard peer.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n") else { return }
            while peer.write(String(repeating: "{\"access_token\":", count: 1000)) {}
            return
        case .silent:
            // Wait until the client closes.
            while !peer.read().isEmpty {}
            return
        case .cut:
            peer.write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"access_token\":\"")
            return
        }
        let (status, body) = grant(request)
        peer.answer(status, body)
    }

    private func grant(_ request: Request) -> (Int, String) {
        let fields = Dictionary(FormEncoding.decode(request.body).map { ($0.name, $0.value) }) { $1 }
        func refuse(_ code: String, _ status: Int = 400) -> (Int, String) {
            (status, #"{"error":"\#(code)","error_description":"as the test has it"}"#)
        }
        return state.withLock { state in
            state.grants.append(fields["grant_type"] ?? "")
            guard request.method == "POST", request.target == "/token" else { return (404, "") }
            guard fields["client_id"] == Self.clientID, fields["client_secret"] == Self.clientSecret else {
                return refuse("invalid_client", 401)
            }
            var refresh: String?
            switch fields["grant_type"] {
            case "authorization_code":
                guard let code = state.codes.removeValue(forKey: fields["code"] ?? ""),
                    code.redirectURI == fields["redirect_uri"],
                    Token(fields["code_verifier"] ?? "").map({ ProofKey.challenge(for: $0) }) == code.challenge
                else { return refuse("invalid_grant") }
                if state.givesRefreshToken { refresh = Self.name("refresh", &state) }
            case "refresh_token":
                guard let old = fields["refresh_token"], state.refreshTokens.contains(old) else {
                    return refuse("invalid_grant")
                }
                if state.rotates {
                    state.refreshTokens.remove(old)
                    refresh = Self.name("refresh", &state)
                }
            default: return refuse("unsupported_grant_type")
            }
            let access = Self.name("access", &state)
            state.accessTokens.insert(access)
            if let refresh { state.refreshTokens.insert(refresh) }
            let more = refresh.map { #","refresh_token":"\#($0)""# } ?? ""
            return (
                200, #"{"access_token":"\#(access)","token_type":"Bearer","expires_in":\#(state.lifetime)\#(more)}"#
            )
        }
    }
}
