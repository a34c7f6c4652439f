import Crypto

/// The public key of a passkey: a COSE_Key (RFC 9052, section 7) in CTAP2's canonical form.
///
/// That form has one encoding for each kind of key (CTAP 2.1, section 8; Web Authentication Level 2, section 5.8.5), so
/// the bytes around the coordinates are constants and no CBOR is read.
public struct PasskeyKey: Sendable {
    /// Identifiers of IANA's registry of COSE algorithms, in the order that a browser is asked for.
    public enum Algorithm: Int, CaseIterable, Sendable {
        case es256 = -7
        case edDSA = -8
    }

    private enum Key {
        case es256(P256.Signing.PublicKey)
        case edDSA(Curve25519.Signing.PublicKey)
    }

    /// As the authenticator wrote them, for storage.
    public let bytes: [UInt8]
    private let key: Key

    private static let coordinate = 32
    /// A map of five: kty EC2, alg ES256, crv P-256, x of 32 bytes …
    private static let es256Head: [UInt8] = [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
    /// … and y of 32 bytes.
    private static let es256Middle: [UInt8] = [0x22, 0x58, 0x20]
    /// A map of four: kty OKP, alg EdDSA, crv Ed25519, x of 32 bytes.
    private static let edDSAHead: [UInt8] = [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20]

    public init?(_ bytes: [UInt8]) {
        self.init(prefixOf: bytes)
        guard self.bytes.count == bytes.count else { return nil }
    }

    /// Reads the key at the beginning of `text`; further bytes are left alone.
    ///
    /// - Returns: `nil` for another kind of key, for a truncated one, and for a point that is not on the curve.
    init?(prefixOf text: some Collection<UInt8>) {
        let text = Array(text.prefix(Self.es256Head.count + Self.es256Middle.count + 2 * Self.coordinate))
        if text.starts(with: Self.es256Head), let (x, y) = Self.point(text),
            let key = try? P256.Signing.PublicKey(x963Representation: [0x04] + x + y)
        {
            (bytes, self.key) = (text, .es256(key))
        } else if text.starts(with: Self.edDSAHead), text.count >= Self.edDSAHead.count + Self.coordinate {
            let text = Array(text.prefix(Self.edDSAHead.count + Self.coordinate))
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: text.suffix(Self.coordinate)) else {
                return nil
            }
            (bytes, self.key) = (text, .edDSA(key))
        } else {
            return nil
        }
    }

    private static func point(_ text: [UInt8]) -> (x: ArraySlice<UInt8>, y: ArraySlice<UInt8>)? {
        let rest = text.dropFirst(es256Head.count)
        let second = rest.dropFirst(coordinate)
        guard second.starts(with: es256Middle) else { return nil }
        let y = second.dropFirst(es256Middle.count)
        return y.count == coordinate ? (rest.prefix(coordinate), y) : nil
    }

    /// - Parameter signature: ASN.1 DER for ES256, 64 bytes for EdDSA (Web Authentication Level 2, section 6.5.6).
    func isValid(signature: [UInt8], of data: [UInt8]) -> Bool {
        switch key {
        case .es256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: data)
        case .edDSA(let key): return key.isValidSignature(signature, for: data)
        }
    }
}
