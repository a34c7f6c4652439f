/// A failure to obtain a token, with the server and a remedy. It holds no secret.
public struct OAuthError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The consent or its refresh token has expired or was revoked (`invalid_grant`).
        case consentNeeded
        /// The code of a consent has expired, was redeemed before, or belongs to another request (`invalid_grant`).
        case codeRefused
        /// `invalid_client`, `unauthorized_client`
        case clientRefused
        /// `invalid_scope`
        case scopeRefused
        /// `redirect_uri_mismatch`
        case redirectRefused
        /// Any other refusal by the token endpoint.
        case refused
        /// The server is overloaded or failed.
        case unavailable
        /// No connection to the server.
        case unreachable
        /// An answer that violates RFC 6749.
        case malformedAnswer
        /// The person did not consent.
        case denied
        /// Any other refusal by the authorization endpoint.
        case authorizationRefused
        /// The `state` belongs to another request, or is forged.
        case wrongState
        case malformedRedirect
        /// The server granted consent without a refresh token.
        case noRefreshToken

        /// Maps the codes of RFC 6749 section 5.2 and those of large providers.
        init(tokenError code: String, redeemsCode: Bool = false) {
            self =
                switch code {
                case "invalid_grant" where redeemsCode: .codeRefused
                case "invalid_grant", "interaction_required", "consent_required", "login_required": .consentNeeded
                case "invalid_client", "unauthorized_client": .clientRefused
                case "invalid_scope": .scopeRefused
                case "redirect_uri_mismatch": .redirectRefused
                case "temporarily_unavailable", "server_error", "slow_down": .unavailable
                default: .refused
                }
        }
    }

    public let kind: Kind
    /// Server name used in messages.
    public let server: String
    /// Sanitised value of the server's `error`.
    public let code: String?
    /// Sanitised and truncated text of the server.
    public let serverText: String?

    public init(
        _ kind: Kind, server: String, code: String? = nil, serverText: String? = nil, hiding secrets: [Token] = []
    ) {
        self.kind = kind
        self.server = Self.cleaned(server)
        self.code = code.map { Self.cleaned($0, hiding: secrets) }
        self.serverText = serverText.map { Self.cleaned($0, hiding: secrets) }
    }

    /// - Parameter detail: the reason why the server is unreachable; free of secrets.
    public init(_ kind: Kind, server: String, detail: String) {
        self.kind = kind
        self.server = Self.cleaned(server)
        code = nil
        serverText = detail
    }

    /// True if a later attempt can succeed without a change by the user.
    public var isTransient: Bool { [.unavailable, .unreachable, .malformedAnswer].contains(kind) }

    static let maximumText = 200
    /// Longest accepted `error` code; a longer one could be a token.
    static let longestWord = 48

    /// Reduces the text to printable ASCII on one line, without secrets.
    static func cleaned(_ text: String, hiding secrets: [Token] = []) -> String {
        let words = text.split {
            !$0.isASCII || $0.isWhitespace || ($0.asciiValue ?? 0) < 0x20 || $0.asciiValue == 0x7F
        }
        let safe = words.map { word in
            word.utf8.count > longestWord || secrets.contains { word.contains($0.value) } ? "..." : String(word)
        }
        return String(safe.joined(separator: " ").prefix(maximumText))
    }

    public var description: String { "\(what); \(remedy)" }

    /// The event, the server and the server's message; one clause.
    public var what: String {
        let details = [code, serverText].compactMap { $0.flatMap { $0.isEmpty ? nil : $0 } }.joined(separator: ": ")
        return details.isEmpty ? event : "\(event) (\(details))"
    }

    private var event: String {
        switch kind {
        case .consentNeeded: "re-consent needed: \(server) no longer accepts the refresh token"
        case .codeRefused: "\(server) does not accept the code of the consent"
        case .clientRefused: "\(server) does not know this client_id, or its secret is wrong"
        case .scopeRefused: "\(server) does not grant the requested scope"
        case .redirectRefused: "\(server) does not let this client be redirected to this machine"
        case .refused: "\(server) gives no token"
        case .unavailable: "\(server) gives no token at the moment"
        case .unreachable: "no token from \(server)"
        case .malformedAnswer: "\(server) answers, but not as a token endpoint does"
        case .denied: "the consent was refused at \(server)"
        case .authorizationRefused: "\(server) did not authorise"
        case .wrongState: "the answer does not belong to this login"
        case .malformedRedirect: "the address holds no answer of \(server)"
        case .noRefreshToken: "\(server) gave no refresh token"
        }
    }

    /// Remedy; one clause.
    public var remedy: String {
        switch kind {
        case .consentNeeded:
            "consent again with 'parserctl login', or on the page for a mailbox that was added there; it then continues automatically"
        case .codeRefused: "consent again: a code is valid for some minutes, and once"
        case .clientRefused: "check client_id and client_secret_file; a desktop client of Google's has a secret, too"
        case .scopeRefused: "check scope, and what the client is registered for"
        case .redirectRefused:
            "register the client as a desktop application, or its redirect address with this redirect_port"
        case .refused: "check client_id, scope and token_endpoint"
        case .unavailable, .unreachable: "it is retried automatically"
        case .malformedAnswer: "check token_endpoint; it is retried automatically"
        case .denied: "run the command again and allow the access to mail"
        case .authorizationRefused: "check client_id and scope, and that the account may use this client"
        case .wrongState: "use the address that was printed last"
        case .malformedRedirect:
            "paste the whole address that the browser shows after the consent; it holds 'code=' and 'state='"
        case .noRefreshToken:
            "ask for offline access: provider gmail and outlook do; other servers want a scope such as offline_access"
        }
    }
}
