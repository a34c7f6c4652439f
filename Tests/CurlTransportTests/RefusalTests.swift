import DovecotFixture
import Glibc
import IMAP
import LoopbackFixture
import Testing

@testable import CurlTransport

/// Connections that must fail, and their error messages.
@Suite struct RefusalTests {
    private static let server: Result<DovecotFixture, any Error> = Result {
        try DovecotFixture(users: ["user": "secret"])
    }

    private func failure(_ endpoint: Endpoint, password: String = "secret") throws -> IMAPError {
        try #require(
            throws: IMAPError.self,
            performing: {
                _ = try CurlConnection(
                    to: endpoint, credential: Credential(user: "user", password: password), wake: Wake())
            })
    }

    @Test func wrongPassword() throws {
        for tls in [Endpoint.TLS.implicit, .startTLS] {
            let error = try failure(endpoint(try Self.server.get(), tls: tls), password: "hunter2")
            #expect(
                error.kind == .loginDenied && error.retry == .afterReconfiguration
                    && error.code == "AUTHENTICATIONFAILED")
            #expect(!error.description.contains("hunter2"))
            #expect(error.description.contains("localhost:"))
        }
    }

    @Test func wrongAuthority() throws {
        for tls in [Endpoint.TLS.implicit, .startTLS] {
            var endpoint = endpoint(try Self.server.get(), tls: tls)
            endpoint.caFile = try Self.server.get().otherCAFile
            let error = try failure(endpoint)
            #expect(error.kind == .certificate)
            #expect(error.what.contains("authority that is not trusted"))
            endpoint.caFile = nil
            #expect(try failure(endpoint).kind == .certificate)
        }
    }

    @Test func wrongName() throws {
        for tls in [Endpoint.TLS.implicit, .startTLS] {
            let error = try failure(endpoint(try Self.server.get(), tls: tls, host: "127.0.0.2"))
            #expect(error.kind == .certificate)
            #expect(error.what.contains("is for another name"))
        }
    }

    @Test func expiredCertificate() throws {
        var options = DovecotFixture.Options()
        options.expired = true
        let server = try DovecotFixture(users: ["user": "secret"], options: options)
        let error = try failure(endpoint(server))
        #expect(error.kind == .certificate)
        #expect(error.what.contains("has expired"))
        server.stop()
    }

    @Test func missingAuthorityFile() throws {
        var endpoint = endpoint(try Self.server.get())
        endpoint.caFile = "/nonexistent/ca.pem"
        let error = try failure(endpoint)
        #expect(error.kind == .certificate && error.retry == .afterReconfiguration)
        #expect(error.what.contains("/nonexistent/ca.pem"))
    }

    @Test func noSTARTTLS() throws {
        var options = DovecotFixture.Options()
        options.tls = false
        let server = try DovecotFixture(users: ["user": "secret"], options: options)
        let error = try failure(endpoint(server, tls: .startTLS))
        #expect(error.kind == .startTLSMissing && error.retry == .afterReconfiguration)
        server.stop()
    }

    @Test func connectionRefused() throws {
        let error = try failure(Endpoint(host: "localhost", port: try freePort()))
        #expect(error.kind == .unreachable && error.retry == .later)
    }

    @Test func unknownHost() throws {
        let error = try failure(Endpoint(host: "no-such-host.invalid"))
        #expect(error.kind == .unresolvedHost && error.retry == .later)
        #expect(error.what.contains("no-such-host.invalid"))
    }

    @Test(arguments: ["", "a b", "user@host", "host/path", "host#x", "a\r\nb"]) func noHostName(_ host: String) throws {
        #expect(try failure(Endpoint(host: host)).kind == .invalidRequest)
    }

    @Test func tlsOnThePlainPort() throws {
        let server = try Self.server.get()
        let error = try failure(Endpoint(host: "localhost", port: server.startTLSPort, caFile: server.caFile))
        #expect(error.kind == .tls)
    }

    @Test func secretsDoNotShow() {
        let credential = Credential(user: "me", password: "hunter2")
        var dumped = ""
        dump(credential, to: &dumped)
        dump(credential.secret, to: &dumped)
        for text in ["\(credential)", "\(credential.secret)", String(reflecting: credential), dumped] {
            #expect(!text.contains("hunter2") && !text.contains("104"))
        }
    }
}
