import Access
import Chronology
import Foundation
import Logging
import OAuth
import Profiles
import Store
import Testing

@testable import Ingest
@testable import Settings

/// The mail reader's part of a mailbox of the page that logs in by OAuth, without a server.
@Suite final class ConsentAdoptionTests {
    private final class Threads: MailboxThreads {
        func start(_ mailbox: MailboxSettings) throws {}
        func stop(_ mailbox: String) -> Bool { true }
    }

    private struct Missing: Error {}

    private static let registration = ClientRegistration(server: .gmail, clientID: "1234.apps")
    private static let clientSecret = "blue-kettle-81-ropes"
    private let folder = NSTemporaryDirectory() + "consent-" + UUID().uuidString
    private let store: Store
    private var place: AddedMailboxes { AddedMailboxes(folder: folder + "/state") }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try Store(path: folder + "/ledger.db")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func settings() throws -> Settings {
        try "database: ledger.db\nparsers: parsers\n".write(
            toFile: folder + "/spendwise.yaml", atomically: true, encoding: .utf8)
        return try Settings(path: folder + "/spendwise.yaml")
    }

    private func adoption() throws -> MailboxAdoption {
        try MailboxAdoption(
            place, settings: try settings(), store: store,
            profiles: ProfilesInForce(try ProfileSet(directories: [], samples: false)), logger: Logger(label: "test"))
    }

    private func key() throws -> SealingKey {
        try #require(try store.mailboxSetups.sealingKey().flatMap { SealingKey($0) })
    }

    private func grant(_ token: String = "1//refresh") throws -> AuthorizationGrant {
        .refreshToken(try #require(Token(token)))
    }

    private func server(_ registration: ClientRegistration) -> MailboxSetup.Server {
        MailboxSetup.Server(
            name: "personal", host: "imap.gmail.com", port: 993, tls: .implicit, user: "asha@gmail.com", authority: nil,
            registration: registration)
    }

    /// Asks as the page does, and accepts.
    ///
    /// - Parameters:
    ///   - grant: as the test of the mailbox left it.
    ///   - sealedFor: the client for which the secrets are sealed.
    private func accepted(
        _ grant: AuthorizationGrant, secret: String? = clientSecret, sealedFor: ClientRegistration = registration
    ) throws -> Int64 {
        let key = try key()
        let sealed = try #require(key.seal(grant.bytes, for: server(sealedFor).context, in: .grant))
        let client = secret.flatMap { key.seal(Array($0.utf8), for: sealedFor.secretContext) }
        let setup = MailboxSetup(
            server(Self.registration), address: "", folder: "INBOX", sinceDays: 90, sealedTo: key.text,
            sealed: sealed.text, clientSecret: client?.text)
        let id = try store.mailboxSetups.ask(setup, at: .now)
        try store.mailboxSetups.tested(
            id,
            MailboxFinding(
                folder: "INBOX", folders: ["INBOX"], messages: 0, bankMails: 0, banks: [], proposals: [],
                proposed: nil))
        try store.mailboxSetups.accept(id, folder: "Bank", authservID: "mx.google.com", verifies: false, at: .now)
        return id
    }

    private func oauth() throws -> OAuthSettings {
        let mailbox = try place.read(beside: try settings()).mailboxes.first
        guard case .oauth(let oauth)? = mailbox?.login else { throw Missing() }
        return oauth
    }

    @Test(arguments: [clientSecret, nil]) func theTokenIsWhereALoginReadsIt(secret: String?) throws {
        let adoption = try adoption()
        let id = try accepted(try grant(), secret: secret)
        adoption.pass(Threads())
        let setup = try #require(try store.mailboxSetups.find(id))
        #expect(setup.state == .used && setup.sealed == nil && setup.clientSecret == nil)
        #expect(try oauth().refreshToken.read().value == "1//refresh")
        #expect(try oauth().client().secret?.value == secret)
        #expect(try store.mailboxSetups.added().map(\.registration) == [Self.registration])
        try store.mailboxSetups.requestRemoval(of: "personal", at: .now)
        adoption.pass(Threads())
        for file in ["tokens/personal", "clients/personal"] {
            #expect(!FileManager.default.fileExists(atPath: place.folder + "/" + file))
        }
    }

    /// Neither the code nor the secret of the client goes to another server than the person typed.
    @Test(arguments: [
        ClientRegistration(server: .outlook, clientID: "1234.apps"), ClientRegistration(server: .gmail, clientID: "x"),
    ]) func aConsentSealedForAnotherClientIsRefused(other: ClientRegistration) throws {
        let adoption = try adoption()
        let id = try accepted(try grant(), sealedFor: other)
        adoption.pass(Threads())
        let setup = try #require(try store.mailboxSetups.find(id))
        #expect(setup.fault == .sealed && setup.sealed == nil && setup.clientSecret == nil)
        #expect(try place.read(beside: try settings()).mailboxes.isEmpty)
    }

    /// Only what a token endpoint gave is kept.
    @Test func aCodeIsNotTakenIntoUse() throws {
        let (code, verifier) = (try #require(Token("4/0A")), try #require(Token("verifier")))
        let adoption = try adoption()
        let id = try accepted(.code(code, verifier: verifier, redirectURI: "http://127.0.0.1:47113"))
        adoption.pass(Threads())
        #expect(try store.mailboxSetups.find(id)?.fault == .sealed)
        #expect(!FileManager.default.fileExists(atPath: place.folder + "/tokens/personal"))
    }

    /// After a crash the running mailbox may have been given another token, which is the valid one.
    @Test func aTokenThatWasReplacedStays() throws {
        let adoption = try adoption()
        _ = try accepted(try grant())
        adoption.pass(Threads())
        try oauth().refreshToken.renew(try #require(Token("1//replaced")))
        let id = try accepted(try grant())
        adoption.pass(Threads())
        #expect(try store.mailboxSetups.find(id)?.state == .used)
        #expect(try oauth().refreshToken.read().value == "1//replaced")
    }

    /// The request of the page decides neither the client nor the server of a renewal.
    @Test func aRenewalOfAnotherLoginIsRefused() throws {
        let adoption = try adoption()
        _ = try accepted(try grant())
        adoption.pass(Threads())
        let added = try #require(try store.mailboxSetups.added().first)
        var other = added
        other.registration = ClientRegistration(server: .outlook, clientID: "1234.apps")
        var gone = added
        gone.name = "gone"
        for mailbox in [other, gone] {
            let sealed = try #require(try key().seal(try grant("x").bytes, for: mailbox.server.context, in: .grant))
            let id = try store.mailboxSetups.ask(
                MailboxSetup(renewing: mailbox, sealedTo: try key().text, sealed: sealed.text), at: .now)
            adoption.pass(Threads())
            #expect(try store.mailboxSetups.find(id)?.fault == .gone)
        }
        let id = try store.mailboxSetups.ask(
            MailboxSetup(renewing: added, sealedTo: try key().text, sealed: "x"), at: .now)
        adoption.pass(Threads())
        #expect(try store.mailboxSetups.find(id)?.fault == .sealed)
        #expect(try oauth().refreshToken.read().value == "1//refresh")
    }

    @Test(arguments: [
        (OAuthError.Kind.codeRefused, MailboxSetup.Fault.consent), (.consentNeeded, .consent),
        (.clientRefused, .client), (.scopeRefused, .scope),
        (.redirectRefused, .redirect), (.noRefreshToken, .refreshToken), (.unreachable, .tokenServer),
        (.unavailable, .tokenServer), (.malformedAnswer, .tokenServer), (.refused, .other),
    ]) func faultsOfTheTokenEndpointHaveTheirKind(kind: OAuthError.Kind, fault: MailboxSetup.Fault) {
        let error = OAuthError(kind, server: "auth.example.com")
        #expect(MailboxSetup.Fault(error as any Error) == fault)
        #expect(!MailboxAdoption.words(of: error, without: []).contains("parserctl"))
    }
}
