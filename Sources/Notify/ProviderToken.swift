import Chronology
import Codecs
import Crypto
import DurableFiles
import Settings

/// Provider token of Apple's push service: a JWT (RFC 7519) signed with ES256, valid for an hour by Apple's rules.
struct ProviderToken {
    let settings: APNsSettings
    private var token: String?
    private var issuedAt = UnixTime.epoch
    private var stamp: FileStamp?

    /// Lifetime in seconds. Apple refuses tokens older than an hour, and providers that renew more often than every
    /// twenty minutes.
    static let renewal: Int64 = 50 * 60
    static let shortest: Int64 = 20 * 60

    init(_ settings: APNsSettings) { self.settings = settings }

    /// Returns the token in use, renewed if it is due or if the key file changed.
    mutating func current(at now: UnixTime) throws -> String {
        let stamp = settings.key.stamp
        if let token, stamp == self.stamp, (0..<Self.renewal).contains(now - issuedAt) { return token }
        let made = try make(at: now)
        (token, issuedAt, self.stamp) = (made, now, stamp)
        return made
    }

    /// Discards a token that Apple reported as expired.
    /// - Returns: true if a new one may be made now.
    mutating func expire(at now: UnixTime) -> Bool {
        guard now - issuedAt >= Self.shortest || now < issuedAt else { return false }
        token = nil
        return true
    }

    private func make(at now: UnixTime) throws -> String {
        let bytes = try settings.key.readAll()
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: String(decoding: bytes, as: UTF8.self)) else {
            throw KeyError(
                description:
                    "\(settings.key.description) holds no key that Apple would give\nIt is a PEM file that begins with -----BEGIN PRIVATE KEY-----."
            )
        }
        let header = JSON.object([("alg", .string("ES256")), ("kid", .string(settings.keyID))]).text
        let claims = JSON.object([("iss", .string(settings.teamID)), ("iat", .integer(now.seconds))]).text
        let signed = Base64.urlSafe.encode(Array(header.utf8)) + "." + Base64.urlSafe.encode(Array(claims.utf8))
        // JWS needs both numbers concatenated, not in ASN.1 (RFC 7518 section 3.4).
        return signed + "." + Base64.urlSafe.encode(Array(try key.signature(for: Array(signed.utf8)).rawRepresentation))
    }
}

struct KeyError: Error, CustomStringConvertible {
    let description: String
}
