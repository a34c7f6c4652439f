import Crypto

/// A random secret that is handed out once; only its digest is kept. A token (`spw_…`) or a session's cookie (`sps_…`).
///
/// Text: the prefix, 10 characters that name it and are no secret, `_`, and 256 random bits as 43 characters of base64url (RFC 4648 section 5).
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
        return Credential(kind: kind, id: id, secret: Base64URL.encode(randomBytes(32)))
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
            secret.allSatisfy(Base64URL.isDigit)
        else { return nil }
        self.init(kind: kind, id: String(decoding: id, as: UTF8.self), secret: String(decoding: secret, as: UTF8.self))
    }

    /// SHA-256 of the text, in hexadecimal. A random secret of 256 bits needs no slow hash.
    public var digest: String { hexadecimal(SHA256.hash(data: Array(text.utf8))) }

    public func matches(digest: String) -> Bool { ConstantTime.areEqual(self.digest, digest) }

    /// What a page that was made for this session sends back with its forms: a page of another site can neither read nor guess it.
    public var formToken: String {
        Base64URL.encode(
            Array(HMAC<SHA256>.authenticationCode(for: Array("form".utf8), using: SymmetricKey(data: Array(text.utf8))))
        )
    }

    public func matches(formToken: String) -> Bool { ConstantTime.areEqual(self.formToken, formToken) }
}

public enum ConstantTime {
    /// Takes as long for every content of the same length.
    public static func areEqual(_ a: String, _ b: String) -> Bool { areEqual(Array(a.utf8), Array(b.utf8)) }

    static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        // The library's comparison of authentication codes is the one that is made for this; both sides are hashed under a key of this moment.
        let key = SymmetricKey(size: .bits256)
        return HMAC<SHA256>.isValidAuthenticationCode(
            HMAC<SHA256>.authenticationCode(for: a, using: key), authenticating: b, using: key)
    }
}

/// From the system's generator (getrandom(2)).
func randomBytes(_ count: Int) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
}

/// Lower case.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "") { text, byte in text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}

/// RFC 4648 section 5, without padding.
enum Base64URL {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func isDigit(_ byte: UInt8) -> Bool { digits.contains(byte) }

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> count & 63)])
            }
            bits &= (1 << count) - 1
        }
        if count > 0 { text.append(digits[Int(bits << (6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for digit in text.utf8 {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
            bits &= (1 << count) - 1
        }
        return count < 6 && bits == 0 ? bytes : nil
    }
}
