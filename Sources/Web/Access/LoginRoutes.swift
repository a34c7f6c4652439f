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
        router.get("/session") { _, context in routes.session(context) }
    }

    private func page(_ request: Request, _ context: WebContext) async throws -> Response {
        let next = Self.localTarget(request.uri.queryParameters["next"].map(String.init))
        // A caller who needs no login, or is logged in, is redirected.
        if context.identity.scopes.allow(.read) { return Response(status: .seeOther, headers: [.location: next]) }
        let isSet = try await services.ledger { try $0.access.loginSecret() } != nil
        return LoginPage(next: next, isPassphraseSet: isSet).response(.ok)
    }

    private func login(_ request: Request, _ context: WebContext) async throws -> Response {
        var request = request
        let limit = request.uri.queryParameters["kept"] == nil ? Self.maximumBytes : Self.maximumBytesWithForm
        let form = FormFields(String(buffer: try await request.collectBody(upTo: limit)))
        let next = Self.localTarget(form["next"])
        let kept = KeptForm(login: form)
        guard let text = try await services.ledger({ try $0.access.loginSecret() }), let secret = PassphraseHash(text)
        else {
            return LoginPage(next: next, isPassphraseSet: false).response(.forbidden)
        }
        let (client, now) = (context.address, access.clock.wall())
        let wait = try await services.ledger { try $0.access.reserveAttempt(of: client, at: now) }
        guard wait == 0 else {
            await record("login put off", context, who: "")
            return LoginPage(next: next, kept: kept, wait: Int(wait)).response(.tooManyRequests)
        }
        let passphrase = form["passphrase"] ?? ""
        guard passphrase.utf8.count <= PassphraseRules.maximumBytes,
            let isRight = await access.verifier.matches(passphrase, secret)
        else {
            return LoginPage(next: next, kept: kept, wait: 5).response(.serviceUnavailable)
        }
        guard isRight else {
            await record("login refused", context, who: "")
            return LoginPage(next: next, kept: kept, isWrong: true).response(.unauthorized)
        }
        let credential = Credential.random(.session)
        let session = LoginSession(id: credential.id, digest: credential.digest, started: now)
        let longest = access.policy.sessions.longest
        let old = request.cookies[access.cookieName].flatMap { Credential($0.value, .session) }
        let hasBegun = try await services.ledger { store in
            try store.access.attemptSucceeded(of: client)
            // Each login gets a new cookie and ends the old session, which prevents session fixation.
            if let old { try store.access.endSession(id: old.id) }
            return try store.access.begin(session, under: text, longest: longest)
        }
        guard hasBegun else { return LoginPage(next: next, kept: kept, isWrong: true).response(.unauthorized) }
        await record("login", context, who: "person")
        var response =
            kept.map { form in
                ResendPage(
                    form: form, formToken: credential.formToken,
                    isImmediate: form.formToken.map { old?.matches(formToken: $0) ?? false } ?? false
                ).response(.ok)
            } ?? Response(status: .seeOther, headers: [.location: next])
        response.setCookie(cookie(credential.text))
        return response
    }

    private func logout(_ request: Request, _ context: WebContext) async throws -> Response {
        if context.identity.kind == .person, let id = context.identity.id {
            try await services.ledger { try $0.access.endSession(id: id) }
            access.audit.forget(session: id)
            await record("logout", context, who: "person")
        }
        var response = Response(status: .seeOther, headers: [.location: "/login"])
        response.setCookie(cookie("", maxAge: 0))
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

    private func cookie(_ value: String, maxAge: Int? = nil) -> Cookie {
        Cookie(
            name: access.cookieName, value: value, maxAge: maxAge, path: "/", secure: access.policy.isTLS,
            httpOnly: true, sameSite: .strict)
    }

    /// Records a login event at once, so that a crash cannot hide an attempt to guess the passphrase.
    private func record(_ event: String, _ context: WebContext, who: String) async {
        access.audit.add(
            AuditEvent(at: access.clock.wall(), event: event, who: who) {
                $0.requestID = context.id
            })
        await access.audit.flush()
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
