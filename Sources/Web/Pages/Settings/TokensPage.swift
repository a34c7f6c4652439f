import Access
import Chronology
import Hummingbird
import Store

/// New tokens for programs, and codes for devices. Both outlive the login, so the passphrase is asked again.
struct TokensPage {
    let pages: Pages
    private var services: WebServices { pages.services }

    /// Lifetimes that a token can have, in days; 0 has no end.
    private static let lifetimes: [Int64] = [30, 90, 365, 0]
    private static let usualDays: Int64 = 365

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        let page = TokensPage(pages: pages)
        pages.get("/app/settings/tokens", on: router) { call in
            try await page.show(page.tokenForm(call), call, as: .newToken)
        }
        pages.post("/app/settings/tokens", on: router) { call in try await page.addToken(call) }
        pages.get("/app/settings/pair", on: router) { call in try await page.show(TokenView(call), call, as: .pair) }
        pages.post("/app/settings/pair", on: router) { call in try await page.pair(call) }
    }

    private func show(_ view: TokenView, _ call: PageCall, as page: Page) async throws -> Response {
        try await pages.show(page, call) { _ in view }
    }

    private func tokenForm(_ call: PageCall) -> TokenView {
        var view = TokenView(call)
        let chosen = call.form.all("scope")
        view.scopes = Scope.allCases.filter(call.context.identity.scopes.allow).compactMap { scope in
            scope.words.map {
                TokenView.ScopeChoice(
                    name: scope.rawValue, about: $0,
                    isChosen: chosen.isEmpty ? scope == .read : chosen.contains(scope.rawValue))
            }
        }
        let days = call.form["days"].flatMap { Int64($0) } ?? Self.usualDays
        view.lifetimes = Self.lifetimes.map { SelectChoice("\($0)", Self.title($0), chosen: "\(days)") }
        return view
    }

    private static func title(_ days: Int64) -> String {
        switch days {
        case 0: PageText.of("token.no-end")
        case 365: PageText.of("token.a-year")
        default: PageText.of("token.days", count: Int(days))
        }
    }

    /// The name of the new token, if it is valid and the passphrase is right; otherwise the view has the problems.
    private func name(_ call: PageCall, _ view: inout TokenView) async throws -> String? {
        view.problems += AccessName.problems(view.name)
        guard view.problems.isEmpty else { return nil }
        guard call.context.isLoggedIn else { return view.name }
        let check = try await services.check(
            call.form["passphrase"] ?? "", as: call.context.identity.user, of: call.context)
        view.problems = [check.problem].compactMap { $0 }
        return view.problems.isEmpty ? view.name : nil
    }

    private func addToken(_ call: PageCall) async throws -> Response {
        var view = tokenForm(call)
        let offered = view.scopes.map(\.name)
        let scopes = Scopes(call.form.all("scope").filter(offered.contains).joined(separator: ","))
        if scopes == nil { view.problems.append(PageText.of("token.choose-scope")) }
        guard let days = call.form["days"].flatMap({ Int64($0) }), Self.lifetimes.contains(days)
        else { throw PageProblem.missing(PageText.of("missing.lifetime")) }
        guard let name = try await name(call, &view), let scopes else {
            return try await show(view, call, as: .newToken)
        }
        let (credential, now) = (Credential.random(.token), services.access.clock.wall())
        let user = call.context.identity.user
        try await services.write { ledger in
            let token = AccessToken(
                id: credential.id, name: name, user: try user ?? ledger.access.firstOwner().id,
                digest: credential.digest, scopes: scopes.description, created: now
            ) {
                if days > 0 { $0.expires = now + days * 86_400 }
            }
            try ledger.access.add(token)
        }
        await services.record("token added: \(name) (\(scopes))", call.context, who: call.context.identity.who)
        view.made = TokenView.Made(secret: credential.text, about: PageText.of("token.may", ["scopes": "\(scopes)"]))
        return try await show(view, call, as: .newToken)
    }

    private func pair(_ call: PageCall) async throws -> Response {
        var view = TokenView(call)
        guard let name = try await name(call, &view) else { return try await show(view, call, as: .pair) }
        let (code, now) = (PairingCode.random(), services.access.clock.wall())
        let (user, role) = (call.context.identity.user, call.context.identity.role ?? .owner)
        let scopes = Scopes.daily.limited(to: role)
        let server = try await services.write { ledger in
            _ = try ledger.access.offerPairing(
                code, name: name, scopes: scopes, user: try user ?? ledger.access.firstOwner().id, at: now)
            return try ledger.access.webServer()
        }
        await services.record("pairing offered: \(name) (\(scopes))", call.context, who: call.context.identity.who)
        let address = server?.url ?? services.access.address(of: call.request)
        view.made = TokenView.Made(
            secret: code.grouped, about: address, certificate: server?.certificate.map(CertificateFingerprint.grouped),
            link: code.link(to: address, certificate: server?.certificate),
            isLocal: isLoopback(authority: String(address.split(separator: "/").last ?? "")))
        return try await show(view, call, as: .pair)
    }
}

extension Scope {
    /// What it allows, after "may"; `nil` for all rights, which only `parserctl` gives to a token.
    var words: String? {
        switch self {
        case .read: PageText.of("token.scope-read")
        case .write: PageText.of("token.scope-write")
        case .review: PageText.of("token.scope-review")
        case .calendar: PageText.of("token.scope-calendar")
        case .shortcut: PageText.of("token.scope-shortcut")
        case .admin: nil
        }
    }
}

extension AccessGuard {
    /// The address that the browser of this request uses, without a path.
    func address(of request: Request) -> String {
        "\(policy.isTLS ? "https" : "http")://\(request.head.authority ?? "localhost")"
    }
}

struct TokenView: FormView {
    struct ScopeChoice: Sendable {
        var name: String
        var about: String
        var isChosen: Bool
    }

    /// What is shown once.
    struct Made: Sendable {
        /// A token, or a pairing code.
        var secret: String
        /// What the token may do, or the server's address.
        var about: String
        var certificate: String?
        var link: String?
        /// True if only this machine can reach the address.
        var isLocal = false
    }

    var name: String
    var asksPassphrase: Bool
    var scopes: [ScopeChoice] = []
    var lifetimes: [SelectChoice] = []
    var problems: [String] = []
    var made: Made?

    init(_ call: PageCall) {
        name = call.form.text("name") ?? ""
        asksPassphrase = call.context.isLoggedIn
    }
}
