import AuthorizationFixture
import DovecotFixture
import IMAP
import Testing

@testable import CurlTransport

/// Logins with an access token (RFC 7628) at a real server that validates it at an authorization server.
@Suite struct TokenLoginTests {
    /// Other offered mechanisms must not be used, because a token is not a password.
    static let offers = [
        "oauthbearer xoauth2", "xoauth2", "oauthbearer", "cram-md5 plain login xoauth2",
        "cram-md5 digest-md5 plain login oauthbearer xoauth2",
    ]

    struct Stage {
        let authority: AuthorizationFixture
        let server: DovecotFixture

        init(mechanisms: String) throws {
            authority = try AuthorizationFixture(user: "user")
            var options = DovecotFixture.Options()
            options.introspectionURL = authority.introspectionURL
            options.mechanisms = mechanisms
            server = try DovecotFixture(users: ["user": "secret"], options: options)
        }

        func login(_ token: String, tls: Endpoint.TLS = .implicit) throws -> Capabilities? {
            try CurlConnection(
                to: endpoint(server, tls: tls), credential: Credential(user: "user", secret: .bearer(token)),
                wake: Wake()
            ).capabilities
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: offers) func validTokenIsAcceptedAndInvalidOneRefused(
        mechanisms: String
    ) throws {
        let stage = try Stage(mechanisms: mechanisms)
        let token = stage.authority.issueAccessToken()
        for tls in [Endpoint.TLS.implicit, .startTLS] {
            #expect(try stage.login(token, tls: tls) != nil)
            let error = try #require(throws: IMAPError.self) { try stage.login("forged-\(token)", tls: tls) }
            #expect(error.kind == .loginDenied && error.retry == .afterReconfiguration, "\(error)")
            #expect(!error.description.contains("forged") && !error.description.contains(token), "\(error)")
        }
        stage.authority.expire()
        #expect(try #require(throws: IMAPError.self) { try stage.login(token) }.kind == .loginDenied)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["plain login", "cram-md5"]) func aServerWithoutOAuthIsNamed(
        mechanisms: String
    ) throws {
        let stage = try Stage(mechanisms: mechanisms)
        let error = try #require(throws: IMAPError.self) { try stage.login("token") }
        #expect(error.kind == .noLoginMethod && error.retry == .afterReconfiguration, "\(error)")
        #expect(!stage.server.log.contains("PLAIN"), "\(stage.server.log)")
    }
}
