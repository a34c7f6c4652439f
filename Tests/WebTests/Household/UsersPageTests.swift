import Access
import Chronology
import HTTPTypes
import HummingbirdTesting
import PasskeyFixture
import Store
import Testing

@testable import Web

/// Users of the page: the login, the settings, the link of a new user, and the end of access.
@Suite struct UsersPageTests {
    private func person(_ client: any TestClientProtocol, _ name: String? = nil) async throws -> PasskeyPageTests.Person
    {
        try await PasskeyPageTests.Person(client, client.session(as: name))
    }

    @Test func oneUserLogsInWithoutAName() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            #expect(try await !client.ask(.get, "/login").text.contains(#"name="name""#))
            #expect(try await client.login(as: "whatever").status == .seeOther)
            _ = try site.add("Asha", .editor)
            #expect(try await client.ask(.get, "/login").text.contains(#"name="name""#))
            #expect(try await client.login().status == .unauthorized, "a name is missing")
            let wrong = try await client.login(as: "nobody <b>")
            #expect(wrong.status == .unauthorized && wrong.text.contains("Wrong name or passphrase"))
            #expect(wrong.text.contains("nobody &lt;b&gt;"))
            #expect(try await client.login(as: "ASHA").status == .seeOther)
            #expect(try await client.login(as: " person ").status == .seeOther)
            #expect(try await client.ask(.get, "/probe", cookie: client.session(as: "asha")).text == "person Asha")
            _ = try site.store.access.disableUser(2, at: site.now)
            #expect(try await !client.ask(.get, "/login").text.contains(#"name="name""#))
            #expect(try await client.login().status == .seeOther)
        }
    }

    /// Wrong guesses at one user's passphrase do not put off another user from another address, and a user cannot reset
    /// the counts of another.
    @Test func triesBelongToAUser() throws {
        let site = try Site()
        let asha = try site.add("Asha", .editor)
        func attempt(_ number: Int, _ user: Int64?) throws -> Int64 {
            try site.store.access.reserveAttempt(of: "192.0.2.\(number)", as: user, at: site.now)
        }
        for number in 0..<12 { #expect(try attempt(number, 1) == 0) }
        #expect(try attempt(20, 1) > 0)
        #expect(try attempt(21, asha.id) == 0 && attempt(22, nil) == 0)
        try site.store.access.setLoginSecret("other", of: asha.id, at: site.now)
        #expect(try attempt(23, 1) > 0)
        try site.store.access.setLoginSecret("other", of: 1, at: site.now)
        #expect(try attempt(23, 1) == 0)
    }

    @Test func anOwnerAddsAUserWhoSetsThePassphrase() async throws {
        let site = try Site()
        try site.setPassphrase()
        try site.store.access.setWebServer(WebServer(url: "https://books.example", certificate: nil), at: site.now)
        try await site.application.test(.router) { client in
            let owner = try await person(client)
            let path = "/app/settings/users"
            #expect(try await client.ask(.get, path, cookie: owner.cookie).text.contains("<strong>person</strong>"))
            let fields = [("name", "Ravi <3"), ("role", "reader")]
            for (more, problem) in [
                ([("passphrase", "wrong")], "it is wrong"), ([], "it is wrong"),
            ] as [([(String, String)], String)] {
                let answer = try await owner.post(path, fields + more)
                #expect(answer.status == .unprocessableContent && answer.text.contains(problem))
            }
            let right = [("passphrase", Site.passphrase)]
            #expect(
                try await owner.post(path, [("name", ""), ("role", "reader")] + right).status == .unprocessableContent)
            #expect(try await owner.post(path, [("name", "x"), ("role", "owner")] + right).status == .notFound)
            #expect(try await owner.post(path, [("name", "PERSON"), ("role", "reader")] + right).status == .conflict)
            #expect(try site.store.access.users().count == 1)
            let made = try await owner.post(path, fields + right)
            #expect(made.status == .ok && made.text.contains("Ravi &lt;3"))
            let link = try #require(
                made.text.firstMatch(of: #/https:\/\/books.example(\/start\?code(?:=|&#x3D;)[A-Za-z0-9_\-]+)/#)
            ).1
                .replacing("&#x3D;", with: "=")
            #expect(try await !client.ask(.get, path, cookie: owner.cookie).text.contains("/start?code"))
            let start = try await client.ask(.get, String(link))
            #expect(start.status == .ok && start.text.contains("Ravi &lt;3, choose your passphrase"))
            let code = String(link.dropFirst("/start?code=".count))
            let form = FormFields.encoded([("code", code), ("new", "maple ocean kite"), ("again", "maple ocean kite")])
            let set = try await client.ask(.post, "/start", form: form)
            #expect(set.status == .seeOther && set.headers[.location] == "/")
            let cookie = String((set.headers[.setCookie] ?? "").prefix { $0 != ";" })
            #expect(try await client.ask(.get, "/probe", cookie: cookie).text == "person Ravi <3")
            #expect(try await client.ask(.post, "/start", form: form).status == .forbidden, "once")
            #expect(try await client.ask(.get, "/probe", cookie: owner.cookie).status == .ok, "the owner stays")
            #expect(try await client.login("maple ocean kite", as: "ravi <3").status == .seeOther)
            let log = try site.store.audit.latest(limit: 100)
            #expect(log.contains { $0.event == "user added: Ravi <3 (reader)" && $0.who == "person" })
            #expect(log.contains { $0.event == "passphrase set" && $0.who == "person Ravi <3" })
        }
    }

    @Test func aDisabledUserHasNoAccessAndOthersKeepTheirs() async throws {
        let site = try Site()
        try site.setPassphrase()
        let ravi = try site.add("Ravi", .editor)
        let token = try site.token(.daily, name: "ravi's phone", user: ravi.id)
        let code = PairingCode.random()
        _ = try site.store.access.offerPairing(code, name: "tablet", scopes: .daily, user: ravi.id, at: site.now)
        try await site.application.test(.router) { client in
            let (owner, editor) = (try await person(client, "person"), try await person(client, "Ravi"))
            let own = try site.token(.daily, name: "own")
            #expect(try await client.ask(.get, "/probe", token: token).status == .ok)
            let path = "/app/settings/users/\(ravi.id)"
            #expect(try await owner.post("\(path)/disable", []).status == .seeOther)
            #expect(try await client.ask(.get, "/probe", cookie: editor.cookie).status == .unauthorized)
            #expect(try await client.ask(.get, "/probe", token: token).status == .unauthorized)
            #expect(try await client.ask(.post, "/pair", json: #"{"code": "\#(code.text)"}"#).status == .forbidden)
            #expect(try await client.login(as: "Ravi").status == .seeOther, "with one enabled user, no name is asked")
            #expect(try await client.ask(.get, "/probe", cookie: owner.cookie).status == .ok)
            #expect(try await client.ask(.get, "/probe", token: own).status == .ok)
            #expect(try await owner.post("\(path)/enable", []).status == .seeOther)
            #expect(try await client.ask(.get, "/probe", token: token).status == .unauthorized, "tokens stay revoked")
            #expect(try await client.ask(.get, "/probe", cookie: editor.cookie).status == .unauthorized)
            #expect(try await client.login(as: "Ravi").status == .seeOther)
            // A role counts from the next request on.
            let again = try await person(client, "Ravi")
            #expect(try await again.post("/probe", []).status == .ok)
            #expect(try await owner.post(path, [("name", "Ravi"), ("role", "reader")]).status == .seeOther)
            #expect(try await again.post("/probe", []).status == .forbidden)
            #expect(try await client.ask(.get, "/probe", cookie: again.cookie).status == .ok)
        }
    }

    @Test func ownersAreNotChangedInTheBrowser() async throws {
        let site = try Site()
        try site.setPassphrase()
        let other = try site.add("Asha", .owner)
        try await site.application.test(.router) { client in
            let owner = try await person(client, "person")
            for path in ["", "/disable", "/enable", "/link"] {
                let answer = try await owner.post(
                    "/app/settings/users/\(other.id)\(path)", [("name", "x"), ("passphrase", Site.passphrase)])
                #expect(answer.status == .forbidden, "\(path)")
            }
            #expect(try site.store.access.user(other.id) == other)
            #expect(try await owner.post("/app/settings/users/1", [("name", "Meera")]).status == .seeOther)
            #expect(try await client.ask(.get, "/probe", cookie: owner.cookie).text == "person Meera")
            #expect(try await owner.post("/app/settings/users/1", [("name", "asha")]).status == .conflict)
        }
    }

    /// Logins, passkeys and tokens of others are an owner's to end, not a reader's.
    @Test func usersManageTheirOwnAccess() async throws {
        let site = try Site()
        try site.setPassphrase()
        let ravi = try site.add("Ravi", .reader)
        _ = try site.token(.daily, name: "owners token")
        try await site.application.test(.router) { client in
            let (owner, reader) = (try await person(client, "person"), try await person(client, "Ravi"))
            let page = try await client.ask(.get, "/app/settings", cookie: reader.cookie).text
            #expect(!page.contains("owners token") && !page.contains("/app/settings/users"))
            let ownersSession = try #require(Credential(owner.cookie.dropFirst(10), .session)).id
            #expect(try await reader.post("/app/settings/sessions/\(ownersSession)/end", []).status == .notFound)
            let token = try #require(try site.store.access.tokens().first)
            #expect(try await reader.post("/app/settings/tokens/\(token.id)/revoke", []).status == .notFound)
            #expect(try await client.ask(.get, "/probe", cookie: owner.cookie).status == .ok)
            let made = try await reader.post(
                "/app/settings/tokens",
                [
                    ("name", "mine"), ("scope", "read"), ("scope", "write"), ("days", "30"),
                    ("passphrase", Site.passphrase),
                ])
            #expect(made.status == .ok)
            let own = try #require(try site.store.access.tokens().first { $0.name == "mine" })
            #expect(own.user == ravi.id && own.scopes == "read")
            #expect(try await client.ask(.get, "/app/settings", cookie: owner.cookie).text.contains("Ravi"))
            #expect(try await owner.post("/app/settings/tokens/\(own.id)/revoke", []).status == .seeOther)
            let readersSession = try #require(Credential(reader.cookie.dropFirst(10), .session)).id
            #expect(try await owner.post("/app/settings/sessions/\(readersSession)/end", []).status == .seeOther)
            #expect(try await client.ask(.get, "/probe", cookie: reader.cookie).status == .unauthorized)
        }
    }

    /// A passkey logs in the user whose it is, and goes with that user's passphrase only.
    @Test func aPasskeyBelongsToAUser() async throws {
        let site = try Site()
        try site.setPassphrase()
        let ravi = try site.add("Ravi", .reader)
        try await site.application.test(.router) { client in
            let reader = try await person(client, "Ravi")
            let authenticator = SoftAuthenticator()
            #expect(try await reader.register(authenticator).status == .seeOther)
            #expect(try site.store.access.passkeys().map(\.user) == [ravi.id])
            let owner = try await person(client, "person")
            #expect(try await !client.ask(.get, "/app/settings", cookie: owner.cookie).text.contains("my phone"))
            try site.setPassphrase(of: 1)
            #expect(try site.store.access.passkeys().count == 1, "another user's passphrase")
            try site.setPassphrase(of: ravi.id)
            #expect(try site.store.access.passkeys().isEmpty)
        }
    }

    @Test func theHistoryNamesTheAuthorAlsoAfterARename() async throws {
        let site = try Site()
        try site.setPassphrase()
        _ = try site.add("Ravi", .editor)
        try await site.application.test(.router) { client in
            for (name, note) in [("Ravi", "tea"), ("person", "milk")] {
                let someone = try await person(client, name)
                let added = try await someone.post(
                    "/app/transactions/new",
                    [
                        ("amount", "10"), ("currency", "INR"), ("date", "2026-01-05"), ("type", "expense"),
                        ("merchant", note),
                    ])
                #expect(added.status == .seeOther)
            }
            let owner = try await person(client, "person")
            func history(_ query: String = "") async throws -> String {
                try await client.ask(.get, "/app/history\(query)", cookie: owner.cookie).text
            }
            #expect(try await history().contains("· Ravi</p>"))
            _ = try site.store.access.renameUser(2, to: "Ravindra")
            let page = try await history()
            #expect(page.contains("· Ravindra</p>") && !page.contains("· Ravi</p>"))
            #expect(page.contains("/app/history?by=Ravindra"))
            let filtered = try await history("?by=Ravindra")
            #expect(filtered.contains("tea") && !filtered.contains("milk"))
            _ = try site.store.access.removeUser(2)
            #expect(try await history("?by=Ravindra").contains("tea"), "a removed user is named in the history")
        }
    }
}
