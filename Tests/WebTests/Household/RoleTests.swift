import Access
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Store
import Testing

@testable import Web

/// What each role may do, over all routes of the router, so that a new one is covered without a change here.
@Suite struct RoleTests {
    private static let safe: Set<HTTPRequest.Method> = [.get, .head, .options]

    /// Changing routes that a reader may request: logins and what is the reader's own, and dry runs.
    private static let openToReaders: Set<String> = [
        "/login", "/logout", "/start", "/pair", "/app/language", "/app/theme", "/app/banks/test", "/parsers/test",
        "/categories/mappings/preview", "/app/settings/passphrase", "/app/settings/passkeys",
        "/app/settings/passkeys/new", "/app/settings/passkeys/{id}/remove", "/app/settings/sessions/{id}/end",
        "/app/settings/tokens", "/app/settings/tokens/{id}/revoke", "/app/settings/pair",
    ]
    /// Pages that readers have no use for.
    private static let closedToReaders: Set<String> = [
        "/app/transactions/new", "/app/transactions/bulk", "/app/mappings/new", "/app/review/{id}/template",
    ]
    private static let ownersOnly = [
        "/app/settings/users", "/app/settings/sinks", "/app/settings/devices", "/app/settings/sms",
        "/app/settings/mailboxes", "/app/settings/notifications", "/app/settings/templates",
    ]
    /// Routes that a token needs a scope of its own for.
    private static let special: Set<String> = ["/shortcuts/transaction"]

    private static func isOwners(_ path: String) -> Bool { ownersOnly.contains { path.hasPrefix($0) } }

    private static func isForbidden(_ role: Role, _ method: HTTPRequest.Method, _ path: String) -> Bool {
        switch role {
        case .owner: false
        case .editor: isOwners(path)
        case .reader:
            isOwners(path) || special.contains(path)
                || (safe.contains(method) ? closedToReaders.contains(path) : !openToReaders.contains(path))
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Role.allCases) func everyRoute(role: Role) async throws {
        let site = try Site(AccessPolicy(requestsPerMinute: 0))
        try site.setPassphrase()
        let user = try site.add("Ravi", role)
        let routes = WebApplication.router(site.services).routes.map { (method: $0.method, path: "\($0.path)") }
            // These end the login of the test.
            .filter { $0.path != "/logout" && $0.path != "/login" && !$0.path.hasPrefix("/static") }
        #expect(routes.count > 200, "\(routes.count) routes")
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client, client.session(as: "Ravi"))
            let token = try site.token(Scopes([.admin]), name: "all", user: user.id)
            for route in routes where [.get, .post, .put, .patch, .delete].contains(route.method) {
                let target = route.path.replacing(#/\{[^}]*\}/#, with: "999")
                let isForbidden = Self.isForbidden(role, route.method, route.path)
                let answer = try await client.ask(
                    route.method, target, cookie: person.cookie, [.csrfToken: person.csrf],
                    form: Self.safe.contains(route.method) ? nil : "csrf=\(person.csrf)")
                let isRefused = answer.status == .forbidden && answer.text.contains("Your role is \(role.rawValue)")
                #expect(isRefused == isForbidden, "\(route) for \(role): \(answer.status)")
                // A token can do no more than its user. For what is a login's own, it needs all rights of an owner.
                guard isForbidden else { continue }
                let byToken = try await client.ask(route.method, target, token: token)
                #expect(byToken.status == .forbidden, "\(route) for a token of \(role): \(byToken.status)")
            }
        }
    }

    /// The scopes of a token, the role of its user, and the status of: read, write, review, admin.
    static let tokens: [(Scopes, Role, [HTTPResponse.Status])] = [
        (.all, .owner, [.ok, .ok, .ok, .ok]), (.all, .editor, [.ok, .ok, .ok, .forbidden]),
        (.all, .reader, [.ok, .forbidden, .forbidden, .forbidden]),
        (Scopes([.admin]), .editor, [.ok, .ok, .ok, .forbidden]),
        (Scopes([.write]), .reader, [.forbidden, .forbidden, .forbidden, .forbidden]),
        (Scopes([.read]), .owner, [.ok, .forbidden, .forbidden, .forbidden]),
    ]

    @Test(arguments: tokens) func aTokenHasWhatItsScopesAndItsUserAllow(
        scopes: Scopes, role: Role, statuses: [HTTPResponse.Status]
    ) async throws {
        let site = try Site()
        let user = try site.add("Ravi", role)
        let token = try site.token(scopes, name: "phone", user: user.id)
        try await site.application.test(.router) { client in
            let requests: [(HTTPRequest.Method, String)] = [
                (.get, "/probe"), (.post, "/probe"), (.post, "/review/probe"), (.post, "/access/probe"),
            ]
            for ((method, path), status) in zip(requests, statuses) {
                #expect(try await client.ask(method, path, token: token).status == status, "\(method) \(path)")
            }
            _ = try site.store.access.setRole(.reader, ofUser: site.add("Meera", .owner).id)
            _ = try site.store.access.disableUser(user.id, at: site.now)
            let refused = try await client.ask(.get, "/probe", token: token)
            #expect(refused.status == .unauthorized)
        }
    }

    /// A reader's pages have neither a form that would be refused nor a link to a page that is.
    @Test(.timeLimit(.minutes(5)), arguments: [Role.reader, .editor]) func pagesOfferWhatTheRoleMayDo(
        role: Role
    ) async throws {
        let site = try Site(AccessPolicy(requestsPerMinute: 0))
        try site.setPassphrase()
        _ = try site.add("Ravi", role)
        try site.fill()
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client, client.session(as: "Ravi"))
            let pages = try await site.crawl(client, cookie: person.cookie)
            #expect(pages.count > 30, "\(pages.keys.sorted())")
            var forms: Set<String> = []
            for (path, page) in pages {
                // No profile describes the bank of the sample mails.
                guard path != "/app/banks/example" else { continue }
                #expect(page.status == .ok, "\(path): \(page.status)")
                for form in page.text.matches(of: #/<form method="post" action="([^"?]*)/#) {
                    forms.insert(String(form.1))
                }
            }
            for form in forms {
                let answer = try await person.post(form.replacing("&amp;", with: "&"), [("probe", "1")])
                #expect(
                    !(answer.status == .forbidden && answer.text.contains("Your role is")),
                    "\(form) is offered to a \(role.rawValue)")
            }
            #expect(forms.contains("/logout"))
            #expect(forms.contains { $0.hasPrefix("/app/budgets") } == (role == .editor), "\(forms.sorted())")
        }
    }

    @Test func anEditorsAcceptanceTrustsNoSender() throws {
        let site = try Site()
        let editor = try site.add("Ravi", .editor)
        #expect(editor.role == .editor)
        #expect(Role.editor.scopes.allow(.write) && !Role.editor.scopes.allow(.admin))
        #expect(!Role.reader.scopes.allow(.write) && !Role.reader.scopes.allow(.review))
        #expect(Scopes([.admin]).limited(to: .reader) == Role.reader.scopes)
        #expect(Scopes([.shortcut]).limited(to: .reader) == Scopes.none)
    }
}
