import Access
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Web

/// Every route that changes something, requested as a page of another site could: with a person's cookie, without the
/// form token. The routes are the router's own, so a new one is covered without a change here.
@Suite struct CrossSiteRouteTests {
    private static let changing: Set<HTTPRequest.Method> = [.post, .put, .patch, .delete]

    /// The body types that an HTML form of another site can send, and JSON.
    private static let bodies: [(type: String, text: String)] = [
        ("application/x-www-form-urlencoded", "a=1"), ("application/x-www-form-urlencoded", "csrf="),
        ("text/plain", "csrf=x"), ("multipart/form-data; boundary=x", "--x--"), ("application/json", "{}"), ("", ""),
    ]

    @Test(.timeLimit(.minutes(5))) func noRouteChangesAnythingWithoutTheFormToken() async throws {
        let site = try Site(AccessPolicy(requestsPerMinute: 0))
        try site.setPassphrase()
        // The login is the only change without a token: the passphrase authenticates it.
        let routes = WebApplication.router(site.services).routes.map { (method: $0.method, path: "\($0.path)") }
            .filter { Self.changing.contains($0.method) && $0.path != "/login" }
        #expect(routes.count > 100, "\(routes.count) routes")
        #expect(routes.contains { $0.path == "/app/review/{id}" && $0.method == .post })
        try await site.application.test(.router) { client in
            let cookie = try await client.session()
            for route in routes {
                let target = route.path.replacing(#/\{[^}]*\}/#, with: "1")
                for body in Self.bodies {
                    let answer = try await client.execute(
                        uri: target, method: route.method, headers: [.cookie: cookie, .contentType: body.type],
                        body: ByteBuffer(string: body.text))
                    #expect(
                        answer.status == .forbidden && answer.text.contains("Cross-site request refused"),
                        "\(route) with '\(body.type)': \(answer.status)")
                }
            }
            #expect(try await client.ask(.get, "/session", cookie: cookie).status == .ok, "the login still holds")
        }
    }

    /// The same requests with the token pass the check, so that a refusal above is the check's and not the route's.
    @Test func withTheFormTokenARouteAnswersItself() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let cookie = try await client.session()
            let token = try #require(Credential(cookie.dropFirst("spendwise=".count), .session)).formToken
            for path in ["/app/undo", "/transactions", "/app/mappings/1/delete", "/health"] {
                let answer = try await client.ask(.post, path, cookie: cookie, form: "csrf=\(token)")
                #expect(!answer.text.contains("Cross-site request refused"), "\(path)")
            }
        }
    }
}
