import DovecotFixture
import IMAP
import Testing

@testable import CurlTransport

/// Logins at servers that offer mechanisms which they cannot check.
@Suite struct MechanismTests {
    private static func server(_ mechanisms: String, hashed: Bool) -> Result<DovecotFixture, any Error> {
        Result {
            var options = DovecotFixture.Options()
            options.mechanisms = mechanisms
            options.hashesPasswords = hashed
            return try DovecotFixture(users: ["user": "secret"], options: options)
        }
    }

    private static let hashed = server("digest-md5 cram-md5 plain login", hashed: true)
    private static let challenging = server("cram-md5", hashed: false)

    private func logIn(
        _ server: DovecotFixture, _ mechanism: LoginMechanism = .automatic, password: String = "secret"
    ) throws {
        let credential = Credential(user: "user", secret: .password(Array(password.utf8)), mechanism: mechanism)
        let session = try Session(over: CurlConnection(to: endpoint(server), credential: credential, wake: Wake()))
        session.logout()
    }

    @Test(arguments: [LoginMechanism.automatic, .plain, .login])
    func hashedPasswordsAreCheckedByThePlainMechanisms(mechanism: LoginMechanism) throws {
        try logIn(try Self.hashed.get(), mechanism)
    }

    /// libcurl's choice without a preference.
    @Test(arguments: [LoginMechanism.cramMD5, .digestMD5])
    func hashedPasswordsAreNotCheckedByChallenges(mechanism: LoginMechanism) throws {
        let server = try Self.hashed.get()
        let error = #expect(throws: IMAPError.self) { try logIn(server, mechanism) }
        #expect(error?.kind == .loginDenied)
    }

    @Test func aServerWithChallengesOnly() throws {
        let server = try Self.challenging.get()
        try logIn(server)
        try logIn(server, .cramMD5)
        let wrong = #expect(throws: IMAPError.self) { try logIn(server, password: "hunter2") }
        #expect(wrong?.kind == .loginDenied && wrong?.retry == .afterReconfiguration)
        let missing = #expect(throws: IMAPError.self) { try logIn(server, .plain) }
        #expect(missing?.kind == .noLoginMethod)
    }
}
