import Codecs
import Crypto
import FoundationEssentials

/// A secret that only the holder of an ``UnsealingKey`` can read (HPKE, RFC 9180, base mode).
///
/// It is bound to a context, such as the server that a password is for: it opens for that context only.
public struct SealedSecret: Sendable, Hashable {
    /// The encapsulated key, then the ciphertext.
    let bytes: [UInt8]

    /// Limit of a secret in bytes. Shorter ones are padded, so that the ciphertext does not show their length.
    public enum Capacity: Int, CaseIterable, Sendable {
        case password = 512
        /// Codes and refresh tokens of 2 kB occur.
        case grant = 8192

        var byteCount: Int { SealedSecret.keyBytes + 2 + rawValue + SealedSecret.codeBytes }
    }

    /// Length of an encapsulated key of X25519 in bytes.
    static let keyBytes = 32
    /// Length of the authentication code of ChaCha20-Poly1305 in bytes.
    private static let codeBytes = 16

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads ``text``; `nil` for anything else.
    public init?(_ text: String) {
        guard let bytes = Base64.standard.decode(text.utf8),
            Capacity.allCases.contains(where: { $0.byteCount == bytes.count })
        else { return nil }
        self.bytes = bytes
    }

    public var text: String { Base64.standard.encode(bytes) }

    static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    static let purpose = Data("spendwise sealed secret 1".utf8)

    /// Each text with its length in front, so that no two contexts have the same bytes.
    static func authenticated(_ context: [String]) -> [UInt8] {
        context.flatMap { text in
            let count = UInt32(truncatingIfNeeded: text.utf8.count)
            return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + Array(text.utf8)
        }
    }
}

/// The public key that seals secrets for the holder of the other half.
public struct SealingKey: Sendable, Hashable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads ``text``; `nil` for anything else.
    public init?(_ text: String) {
        guard let bytes = Base64.standard.decode(text.utf8), bytes.count == SealedSecret.keyBytes else { return nil }
        self.bytes = bytes
    }

    public var text: String { Base64.standard.encode(bytes) }

    /// - Returns: `nil` for a secret above the limit, and for a key that is no point of the curve.
    public func seal(
        _ secret: [UInt8], for context: [String], in capacity: SealedSecret.Capacity = .password
    ) -> SealedSecret? {
        guard secret.count <= capacity.rawValue else { return nil }
        let count = UInt16(secret.count)
        let padding = [UInt8](repeating: 0, count: capacity.rawValue - secret.count)
        let padded = [UInt8(count >> 8), UInt8(truncatingIfNeeded: count)] + secret + padding
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes),
            var sender = try? HPKE.Sender(
                recipientKey: key, ciphersuite: SealedSecret.suite, info: SealedSecret.purpose),
            let sealed = try? sender.seal(padded, authenticating: SealedSecret.authenticated(context))
        else { return nil }
        return SealedSecret(Array(sender.encapsulatedKey) + Array(sealed))
    }
}

/// The private key that opens sealed secrets.
public struct UnsealingKey: Sendable {
    private let key: Curve25519.KeyAgreement.PrivateKey

    /// A new random key.
    public init() { key = Curve25519.KeyAgreement.PrivateKey() }

    /// Reads ``text``; `nil` for anything else.
    public init?(_ text: [UInt8]) {
        guard let bytes = Base64.standard.decode(text),
            let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        self.key = key
    }

    /// Secret, for a file.
    public var text: [UInt8] { Array(Base64.standard.encode(Array(key.rawRepresentation)).utf8) }

    public var sealingKey: SealingKey { SealingKey(Array(key.publicKey.rawRepresentation)) }

    /// - Returns: `nil` if it was sealed with another key or for another context, or was changed.
    public func open(_ sealed: SealedSecret, for context: [String]) -> [UInt8]? {
        let (encapsulated, text) = (
            Data(sealed.bytes.prefix(SealedSecret.keyBytes)), sealed.bytes.dropFirst(SealedSecret.keyBytes)
        )
        guard
            var recipient = try? HPKE.Recipient(
                privateKey: key, ciphersuite: SealedSecret.suite, info: SealedSecret.purpose,
                encapsulatedKey: encapsulated),
            let padded = try? recipient.open(Data(text), authenticating: SealedSecret.authenticated(context)),
            padded.count >= 2
        else { return nil }
        let bytes = Array(padded)
        let count = Int(bytes[0]) << 8 | Int(bytes[1])
        guard count <= bytes.count - 2 else { return nil }
        return Array(bytes[2..<2 + count])
    }
}
