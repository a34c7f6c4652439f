import Access
import Chronology
import ChronologyFixture
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOSSL
import SwiftASN1
import TLSFixture
import Testing
import X509

@testable import Web

/// Real handshakes over the loopback.
@Suite final class TLSTests: Sendable {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var files: SelfSignedFiles {
        SelfSignedFiles(certificate: folder + "/certificate.pem", key: folder + "/key.pem")
    }

    var source: ServerCertificate.Source {
        .selfSigned(certificate: files.certificate, key: files.key, names: ["localhost", "127.0.0.1", "books.example"])
    }

    func serve(_ certificate: ServerCertificate, _ body: (Int) async throws -> Void) async throws {
        let site = try Site(AccessPolicy(isTLS: true))
        let (ports, told) = AsyncStream.makeStream(of: Int.self)
        let application = try WebApplication.make(
            host: "127.0.0.1", port: 0, services: site.services, certificate: certificate
        ) { told.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.runService(gracefulShutdownSignals: []) }
            let port = await ports.first { _ in true }
            try await body(try #require(port))
            group.cancelAll()
        }
    }

    @Test(.timeLimit(.minutes(5))) func onlyTLS13AndOnlyTheOwnCertificate() async throws {
        let certificate = try ServerCertificate(source, clientCA: nil)
        try await serve(certificate) { port in
            try await files.expect(200, port, files.client())
            try await files.expect(nil, port, files.client { $0.maximumTLSVersion = .tlsv12 })
            try await files.expect(nil, port, files.client { $0.trustRoots = .default }, "the authority is unknown")
            try await files.expect(421, port, files.client(), name: "other.example", "another name is not served")
            await files.expect(nil, port, nil, "nothing is answered in the clear")
        }
    }

    @Test(.timeLimit(.minutes(5))) func clientCertificateIsRequiredIfConfigured() async throws {
        let (authority, stranger) = (try Authority(), try Authority())
        try authority.pem.write(toFile: folder + "/ca.pem", atomically: true, encoding: .utf8)
        let certificate = try ServerCertificate(source, clientCA: folder + "/ca.pem")
        try await serve(certificate) { port in
            try await files.expect(nil, port, files.client())
            for (signer, expected) in [(authority, 200), (stranger, nil)] as [(Authority, Int?)] {
                let (chain, key) = try signer.client()
                let configuration = try files.client {
                    $0.certificateChain = [.certificate(chain)]
                    $0.privateKey = .privateKey(key)
                }
                await files.expect(expected, port, configuration)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func newCertificateIsLoadedWithoutARestart() async throws {
        let certificate = try ServerCertificate(source, clientCA: nil)
        let old = try files.client()
        let fingerprint = certificate.fingerprint
        try await serve(certificate) { port in
            await files.expect(200, port, old)
            try files.remove()
            try certificate.reload()
            #expect(certificate.fingerprint != fingerprint)
            await files.expect(nil, port, old)
            try await files.expect(200, port, files.client())
            // An unreadable file changes nothing.
            try "nonsense".write(toFile: files.key, atomically: true, encoding: .utf8)
            #expect(throws: Web.CertificateError.self) { try certificate.reload() }
            try await files.expect(200, port, files.client())
        }
    }

    @Test func filesAreCreatedOnceAndTheKeyIsPrivate() throws {
        func make(_ names: [String], _ now: UnixTime = .now) throws -> Bool {
            try SelfSignedCertificate(certificatePath: folder + "/c.pem", keyPath: folder + "/k.pem", names: names)
                .prepare(now: now)
        }
        func key() throws -> String { try String(contentsOfFile: folder + "/k.pem", encoding: .utf8) }
        #expect(try make(["localhost", "192.0.2.7", "2001:db8::7"]))
        #expect(try FileManager.default.attributesOfItem(atPath: folder + "/k.pem")[.posixPermissions] as? Int == 0o600)
        let first = try key()
        #expect(try !make(["localhost", "192.0.2.7", "2001:db8::7"]))
        #expect(try make(["localhost", "books.example"]), "another name")
        #expect(try !make(["localhost", "books.example"], .now + 700 * 86_400))
        #expect(try make(["localhost", "books.example"], .now + 800 * 86_400), "it ends soon")
        #expect(try key() == first)
        let made = try Certificate(pemEncoded: String(contentsOfFile: folder + "/c.pem", encoding: .utf8))
        #expect(
            made.notValidAfter.timeIntervalSince(made.notValidBefore) <= 825 * 86_400
                && made.publicKey.isValidSignature(made.signature, for: made))
    }

    @Test func faultsOfFilesAreReported() throws {
        _ = try ServerCertificate(source, clientCA: nil)
        let (certificate, key, other) = (files.certificate, files.key, folder + "/other.pem")
        try P256.Signing.PrivateKey().pemRepresentation.write(toFile: other, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        func error(_ certificate: String, _ key: String, clientCA: String? = nil) -> String {
            do throws(Web.CertificateError) {
                _ = try ServerCertificate(.files(certificate: certificate, key: key), clientCA: clientCA)
                return ""
            } catch { return "\(error)" }
        }
        #expect(error(certificate, key) == "")
        #expect(error(folder + "/none.pem", key).contains("none.pem: does not exist"))
        #expect(error(key, key).contains("no certificate"))
        #expect(error(certificate, other).contains("do not belong together"))
        #expect(error(certificate, certificate).contains("chmod 600"))
        #expect(error(certificate, key, clientCA: key).contains("no certificate"))
    }
}

/// Signs clients' certificates.
fileprivate struct Authority {
    private let key = P256.Signing.PrivateKey()
    private let certificate: Certificate

    init() throws {
        let (key, name) = (Certificate.PrivateKey(key), try DistinguishedName { CommonName("Test authority") })
        certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: key.publicKey,
            notValidBefore: Date().addingTimeInterval(-3600), notValidAfter: Date().addingTimeInterval(86_400),
            issuer: name,
            subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            }, issuerPrivateKey: key)
    }

    var pem: String { get throws { try certificate.serializeAsPEM().pemString } }

    func client() throws -> (NIOSSLCertificate, NIOSSLPrivateKey) {
        let own = P256.Signing.PrivateKey()
        let made = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: Certificate.PrivateKey(own).publicKey,
            notValidBefore: Date().addingTimeInterval(-3600),
            notValidAfter: Date().addingTimeInterval(86_400), issuer: certificate.subject,
            subject: try DistinguishedName { CommonName("phone") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions { try ExtendedKeyUsage([.clientAuth]) },
            issuerPrivateKey: Certificate.PrivateKey(key))
        return (
            try NIOSSLCertificate(bytes: Array(try made.serializeAsPEM().pemString.utf8), format: .pem),
            try NIOSSLPrivateKey(bytes: Array(own.pemRepresentation.utf8), format: .pem)
        )
    }
}
