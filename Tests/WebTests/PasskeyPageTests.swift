import Access
import Chronology
import Codecs
import Crypto
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PasskeyFixture
import Store
import Testing

@testable import Web

/// Registration, login and removal of passkeys over the routes that a browser uses.
@Suite struct PasskeyPageTests {
    static let origin = "http://localhost"

    /// A logged-in browser with one authenticator.
    struct Person {
        let client: any TestClientProtocol
        let cookie: String
        let csrf: String

        init(_ client: any TestClientProtocol, _ cookie: String) throws {
            self.client = client
            self.cookie = cookie
            csrf = try #require(Credential(cookie.dropFirst("spendwise=".count), .session)).formToken
        }

        init(_ client: any TestClientProtocol) async throws { try self.init(client, try await client.session()) }

        func post(_ path: String, _ fields: [(String, String)]) async throws -> TestResponse {
            try await client.ask(.post, path, cookie: cookie, form: FormFields.encoded([("csrf", csrf)] + fields))
        }

        /// The page of the second step.
        func begin(name: String = "my phone", passphrase: String = Site.passphrase) async throws -> String {
            try await post("/app/settings/passkeys", [("name", name), ("passphrase", passphrase)]).text
        }

        func finish(
            _ page: String, _ authenticator: SoftAuthenticator, name: String = "my phone", user: String? = nil,
            origin: String = PasskeyPageTests.origin
        ) async throws -> TestResponse {
            let client = SoftAuthenticator.clientData(
                "webauthn.create", challenge: try PasskeyPageTests.bytes("data-challenge", in: page), origin: origin)
            return try await post(
                "/app/settings/passkeys/new",
                [
                    ("name", name), ("user", try user ?? PasskeyPageTests.value("data-user", in: page)),
                    ("client_data", Base64.urlSafe.encode(client)),
                    ("authenticator_data", Base64.urlSafe.encode(authenticator.data(for: "localhost", attests: true))),
                ])
        }

        func register(_ authenticator: SoftAuthenticator, name: String = "my phone") async throws -> TestResponse {
            try await finish(try await begin(name: name), authenticator, name: name)
        }
    }

    static func value(_ attribute: String, in page: String) throws -> String {
        let start = try #require(page.firstRange(of: attribute + "=\"")).upperBound
        return String(page[start...].prefix { $0 != "\"" })
    }

    static func bytes(_ attribute: String, in page: String) throws -> [UInt8] {
        try #require(Base64.urlSafe.decode(try value(attribute, in: page).utf8))
    }

    /// Sends the answer of an authenticator to a challenge of the login.
    static func login(
        _ client: any TestClientProtocol, _ authenticator: SoftAuthenticator, challenge: [UInt8]? = nil,
        origin: String = origin
    ) async throws -> TestResponse {
        let fresh = try JSON(parsing: Array(try await client.ask(.get, "/login/passkey").text.utf8))
        guard case .string(let text)? = fresh["challenge"], let made = Base64.urlSafe.decode(text.utf8) else {
            throw Problem(status: .internalServerError, detail: "no challenge")
        }
        let statement = SoftAuthenticator.clientData(
            "webauthn.get", challenge: challenge ?? made, origin: origin)
        let data = authenticator.data(for: "localhost")
        return try await client.ask(
            .post, "/login",
            form: FormFields.encoded([
                ("next", "/probe"), ("passkey", Base64.urlSafe.encode(authenticator.id)),
                ("client_data", Base64.urlSafe.encode(statement)),
                ("authenticator_data", Base64.urlSafe.encode(data)),
                ("signature", Base64.urlSafe.encode(try authenticator.signature(of: data, statement))),
            ]))
    }

    @Test func aPasskeyIsAddedLogsInAndIsRemoved() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            var authenticator = SoftAuthenticator()
            #expect(try await !client.ask(.get, "/login").text.contains("data-passkey"))
            let person = try await Person(client)
            #expect(
                try await client.ask(.get, "/app/settings/passkeys", cookie: person.cookie).text.contains("Is it you?"))
            authenticator.signCount = 1
            let added = try await person.register(authenticator)
            #expect(added.status == .seeOther && added.headers[.location] == "/app/settings?done=passkey")
            #expect(try await client.ask(.get, "/login").text.contains("data-passkey-login"))
            authenticator.signCount = 2
            let login = try await Self.login(client, authenticator)
            #expect(login.status == .seeOther && login.headers[.location] == "/probe")
            let cookie = String((login.headers[.setCookie] ?? "").prefix { $0 != ";" })
            #expect(try await client.ask(.get, "/access/probe", cookie: cookie).text == "person")
            let passkey = try #require(try site.store.access.passkeys().first)
            #expect(passkey.signCount == 2 && passkey.name == "my phone" && passkey.lastUsed == site.now)
            let settings = try await client.ask(.get, "/app/settings", cookie: cookie).text
            #expect(settings.contains("my phone") && settings.contains("for localhost"))
            let other = try Person(client, cookie)
            let path = "/app/settings/passkeys/\(passkey.id)/remove"
            #expect(try await other.post(path, []).status == .seeOther)
            #expect(try await other.post(path, []).status == .notFound)
            authenticator.signCount = 3
            #expect(try await Self.login(client, authenticator).status == .unauthorized)
            let events = try site.store.audit.latest(limit: 100).map(\.event)
            for event in [
                "passkey added: my phone", "login with a passkey", "passkey removed: my phone",
                "passkey refused: the passkey is unknown or was removed",
            ] { #expect(events.contains(event), "\(event)") }
        }
    }

    @Test func aPasskeyNeedsThePassphraseAndAName() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let person = try await Person(client)
            let wrong = try await person.begin(passphrase: "wrong")
            #expect(wrong.contains("Passphrase: it is wrong.") && !wrong.contains("data-challenge"))
            #expect(try await person.begin(name: " ").contains("Name: must not be empty."))
            #expect(try await person.begin(name: "a\u{202E}b").contains("control characters"))
            #expect(
                try await person.post("/app/settings/passkeys", [("name", "x")]).status == .unprocessableContent)
            #expect(
                try await client.ask(
                    .post, "/app/settings/passkeys", cookie: person.cookie,
                    form: "name=x&passphrase=\(Site.passphrase.replacing(" ", with: "+"))"
                ).status == .forbidden, "without the form's token")
            #expect(
                try await client.ask(.get, "/app/settings/passkeys", token: site.token(.daily)).status == .forbidden)
            #expect(try site.store.access.passkeys().isEmpty)
        }
    }

    /// The second step is bound to the first: to its session, name, handle and passphrase, once, for five minutes.
    @Test func theSecondStepNeedsTheFirst() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let (person, other) = (try await Person(client), try await Person(client))
            let authenticator = SoftAuthenticator()
            let page = try await person.begin()
            for response in [
                try await person.finish(page, authenticator, name: "another"),
                try await person.finish(page, authenticator, user: "AAAA"),
                try await person.finish(page, authenticator, origin: "http://localhost:1"),
                try await other.finish(page, authenticator),
            ] {
                #expect(response.status == .unprocessableContent && response.text.contains("The passkey was refused"))
            }
            #expect(try await person.finish(page, authenticator).status == .seeOther)
            #expect(try await person.finish(page, SoftAuthenticator(id: [9])).status == .unprocessableContent, "used")
            let late = try await person.begin()
            site.pass(PasskeyChallenges.lifetime - 1)
            #expect(try await client.ask(.get, "/probe", cookie: person.cookie).status == .ok)
            site.pass(1)
            #expect(try await person.finish(late, SoftAuthenticator(id: [8])).status == .unprocessableContent)
            #expect(try await person.register(authenticator).status == .conflict, "the same passkey again")
            #expect(try site.store.access.passkeys().map(\.name) == ["my phone"])
            let more = try await person.begin(name: "laptop")
            #expect(try Self.value("data-user", in: more) == Self.value("data-user", in: page), "one person")
            #expect(try Self.value("data-known", in: more) == Base64.urlSafe.encode(authenticator.id))
        }
    }

    @Test func refusedLogins() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            var authenticator = SoftAuthenticator()
            authenticator.signCount = 7
            #expect(try await Person(client).register(authenticator).status == .seeOther)
            for (what, response) in [
                ("the counter stays", try await Self.login(client, authenticator)),
                ("another key", try await Self.login(client, SoftAuthenticator())),
                ("an unknown passkey", try await Self.login(client, SoftAuthenticator(id: [1]))),
                ("a challenge of its own", try await Self.login(client, authenticator, challenge: [1, 2, 3])),
                ("another site", try await Self.login(client, authenticator, origin: "https://evil.example")),
                ("not even an answer", try await client.ask(.post, "/login", form: "passkey=x")),
            ] {
                #expect(
                    response.status == .unauthorized && response.headers[.setCookie] == nil
                        && response.text.contains("The passkey was not accepted."), "\(what)")
            }
            authenticator.signCount = 8
            let made = Array("reused".utf8)
            #expect(try await Self.login(client, authenticator, challenge: made).status == .unauthorized)
            #expect(try await Self.login(client, authenticator).status == .seeOther)
            #expect(try await Self.login(client, authenticator).status == .unauthorized, "the counter stays")
        }
    }

    /// One answer logs in once.
    @Test func anAnswerIsNotReplayed() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            // An authenticator that does not count.
            let authenticator = SoftAuthenticator(.edDSA(.init()))
            #expect(try await Person(client).register(authenticator).status == .seeOther)
            let fresh = try JSON(parsing: Array(try await client.ask(.get, "/login/passkey").text.utf8))
            guard case .string(let text)? = fresh["challenge"], let challenge = Base64.urlSafe.decode(text.utf8) else {
                Issue.record("no challenge")
                return
            }
            #expect(try await Self.login(client, authenticator, challenge: challenge).status == .seeOther)
            #expect(try await Self.login(client, authenticator, challenge: challenge).status == .unauthorized)
            #expect(try await Self.login(client, authenticator).status == .seeOther)
        }
    }

    /// Wrong passphrases of a stranger do not keep the owner's passkey out, and a new passphrase removes it.
    @Test func passkeysAndThePassphrase() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let authenticator = SoftAuthenticator()
            #expect(try await Person(client).register(authenticator).status == .seeOther)
            for _ in 0..<3 { _ = try await client.login("wrong") }
            #expect(try await client.login().status == .tooManyRequests)
            #expect(try await Self.login(client, authenticator).status == .seeOther)
            try site.setPassphrase()
            #expect(try await Self.login(client, authenticator).status == .unauthorized)
        }
    }

    @Test func anAddressWithoutPasskeysSaysSo() async throws {
        let site = try Site(AccessPolicy(names: ["192.168.1.5"]))
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let person = try await Person(client)
            let page = try await client.execute(
                uri: "/app/settings/passkeys", method: .get, headers: [.cookie: person.cookie], body: nil)
            #expect(page.text.contains("Is it you?"))
            let access = site.services.access
            for authority in ["192.168.1.5:8001", "127.0.0.1:8001", "[::1]:8001"] {
                let request = Request(
                    head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/"),
                    body: .init(buffer: .init()))
                #expect(access.relyingParty(of: request) == nil, "\(authority)")
            }
        }
        let open = try Site(.open)
        try await open.application.test(.router) { client in
            let page = try await client.ask(.get, "/app/settings/passkeys").text
            #expect(
                page.contains("No login is required on this machine.")
                    && !page.contains("<form method=\"post\" action=\"/app/settings/passkeys\""))
        }
    }
}
