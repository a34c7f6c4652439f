public import Codecs
public import Crypto

/// An authenticator in memory, with what it states open to tests.
public struct SoftAuthenticator: Sendable {
    public enum Key: Sendable {
        case es256(P256.Signing.PrivateKey)
        case edDSA(Curve25519.Signing.PrivateKey)
    }

    public var key: Key
    public var id: [UInt8]
    public var signCount: UInt32 = 0
    /// User present and user verified.
    public var flags: UInt8 = 0x05

    public init(_ key: Key = .es256(P256.Signing.PrivateKey()), id: [UInt8] = Array(0..<16)) {
        self.key = key
        self.id = id
    }

    /// The COSE_Key of the public key.
    public var coseKey: [UInt8] {
        switch key {
        case .es256(let key):
            let point = Array(key.publicKey.x963Representation.dropFirst())
            return [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point[..<32]
                + [0x22, 0x58, 0x20] + point[32...]
        case .edDSA(let key):
            return [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20] + key.publicKey.rawRepresentation
        }
    }

    /// What a browser states about a ceremony, such as `webauthn.get`.
    public static func clientData(
        _ type: String, challenge: [UInt8], origin: String, more: [(String, JSON)] = []
    ) -> [UInt8] {
        JSON.object(
            [
                ("type", .string(type)), ("challenge", .string(Base64.urlSafe.encode(challenge))),
                ("origin", .string(origin)), ("crossOrigin", .bool(false)),
            ] + more
        ).utf8
    }

    /// The statement about a login, or with `attests` about a new passkey.
    public func data(for party: String, attests: Bool = false) -> [UInt8] {
        var bytes = Array(SHA256.hash(data: Array(party.utf8)))
        bytes.append(flags | (attests ? 0x40 : 0))
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: signCount >> (24 - 8 * $0)) }
        guard attests else { return bytes }
        bytes += [UInt8](repeating: 0, count: 16)
        bytes += [UInt8(id.count >> 8), UInt8(id.count & 255)] + id
        return bytes + coseKey
    }

    public func signature(of data: [UInt8], _ clientData: [UInt8]) throws -> [UInt8] {
        let signed = data + Array(SHA256.hash(data: clientData))
        switch key {
        case .es256(let key): return Array(try key.signature(for: signed).derRepresentation)
        case .edDSA(let key): return Array(try key.signature(for: signed))
        }
    }
}
