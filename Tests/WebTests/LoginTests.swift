import Access
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Store
import Testing

@testable import Web

@Suite struct LoginTests {
    @Test func aLoginOpensEverythingUntilTheLogout() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let answer = try await client.login(next: "/probe?a=1")
            #expect(answer.status == .seeOther && answer.headers[.location] == "/probe?a=1")
            let set = try #require(answer.headers[.setCookie])
            for property in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(set.contains(property)) }
            #expect(set.hasPrefix("spendwise=sps_") && !set.contains("Secure") && !set.contains("Domain"))
            let cookie = String(set.prefix { $0 != ";" })
            #expect(try await client.ask(.get, "/access/probe", cookie: cookie).text == "person")
            #expect(try await client.ask(.get, "/login", cookie: cookie).headers[.location] == "/")
            let token = try #require(Credential(cookie.dropFirst("spendwise=".count), .session)).formToken
            #expect(
                try await client.ask(.post, "/logout", cookie: cookie, form: "").status == .forbidden,
                "a page elsewhere cannot log anybody out")
            let end = try await client.ask(.post, "/logout", cookie: cookie, form: "csrf=\(token)")
            #expect(end.status == .seeOther && end.headers[.setCookie]?.contains("Max-Age=0") ?? false)
            #expect(end.headers[.clearSiteData] == #""cache""#, "the pages of the session leave the browser")
            #expect(try await client.ask(.get, "/probe", cookie: cookie).status == .unauthorized)
        }
    }

    @Test func cookieIsForThisHostOnlyUnderTLS() async throws {
        let site = try Site(AccessPolicy(isTLS: true))
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let set = try await client.login().headers[.setCookie] ?? ""
            #expect(
                set.hasPrefix("__Host-spendwise=") && set.contains("Secure") && set.contains("Path=/")
                    && !set.contains("Domain"))
        }
    }

    @Test func missingPassphrasePageHasARemedy() async throws {
        let site = try Site()
        try await site.application.test(.router) { client in
            #expect(try await client.ask(.get, "/login").text.contains("parserctl passphrase set"))
            let answer = try await client.login("")
            #expect(answer.status == .forbidden && answer.headers[.setCookie] == nil)
        }
    }

    @Test func threeWrongTriesAndThenPauses() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            for _ in 0..<3 {
                let answer = try await client.login("wrong")
                #expect(
                    answer.status == .unauthorized && answer.headers[.setCookie] == nil
                        && !answer.text.contains("wrong"))
            }
            let held = try await client.login()
            #expect(
                held.status == .tooManyRequests && held.headers[.retryAfter] == "30" && held.headers[.setCookie] == nil,
                "the right one does not get through either")
            site.pass(29)
            #expect(try await client.login().status == .tooManyRequests)
            site.pass(1)
            #expect(try await client.login("wrong").status == .unauthorized)
            #expect(try await client.login().headers[.retryAfter] == "60")
            site.pass(60)
            #expect(try await client.login().status == .seeOther)
            for _ in 0..<3 { #expect(try await client.login("wrong").status == .unauthorized) }
        }
    }

    /// A client cannot escape its pauses, or get rights, by header fields that a proxy would set.
    @Test func fieldsOfAProxyAreNotBelieved() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            func fields(_ number: Int) -> HTTPFields {
                var fields = HTTPFields()
                for name in ["X-Forwarded-For", "X-Real-IP", "Forwarded", "X-Forwarded-User", "Remote-User"] {
                    if let name = HTTPField.Name(name) { fields[name] = "127.0.0.\(number)" }
                }
                return fields
            }
            for number in 1...3 {
                let answer = try await client.ask(.post, "/login", fields(number), form: "passphrase=wrong")
                #expect(answer.status == .unauthorized)
            }
            #expect(
                try await client.ask(.post, "/login", fields(4), form: "passphrase=wrong").status == .tooManyRequests)
            #expect(try await client.ask(.get, "/probe", fields(5)).status == .unauthorized)
        }
    }

    /// The settings list the logins; another one is ended there, and its cookie opens nothing.
    @Test func anotherLoginIsEndedInTheSettings() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let (lost, own) = (try await client.session(), try await client.session())
            let id = try #require(Credential(lost.dropFirst("spendwise=".count), .session)).id
            let token = try #require(Credential(own.dropFirst("spendwise=".count), .session)).formToken
            let path = "/app/settings/sessions/\(id)/end"
            #expect(try await client.ask(.get, "/app/settings", cookie: own).text.contains(path))
            #expect(try await client.ask(.post, path, cookie: own, form: "csrf=\(token)").status == .seeOther)
            #expect(try await client.ask(.get, "/probe", cookie: lost).status == .unauthorized)
            #expect(try await client.ask(.get, "/probe", cookie: own).status == .ok)
        }
    }

    /// Parallel attempts are counted before they are checked.
    @Test func parallelAttemptsAreLimited() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<20 { group.addTask { try await client.login("wrong").status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(
                statuses.count { $0 == .unauthorized } == 3 && statuses.count { $0 == .tooManyRequests } == 17,
                "\(statuses)")
        }
    }

    @Test func idleSessionEnds() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let cookie = try await client.session()
            for _ in 0..<5 {
                site.pass(299)
                #expect(try await client.ask(.get, "/probe", cookie: cookie).status == .ok)
            }
            site.pass(300)
            #expect(try await client.ask(.get, "/probe", cookie: cookie).status == .unauthorized)
            #expect(try await client.ask(.get, "/probe", cookie: cookie).status == .unauthorized, "and stays ended")
        }
    }

    @Test func aSessionEndsInAnyCase() async throws {
        let site = try Site(AccessPolicy(sessions: SessionRules(idle: 300, longest: 1000)))
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let cookie = try await client.session()
            for _ in 0..<3 {
                site.pass(290)
                #expect(try await client.ask(.get, "/probe", cookie: cookie).status == .ok)
            }
            site.pass(130)
            #expect(try await client.ask(.get, "/probe", cookie: cookie).status == .unauthorized)
        }
    }

    @Test func anotherLoginIsAnotherSessionAndANewPassphraseEndsAll() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let first = try await client.session()
            // A planted first cookie is worthless after its owner logs in.
            let answer = try await client.ask(.post, "/login", cookie: first, form: "passphrase=lamp+river+otter")
            let second = String((answer.headers[.setCookie] ?? "").prefix { $0 != ";" })
            #expect(first != second)
            #expect(try await client.ask(.get, "/probe", cookie: first).status == .unauthorized)
            #expect(try await client.ask(.get, "/probe", cookie: second).status == .ok)
            try site.setPassphrase()
            #expect(try await client.ask(.get, "/probe", cookie: second).status == .unauthorized)
        }
    }

    /// Headers of a POST in a session, whether the form token is sent, and whether the request is accepted.
    static let posts: [(HTTPFields, Bool, Bool)] = [
        ([:], true, true), ([:], false, false), ([.origin: "http://localhost"], true, true),
        ([.origin: "http://LOCALHOST"], true, true),
        ([.origin: "https://localhost"], true, false), ([.origin: "http://localhost:8080"], true, false),
        ([.origin: "http://evil.example"], true, false), ([.origin: "null"], true, false),
        ([.fetchSite: "same-origin"], true, true), ([.fetchSite: "same-site"], true, false),
        ([.fetchSite: "cross-site"], true, false), ([.fetchSite: "none"], true, true),
        ([.fetchSite: "same-origin", .origin: "http://evil.example"], true, false),
        ([.fetchSite: "same-origin"], false, false),
    ]

    @Test(arguments: posts) func onlyThisSitesPagesMayChangeThings(
        headers: HTTPFields, hasToken: Bool, passes: Bool
    ) async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let cookie = try await client.session()
            let token = hasToken ? try #require(Credential(cookie.dropFirst(10), .session)).formToken : ""
            let expected: HTTPResponse.Status = passes ? .ok : .forbidden
            #expect(
                try await client.ask(.post, "/probe", cookie: cookie, headers, form: "a=1&csrf=\(token)&b=2").status
                    == expected)
            var more = headers
            more[.csrfToken] = token
            #expect(try await client.ask(.post, "/probe", cookie: cookie, more, json: "{}").status == expected)
            more = headers
            more[.contentType] = "multipart/form-data; boundary=x"
            #expect(try await client.ask(.post, "/probe?csrf=\(token)", cookie: cookie, more).status == expected)
            // The token of another login is invalid.
            let other = try await client.session()
            #expect(
                try await client.ask(.post, "/probe", cookie: other, headers, form: "csrf=\(token)").status
                    == .forbidden)
        }
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example", "/\\evil.example", "", "probe", "/login", "/a\nb", "/logout",
        "javascript:alert(1)",
    ]) func loginRedirectsToThisSiteOnly(next: String) {
        #expect(LoginRoutes.localTarget(next) == "/")
    }

    @Test func aCodeIsRedeemedForATokenOnce() async throws {
        let site = try Site()
        let code = PairingCode.random()
        let wrong = code.text == "00000000" ? "00000001" : "00000000"
        try await site.application.test(.router) { client in
            func pair(_ code: String) async throws -> TestResponse {
                try await client.ask(.post, "/pair", json: #"{"code":"\#(code)"}"#)
            }
            #expect(try await pair(code.text).status == .forbidden, "nothing is offered")
            _ = try site.store.access.offerPairing(code, name: "phone", scopes: .daily, user: 1, at: site.now)
            #expect(try await pair("123").status == .unprocessableContent)
            #expect(try await client.ask(.post, "/pair", json: "[").status == .unprocessableContent)
            for _ in 0..<4 { #expect(try await pair(wrong).status == .forbidden) }
            let answer = try await pair(code.grouped)
            #expect(answer.status == .created)
            let token = try #require(answer.text.split(separator: "\"").first { $0.hasPrefix("spw_") }.map(String.init))
            #expect(try await client.ask(.post, "/review/probe", token: token).text == "device phone")
            #expect(try await pair(code.text).status == .forbidden, "used")

            _ = try site.store.access.offerPairing(code, name: "tablet", scopes: .daily, user: 1, at: site.now)
            site.pass(300)
            #expect(try await pair(code.text).status == .forbidden, "too late")
            _ = try site.store.access.offerPairing(code, name: "tablet", scopes: .daily, user: 1, at: site.now)
            for _ in 0..<5 { #expect(try await pair(wrong).status == .forbidden) }
            #expect(try await pair(code.text).status == .forbidden, "too many tries")
            #expect(
                try site.store.audit.latest(limit: 100).count { $0.event == "pairing refused" } == 13
                    && site.store.audit.latest(limit: 100).count { $0.event == "paired" } == 1)
        }
    }
}
