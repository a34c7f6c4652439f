/// What an authenticator states and signs (Web Authentication Level 2, section 6.1). Numbers are big-endian.
struct AuthenticatorData {
    struct Attested {
        var id: [UInt8]
        var key: PasskeyKey
    }

    /// SHA-256 of the RP ID.
    var rpIDHash: [UInt8]
    var isUserPresent: Bool
    /// The authenticator checked a PIN or a finger.
    var isUserVerified: Bool
    /// 0 if the authenticator does not count.
    var signCount: UInt32
    /// The new passkey, at a registration.
    var attested: Attested?

    private enum Flag {
        static let present: UInt8 = 1 << 0
        static let verified: UInt8 = 1 << 2
        static let backupEligible: UInt8 = 1 << 3
        static let backedUp: UInt8 = 1 << 4
        static let attested: UInt8 = 1 << 6
        static let extended: UInt8 = 1 << 7
    }

    private static let hashLength = 32
    private static let identifierOfModel = 16
    /// Limit of a credential ID (section 4).
    private static let maximumID = 1023

    /// Extensions are neither requested nor read: the bytes after the rest are theirs if the flag says so.
    ///
    /// - Throws: `malformed` for missing and surplus bytes, `unsupportedKey` for a key that ``PasskeyKey`` cannot read.
    init(_ bytes: [UInt8]) throws(PasskeyError) {
        var rest = bytes[...]
        func next(_ count: Int) throws(PasskeyError) -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw .malformed }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number(_ count: Int) throws(PasskeyError) -> UInt32 {
            try next(count).reduce(0) { $0 << 8 | UInt32($1) }
        }
        rpIDHash = Array(try next(Self.hashLength))
        let flags = UInt8(try number(1))
        isUserPresent = flags & Flag.present != 0
        isUserVerified = flags & Flag.verified != 0
        guard flags & Flag.backupEligible != 0 || flags & Flag.backedUp == 0 else { throw .malformed }
        signCount = try number(4)
        if flags & Flag.attested != 0 {
            _ = try next(Self.identifierOfModel)
            let length = Int(try number(2))
            guard (1...Self.maximumID).contains(length) else { throw .malformed }
            let id = Array(try next(length))
            guard let key = PasskeyKey(prefixOf: rest) else { throw .unsupportedKey }
            _ = try next(key.bytes.count)
            attested = Attested(id: id, key: key)
        }
        guard rest.isEmpty == (flags & Flag.extended == 0) else { throw .malformed }
    }
}
