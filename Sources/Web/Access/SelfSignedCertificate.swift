import Chronology
import Crypto
import DurableFiles
import FoundationEssentials
import Glibc
import SwiftASN1
import X509

/// A self-signed certificate (P-256) for the server's names and addresses (RFC 5280, RFC 6125). No authority vouches
/// for it: the user compares its fingerprint once.
struct SelfSignedCertificate {
    /// PEM files.
    let certificatePath: String
    let keyPath: String
    /// Names and addresses in the certificate.
    let names: [String]

    /// Apple's systems accept no longer lifetime.
    private static let lifetimeDays = 825
    /// Days before its end at which the certificate is renewed.
    private static let renewalDays = 30

    /// Creates the missing files, and renews a certificate that ends soon or lacks a name. The key stays.
    /// - Returns: true if a certificate was created.
    func prepare(now instant: UnixTime = .now) throws(CertificateError) -> Bool {
        let now = Date(timeIntervalSince1970: Double(instant.seconds))
        let key: P256.Signing.PrivateKey
        if let pem = try FileBytes.read(keyPath) {
            guard let known = try? P256.Signing.PrivateKey(pemRepresentation: String(decoding: pem, as: UTF8.self))
            else {
                throw CertificateError(
                    path: keyPath, message: "holds no P-256 key in PEM",
                    remedy: "Move it away: the next start makes a new key and certificate.")
            }
            key = known
        } else {
            key = P256.Signing.PrivateKey()
            try FileBytes.write(Array(key.pemRepresentation.utf8), to: keyPath, mode: 0o600)
        }
        if let pem = try FileBytes.read(certificatePath),
            let old = try? Certificate(pemEncoded: String(decoding: pem, as: UTF8.self)), isGood(old, key, now)
        {
            return false
        }
        do {
            let certificate = try make(key, now)
            try FileBytes.write(Array(certificate.serializeAsPEM().pemString.utf8), to: certificatePath, mode: 0o644)
        } catch let error as CertificateError { throw error } catch {
            throw CertificateError(
                path: certificatePath, message: "cannot be made: \(error)",
                remedy: "Check 'web: names' in the configuration.")
        }
        return true
    }

    private func isGood(_ certificate: Certificate, _ key: P256.Signing.PrivateKey, _ now: Date) -> Bool {
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey), certificate.notValidBefore <= now,
            certificate.notValidAfter > now.addingTimeInterval(Double(Self.renewalDays) * 86_400),
            let names = try? certificate.extensions.subjectAlternativeNames
        else { return false }
        return Set(names) == Set(subjects)
    }

    private var subjects: [GeneralName] {
        names.map { name in
            var bytes = [UInt8](repeating: 0, count: 16)
            if inet_pton(AF_INET, name, &bytes) == 1 { return .ipAddress(ASN1OctetString(contentBytes: bytes[..<4])) }
            if inet_pton(AF_INET6, name, &bytes) == 1 { return .ipAddress(ASN1OctetString(contentBytes: bytes[...])) }
            return .dnsName(name)
        }
    }

    private func make(_ key: P256.Signing.PrivateKey, _ now: Date) throws -> Certificate {
        let subject = try DistinguishedName { CommonName("SpendWise") }
        let signer = Certificate.PrivateKey(key)
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: signer.publicKey,
            // The clock of a device may be slow.
            notValidBefore: now.addingTimeInterval(-86_400),
            notValidAfter: now.addingTimeInterval(Double(Self.lifetimeDays - 1) * 86_400),
            issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                // No key usage: BoringSSL accepts a self-issued certificate with one only if it has keyCertSign.
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(subjects)
            }, issuerPrivateKey: signer)
    }
}

/// An unusable certificate or key of the server.
public struct CertificateError: Error, Sendable, CustomStringConvertible {
    public var path: String
    public var message: String
    public var remedy: String

    public var description: String { "\(path): \(message)\n\(remedy)" }
}

/// Reads and writes PEM files.
enum FileBytes {
    /// Limit in bytes; a certificate chain has some 10 kB.
    private static let most = 1 << 20

    /// - Returns: `nil` if the file does not exist.
    static func read(_ path: String) throws(CertificateError) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if file < 0, errno == ENOENT { return nil }
        guard file >= 0 else { throw failure(path, "cannot be read") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= most {
            let count = Glibc.read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path, "cannot be read") }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
        throw CertificateError(path: path, message: "is larger than \(most) bytes", remedy: "Name a PEM file.")
    }

    static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(CertificateError) {
        do throws(FileWriteError) {
            try FileReplacement(path, mode: .exactly(mode)).write(bytes)
        } catch {
            throw failure(path, "cannot be written", errno: error.code)
        }
    }

    private static func failure(_ path: String, _ what: String, errno: Int32 = Glibc.errno) -> CertificateError {
        CertificateError(
            path: path, message: "\(what): \(String(cString: strerror(errno)))",
            remedy: "Check the folder, its owner, and 'web: tls' in the configuration.")
    }
}
