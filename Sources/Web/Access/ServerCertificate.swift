import Codecs
import Crypto
import FoundationEssentials
import HummingbirdTLS
import NIOCore
import NIOSSL
import Synchronization

/// The certificate and the key that the server shows; read anew by ``reload()``, without ending a connection.
public final class ServerCertificate: Sendable {
    public enum Source: Sendable {
        /// PEM files: the certificate with its chain, and the key.
        case files(certificate: String, key: String)
        /// The same files, made where they are missing.
        case selfMade(certificate: String, key: String, names: [String])
    }

    private struct Loaded {
        var chain: [NIOSSLCertificate]
        var key: NIOSSLPrivateKey
        var fingerprint: String
    }

    private let source: Source
    /// Who signs clients' certificates; `nil` asks for none.
    private let authorities: [NIOSSLCertificate]?
    private let loaded: Mutex<Loaded>

    /// - Parameter clientCA: PEM file of the authorities that sign clients' certificates; then every client needs one.
    public init(_ source: Source, clientCA: String?) throws(CertificateError) {
        self.source = source
        authorities = try clientCA.map { path throws(CertificateError) in try Self.certificates(path) }
        loaded = Mutex(try Self.load(source))
    }

    /// SHA-256 of the certificate in hexadecimal.
    public var fingerprint: String { loaded.withLock { $0.fingerprint } }

    /// Reads the files again. What cannot be used leaves the old certificate in force.
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
            // A client has no host name; without a certificate there is no connection.
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
        case .selfMade(let certificate, let key, let names):
            paths = (certificate, key)
            _ = try SelfMadeCertificate(certificatePath: certificate, keyPath: key, names: names).prepare()
        }
        let chain = try certificates(paths.certificate)
        let mode = try? FileManager.default.attributesOfItem(atPath: paths.key)[.posixPermissions] as? Int
        guard let mode, mode & 0o007 == 0 else {
            throw CertificateError(
                path: paths.key, message: "is missing, or may be read by everybody", remedy: "chmod 600 \(paths.key)")
        }
        guard let bytes = try FileBytes.read(paths.key), let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem)
        else {
            throw CertificateError(
                path: paths.key, message: "holds no private key in PEM without a passphrase",
                remedy: "Name the key's file in 'web: tls: { key: FILE }'.")
        }
        // Whether they belong together is found out before a client does.
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
                path: path, message: "is not there", remedy: "Name a PEM file in 'web: tls', or write 'tls: self-made'."
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
