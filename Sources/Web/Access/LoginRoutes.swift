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
        var page = LoginPage(next: next)
        page.isPassphraseSet = try await services.ledger { try $0.access.loginSecret() } != nil
        page.offersPasskeys = try await services.offersPasskeys(request)
        return page.response(.ok)
    }

    private func login(_ request: Request, _ context: WebContext) async throws -> Response {
        var request = request
        let limit = request.uri.queryParameters["kept"] == nil ? Self.maximumBytes : Self.maximumBytesWithForm
        let form = FormFields(String(buffer: try await request.collectBody(upTo: limit)))
        let next = Self.localTarget(form["next"])
        let kept = KeptForm(login: form)
        var page = LoginPage(next: next, kept: kept)
        page.offersPasskeys = try await services.offersPasskeys(request)
        let credential = Credential.random(.session)
        let session = LoginSession(id: credential.id, digest: credential.digest, started: access.clock.wall())
        let isPasskey = form.text("passkey") != nil
        let refusal =
            isPasskey
            ? try await refusal(of: session, withPasskey: form, request, context, page)
            : try await refusal(of: session, withPassphrase: form["passphrase"] ?? "", context, page)
        if let refusal { return refusal }
        // Each login gets a new cookie and ends the old session, which prevents session fixation.
        let old = request.cookies[access.cookieName].flatMap { Credential($0.value, .session) }
        if let old { try await services.ledger { try $0.access.endSession(id: old.id) } }
        await services.record(isPasskey ? "login with a passkey" : "login", context, who: "person")
        var response =
            kept.map { form in
                ResendPage(
                    form: form, formToken: credential.formToken,
                    isImmediate: form.formToken.map { old?.matches(formToken: $0) ?? false } ?? false
                ).response(.ok)
            } ?? Response(status: .seeOther, headers: [.location: next])
        response.setCookie(access.cookie(credential.text))
        return response
    }

    /// Begins the session under the passphrase. Returns the answer if it does not begin.
    private func refusal(
        of session: LoginSession, withPassphrase passphrase: String, _ context: WebContext, _ page: LoginPage
    ) async throws -> Response? {
        var page = page
        switch try await services.check(passphrase, of: context) {
        case .right(let secret):
            let longest = access.policy.sessions.longest
            if try await services.ledger({ try $0.access.begin(session, under: secret, longest: longest) }) {
                return nil
            }
            page.fault = .wrong
            return page.response(.unauthorized)
        case .wrong:
            await services.record("login refused", context, who: "")
            page.fault = .wrong
            return page.response(.unauthorized)
        case .wait(let seconds):
            await services.record("login put off", context, who: "")
            page.fault = .wait(seconds)
            return page.response(.tooManyRequests)
        case .busy:
            page.fault = .wait(PassphraseCheck.busyWait)
            return page.response(.serviceUnavailable)
        case .unset:
            page.isPassphraseSet = false
            return page.response(.forbidden)
        }
    }

    /// Begins the session by a passkey. Returns the answer if it does not begin.
    private func refusal(
        of session: LoginSession, withPasskey form: FormFields, _ request: Request, _ context: WebContext,
        _ page: LoginPage
    ) async throws -> Response? {
        guard let reason = try await PasskeyLogin(services: services).begin(session, form, request) else { return nil }
        await services.record("passkey refused: \(reason.rawValue)", context, who: "")
        var page = page
        page.fault = .passkeyRefused
        return page.response(.unauthorized)
    }

    private func logout(_ request: Request, _ context: WebContext) async throws -> Response {
        if context.identity.kind == .person, let id = context.identity.id {
            try await services.ledger { try $0.access.endSession(id: id) }
            access.audit.forget(session: id)
            await services.record("logout", context, who: "person")
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
        /// Seconds without a request after which the session ends.
        var idle_seconds: Int64?
    }

    private func session(_ context: WebContext) -> SessionAnswer {
        SessionAnswer(
            kind: context.identity.kind.rawValue, name: context.identity.name,
            scopes: context.identity.scopes.description.split(separator: ",").map(String.init),
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
