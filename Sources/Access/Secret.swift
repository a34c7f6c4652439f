public import Codecs
import Crypto
import Randomness

/// A random secret that is handed out once; only its digest is kept. A token (`spw_…`) or a session's cookie (`sps_…`).
///
/// Text: the prefix, 10 characters that name it and are no secret, `_`, and 256 random bits as 43 characters of
/// base64url (RFC 4648 section 5).
public struct Credential: Sendable {
    public enum Kind: String, Sendable {
        case token = "spw_"
        case session = "sps_"
    }

    public let kind: Kind
    /// The part that is no secret.
    public let id: String
    /// The whole, secret.
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

    /// - Returns: `nil` where the text has not the form.
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

    /// What a page that was made for this session sends back with its forms: a page of another site can neither read
    /// nor guess it.
    public var formToken: String {
        Base64.urlSafe.encode(
            Array(HMAC<SHA256>.authenticationCode(for: Array("form".utf8), using: SymmetricKey(data: Array(text.utf8))))
        )
    }

    public func matches(formToken: String) -> Bool { ConstantTime.areEqual(self.formToken, formToken) }
}

public enum ConstantTime {
    /// Takes as long for every content of the same length.
    public static func areEqual(_ a: String, _ b: String) -> Bool { areEqual(Array(a.utf8), Array(b.utf8)) }

    static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        // The library's comparison of authentication codes is the one that is made for this; both sides are hashed
        // under a key of this moment.
        let key = SymmetricKey(size: .bits256)
        return HMAC<SHA256>.isValidAuthenticationCode(
            HMAC<SHA256>.authenticationCode(for: a, using: key), authenticating: b, using: key)
    }
}
