import Access
import HTTPTypes
import HummingbirdTesting
import Store
import Testing

@testable import Web

/// Adding a mailbox on the page, without the mail reader: the test writes its part.
@Suite struct NewMailboxPageTests {
    private static let path = "/app/settings/mailboxes/new"
    private static let secret = "quiet-otter-29-lamps"
    private static let fields = [
        ("address", "asha@gmail.com"), ("name", "personal"), ("host", "imap.gmail.com"), ("port", "993"),
        ("tls", "implicit"), ("user", "asha@gmail.com"), ("folder", "INBOX"), ("days", "90"), ("authority", ""),
        ("password", secret), ("passphrase", Site.passphrase),
    ]

    private static func fields(_ changes: (String, String)...) -> [(String, String)] {
        fields.map { field in (field.0, changes.first { $0.0 == field.0 }?.1 ?? field.1) }
    }

    private static let finding = MailboxFinding(
        folder: "INBOX", folders: ["INBOX", "Bank <b>"], messages: 12, bankMails: 3,
        banks: [.init(name: "HDFC <b>", mails: 3, newest: nil)],
        proposals: [.init(authservID: "mx.google.com", confirmed: 3, of: 3)], proposed: "mx.google.com")

    /// A site with a passphrase and the mail reader's key.
    private func site(_ key: UnsealingKey) throws -> Site {
        let site = try Site()
        try site.setPassphrase()
        try site.store.mailboxSetups.setSealingKey(key.sealingKey.text, at: site.now)
        return site
    }

    @Test func theAddressProposesTheServer() async throws {
        let site = try site(UnsealingKey())
        try await site.application.test(.router) { client in
            let cookie = try await client.session()
            func page(_ query: String) async throws -> String {
                try await client.ask(.get, Self.path + query, cookie: cookie).text
            }
            #expect(try await page("").contains(#"name="address""#))
            let form = try await page("?address=asha@gmail.com")
            for text in [
                #"value="imap.gmail.com""#, #"value="993""#, #"value="asha@gmail.com""#, "make an app password",
                "https://myaccount.google.com/apppasswords",
            ] {
                #expect(form.contains(text), "\(text)")
            }
            let outlook = try await page("?address=asha@hotmail.com")
            #expect(outlook.contains("only OAuth") && !outlook.contains(#"name="password""#))
            #expect(outlook.contains(#"name="client_id""#))
            #expect(try await page("?address=nobody").contains("it is not an address"))
            try site.store.mailboxSetups.setSealingKey(nil, at: site.now)
            #expect(try await page("").contains("offers no key for passwords"))
        }
    }

    @Test func thePasswordIsSealedForItsServer() async throws {
        let key = UnsealingKey()
        let site = try site(key)
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let asked = try await person.post(Self.path, Self.fields)
            #expect(asked.status == .seeOther && asked.headers[.location] == "/app/settings/mailboxes/1")
            let setup = try #require(try site.store.mailboxSetups.find(1))
            let sealed = try #require(setup.sealed.flatMap { SealedSecret($0) })
            #expect(key.open(sealed, for: setup.server.context) == Array(Self.secret.utf8))
            #expect(setup.server.host == "imap.gmail.com" && setup.state == .asked && setup.sinceDays == 90)
            let page = try await client.ask(.get, "/app/settings/mailboxes/1", cookie: person.cookie)
            #expect(page.headers[.refresh] == "2" && page.text.contains("The login is being tested."))
            let audit = try site.store.audit.latest(limit: 100).map(\.event)
            #expect(audit.contains("mailbox asked for: personal"))
            #expect(!audit.contains { $0.contains(Self.secret) || $0.contains("asha") })
        }
    }

    @Test(arguments: [
        (("name", "../x"), "Name: it has letters"), (("host", "imap.gmail.com:993"), "it is not the name of a server"),
        (("host", ""), "it is not the name of a server"), (("port", "0"), "Port: it is not a number"),
        (("tls", "none"), "Mail is never read without it"), (("user", ""), "User: it must not be empty"),
        (("folder", "a\nb"), "Folder: it must not be empty"), (("authority", "no PEM"), "it is not in PEM form"),
        (("password", ""), "type it again"), (("password", "a\nb"), "more than one line"),
        (("passphrase", "wrong"), "it is wrong"), (("name", "taken"), "exists already"),
    ]) func aWrongFieldIsNamedAndTheOthersStay(change: (String, String), problem: String) async throws {
        let site = try site(UnsealingKey())
        try site.store.mailboxSetups.setAdded([
            AddedMailbox(
                name: "taken", host: "h", user: "u", folders: ["INBOX"], sinceDays: 90, authservID: nil, verifies: true)
        ])
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let answer = try await person.post(Self.path, Self.fields(change, ("user", "asha-types")))
            let isUser = change.0 == "user"
            let again = isUser ? try await person.post(Self.path, Self.fields(change)) : answer
            #expect(again.status == .unprocessableContent && again.text.contains(problem), "\(again.text)")
            #expect(isUser || answer.text.contains(#"value="asha-types""#))
            for text in [answer.text, again.text] {
                #expect(!text.contains(Self.secret) && !text.contains(Site.passphrase))
            }
            #expect(try site.store.mailboxSetups.all().isEmpty)
        }
    }

    @Test func theTestIsShownAndAccepted() async throws {
        let site = try site(UnsealingKey())
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            _ = try await person.post(Self.path, Self.fields)
            try site.store.mailboxSetups.tested(1, Self.finding)
            let path = "/app/settings/mailboxes/1"
            let page = try await client.ask(.get, path, cookie: person.cookie)
            #expect(page.headers[.refresh] == nil)
            for text in [
                "3 mails", "HDFC &lt;b&gt;", "Bank &lt;b&gt;", #"value="mx.google.com" required checked"#, "verify:",
            ] {
                #expect(page.text.contains(text), "\(text)")
            }
            for wrong in [
                [("folder", "INBOX"), ("trust", "mx.evil.example")], [("folder", "Other"), ("trust", "verify:")],
                [("folder", "INBOX")],
            ] {
                #expect(try await person.post(path + "/accept", wrong).status == .unprocessableContent)
            }
            #expect(
                try await person.post(path + "/accept", [("folder", "Bank <b>"), ("trust", "verify:")]).status
                    == .seeOther)
            let setup = try #require(try site.store.mailboxSetups.find(1))
            #expect(setup.state == .accepted && setup.folder == "Bank <b>")
            #expect(setup.verifies && setup.authservID == nil)
            #expect(
                try await client.ask(.get, path, cookie: person.cookie).text.contains("is being taken into use"))
            _ = try await person.post(path + "/withdraw", [])
            #expect(try site.store.mailboxSetups.find(1)?.state == .accepted, "it is too late")
        }
    }

    @Test func aRefusalShowsTheFormAgainWithoutThePassword() async throws {
        let site = try site(UnsealingKey())
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            _ = try await person.post(Self.path, Self.fields(("user", "asha-types")))
            try site.store.mailboxSetups.refuse(1, .login, "NO <b>")
            let page = try await client.ask(.get, "/app/settings/mailboxes/1", cookie: person.cookie).text
            for text in ["refused the user or the password", "NO &lt;b&gt;", #"value="asha-types""#] {
                #expect(page.contains(text), "\(text)")
            }
            #expect(!page.contains(Self.secret))
            #expect(try await person.post(Self.path, Self.fields).status == .seeOther, "the name is free again")
        }
    }

    @Test func aRemovalAsksFirst() async throws {
        let site = try site(UnsealingKey())
        try site.store.mailboxSetups.setAdded([
            AddedMailbox(
                name: "personal", host: "imap.gmail.com", user: "asha", folders: ["INBOX"], sinceDays: 90,
                authservID: "mx.google.com", verifies: false)
        ])
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let list = try await client.ask(.get, "/app/mailboxes", cookie: person.cookie).text
            #expect(list.contains("/app/settings/mailboxes/remove?name=personal"))
            let question = try await client.ask(
                .get, "/app/settings/mailboxes/remove?name=personal", cookie: person.cookie)
            #expect(question.text.contains("Transactions and mails that were read stay."))
            #expect(try site.store.mailboxSetups.added().map(\.removalRequested) == [nil])
            let path = "/app/settings/mailboxes/remove"
            #expect(try await person.post(path, [("name", "other")]).status == .notFound)
            #expect(try await person.post(path, [("name", "personal")]).status == .seeOther)
            #expect(try site.store.mailboxSetups.added().map(\.removalRequested) == [site.now])
        }
    }

    /// A form that outlives its login is kept without passwords.
    @Test func aKeptFormHasNoPassword() async throws {
        let site = try site(UnsealingKey())
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            site.pass(100_000)
            let answer = try await client.ask(
                .post, Self.path, cookie: person.cookie, [.accept: "text/html", .fetchSite: "same-origin"],
                form: FormFields.encoded([("csrf", person.csrf)] + Self.fields))
            #expect(answer.text.contains("imap.gmail.com"), "the form is kept")
            #expect(!answer.text.contains(Self.secret) && !answer.text.contains("river"), "\(answer.text)")
        }
    }
}
