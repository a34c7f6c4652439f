import Codecs
import Crypto
import FoundationEssentials
import HummingbirdTLS
import NIOCore
import NIOSSL
import Synchronization

/// The server's certificate and key. ``reload()`` reads them again without closing a connection.
public final class ServerCertificate: Sendable {
    public enum Source: Sendable {
        /// PEM files: the certificate with its chain, and the key.
        case files(certificate: String, key: String)
        /// The same files, created if they are missing.
        case selfSigned(certificate: String, key: String, names: [String])
    }

    private struct Loaded {
        var chain: [NIOSSLCertificate]
        var key: NIOSSLPrivateKey
        var fingerprint: String
    }

    private let source: Source
    /// Authorities for client certificates; `nil` requests none.
    private let authorities: [NIOSSLCertificate]?
    private let loaded: Mutex<Loaded>

    /// - Parameter clientCA: PEM file of the authorities for client certificates; if given, every client needs one.
    public init(_ source: Source, clientCA: String?) throws(CertificateError) {
        self.source = source
        authorities = try clientCA.map { path throws(CertificateError) in try Self.certificates(path) }
        loaded = Mutex(try Self.load(source))
    }

    /// SHA-256 digest of the certificate in hexadecimal.
    public var fingerprint: String { loaded.withLock { $0.fingerprint } }

    /// Reads the files again. If they are unusable, the old certificate stays in force.
    public func reload() throws(CertificateError) {
        let new = try Self.load(source)
        loaded.withLock { $0 = new }
    }

    var configuration: TLSConfiguration {
        let current = loaded.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: current.chain.map { .certificate($0) }, privateKey: .privateKey(current.key))
        configuration.minimumTLSVersion = .tlsv13
        configuration.applicationProtocols = ["http/1.1"]
        if let authorities {
            // A client has no host name to verify; without a certificate the handshake fails.
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates(authorities)
        }
        configuration.sslContextCallback = { [weak self] _, promise in
            var change = NIOSSLContextConfigurationOverride()
            if let now = self?.loaded.withLock({ $0 }) {
                change.certificateChain = now.chain.map { .certificate($0) }
                change.privateKey = .privateKey(now.key)
            }
            promise.succeed(change)
        }
        return configuration
    }

    private static func load(_ source: Source) throws(CertificateError) -> Loaded {
        let paths: (certificate: String, key: String)
        switch source {
        case .files(let certificate, let key): paths = (certificate, key)
        case .selfSigned(let certificate, let key, let names):
            paths = (certificate, key)
            _ = try SelfSignedCertificate(certificatePath: certificate, keyPath: key, names: names).prepare()
        }
        let chain = try certificates(paths.certificate)
        let mode = try? FileManager.default.attributesOfItem(atPath: paths.key)[.posixPermissions] as? Int
        guard let mode, mode & 0o007 == 0 else {
            throw CertificateError(
                path: paths.key, message: "is missing or readable by all users", remedy: "chmod 600 \(paths.key)")
        }
        guard let bytes = try FileBytes.read(paths.key), let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem)
        else {
            throw CertificateError(
                path: paths.key, message: "holds no private key in PEM without a passphrase",
                remedy: "Name the key's file in 'web: tls: { key: FILE }'.")
        }
        // BoringSSL checks here that key and certificate belong together.
        let trial = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        guard (try? NIOSSLContext(configuration: trial)) != nil, let first = chain.first,
            let der = try? first.toDERBytes()
        else {
            throw CertificateError(
                path: paths.certificate, message: "and \(paths.key) do not belong together",
                remedy: "Name a certificate and its own key.")
        }
        return Loaded(
            chain: chain, key: key,
            fingerprint: Hexadecimal.text(SHA256.hash(data: der)))
    }

    private static func certificates(_ path: String) throws(CertificateError) -> [NIOSSLCertificate] {
        guard let bytes = try FileBytes.read(path) else {
            throw CertificateError(
                path: path, message: "does not exist",
                remedy: "Name a PEM file in 'web: tls', or write 'tls: self-signed'."
            )
        }
        guard let found = try? NIOSSLCertificate.fromPEMBytes(bytes), !found.isEmpty else {
            throw CertificateError(
                path: path, message: "holds no certificate in PEM",
                remedy: "Name a file that begins with -----BEGIN CERTIFICATE-----.")
        }
        return found
    }
}
