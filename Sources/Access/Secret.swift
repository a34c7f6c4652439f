import Codecs
import Crypto
import Randomness

/// A random secret that is shown once and stored as a digest: a token (`spw_…`) or a session cookie (`sps_…`).
///
/// Text form: the prefix, 10 public characters, `_`, and 256 random bits as 43 characters of base64url (RFC 4648
/// section 5).
public struct Credential: Sendable {
    public enum Kind: String, Sendable {
        case token = "spw_"
        case session = "sps_"
    }

    public let kind: Kind
    /// Public part.
    public let id: String
    /// The whole text, secret.
    public let text: String

    private static let idLength = 10
    private static let secretLength = 43

    public static func random(_ kind: Kind) -> Credential {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        var random = SystemRandomNumberGenerator()
        let id = String((0..<idLength).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
        return Credential(kind: kind, id: id, secret: Base64.urlSafe.encode(RandomBytes.make(32)))
    }

    private init(kind: Kind, id: String, secret: String) {
        self.kind = kind
        self.id = id
        text = kind.rawValue + id + "_" + secret
    }

    /// - Returns: `nil` if the text is malformed.
    public init?(_ text: some StringProtocol, _ kind: Kind) {
        let bytes = Array(text.utf8)
        let prefix = Array(kind.rawValue.utf8)
        guard bytes.count == prefix.count + Self.idLength + 1 + Self.secretLength, bytes.starts(with: prefix) else {
            return nil
        }
        let id = bytes[prefix.count...].prefix(Self.idLength)
        let secret = bytes.suffix(Self.secretLength)
        guard bytes[prefix.count + Self.idLength] == UInt8(ascii: "_"),
            id.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }),
            secret.allSatisfy({ Base64.urlSafe.value(of: $0) != nil })
        else { return nil }
        self.init(kind: kind, id: String(decoding: id, as: UTF8.self), secret: String(decoding: secret, as: UTF8.self))
    }

    /// SHA-256 of the text, in hexadecimal. A random secret of 256 bits needs no slow hash.
    public var digest: String { Hexadecimal.text(SHA256.hash(data: Array(text.utf8))) }

    public func matches(digest: String) -> Bool { ConstantTime.areEqual(self.digest, digest) }

    /// CSRF token of this session's forms, which a page of another site can neither read nor guess.
    public var formToken: String {
        Base64.urlSafe.encode(
            Array(HMAC<SHA256>.authenticationCode(for: Array("form".utf8), using: SymmetricKey(data: Array(text.utf8))))
        )
    }

    public func matches(formToken: String) -> Bool { ConstantTime.areEqual(self.formToken, formToken) }
}

public enum ConstantTime {
    /// Constant-time comparison for texts of equal length.
    public static func areEqual(_ a: String, _ b: String) -> Bool { areEqual(Array(a.utf8), Array(b.utf8)) }

    static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        // CryptoKit compares authentication codes in constant time, so both sides are hashed with an ephemeral key.
        let key = SymmetricKey(size: .bits256)
        return HMAC<SHA256>.isValidAuthenticationCode(
            HMAC<SHA256>.authenticationCode(for: a, using: key), authenticating: b, using: key)
    }
}
