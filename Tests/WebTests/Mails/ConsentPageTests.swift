import Access
import Codecs
import HTTPTypes
import HummingbirdTesting
import OAuth
import Store
import Testing

@testable import Web

/// A mailbox with OAuth on the page, without the mail reader and without an authorization server.
@Suite struct ConsentPageTests {
    private static let path = "/app/settings/mailboxes/new"
    private static let renewal = "/app/settings/mailboxes/consent"
    private static let secret = "blue-kettle-81-ropes"
    private static let code = "4/0A-code-7"
    private static let fields = [
        ("address", "asha@gmail.com"), ("login", "gmail"), ("client_id", "1234.apps"), ("authorization_endpoint", ""),
        ("token_endpoint", ""), ("scope", ""), ("name", "personal"), ("host", "imap.gmail.com"), ("port", "993"),
        ("tls", "implicit"), ("user", "asha@gmail.com"), ("folder", "INBOX"), ("days", "90"), ("authority", ""),
    ]
    private static let own = [
        ("login", "other"), ("authorization_endpoint", "https://auth.example.com/authorize"),
        ("token_endpoint", "https://auth.example.com/token"), ("scope", "mail offline"),
    ]

    private static func fields(_ changes: [(String, String)]) -> [(String, String)] {
        let added = changes.filter { change in !fields.contains { $0.0 == change.0 } }
        return fields.map { field in (field.0, changes.first { $0.0 == field.0 }?.1 ?? field.1) } + added
    }

    private func site(_ key: UnsealingKey = UnsealingKey()) throws -> Site {
        let site = try Site()
        try site.setPassphrase()
        try site.store.mailboxSetups.setSealingKey(key.sealingKey.text, at: site.now)
        return site
    }

    private static func value(_ name: String, in page: String) throws -> String {
        let found = try #require(page.firstMatch(of: try Regex(#"name="\#(name)" value="([^"]*)""#)))
        return String(try #require(found.output[1].substring))
    }

    /// The link to the authorization server.
    private static func link(_ page: String) throws -> String {
        let found = try #require(page.firstMatch(of: #/href="(https:[^"]*)" target="_blank"/#))
        return String(found.output.1).replacing("&amp;", with: "&")
    }

    /// The second step: its fields, and the address that a browser is redirected to.
    private struct Step {
        var page: String
        var fields: [(String, String)]
        var redirect: String

        init(_ person: PasskeyPageTests.Person, _ changes: [(String, String)] = []) async throws {
            page = try await person.post(path, ConsentPageTests.fields(changes + [("step", "consent")])).text
            fields = ConsentPageTests.fields(
                changes + [
                    ("step", "answer"), ("state", try value("state", in: page)),
                    ("verifier", try value("verifier", in: page)), ("passphrase", Site.passphrase),
                    ("client_secret", secret),
                ])
            redirect =
                "http://127.0.0.1:47113/?"
                + FormEncoding.encode([
                    (name: "state", value: try value("state", in: page)), (name: "code", value: code),
                ])
        }

        func with(_ changes: [(String, String)]) -> [(String, String)] {
            fields.map { field in (field.0, changes.first { $0.0 == field.0 }?.1 ?? field.1) }
                + changes.filter { change in !fields.contains { $0.0 == change.0 } }
        }
    }

    @Test func thePersonChoosesTheLogin() async throws {
        let site = try site()
        try await site.application.test(.router) { client in
            let cookie = try await client.session()
            func page(_ query: String) async throws -> String {
                try await client.ask(.get, Self.path + query, cookie: cookie).text
            }
            let password = try await page("?address=asha@gmail.com")
            #expect(password.contains(#"name="password""#) && password.contains("login=gmail"))
            let google = try await page("?address=asha@gmail.com&login=gmail")
            for text in [
                #"name="client_id""#, "Desktop app", "https://console.cloud.google.com", #"value="imap.gmail.com""#,
            ] {
                #expect(google.contains(text), "\(text)")
            }
            #expect(!google.contains(#"name="password""#) && !google.contains(#"name="token_endpoint""#))
            let outlook = try await page("?address=asha@hotmail.com")
            #expect(
                outlook.contains("only OAuth") && outlook.contains("http://localhost") && !outlook.contains("47113"))
            #expect(outlook.contains(#"value="outlook""#) && !outlook.contains("login=password"))
            let other = try await page("?address=asha@own.example&login=other")
            #expect(other.contains(#"name="token_endpoint""#) && other.contains("http://127.0.0.1:47113"))
        }
    }

    @Test func theRequestNamesEverythingAndHoldsNoSecret() async throws {
        let site = try site()
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let page = try await Step(person).page
            let link = try Self.link(page)
            #expect(link.hasPrefix(AuthorizationServer.gmail.authorizationEndpoint + "?response_type=code"))
            for text in [
                "client_id=1234.apps", "redirect_uri=http%3A%2F%2F127.0.0.1%3A47113", "access_type=offline",
                "login_hint=asha%40gmail.com", "code_challenge_method=S256",
                "state=" + (try Self.value("state", in: page)),
            ] {
                #expect(link.contains(text), "\(text)")
            }
            let verifier = try Self.value("verifier", in: page)
            let token = try #require(Token(verifier))
            #expect(link.contains("code_challenge=" + ProofKey.challenge(for: token)) && !link.contains(verifier))
            #expect(page.contains(#"rel="noopener noreferrer""#))
            #expect(try await Self.value("state", in: Step(person).page) != Self.value("state", in: page))
            let own = try await Step(person, Self.own).page
            #expect(try Self.link(own).hasPrefix("https://auth.example.com/authorize?"))
            #expect(try site.store.mailboxSetups.all().isEmpty)
        }
    }

    @Test(arguments: [fields, own]) func theAnswerIsSealedForItsLogin(changes: [(String, String)]) async throws {
        let key = UnsealingKey()
        let site = try site(key)
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let step = try await Step(person, changes)
            let asked = try await person.post(Self.path, step.with([("redirect_address", step.redirect)]))
            #expect(
                asked.status == .seeOther && asked.headers[.location] == "/app/settings/mailboxes/1", "\(asked.text)")
            let setup = try #require(try site.store.mailboxSetups.find(1))
            let registration = try #require(setup.server.registration)
            #expect(registration.clientID == "1234.apps" && setup.server.host == "imap.gmail.com")
            let sealed = try #require(setup.sealed.flatMap { SealedSecret($0) })
            let grant = try #require(key.open(sealed, for: setup.server.context).flatMap { AuthorizationGrant($0) })
            let (code, verifier) = (
                try #require(Token(Self.code)), try #require(Token(Self.value("verifier", in: step.page)))
            )
            #expect(grant == .code(code, verifier: verifier, redirectURI: "http://127.0.0.1:47113"))
            let client = try #require(setup.clientSecret.flatMap { SealedSecret($0) })
            #expect(key.open(client, for: registration.secretContext) == Array(Self.secret.utf8))
            var other = setup.server
            other.registration = ClientRegistration(server: registration.server, clientID: "x")
            #expect(key.open(sealed, for: other.context) == nil)
            let audit = try site.store.audit.latest(limit: 100).map(\.event)
            #expect(audit.contains("mailbox asked for: personal"))
            #expect(!audit.contains { $0.contains(Self.code) || $0.contains(Self.secret) })
        }
    }

    @Test(arguments: [
        (("client_id", ""), "Client ID: it must not be empty"), (("client_id", "a\u{e9}"), "Client ID: it must not"),
        (("authorization_endpoint", "http://auth.example.com"), "Authorization endpoint: it is not an https address"),
        (("authorization_endpoint", "javascript:alert(1)"), "Authorization endpoint: it is not an https address"),
        (("token_endpoint", "https://a@b.example"), "Token endpoint: it is not an https address"),
        (("scope", "a\u{7}"), "Scope: it has letters"), (("host", ""), "it is not the name of a server"),
        (("name", "../x"), "Name: it has letters"),
    ]) func aWrongValueOfTheClientIsNamed(change: (String, String), problem: String) async throws {
        let site = try site()
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let changes = Self.own.filter { $0.0 != change.0 } + [change, ("user", "asha-types"), ("step", "consent")]
            let answer = try await person.post(Self.path, Self.fields(changes))
            #expect(answer.status == .unprocessableContent && answer.text.contains(problem), "\(answer.text)")
            #expect(answer.text.contains(#"value="asha-types""#) && !answer.text.contains("target=\"_blank\""))
            #expect(try site.store.mailboxSetups.all().isEmpty)
        }
    }

    /// What was typed stays, the secrets sealed, and the same link can be opened again.
    @Test(arguments: [
        ("", "allow the access first"), ("https://example.org/", "it holds no code"),
        ("http://127.0.0.1:47113/?state=STATE", "it holds no code"),
        ("http://127.0.0.1:47113/?state=STATE&code=", "it holds no code"),
        ("http://127.0.0.1:47113/?state=STATE&code=1&code=2", "it holds no code"),
        ("http://127.0.0.1:47113/?state=old&code=1", "belongs to an earlier request"),
        ("http://127.0.0.1:47113/?state=&code=1", "belongs to an earlier request"),
        ("http://127.0.0.1:47113/?state=STATE&error=access_denied", "The access was refused"),
        ("http://127.0.0.1:47113/?state=STATE&error=%3Cb%3E", "refused the request (&lt;b&gt;)"),
    ]) func aWrongAnswerIsNamed(answer: String, problem: String) async throws {
        let site = try site()
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let step = try await Step(person)
            let state = try Self.value("state", in: step.page)
            let pasted = answer.replacing("STATE", with: state)
            let refused = try await person.post(Self.path, step.with([("redirect_address", pasted)]))
            #expect(refused.status == .unprocessableContent && refused.text.contains(problem), "\(refused.text)")
            #expect(refused.text.contains(#"aria-invalid="true" aria-describedby="answer-note""#))
            #expect(try Self.link(refused.text) == Self.link(step.page))
            for secret in [Self.secret, Site.passphrase, Self.code] { #expect(!refused.text.contains(secret)) }
            #expect(try site.store.mailboxSetups.all().isEmpty)
            // The secret of the client is not typed again.
            let sealed = try Self.value("sealed_client_secret", in: refused.text)
            #expect(SealedSecret(sealed) != nil)
            let again = step.with([
                ("redirect_address", step.redirect), ("client_secret", ""), ("sealed_client_secret", sealed),
            ])
            #expect(try await person.post(Self.path, again).status == .seeOther)
            #expect(try site.store.mailboxSetups.find(1)?.clientSecret == sealed)
        }
    }

    /// A wrong passphrase does not cost the consent, whose code is in the form, sealed.
    @Test func aRightAnswerStaysAfterAWrongPassphrase() async throws {
        let key = UnsealingKey()
        let site = try site(key)
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let step = try await Step(person)
            let refused = try await person.post(
                Self.path, step.with([("redirect_address", step.redirect), ("passphrase", "wrong")]))
            #expect(refused.status == .unprocessableContent && refused.text.contains("it is wrong"))
            #expect(refused.text.contains("is kept, sealed") && !refused.text.contains(Self.code))
            let again = step.with([
                ("redirect_address", ""), ("sealed_answer", try Self.value("sealed_answer", in: refused.text)),
            ])
            #expect(try await person.post(Self.path, again).status == .seeOther)
            let setup = try #require(try site.store.mailboxSetups.find(1))
            let sealed = try #require(setup.sealed.flatMap { SealedSecret($0) })
            #expect(key.open(sealed, for: setup.server.context) != nil)
        }
    }

    @Test(arguments: ["a b", "a\u{e9}", String(repeating: "a", count: 513)]) func aWrongClientSecretIsNamed(
        secret: String
    ) async throws {
        let site = try site()
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let step = try await Step(person)
            let refused = try await person.post(
                Self.path, step.with([("redirect_address", step.redirect), ("client_secret", secret)]))
            #expect(refused.status == .unprocessableContent && refused.text.contains("Secret of the client: it has"))
            #expect(!refused.text.contains(secret))
        }
    }

    @Test func theValuesCanBeChanged() async throws {
        let site = try site()
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let changes = Self.own + [("user", "asha-types"), ("step", "client")]
            let page = try await person.post(Self.path, Self.fields(changes))
            #expect(page.status == .ok && page.text.contains(#"value="asha-types""#))
            #expect(page.text.contains(#"value="https://auth.example.com/token""#))
            #expect(!page.text.contains(#"name="redirect_address""#))
        }
    }

    /// A fault of the consent asks for another one, a fault of a value for the value.
    @Test(arguments: [
        (MailboxSetup.Fault.consent, "did not accept the code", true), (.refreshToken, "gave no refresh token", true),
        (.tokenServer, "cannot be reached", true), (.client, "does not know this client", false),
        (.login, "refused the login with this consent", false), (.redirect, "is not registered", false),
        (.scope, "does not grant this scope", false),
    ]) func aRefusalOffersWhatHelps(fault: MailboxSetup.Fault, words: String, asksConsent: Bool) async throws {
        let site = try site()
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let step = try await Step(person, Self.own)
            _ = try await person.post(Self.path, step.with([("redirect_address", step.redirect)]))
            let sealed = try #require(try site.store.mailboxSetups.find(1)?.clientSecret)
            try site.store.mailboxSetups.refuse(1, fault, "invalid <b>")
            let page = try await client.ask(.get, "/app/settings/mailboxes/1", cookie: person.cookie).text
            #expect(page.contains(words) && page.contains("invalid &lt;b&gt;"), "\(page)")
            #expect(page.contains(#"value="https://auth.example.com/token""#) && page.contains(#"value="1234.apps""#))
            #expect(page.contains(#"name="redirect_address""#) == asksConsent)
            if asksConsent {
                #expect(try Self.value("sealed_client_secret", in: page) == sealed)
                #expect(try Self.link(page) != Self.link(step.page), "the code was sent")
            }
        }
    }

    /// The page that is shown without a login carries no code, verifier or secret.
    @Test func aKeptFormHasNoCode() async throws {
        let site = try site()
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let step = try await Step(person)
            site.pass(100_000)
            let answer = try await client.ask(
                .post, Self.path, cookie: person.cookie, [.accept: "text/html", .fetchSite: "same-origin"],
                form: FormFields.encoded([("csrf", person.csrf)] + step.with([("redirect_address", step.redirect)])))
            #expect(answer.text.contains("imap.gmail.com"), "the form is kept")
            let verifier = try Self.value("verifier", in: step.page)
            for secret in [Self.secret, FormFields.encoded(Self.code), Self.code, verifier] {
                #expect(!answer.text.contains(secret), "\(answer.text)")
            }
        }
    }

    private static var added: AddedMailbox {
        var mailbox = AddedMailbox(
            name: "personal", host: "imap.gmail.com", user: "asha@gmail.com", folders: ["INBOX"], sinceDays: 90,
            authservID: "mx.google.com", verifies: false)
        mailbox.registration = ClientRegistration(server: .gmail, clientID: "1234.apps")
        return mailbox
    }

    @Test func aConsentIsRenewed() async throws {
        let key = UnsealingKey()
        let site = try site(key)
        try site.store.mailboxSetups.setAdded([Self.added])
        var health = MailboxHealth(mailbox: "personal", state: .refused, since: site.now)
        health.reason = "re-consent needed: x"
        try site.store.mailboxes.setHealth(health)
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let list = try await client.ask(.get, "/app/mailboxes", cookie: person.cookie).text
            #expect(list.contains(Self.renewal + "?name=personal") && list.contains("logs in by OAuth"), "\(list)")
            let page = try await client.ask(.get, Self.renewal + "?name=personal", cookie: person.cookie).text
            #expect(try Self.link(page).hasPrefix(AuthorizationServer.gmail.authorizationEndpoint))
            let state = try Self.value("state", in: page)
            let fields = [
                ("name", "personal"), ("state", state), ("verifier", try Self.value("verifier", in: page)),
                ("redirect_address", "http://127.0.0.1:47113/?state=\(state)&code=7"),
            ]
            let denied = try await person.post(
                Self.renewal, fields.dropLast() + [("redirect_address", "/?state=\(state)&error=access_denied")])
            #expect(denied.status == .unprocessableContent && denied.text.contains("The access was refused"))
            let wrong = try await person.post(Self.renewal, fields + [("passphrase", "wrong")])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("it is wrong"))
            let asked = try await person.post(Self.renewal, fields + [("passphrase", Site.passphrase)])
            #expect(asked.headers[.location] == "/app/settings/mailboxes/1", "\(asked.text)")
            let setup = try #require(try site.store.mailboxSetups.find(1))
            let sealed = try #require(setup.sealed.flatMap { SealedSecret($0) })
            #expect(setup.renews && key.open(sealed, for: Self.added.server.context) != nil)
            #expect(try site.store.audit.latest(limit: 100).map(\.event).contains("consent asked for: personal"))
            try site.store.mailboxSetups.refuse(1, .consent, "why")
            let refused = try await client.ask(.get, "/app/settings/mailboxes/1", cookie: person.cookie).text
            #expect(
                refused.contains("The consent was not renewed") && refused.contains(Self.renewal + "?name=personal"))
            #expect(try await person.post(Self.renewal, [("name", "other")]).status == .notFound)
        }
    }

    /// A mailbox with a password has no consent.
    @Test func onlyOAuthIsRenewed() async throws {
        let site = try site()
        var mailbox = Self.added
        mailbox.registration = nil
        try site.store.mailboxSetups.setAdded([mailbox])
        try await site.application.test(.router) { client in
            let cookie = try await client.session()
            #expect(try await client.ask(.get, Self.renewal + "?name=personal", cookie: cookie).status == .notFound)
            #expect(try await !client.ask(.get, "/app/mailboxes", cookie: cookie).text.contains(Self.renewal))
        }
    }
}
