import Codecs

/// What a token endpoint redeems for an access token (RFC 6749 section 1.3). Secret.
public enum AuthorizationGrant: Hashable, Sendable {
    /// The answer to a consent, with the proof that it was asked for here (RFC 7636). It is valid once.
    case code(Token, verifier: Token, redirectURI: String)
    case refreshToken(Token)

    /// JSON, to be sealed.
    public var bytes: [UInt8] {
        let json: JSON =
            switch self {
            case .code(let code, let verifier, let redirectURI):
                .object([
                    ("code", .string(code.value)), ("verifier", .string(verifier.value)),
                    ("redirect_uri", .string(redirectURI)),
                ])
            case .refreshToken(let token): .object([("refresh_token", .string(token.value))])
            }
        return Array(json.text.utf8)
    }

    /// Reads ``bytes``; `nil` for anything else.
    public init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes) else { return nil }
        func token(_ name: String) -> Token? { json[name]?.textValue.flatMap { Token($0) } }
        if let token = token("refresh_token") {
            self = .refreshToken(token)
        } else if let code = token("code"), let verifier = token("verifier"),
            let redirectURI = json["redirect_uri"]?.textValue
        {
            self = .code(code, verifier: verifier, redirectURI: redirectURI)
        } else {
            return nil
        }
    }

    /// Values that no message may repeat.
    public var secrets: [Token] {
        switch self {
        case .code(let code, let verifier, _): [code, verifier]
        case .refreshToken(let token): [token]
        }
    }
}
