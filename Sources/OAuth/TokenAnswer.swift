import Codecs

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
        let fields = (try? JSON(parsing: body)).flatMap(Fields.init)
        guard status == 200 else {
            // Some servers answer an overload with an OAuth error; the HTTP status is more precise.
            guard status < 500, status != 429, status != 408 else {
                throw OAuthError(.unavailable, server: server, code: "HTTP \(status)")
            }
            guard let fields, let code = fields.error else {
                throw OAuthError(.malformedAnswer, server: server, code: "HTTP \(status)")
            }
            throw OAuthError(
                .init(tokenError: code, redeemsCode: request.redeemsCode), server: server, code: code,
                serverText: fields.errorDescription,
                hiding: request.secrets)
        }
        if let fields, let code = fields.error {
            throw OAuthError(
                .init(tokenError: code, redeemsCode: request.redeemsCode), server: server, code: code,
                serverText: fields.errorDescription,
                hiding: request.secrets)
        }
        guard let fields, let token = fields.accessToken.flatMap({ Token($0) }),
            fields.tokenType?.lowercased() ?? "bearer" == "bearer"
        else {
            throw OAuthError(.malformedAnswer, server: server)
        }
        accessToken = token
        lifetime = min(Self.longestLifetime, max(0, fields.seconds ?? Self.assumedLifetime))
        refreshToken = fields.refreshToken.flatMap { Token($0) }
    }

    /// The members of the answer that are read.
    private struct Fields {
        let accessToken: String?
        let tokenType: String?
        let seconds: Int?
        let refreshToken: String?
        let error: String?
        let errorDescription: String?

        /// - Returns: `nil` for another value than an object, and if a text has another type.
        init?(_ json: JSON) {
            guard case .object = json else { return nil }
            var isSound = true
            func text(_ name: String) -> String? {
                switch json[name] {
                case .string(let text)?: return text
                case nil, .null?: break
                default: isSound = false
                }
                return nil
            }
            accessToken = text("access_token")
            tokenType = text("token_type")
            seconds = json["expires_in"].flatMap(Self.seconds)
            refreshToken = text("refresh_token")
            error = text("error")
            errorDescription = text("error_description")
            guard isSound else { return nil }
        }

        /// A number; some servers send it as a string.
        private static func seconds(_ value: JSON) -> Int? {
            switch value {
            case .integer(let number): Int(exactly: number)
            case .number(let number): Int(exactly: number.rounded(.down))
            case .decimal(let text): Double(text).flatMap { Int(exactly: $0.rounded(.down)) }
            case .string(let text): Int(text)
            case .null, .bool, .array, .object: nil
            }
        }
    }
}
