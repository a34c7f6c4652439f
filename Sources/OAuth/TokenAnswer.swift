import FoundationEssentials

/// The response of the token endpoint (RFC 6749 sections 5.1 and 5.2).
public struct TokenAnswer: Sendable {
    public let accessToken: Token
    /// Remaining seconds of the access token.
    public let lifetime: Int
    /// Replacement of the refresh token that was used, if the server sends one.
    public let refreshToken: Token?

    /// Used if the server sends no lifetime, which RFC 6749 section 5.1 allows; an hour is usual.
    static let assumedLifetime = 600
    static let longestLifetime = 86_400 * 365

    /// - Parameter status: the HTTP status.
    public init(status: Int, body: [UInt8], to request: TokenRequest) throws(OAuthError) {
        let server = request.server.name
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(body))
        guard status == 200 else {
            // Some servers answer an overload with an OAuth error; the HTTP status is more precise.
            guard status < 500, status != 429, status != 408 else {
                throw OAuthError(.unavailable, server: server, code: "HTTP \(status)")
            }
            guard let fields, let code = fields.error else {
                throw OAuthError(.malformedAnswer, server: server, code: "HTTP \(status)")
            }
            throw OAuthError(
                .init(tokenError: code), server: server, code: code, serverText: fields.error_description,
                hiding: request.secrets)
        }
        if let fields, let code = fields.error {
            throw OAuthError(
                .init(tokenError: code), server: server, code: code, serverText: fields.error_description,
                hiding: request.secrets)
        }
        guard let fields, let token = fields.access_token.flatMap({ Token($0) }),
            fields.token_type?.lowercased() ?? "bearer" == "bearer"
        else {
            throw OAuthError(.malformedAnswer, server: server)
        }
        accessToken = token
        lifetime = min(Self.longestLifetime, max(0, fields.expires_in?.seconds ?? Self.assumedLifetime))
        refreshToken = fields.refresh_token.flatMap { Token($0) }
    }

    /// Names of the JSON members.
    private struct Fields: Decodable {
        var access_token: String?
        var token_type: String?
        var expires_in: Seconds?
        var refresh_token: String?
        var error: String?
        var error_description: String?
    }

    /// A number; some servers send it as a string.
    private struct Seconds: Decodable {
        var seconds: Int?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            seconds =
                (try? container.decode(Double.self)).flatMap { Int(exactly: $0.rounded(.down)) }
                ?? (try? container.decode(String.self)).flatMap { Int($0) }
        }
    }
}
