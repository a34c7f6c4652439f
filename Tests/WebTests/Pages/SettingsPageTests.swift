import Access
import Chronology
import HTTPTypes
import HummingbirdTesting
import Store
import Testing

@testable import Web

/// The settings: another passphrase, tokens, pairing, tests of notifications, and the first start.
@Suite struct SettingsPageTests {
    private func cookie(_ response: TestResponse) -> String {
        String((response.headers[.setCookie] ?? "").prefix { $0 != ";" })
    }

    @Test func thePassphraseIsChangedByWhoKnowsIt() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let (person, other) = (try await PasskeyPageTests.Person(client), try await client.session())
            let path = "/app/settings/passphrase"
            #expect(try await client.ask(.get, path, cookie: other).text.contains("Present passphrase"))
            for (fields, problem) in [
                ([("passphrase", "wrong"), ("new", "maple ocean kite"), ("again", "maple ocean kite")], "it is wrong"),
                ([("passphrase", Site.passphrase), ("new", "maple ocean kite"), ("again", "maple")], "differ"),
                (
                    [("passphrase", Site.passphrase), ("new", "1234567"), ("again", "1234567")],
                    "New passphrase: it is a run"
                ),
                ([("passphrase", Site.passphrase)], "New passphrase: it is too short"),
            ] {
                let answer = try await person.post(path, fields)
                #expect(answer.status == .unprocessableContent && answer.text.contains(problem), "\(problem)")
                #expect(!answer.text.contains("maple"), "no form shows a passphrase")
            }
            let changed = try await person.post(
                path, [("passphrase", Site.passphrase), ("new", "maple ocean kite"), ("again", "maple ocean kite")])
            #expect(changed.status == .seeOther && changed.headers[.location] == "/app/settings?done=passphrase")
            #expect(try await client.ask(.get, "/probe", cookie: other).status == .unauthorized)
            #expect(try await client.ask(.get, "/probe", cookie: person.cookie).status == .unauthorized)
            #expect(try await client.ask(.get, "/probe", cookie: cookie(changed)).status == .ok)
            #expect(try await client.login().status == .unauthorized)
            #expect(try await client.login("maple ocean kite").status == .seeOther)
            #expect(
                try site.store.audit.latest(limit: 100).contains { $0.event == "passphrase set" && $0.who == "person" })
        }
    }

    @Test func aTokenIsShownOnce() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let path = "/app/settings/tokens"
            let usual = [("name", "reports"), ("scope", "read"), ("scope", "review"), ("days", "30")]
            #expect(
                try await client.ask(.get, path, cookie: person.cookie).text.contains("pass SMS on, and nothing else"))
            for (fields, problem) in [
                (usual + [("passphrase", "wrong")], "it is wrong"), (usual, "it is wrong"),
                ([("name", ""), ("scope", "read"), ("days", "30")], "Name: must not be empty."),
                ([("name", "x"), ("days", "30")], "Choose what the token may do."),
                ([("name", "x"), ("scope", "everything"), ("days", "30")], "Choose what the token may do."),
            ] {
                let answer = try await person.post(path, fields)
                #expect(answer.status == .unprocessableContent && answer.text.contains(problem), "\(problem)")
            }
            #expect(try await person.post(path, [("name", "x"), ("scope", "read"), ("days", "7")]).status == .notFound)
            #expect(try site.store.access.tokens().isEmpty)
            let made = try await person.post(path, usual + [("passphrase", Site.passphrase)])
            let start = try #require(made.text.firstRange(of: "spw_")).lowerBound
            let token = String(made.text[start...].prefix(58))
            #expect(made.status == .ok && made.headers[.cacheControl] == "no-store")
            #expect(try await client.ask(.get, "/probe", token: token).text == "token reports")
            #expect(try await client.ask(.post, "/review/probe", token: token).status == .ok)
            #expect(try await client.ask(.post, "/probe", token: token).status == .forbidden)
            #expect(try site.store.access.tokens().first?.expires == site.now + 30 * 86_400)
            #expect(try await !client.ask(.get, "/app/settings", cookie: person.cookie).text.contains(token))
            #expect(
                try await person.post(path, usual + [("passphrase", Site.passphrase)]).status == .conflict, "its name")
            let forever = [("name", "x"), ("scope", "read"), ("days", "0"), ("passphrase", Site.passphrase)]
            #expect(try await person.post(path, forever).status == .ok)
            #expect(try site.store.access.tokens().contains { $0.name == "x" && $0.expires == nil })
        }
    }

    @Test func aDeviceIsPairedByTheCodeOfThePage() async throws {
        let site = try Site()
        try site.setPassphrase()
        try site.store.access.setWebServer(
            WebServer(url: "https://books.example:8001", certificate: "ab12"), at: site.now)
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let path = "/app/settings/pair"
            #expect(
                try await person.post(path, [("name", "phone"), ("passphrase", "wrong")]).text.contains("it is wrong"))
            let page = try await person.post(path, [("name", "phone"), ("passphrase", Site.passphrase)]).text
            #expect(page.contains("https://books.example:8001") && page.contains("AB:12"))
            #expect(page.contains("spendwise://pair?url=https%3A%2F%2Fbooks.example%3A8001&amp;code="))
            let code = try #require(page.firstMatch(of: #/>([0-9]{4} [0-9]{4})</#)).1
            let paired = try await client.ask(.post, "/pair", json: #"{"code": "\#(code)"}"#)
            #expect(paired.status == .created && paired.text.contains(#""name":"phone""#))
        }
    }

    /// The page requests the test; the program that knows the sink's secrets sends it.
    @Test func aTestOfNotificationsIsRequested() async throws {
        let site = try Site()
        try site.setPassphrase()
        try site.store.outbox.setSinks(["family <ntfy>"], releasing: false, at: site.now)
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            func settings() async throws -> String {
                try await client.ask(.get, "/app/settings", cookie: person.cookie).text
            }
            #expect(try await settings().contains("never tested here"))
            let path = "/app/settings/sinks/test"
            #expect(try await settings().contains(#"name="sink" value="family &lt;ntfy&gt;""#))
            #expect(try await person.post(path, [("sink", "family <ntfy>")]).status == .seeOther)
            #expect(try site.store.outbox.requestedTrials() == ["family <ntfy>"])
            #expect(try await settings().contains("test requested"))
            try site.store.outbox.finishTrial(of: "family <ntfy>", problem: "401 <b>", at: site.now)
            #expect(try await settings().contains("not accepted: 401 &lt;b&gt;"))
            try site.store.outbox.finishTrial(of: "family <ntfy>", problem: nil, at: site.now)
            #expect(try await settings().contains("test accepted"))
            #expect(try await person.post(path, [("sink", "other")]).status == .notFound)
        }
    }

    @Test func theFirstVisitorNeedsTheLink() async throws {
        let site = try Site()
        try await site.application.test(.router) { client in
            let fields = "new=maple+ocean+kite&again=maple+ocean+kite"
            #expect(try await client.ask(.get, "/start?code=").status == .forbidden)
            #expect(try await client.ask(.post, "/start", form: fields).status == .forbidden, "no link was made yet")
            let first = site.services.makeStartLink(at: "", for: 1)
            let link = site.services.makeStartLink(at: "", for: 1)
            #expect(try await client.ask(.get, first).status == .forbidden, "replaced")
            let page = try await client.ask(.get, link)
            let code = String(link.dropFirst("/start?code=".count))
            #expect(page.status == .ok && page.text.contains("value=\"\(code)\"") && code.utf8.count == 22)
            #expect(
                try await client.ask(.post, "/start", form: "code=\(code)&new=12345&again=12345").text
                    .contains("New passphrase: it is too short"))
            #expect(
                try await client.ask(.post, "/start", form: "code=\(code.dropLast())&\(fields)").status == .forbidden)
            #expect(
                try await client.ask(
                    .post, "/start", [.origin: "https://evil.example"], form: "code=\(code)&\(fields)"
                ).status == .forbidden)
            let set = try await client.ask(.post, "/start", form: "code=\(code)&\(fields)")
            #expect(set.status == .seeOther)
            #expect(try await client.ask(.get, "/access/probe", cookie: cookie(set)).text == "person")
            #expect(try await client.login("maple ocean kite").status == .seeOther)
            #expect(try await client.ask(.get, link).status == .forbidden, "used")
            try site.store.access.setLoginSecret(nil, of: 1, at: site.now)
            #expect(try await client.ask(.get, link).status == .forbidden, "also after the passphrase is removed")
        }
    }

    @Test func theLinkEndsAndIsNoneWhileAPassphraseIsSet() async throws {
        let site = try Site()
        try await site.application.test(.router) { client in
            let link = site.services.makeStartLink(at: "", for: 1)
            site.pass(StartCode.lifetime)
            #expect(try await client.ask(.get, link).status == .ok)
            site.pass(1)
            #expect(try await client.ask(.get, link).status == .forbidden)
            let other = site.services.makeStartLink(at: "", for: 1)
            try site.setPassphrase()
            #expect(try await client.ask(.get, other).status == .forbidden)
        }
    }
}
