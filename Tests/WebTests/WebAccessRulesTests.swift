import Access
import Chronology
import ExpositionFixture
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Store
import Testing

@testable import Web

@Suite struct AccessTests {
    /// Method, route template, required access.
    static let needs: [(HTTPRequest.Method, String, AccessTable.Need)] = [
        (.get, "/", .openAsJSON(.read)), (.get, "/health", .open), (.get, "/metrics", .openOnLoopback(.read)),
        (.get, "/login", .open), (.post, "/login", .open), (.get, "/login/passkey", .open),
        (.post, "/login/passkey", .scope(.write)), (.get, "/start", .open), (.post, "/start", .open),
        (.get, "/app/settings/passkeys", .person), (.post, "/app/settings/tokens", .person),
        (.get, "/app/settings", .person), (.post, "/app/settings/sessions/{id}/end", .person),
        (.get, "/app/settings/users", .scope(.admin)), (.post, "/app/settings/users/{id}", .scope(.admin)),
        (.post, "/app/settings/sinks/test", .scope(.admin)), (.get, "/app/transactions/new", .scope(.write)),
        (.get, "/app/review/{id}/template", .scope(.review)),
        (.post, "/logout", .open), (.post, "/pair", .open), (.get, "/session", .anyone),
        (.get, "/static/{name}", .open), (.get, "/static", .open),
        (.get, "/transactions", .scope(.read)), (.get, "/transactions/{id}", .scope(.read)),
        (.put, "/transactions/{id}", .scope(.write)),
        (.delete, "/transactions/{id}", .scope(.write)), (.post, "/transactions/bulk", .scope(.write)),
        (.get, "/transactions/export", .scope(.read)), (.get, "/transactions/export/csv", .scope(.read)),
        (.get, "/app/export/file", .scope(.read)),
        (.post, "/shortcuts/transaction", .scope(.shortcut)), (.get, "/shortcuts/transaction", .scope(.shortcut)),
        (.get, "/review", .scope(.read)), (.post, "/review/{id}/accept", .scope(.review)),
        (.post, "/reviewers", .scope(.write)), (.post, "/parsers/test", .scope(.read)),
        (.post, "/app/review/{id}", .scope(.review)), (.get, "/app/review", .scope(.read)),
        (.post, "/app/banks/test", .scope(.read)), (.post, "/app/undo", .scope(.write)),
        (.post, "/parsers", .scope(.write)), (.get, "/access/tokens", .scope(.admin)),
        (.delete, "/access/tokens/{id}", .scope(.admin)), (.post, "/", .scope(.write)),
        (.post, "/health", .scope(.write)), (.post, "/static/x", .scope(.write)),
        (.init("PROPFIND")!, "/transactions", .scope(.write)), (.head, "/transactions", .scope(.read)),
    ]

    @Test(arguments: needs) func theTable(method: HTTPRequest.Method, template: String, need: AccessTable.Need) {
        #expect(AccessTable.need(method, template) == need)
    }

    @Test func onlyOpenRoutesAnswerWithoutAToken() async throws {
        let site = try Site()
        try await site.application.test(.router) { client in
            for path in ["/", "/health", "/metrics", "/login"] {
                #expect(try await client.ask(.get, path).status == .ok, "\(path)")
            }
            for (method, path) in [
                (.get, "/probe"), (.post, "/probe"), (.post, "/review/probe"), (.get, "/session"),
                (.get, "/access/probe"),
            ] as [(HTTPRequest.Method, String)] {
                let answer = try await client.ask(method, path)
                #expect(
                    answer.status == .unauthorized && answer.headers[.contentType] == "application/problem+json",
                    "\(path)")
                #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") ?? false)
                #expect(answer.text.contains("parserctl token add") && answer.text.contains(#""status":401"#))
            }
            #expect(try await client.ask(.get, "/nothing").status == .notFound)
            // A browser is redirected to the login, and back.
            let page = try await client.ask(.get, "/probe?days=7&x=a%20b", [.accept: "text/html,*/*"])
            #expect(
                page.status == .seeOther && page.headers[.location] == "/login?next=/probe%3Fdays%3D7%26x%3Da%2520b",
                "\(page.headers)")
            #expect(try await client.ask(.get, "/", [.accept: "text/html"]).headers[.location] == "/login")
        }
    }

    /// Metrics name the user's banks: only this machine may read them without a token.
    @Test(arguments: [(true, HTTPResponse.Status.ok), (false, .unauthorized)]) func metricsNeedATokenFromElsewhere(
        isLoopback: Bool, status: HTTPResponse.Status
    ) async throws {
        let site = try Site(AccessPolicy(isTLS: !isLoopback, isLoopback: isLoopback))
        let token = try site.token(Scopes([.read]))
        let writer = try site.token(Scopes([.write]), name: "writer")
        try await site.application.test(.router) { client in
            let answer = try await client.ask(.get, "/metrics")
            #expect(answer.status == status && answer.text.contains("spendwise_build_info") == isLoopback)
            #expect(try await client.ask(.head, "/metrics").status == status)
            #expect(try await client.ask(.get, "/metrics", token: token).status == .ok)
            #expect(try await client.ask(.get, "/metrics", token: writer).status == (isLoopback ? .ok : .forbidden))
        }
    }

    @Test func aFloodIsToldHowLongToWait() {
        #expect(Refusal.tooMany(1).detail.hasPrefix("Try again in a second;"))
        #expect(Refusal.tooMany(30).detail.hasPrefix("Try again in 30 seconds;"))
    }

    /// An alarm on guesses and floods is a rule of Prometheus over these numbers.
    @Test func metricsCountTheRefusals() async throws {
        let site = try Site(AccessPolicy(requestsPerMinute: 5))
        try site.setPassphrase()
        let reader = try site.token(Scopes([.read]))
        try await site.application.test(.router) { client in
            func count(_ status: Int) async throws -> Double? {
                try ExpositionParser(await client.ask(.get, "/metrics", token: reader).text).samples
                    .first { $0.name == "spendwise_web_responses_total" && $0.labels == ["status": "\(status)"] }?.value
            }
            #expect(try await count(401) == 0)
            for _ in 0..<2 { _ = try await client.login("wrong") }
            _ = try await client.ask(.get, "/probe", token: "spw_wrong")
            #expect(try await count(401) == 3)
            #expect(try await count(429) == 0)
            for _ in 0..<10 { _ = try await client.ask(.get, "/probe") }
            #expect(try await count(429) ?? 0 > 0)
        }
    }

    /// The scopes of a token, and the status of: read, write, review, test bench, admin.
    static let scopes: [(Scopes, [HTTPResponse.Status])] = [
        (Scopes([.read]), [.ok, .forbidden, .forbidden, .ok, .forbidden]),
        (Scopes([.write]), [.forbidden, .ok, .forbidden, .forbidden, .forbidden]),
        (Scopes([.review]), [.forbidden, .forbidden, .ok, .forbidden, .forbidden]),
        (Scopes([.shortcut]), [.forbidden, .forbidden, .forbidden, .forbidden, .forbidden]),
        (.daily, [.ok, .ok, .ok, .ok, .forbidden]), (Scopes([.admin]), [.ok, .ok, .ok, .ok, .ok]),
    ]

    @Test(arguments: scopes) func tokenIsLimitedToItsScopes(
        scopes: Scopes, statuses: [HTTPResponse.Status]
    ) async throws {
        let site = try Site()
        let token = try site.token(scopes, name: "phone")
        try await site.application.test(.router) { client in
            let requests: [(HTTPRequest.Method, String)] = [
                (.get, "/probe"), (.post, "/probe"), (.post, "/review/probe"), (.get, "/review/probe"),
                (.post, "/access/probe"),
            ]
            for ((method, path), status) in zip(requests, statuses) {
                let answer = try await client.ask(method, path, token: token)
                #expect(answer.status == status, "\(method) \(path)")
                if status == .ok {
                    #expect(answer.text == "token phone")
                } else {
                    #expect(answer.headers[.wwwAuthenticate]?.contains("insufficient_scope") ?? false)
                }
            }
            #expect(try await client.ask(.get, "/session", token: token).text.contains(#""name":"phone""#))
        }
    }

    @Test func badTokensAreRefused() async throws {
        let site = try Site()
        let good = try site.token(.all, name: "good", expires: site.now + 100)
        let revoked = try site.token(.all, name: "revoked")
        _ = try site.store.access.revokeToken(named: "revoked", at: site.now)
        try await site.application.test(.router) { client in
            #expect(try await client.ask(.get, "/probe", token: good).status == .ok)
            let forged = String(good.dropLast()) + (good.hasSuffix("A") ? "E" : "A")
            for token in [
                revoked, forged, Credential.random(.token).text, "spw_", "", "x y", String(repeating: "a", count: 5000),
            ] {
                let answer = try await client.ask(.get, "/probe", token: token)
                #expect(
                    answer.status == .unauthorized
                        && answer.headers[.wwwAuthenticate]?.contains("invalid_token") ?? false, "\(token)")
                #expect(token.utf8.count < 10 || !answer.text.contains(token))
            }
            #expect(try await client.ask(.get, "/probe", [.authorization: "Basic eDp5"]).status == .unauthorized)
            // Open routes still answer.
            #expect(try await client.ask(.get, "/health", token: revoked).status == .ok)
            site.pass(100)
            let expired = try await client.ask(.get, "/probe", token: good)
            #expect(expired.status == .unauthorized && expired.text.contains("expired"))
        }
    }

    @Test func localClientsHaveAllPermissionsWithoutLogin() async throws {
        let site = try Site(.open)
        try await site.application.test(.router) { client in
            #expect(try await client.ask(.post, "/access/probe").text == "local")
            for _ in 0..<200 { _ = try await client.ask(.get, "/probe") }
            #expect(try await client.ask(.get, "/probe").status == .ok)
            #expect(try await client.ask(.post, "/probe", [.origin: "https://evil.example"]).status == .forbidden)
            #expect(try await client.ask(.post, "/probe", [.fetchSite: "cross-site"]).status == .forbidden)
        }
    }

    /// The Host header, and whether it names a server that is called books.example and 192.0.2.7.
    static let hosts: [(String, Bool)] = [
        ("localhost", true), ("LOCALHOST:8001", true), ("127.0.0.1:8001", true), ("[::1]:8001", true),
        ("books.example", true), ("Books.Example.:8001", true),
        ("192.0.2.7:8001", true), ("", false), ("evil.example", false), ("books.example.evil.example", false),
        ("192.0.2.8", false), ("xbooks.example", false),
        ("localhost:80:evil.example", false), ("localhost:evil", false), ("localhost@evil.example", false),
        ("[::1]evil.example", false), ("[::1", false), (":80", false),
        ("localhost:", true), ("127.0.0.1.evil.example", false),
    ]

    @Test(arguments: hosts) func onlyConfiguredNamesAreServed(host: String, isServed: Bool) throws {
        let site = try Site(AccessPolicy(names: ["books.example", "192.0.2.7"]))
        #expect(site.services.access.isServed(authority: host) == isServed)
    }

    @Test func everyAnswerHasTheProtectiveHeaders() async throws {
        let site = try Site()
        try await site.application.test(.router) { client in
            for path in ["/", "/login", "/probe", "/nothing", "/health", "/metrics", "/openapi.json"] {
                let headers = try await client.ask(.get, path).headers
                #expect(headers[.permissionsPolicy] == "camera=(), microphone=(), geolocation=()")
                let type = headers[.contentType] ?? ""
                #expect(!type.isEmpty && (!type.hasPrefix("text/") || type.contains("charset=utf-8")), "\(path)")
                // No other site may read an answer, and the server's software is not named.
                #expect(headers[.accessControlAllowOrigin] == nil && headers[.server] == nil, "\(path)")
                let policy = headers[.contentSecurityPolicy] ?? ""
                #expect(
                    policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'")
                        && !policy.contains("unsafe"), "\(path)")
                #expect(
                    headers[.xContentTypeOptions] == "nosniff" && headers[.frameOptions] == "DENY"
                        && headers[.cacheControl] == "no-store"
                        && headers[.openerPolicy] == "same-origin")
                #expect(
                    headers[.requestID]?.isEmpty == false && headers[.referrerPolicy] == "same-origin"
                        && headers[.crossOriginResourcePolicy] == "same-origin")
            }
        }
    }

    /// A browser that was here once uses TLS from then on; the loopback has other programs on other ports.
    @Test(arguments: [(true, false, true), (true, true, false), (false, true, false)])
    func transportIsStrictBeyondTheLoopback(isTLS: Bool, isLoopback: Bool, isStrict: Bool) async throws {
        let site = try Site(AccessPolicy(isTLS: isTLS, isLoopback: isLoopback))
        try await site.application.test(.router) { client in
            let headers = try await client.ask(.get, "/login").headers
            #expect(headers[.strictTransportSecurity] == (isStrict ? "max-age=31536000" : nil))
        }
    }

    @Test func tooManyRequestsWait() async throws {
        let site = try Site(AccessPolicy(requestsPerMinute: 6))
        let token = try site.token(.all, name: "busy")
        let other = try site.token(.all, name: "other")
        try await site.application.test(.router) { client in
            for _ in 0..<6 { #expect(try await client.ask(.get, "/probe", token: token).status == .ok) }
            let answer = try await client.ask(.get, "/probe", token: token)
            #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] == "10")
            #expect(try await client.ask(.get, "/probe", token: other).status == .ok, "another client is not held back")
            #expect(try await client.ask(.get, "/health").status == .ok)
            site.pass(10)
            #expect(try await client.ask(.get, "/probe", token: token).status == .ok)
            #expect(try await client.ask(.get, "/probe", token: token).status == .tooManyRequests)
            // The limit of a whole address is ten times as high; above it not even the open routes answer.
            var statuses: [HTTPResponse.Status] = []
            for _ in 0..<60 { statuses.append(try await client.ask(.get, "/login").status) }
            #expect(statuses.first == .ok && statuses.last == .tooManyRequests)
        }
    }

    @Test func auditLogRecordsOnlyActorAndAction() async throws {
        let site = try Site()
        try site.setPassphrase()
        let token = try site.token(.daily, name: "phone")
        try await site.application.test(.router) { client in
            let answer = try await client.ask(.get, "/probe?merchant=HILL+COFFEE&amount=71.50", token: token)
            _ = try await client.ask(.get, "/access/probe", token: token)
            _ = try await client.ask(.get, "/health")
            _ = try await client.login("not this one")
            await site.services.access.audit.flush()
            let log = try site.store.audit.latest(limit: 100)
            #expect(
                log.contains {
                    $0.event == "request" && $0.who == "token phone" && $0.route == "/probe" && $0.status == 200
                        && $0.requestID == answer.headers[.requestID]
                })
            #expect(
                log.contains { $0.who == "token phone" && $0.route == "/access/probe" && $0.status == 403 }
                    && log.contains { $0.event == "login refused" })
            #expect(!log.contains { $0.route == "/health" })
            let text = "\(log)"
            for secret in ["HILL", "71.50", token, "not this", String(token.suffix(43))] {
                #expect(!text.contains(secret))
            }
            #expect(try site.store.access.tokens().first?.lastUsed == site.now)
        }
    }
}
