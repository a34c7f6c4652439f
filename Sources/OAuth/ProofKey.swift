import Crypto

/// Proves to the token endpoint that who redeems a code is who asked for it (PKCE, RFC 7636, method S256).
public struct ProofKey: Sendable {
    /// 32 random octets in base64url: 43 characters (RFC 7636 section 4.1).
    public let verifier: Token
    /// What the authorization endpoint is told: the verifier's SHA-256 in base64url (section 4.2).
    public var challenge: String { Self.challenge(for: verifier) }

    public init() { verifier = Self.random() }

    init(verifier: Token) { self.verifier = verifier }

    public static func challenge(for verifier: Token) -> String {
        base64url(Array(SHA256.hash(data: Array(verifier.value.utf8))))
    }

    /// 256 bits that nobody can guess.
    static func random() -> Token {
        var generator = SystemRandomNumberGenerator()
        // Base64url is visible ASCII.
        return Token(base64url((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })) ?? random()
    }

    /// RFC 4648 section 5, without padding.
    static func base64url(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let piece = bytes[start..<min(start + 3, bytes.count)]
            let group = piece.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
            for position in 0...piece.count { result.append(alphabet[group >> (18 - 6 * position) & 63]) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
