import Access
import HTTPTypes
import Hummingbird
import NIOCore
import Store

/// Login and logout of a browser.
struct LoginRoutes {
    let services: WebServices
    let access: AccessGuard

    /// Limit of the form in bytes.
    private static let maximumBytes = 8192
    /// The same for a login page that carries a ``KeptForm``: encoded a second time, it is up to three times as long.
    private static let maximumBytesWithForm = maximumBytes + 3 * KeptForm.maximumBytes

    static func add(to router: Router<WebContext>, _ services: WebServices) {
        let routes = LoginRoutes(services: services, access: services.access)
        router.get("/login") { request, context in try await routes.page(request, context) }
        router.post("/login") { request, context in try await routes.login(request, context) }
        router.post("/logout") { request, context in try await routes.logout(request, context) }
        PasskeyLogin.add(to: router, services)
        StartPage.add(to: router, services)
        router.get("/session") { _, context in routes.session(context) }
    }

    private func page(_ request: Request, _ context: WebContext) async throws -> Response {
        let next = Self.localTarget(request.uri.queryParameters["next"].map(String.init))
        // A caller who needs no login, or is logged in, is redirected.
        if context.identity.scopes.allow(.read) { return Response(status: .seeOther, headers: [.location: next]) }
        return try await services.loginPage(LoginPage(next: next), request).response(.ok)
    }

    private func login(_ request: Request, _ context: WebContext) async throws -> Response {
        var request = request
        let limit = request.uri.queryParameters["kept"] == nil ? Self.maximumBytes : Self.maximumBytesWithForm
        let form = FormFields(String(buffer: try await request.collectBody(upTo: limit)))
        let next = Self.localTarget(form["next"])
        let kept = KeptForm(login: form)
        var page = try await services.loginPage(LoginPage(next: next, kept: kept), request)
        page.name = form.text("name") ?? ""
        let credential = Credential.random(.session)
        let isPasskey = form.text("passkey") != nil
        let attempt =
            isPasskey
            ? try await begin(credential, withPasskey: form, request, context, page)
            : try await begin(credential, withPassphrase: form, context, page)
        let user: UserRow
        switch attempt {
        case .begun(let found): user = found
        case .refused(let response): return response
        }
        // Each login gets a new cookie and ends the old session, which prevents session fixation.
        let old = request.cookies[access.cookieName].flatMap { Credential($0.value, .session) }
        if let old { try await services.ledger { try $0.access.endSession(id: old.id) } }
        await services.record(isPasskey ? "login with a passkey" : "login", context, who: Identity.person(user).who)
        var response =
            kept.map { form in
                ResendPage(
                    form: form, formToken: credential.formToken,
                    // With several users, another one may have logged in than the one who filled the form in.
                    isImmediate: !page.asksName && form.formToken.map { old?.matches(formToken: $0) ?? false } ?? false
                ).response(.ok)
            } ?? Response(status: .seeOther, headers: [.location: next])
        response.setCookie(access.cookie(credential.text))
        return response
    }

    private enum Attempt {
        /// The login has begun.
        case begun(UserRow)
        case refused(Response)
    }

    /// Begins a session of the user whom the form names, under the passphrase.
    private func begin(
        _ credential: Credential, withPassphrase form: FormFields, _ context: WebContext, _ page: LoginPage
    ) async throws -> Attempt {
        var page = page
        let user = try await services.loginUser(form.text("name"))
        switch try await services.check(form["passphrase"] ?? "", as: user?.id, of: context) {
        case .right(let secret):
            let longest = access.policy.sessions.longest
            if let user {
                let session = LoginSession(
                    id: credential.id, digest: credential.digest, user: user.id, started: access.clock.wall())
                if try await services.ledger({ try $0.access.begin(session, under: secret, longest: longest) }) {
                    return .begun(user)
                }
            }
            page.fault = .wrong
            return .refused(page.response(.unauthorized))
        case .wrong:
            await services.record("login refused", context, who: "")
            page.fault = .wrong
            return .refused(page.response(.unauthorized))
        case .wait(let seconds):
            await services.record("login put off", context, who: "")
            page.fault = .wait(seconds)
            return .refused(page.response(.tooManyRequests))
        case .busy:
            page.fault = .wait(PassphraseCheck.busyWait)
            return .refused(page.response(.serviceUnavailable))
        case .unset:
            page.isPassphraseSet = false
            return .refused(page.response(.forbidden))
        }
    }

    /// Begins a session of the user whose passkey it is.
    private func begin(
        _ credential: Credential, withPasskey form: FormFields, _ request: Request, _ context: WebContext,
        _ page: LoginPage
    ) async throws -> Attempt {
        let reason: PasskeyError
        switch try await PasskeyLogin(services: services).begin(credential, form, request) {
        case .success(let user): return .begun(user)
        case .failure(let error): reason = error
        }
        await services.record("passkey refused: \(reason.rawValue)", context, who: "")
        var page = page
        page.fault = .passkeyRefused
        return .refused(page.response(.unauthorized))
    }

    private func logout(_ request: Request, _ context: WebContext) async throws -> Response {
        if context.identity.kind == .person, let id = context.identity.id {
            try await services.ledger { try $0.access.endSession(id: id) }
            access.audit.forget(session: id)
            await services.record("logout", context, who: context.identity.who)
        }
        var response = Response(status: .seeOther, headers: [.location: "/login"])
        response.setCookie(access.cookie("", maxAge: 0))
        // Pages that the browser still has do not open again, not even with its back button.
        response.headers[.clearSiteData] = #""cache""#
        return response
    }

    private struct SessionAnswer: ResponseEncodable {
        var kind: String
        var name: String
        var scopes: [String]
        /// Of the user; `nil` if no login is required.
        var role: String?
        /// Seconds without a request after which the session ends.
        var idle_seconds: Int64?
    }

    private func session(_ context: WebContext) -> SessionAnswer {
        SessionAnswer(
            kind: context.identity.kind.rawValue, name: context.identity.name,
            scopes: context.identity.scopes.description.split(separator: ",").map(String.init),
            role: context.identity.role?.rawValue,
            idle_seconds: context.identity.kind == .person ? access.policy.sessions.idle : nil)
    }

    /// Returns the path if it is one of this site, otherwise `/`. Browsers read `//name` and `/\name` as other sites.
    static func localTarget(_ text: String?) -> String {
        guard let text, text.utf8.first == UInt8(ascii: "/"), text.utf8.count <= 2000,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            !text.hasPrefix("//"), !text.hasPrefix("/login"), !text.hasPrefix("/logout")
        else { return "/" }
        return text
    }
}

extension WebServices {
    /// The user who logs in: the one that the form names; without a choice, the only one.
    func loginUser(_ name: String?) async throws -> UserRow? {
        try await read { ledger in
            let users = try ledger.access.users().filter(\.isEnabled)
            guard users.count > 1 else { return users.first }
            return try name.flatMap { try ledger.access.user(named: $0) }.flatMap { $0.isEnabled ? $0 : nil }
        }
    }

    /// The page with what the ledger decides about it.
    func loginPage(_ page: LoginPage, _ request: Request) async throws -> LoginPage {
        var page = page
        (page.isPassphraseSet, page.asksName) = try await read { ledger in
            (try ledger.access.hasLoginSecret(), try ledger.access.users().count(where: \.isEnabled) > 1)
        }
        page.offersPasskeys = try await offersPasskeys(request)
        return page
    }
}
