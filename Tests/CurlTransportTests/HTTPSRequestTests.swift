import AuthorizationFixture
import DovecotFixture
import Glibc
import IMAP
import LoopbackFixture
import Testing

@testable import CurlTransport

@Suite struct HTTPSRequestTests {
    /// For its certificates.
    private static let server: Result<DovecotFixture, any Error> = Result {
        try DovecotFixture(users: ["user": "secret"])
    }

    private func request(
        _ behaviour: AuthorizationFixture.Behaviour, caFile: String? = nil
    ) throws -> (AuthorizationFixture, HTTPSRequest) {
        let server = try Self.server.get()
        let authority = try AuthorizationFixture(user: "user")
        try authority.startTLS(certificate: server.certificateFile, key: server.keyFile)
        authority.behave(behaviour)
        var request = HTTPSRequest(
            url: authority.tokenEndpoint, body: Array("a=b".utf8), headers: ["X-Test: 1"],
            caFile: caFile ?? server.caFile)
        // Long enough for a machine that runs all other tests.
        request.timeout = .seconds(120)
        return (authority, request)
    }

    @Test func statusAndBodyComeBack() throws {
        let (authority, request) = try self.request(.answer(status: 418, body: "tea"))
        let answer = try request.send(wake: Wake())
        #expect(answer.status == 418 && answer.body == Array("tea".utf8))
        withExtendedLifetime(authority) {}
    }

    @Test func anAnswerWithoutEndIsRefused() throws {
        let (authority, request) = try self.request(.huge)
        let error = try #require(throws: HTTPSError.self) { try request.send(wake: Wake()) }
        #expect(error.description.contains("more than 65536 bytes"), "\(error)")
        withExtendedLifetime(authority) {}
    }

    @Test func silenceEndsAtTheTimeout() throws {
        var (authority, request) = try self.request(.silent)
        request.timeout = .milliseconds(300)
        let error = try #require(throws: HTTPSError.self) { try request.send(wake: Wake()) }
        #expect(error.description.contains("did not answer within"), "\(error)")
        withExtendedLifetime(authority) {}
    }

    @Test func stopEndsAWait() throws {
        let (authority, request) = try self.request(.silent)
        let wake = Wake()
        wake.stop()
        #expect(
            try #require(throws: HTTPSError.self) { try request.send(wake: wake) }.description.contains("was stopped"))
        withExtendedLifetime(authority) {}
    }

    @Test func truncatedAnswerIsRefused() throws {
        let (authority, request) = try self.request(.cut)
        #expect(throws: HTTPSError.self) { try request.send(wake: Wake()) }
        withExtendedLifetime(authority) {}
    }

    @Test func anotherAuthorityIsNotTrusted() throws {
        let server = try Self.server.get()
        for file in [server.otherCAFile, "/nonexistent", ""] {
            let (authority, request) = try self.request(.correct, caFile: file)
            let error = try #require(throws: HTTPSError.self) { try request.send(wake: Wake()) }
            #expect(error.description.contains("certificate"), "\(error)")
            #expect(authority.grants == [])
        }
    }

    @Test(arguments: ["http://localhost/", "file:///etc/passwd", "https://local\u{0}host/", "", "imaps://localhost/"])
    func onlyHTTPS(url: String) throws {
        let error = try #require(throws: HTTPSError.self) { try HTTPSRequest(url: url).send(wake: Wake()) }
        #expect(error.description.contains("is not an https URL"), "\(error)")
    }

    @Test func redirectsAreNotFollowed() throws {
        let (authority, request) = try self.request(.answer(status: 307, body: ""))
        #expect(try request.send(wake: Wake()).status == 307)
        withExtendedLifetime(authority) {}
    }

    @Test func connectionRefused() throws {
        #expect(throws: HTTPSError.self) {
            try HTTPSRequest(url: "https://localhost:\(try freePort())/").send(wake: Wake())
        }
    }
}
