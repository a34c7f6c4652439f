import Access
import HTTPTypes
import HummingbirdTesting
import Ledger
import Settings
import Store
import Testing

@testable import Web

/// Receivers of notifications that are added on the page, without the mail reader: the test writes its part.
@Suite struct NotificationPageTests {
    private static let path = "/app/settings/notifications/"
    private static let secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let address = "https://hooks.example.com/t0ken-in-the-address"
    private static let fields = [
        ("kind", "webhook"), ("name", "home"), ("url", address), ("secret", secret), ("event", "transaction"),
        ("quiet_from", "22:30"), ("quiet_to", "07:00"), ("passphrase", Site.passphrase),
    ]
    private static let mail = [
        ("kind", "email"), ("name", "home"), ("host", "smtp.example.com"), ("port", "465"), ("tls", "implicit"),
        ("user", "asha"), ("secret", secret), ("from", "books@example.com"), ("to", "asha@example.com"),
        ("event", "due"), ("passphrase", Site.passphrase),
    ]

    private static func changed(_ fields: [(String, String)], _ change: (String, String)) -> [(String, String)] {
        fields.map { ($0.0, change.0 == $0.0 ? change.1 : $0.1) }
    }

    /// A site with a passphrase and the mail reader's key.
    private func site(_ key: UnsealingKey) throws -> Site {
        let site = try Site()
        try site.setPassphrase()
        try site.store.mailboxSetups.setSealingKey(key.sealingKey.text, at: site.now)
        return site
    }

    /// What the mail reader does with a request.
    private func takeOver(_ site: Site) throws {
        for request in try site.store.outbox.addedSinks() { try site.store.outbox.finish(request, request) }
        try site.store.outbox.setSinks(try site.store.outbox.addedSinks().map(\.name), releasing: false, at: site.now)
    }

    @Test func theReceiverIsSealedWithItsAddress() async throws {
        let key = UnsealingKey()
        let site = try site(key)
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            #expect(try await person.post(Self.path + "new", Self.fields).status == .seeOther)
            let sink = try #require(try site.store.outbox.addedSinks().first)
            #expect(sink.host == "hooks.example.com" && sink.kind == .webhook && sink.events == [.transaction])
            #expect(sink.quiet == AddedSink.Quiet(from: 1350, to: 420) && sink.sealedTo == key.sealingKey.text)
            let sealed = try #require(sink.sealed.flatMap { SealedSecret($0) })
            let receiver = try #require(key.open(sealed, for: sink.context).flatMap { TypedReceiver($0) })
            #expect(receiver.values == [.url: Self.address, .secret: Self.secret])
            var other = sink
            other.host = "hooks.evil.example"
            #expect(key.open(sealed, for: other.context) == nil)
            let page = try await client.ask(.get, "/app/settings", cookie: person.cookie).text
            #expect(page.contains("being taken into use") && page.contains("hooks.example.com"))
            #expect(!page.contains("t0ken-in-the-address") && !page.contains(Self.secret))
            let audit = try site.store.audit.latest(limit: 100).map(\.event)
            #expect(audit.contains("receiver asked for: home"))
            #expect(!audit.contains { $0.contains("example") || $0.contains(Self.secret) })
        }
    }

    @Test(arguments: [
        (fields, ("name", "../x"), "It has letters, digits"), (fields, ("name", "taken"), "exists already"),
        (fields, ("url", ""), "It is needed."), (fields, ("url", "http://127.0.0.1:8001/x"), "Write it as https://"),
        (fields, ("url", "https://user@example.com/"), "without user and password"),
        (fields, ("url", "https://example.com/" + String(repeating: "a", count: 250)), "longer than 255 bytes"),
        (fields, ("secret", "short"), "24 to 64 bytes in Base64"), (fields, ("event", "none"), "Choose at least one."),
        (fields, ("quiet_to", "22:30"), "Give two different times"), (fields, ("quiet_to", ""), "Give two different"),
        (fields, ("kind", "ntfy"), "It must end with a topic"), (fields, ("passphrase", "wrong"), "it is wrong"),
        (mail, ("host", "smtp.example.com:465"), "It is not the name of a server"),
        (mail, ("port", "0"), "It is not a number from 1 to 65535"), (mail, ("tls", "none"), "never sent without it"),
        (mail, ("to", "asha"), "It is not an e-mail address"), (mail, ("secret", ""), "belong together"),
        (mail, ("user", "a\r\nb"), "It must be one line"),
    ]) func aWrongFieldIsNamedAndTheOthersStay(
        fields: [(String, String)], change: (String, String), problem: String
    ) async throws {
        let site = try site(UnsealingKey())
        try site.store.outbox.setSinks(["taken"], releasing: false, at: site.now)
        var fields = Self.changed(fields, change)
        // The address of a webhook may not name a topic.
        if change.1 == "ntfy" { fields = Self.changed(fields, ("url", "https://ntfy.sh/a/?x")) }
        try await site.application.test(.router) { [fields] client in
            let person = try await PasskeyPageTests.Person(client)
            let answer = try await person.post(Self.path + "new", fields)
            #expect(answer.status == .unprocessableContent && answer.text.contains(problem), "\(answer.text)")
            for (name, value) in fields where ["url", "host", "from"].contains(name) && !value.isEmpty {
                #expect(answer.text.contains("value=\"\(value)\""), "\(name)")
            }
            #expect(!answer.text.contains(Self.secret) && !answer.text.contains(Site.passphrase))
            #expect(try site.store.outbox.addedSinks().isEmpty)
        }
    }

    @Test func theProblemIsAtItsField() async throws {
        let site = try site(UnsealingKey())
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let page = try await person.post(Self.path + "new", Self.changed(Self.fields, ("url", "ftp://x"))).text
            #expect(page.contains(#"aria-invalid="true" aria-describedby="url-problem""#))
            #expect(page.contains(#"id="url-problem">Write it as https://"#))
        }
    }

    @Test func aChangeKeepsTheAddressUnlessAllOfItIsTyped() async throws {
        let site = try site(UnsealingKey())
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            _ = try await person.post(Self.path + "new", Self.fields)
            try takeOver(site)
            let settings = try await client.ask(.get, "/app/settings", cookie: person.cookie).text
            #expect(settings.contains(#"name="sink" value="home""#), "it can be tested")
            #expect(settings.contains("/app/settings/notifications/change?name=home"))
            let form = try await client.ask(.get, Self.path + "change?name=home", cookie: person.cookie).text
            #expect(form.contains(#"value="22:30""#) && form.contains(#"value="transaction" checked"#))
            #expect(form.contains("It is sent to hooks.example.com.") && !form.contains("t0ken"))

            let kept = [("name", "home"), ("event", "review"), ("passphrase", Site.passphrase)]
            #expect(try await person.post(Self.path + "change", kept).status == .seeOther)
            let sink = try #require(try site.store.outbox.addedSinks().first)
            #expect(sink.sealed == nil && sink.asked != nil && sink.events == [.review] && sink.quiet == nil)
            #expect(sink.host == "hooks.example.com")

            let half = kept + [("url", "https://hooks.evil.example/")]
            let answer = try await person.post(Self.path + "change", half)
            #expect(
                answer.status == .unprocessableContent && answer.text.contains("Signing secret (Base64): It is needed.")
            )
            #expect(try await person.post(Self.path + "change", half + [("secret", Self.secret)]).status == .seeOther)
            let changed = try #require(try site.store.outbox.addedSinks().first)
            #expect(changed.sealed != nil && changed.host == "hooks.evil.example")
        }
    }

    @Test func removalAsksFirst() async throws {
        let site = try site(UnsealingKey())
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            _ = try await person.post(Self.path + "new", Self.fields)
            try takeOver(site)
            let question = try await client.ask(.get, Self.path + "remove?name=home", cookie: person.cookie)
            #expect(question.status == .ok && question.text.contains("nothing is sent there any more"))
            #expect(try site.store.outbox.addedSinks().first?.removalRequested == nil)
            #expect(try await person.post(Self.path + "remove", [("name", "home")]).status == .seeOther)
            #expect(try site.store.outbox.addedSinks().first?.removalRequested != nil)
            #expect(try await person.post(Self.path + "remove", [("name", "other")]).status == .notFound)
            let settings = try await client.ask(.get, "/app/settings", cookie: person.cookie).text
            #expect(settings.contains("being removed") && !settings.contains("change?name=home"))
        }
    }

    @Test func withoutAKeyNothingCanBeAdded() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let form = try await client.ask(.get, Self.path + "new", cookie: person.cookie).text
            #expect(form.contains("offers no key for secrets") && !form.contains(#"name="url""#))
            _ = try await person.post(Self.path + "new", Self.fields)
            #expect(try site.store.outbox.addedSinks().isEmpty)
        }
    }

    /// A form that outlives its login is kept without address and secret.
    @Test func aKeptFormHasNoSecret() async throws {
        let site = try site(UnsealingKey())
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            site.pass(100_000)
            let answer = try await client.ask(
                .post, Self.path + "new", cookie: person.cookie, [.accept: "text/html", .fetchSite: "same-origin"],
                form: FormFields.encoded([("csrf", person.csrf)] + Self.fields))
            #expect(answer.text.contains("quiet_from=22%3A30"), "the form is kept")
            for text in [Self.secret, "t0ken-in-the-address", Site.passphrase] {
                #expect(!answer.text.contains(text))
            }
        }
    }
}
