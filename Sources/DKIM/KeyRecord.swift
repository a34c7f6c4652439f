import Codecs
import Crypto
import CryptoExtras
import InternetMessage

/// An RSA key record (RFC 6376 section 3.6.1), for the signatures that libopendkim cannot verify.
struct KeyRecord {
    private let key: _RSA.Signing.PublicKey

    /// Throws the reason why a record proves nothing.
    init(parsing record: [UInt8]) throws(KeyFault) {
        guard record.count <= VerifyingHandle.recordBytes, let tags = TagList(parsing: record),
            let text = tags.compact("p"), tags["v"].map({ $0 == "DKIM1" }) ?? true,
            tags["k"].map({ $0 == "rsa" }) ?? true, tags.items("h").map({ $0.contains("sha256") }) ?? true,
            tags.items("s").map({ $0.contains("*") || $0.contains("email") }) ?? true
        else { throw KeyFault(.keyUnusable) }
        if text.isEmpty { throw KeyFault(.keyRevoked) }
        if tags.items("t")?.contains("y") == true { throw KeyFault(.keyForTests) }
        guard let encoded = Base64.standard.decode(text) else { throw KeyFault(.keyUnusable) }
        do {
            key = try _RSA.Signing.PublicKey(unsafeDERRepresentation: encoded)
        } catch CryptoKitError.incorrectParameterSize {
            // Fewer than 1024 bits (RFC 8301 section 3.2).
            throw KeyFault(.weakKey)
        } catch {
            throw KeyFault(.keyUnusable)
        }
    }

    /// True for a valid rsa-sha256 signature: RSASSA-PKCS1-v1_5 (RFC 6376 section 3.3.2).
    func isValid(_ signature: [UInt8], of digest: SHA256Digest) -> Bool {
        key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5)
    }
}

/// The reason why a key proves nothing.
struct KeyFault: Error {
    let reason: SignatureReason

    init(_ reason: SignatureReason) { self.reason = reason }
}
