import Access
import Chronology
import Codecs
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import Store

/// The middlewares around every route, from the outside in.
enum Guards {
    static func add(to router: Router<WebContext>, _ services: WebServices) {
        let access = services.access
        router.add(middleware: PageChoices())
        router.add(middleware: AuditTrail(access: access))
        router.add(middleware: PageCompression())
        router.add(middleware: ProtectiveHeaders(policy: access.policy))
        router.add(middleware: HostCheck(access: access))
        router.add(middleware: Authentication(services: services, access: access))
        router.add(middleware: Authorization(services: services, access: access))
        router.add(middleware: CrossSiteGuard(access: access))
        router.add(middleware: PageAddresses())
    }
}

extension HTTPField.Name {
    static let requestID = HTTPField.Name("X-Request-ID")!  // constant tokens (RFC 9110, section 5.6.2)
    static let csrfToken = HTTPField.Name("X-CSRF-Token")!
    static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!
    static let openerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
    static let refresh = HTTPField.Name("Refresh")!
    /// Marks a request that a script makes without a person. It does not keep the login alive.
    static let unattended = HTTPField.Name("X-Unattended")!
    /// Of nginx: `no` passes an answer on as it is written.
    static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
    static let frameOptions = HTTPField.Name("X-Frame-Options")!
    static let clearSiteData = HTTPField.Name("Clear-Site-Data")!
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
}

extension Request {
    /// True if the client accepts HTML: a person's browser.
    var wantsPage: Bool { headers[values: .accept].contains { $0.contains("text/html") } }
}

/// Turns errors into responses, adds the request's ID, and records the request in the audit log.
struct AuditTrail: RouterMiddleware {
    let access: AccessGuard

    /// Routes that programs request again and again and that show nothing private.
    private static let uninteresting: Set<String> = ["/health", "/metrics", EventRoute.path]

    /// Returns true for a truncated or malformed body. It is not logged: any client could fill the log.
    private static func isTheClients(_ error: any Error) -> Bool {
        error is HTTPParserError || error is ChannelError || error is IOError || error is NIOSSLError
            || error is CancellationError
    }

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do { response = try await next(request, context) } catch let error as any HTTPResponseError {
            response = try RefusalPage.response(to: error, request, context)
        } catch let error as StoreError {
            context.logger.error("the ledger cannot be read or written", metadata: ["reason": "\(error)"])
            response = try RefusalPage.response(to: Refusal.unavailable, request, context)
        } catch  where Self.isTheClients(error) {
            response = try RefusalPage.response(to: Refusal.brokenOff, request, context)
        } catch {
            context.logger.error(
                "a request failed", metadata: ["reason": "\(error)", "route": "\(context.endpointPath ?? "")"])
            response = try RefusalPage.response(to: Refusal.failed, request, context)
        }
        response.headers[.requestID] = context.id
        access.responses.add(response.status.code)
        let route = context.endpointPath ?? "(none)"
        if !(response.status.code < 400 && (Self.uninteresting.contains(route) || route.hasPrefix("/static"))) {
            access.audit.add(
                AuditEvent(at: access.clock.wall(), event: "request", who: context.requestIdentity.identity.who) {
                    $0.requestID = context.id
                    $0.method = Self.name(request.method)
                    $0.route = route
                    $0.status = response.status.code
                })
        }
        return response
    }

    /// Returns the name of a standard method. A client may send any word, which the log must not repeat.
    static func name(_ method: HTTPRequest.Method) -> String {
        let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
        return known.contains(method) ? method.rawValue : "other"
    }
}

extension Identity {
    /// A user at a browser.
    static func person(_ user: UserRow) -> Identity {
        var identity = Identity(kind: .person, name: user.name, scopes: user.role.scopes)
        identity.act(as: user)
        return identity
    }

    mutating func act(as user: UserRow) { (self.user, role) = (user.id, user.role) }

    /// True for a browser, logged in or on a machine that asks for no login.
    var isPerson: Bool { kind == .person || kind == .local }

    /// The name in the audit log.
    var who: String { kind == .unknown ? "" : kind.rawValue == name ? name : "\(kind.rawValue) \(name)" }
}

/// Adds the headers that restrict a browser to this site's own files and keep private pages out of caches.
struct ProtectiveHeaders: RouterMiddleware {
    let policy: AccessPolicy

    /// No inline script and no inline style.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do {
            var response = try await next(request, context)
            add(to: &response.headers)
            return response
        } catch let error as any HTTPResponseError {
            // Hummingbird's own errors have no body, or one of another form.
            let problem: any HTTPResponseError =
                (error as? HTTPError).map {
                    Problem(status: $0.status, detail: $0.body ?? Self.detail($0.status), headers: $0.headers)
                } ?? error
            var response = try RefusalPage.response(to: problem, request, context)
            add(to: &response.headers)
            return response
        }
    }

    private static func detail(_ status: HTTPResponse.Status) -> String {
        status == .notFound
            ? "Nothing is at this path: /openapi.json lists all routes." : "The request cannot be handled."
    }

    private func add(to headers: inout HTTPFields) {
        headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        headers[.xContentTypeOptions] = "nosniff"
        // For browsers that do not know `frame-ancestors`.
        headers[.frameOptions] = "DENY"
        headers[.referrerPolicy] = "same-origin"
        headers[.openerPolicy] = "same-origin"
        headers[.crossOriginResourcePolicy] = "same-origin"
        headers[.permissionsPolicy] = "camera=(), microphone=(), geolocation=()"
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        if policy.isTLS, !policy.isLoopback { headers[.strictTransportSecurity] = "max-age=31536000" }
    }
}

/// Checks the request target and the Host header, and limits the requests of an address.
struct HostCheck: RouterMiddleware {
    let access: AccessGuard

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        // An asterisk, or a request to a proxy (RFC 9112, section 3.2).
        guard request.head.path?.hasPrefix("/") ?? false else { throw Refusal.noPath }
        guard access.isServed(authority: request.head.authority ?? "") else { throw Refusal.misdirected }
        if let seconds = access.delay(address: context.address) { throw Refusal.tooMany(seconds) }
        return try await next(request, context)
    }
}

/// Finds the caller and sets `context.identity`. Refuses no request, unless the ledger cannot be read.
struct Authentication: RouterMiddleware {
    let services: WebServices
    let access: AccessGuard

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let now = access.clock.wall()
        if !access.policy.asksForLogin {
            context.identity = .local
        } else if let header = request.headers[.authorization] {
            try await token(header, &context, now)
        } else if context.endpointPath == "/calendar.ics", let text = request.uri.queryParameters["token"] {
            try await calendarToken(text, &context, now)
        } else if let cookie = request.cookies[access.cookieName], let credential = Credential(cookie.value, .session) {
            try await session(credential, &context, now)
            if context.identity.kind == .person, let id = context.identity.id, !Self.isUnattended(request, context) {
                access.audit.seen(session: id, at: now)
            }
        }
        context.requestIdentity.identity = context.identity
        guard let user = context.identity.user, try await services.ledger({ try $0.access.seesPart(user) }) else {
            return try await next(request, context)
        }
        return try await services.answer(asSeenBy: user) { [context] in try await next(request, context) }
    }

    /// A token in the address, which calendar programs need and other programs log: one that can do more is refused.
    private func calendarToken(_ text: Substring, _ context: inout WebContext, _ now: UnixTime) async throws {
        try await token("Bearer " + text, &context, now)
        guard context.identity.kind != .unknown, context.identity.scopes != .calendar else { return }
        context.identity = .unknown
        context.identityFault = "Only a token with the scope calendar and no other may be in an address."
    }

    private func token(_ header: String, _ context: inout WebContext, _ now: UnixTime) async throws {
        // RFC 6750, section 2.1. The scheme is case-insensitive (RFC 9110, section 11.1).
        let words = header.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer", let credential = Credential(words[1], .token) else {
            context.identityFault = "The Authorization header holds no SpendWise token."
            return
        }
        let found = try await services.read { ledger in
            try ledger.access.token(id: credential.id).flatMap { token in
                try ledger.access.user(token.user).map { (token, $0) }
            }
        }
        guard let (token, user) = found, credential.matches(digest: token.digest) else {
            context.identityFault = "The token is unknown."
            return
        }
        if token.revoked != nil {
            context.identityFault = "The token was revoked."
        } else if token.isExpired(at: now) {
            context.identityFault = "The token has expired."
        } else if !user.isEnabled {
            context.identityFault = "The token's user is disabled."
        } else {
            context.identity = Identity(
                kind: token.kind == .device ? .device : .token, name: token.name,
                scopes: (Scopes(token.scopes) ?? .none).limited(to: user.role), id: token.id)
            context.identity.act(as: user)
            access.audit.used(token: token.id, at: now)
        }
    }

    private func session(_ credential: Credential, _ context: inout WebContext, _ now: UnixTime) async throws {
        let found = try await services.read { ledger in
            try ledger.access.session(id: credential.id).flatMap { session in
                try ledger.access.user(session.user).map { (session, $0) }
            }
        }
        guard let (session, user) = found, credential.matches(digest: session.digest), user.isEnabled else { return }
        guard access.isLive(session, at: now) else {
            try await services.ledger { try $0.access.endSession(id: credential.id) }
            access.audit.forget(session: credential.id)
            return
        }
        context.identity = .person(user)
        (context.identity.id, context.identity.formToken) = (session.id, credential.formToken)
    }

    /// True for what an open page requests by itself: a login ends although its page is open.
    private static func isUnattended(_ request: Request, _ context: WebContext) -> Bool {
        context.endpointPath == EventRoute.path || request.headers[.unattended] != nil
    }
}

/// Admits a request by ``AccessTable``, within the client's limit of requests per minute.
struct Authorization: RouterMiddleware {
    let services: WebServices
    let access: AccessGuard

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        // An unknown path is not found, for any caller.
        guard let template = context.endpointPath else { return try await next(request, context) }
        let need = AccessTable.need(request.method, template)
        if need != .open {
            let client = context.identity.id.map { "\(context.identity.kind.rawValue) \($0)" } ?? context.address
            if let seconds = access.delay(client: client, isPerson: context.identity.isPerson) {
                throw Refusal.tooMany(seconds)
            }
        }
        do { try check(need, request, context) } catch let redirect as LoginRedirect where request.method == .post {
            return try await keep(request, insteadOf: redirect)
        }
        return try await next(request, context)
    }

    /// Shows the login page with the form of the request, which the browser sends again after the login.
    private func keep(_ request: Request, insteadOf redirect: LoginRedirect) async throws -> Response {
        var (request, redirect) = (request, redirect)
        redirect.target = CrossSiteGuard.origin(of: request)
        guard CrossSiteGuard(access: access).isProvenSameSite(request), let form = await KeptForm(&request) else {
            if request.sendsFile { redirect.target = request.pageOfLostFile ?? redirect.target }
            throw redirect
        }
        let page = LoginPage(next: LoginRoutes.localTarget(redirect.target), kept: form)
        return try await services.loginPage(page, request).response(.unauthorized)
    }

    private func check(_ need: AccessTable.Need, _ request: Request, _ context: WebContext) throws {
        switch need {
        case .open: break
        case .openAsJSON(let scope): if request.wantsPage { try check(scope, request, context) }
        case .openOnLoopback(let scope): if !access.policy.isLoopback { try check(scope, request, context) }
        case .anyone: try check(nil, request, context)
        case .person: try check(context.identity.isPerson ? nil : .admin, request, context)
        case .scope(let scope): try check(scope, request, context)
        }
    }

    private func check(_ scope: Scope?, _ request: Request, _ context: WebContext) throws {
        guard context.identity.kind != .unknown else {
            if request.wantsPage, context.identityFault == nil {
                throw LoginRedirect(target: AccessTable.safe.contains(request.method) ? request.uri.string : nil)
            }
            throw Refusal.unauthorized(
                context.identityFault ?? "A token or a login is required.",
                error: context.identityFault == nil ? nil : "invalid_token")
        }
        if let scope, !context.identity.scopes.allow(scope) {
            if let role = context.identity.role, !role.scopes.allow(scope) { throw Refusal.forbidden(scope, role) }
            throw Refusal.forbidden(scope.rawValue, who: "this \(context.identity.kind.rawValue)")
        }
    }
}

/// Redirects a browser to the login page, which redirects it back to `target`.
struct LoginRedirect: HTTPResponseError {
    var target: String?
    var status: HTTPResponse.Status { .seeOther }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let query = target.flatMap { $0 == "/" ? nil : "?next=" + escapedForQuery($0) } ?? ""
        return Response(status: .seeOther, headers: [.location: "/login" + query])
    }
}

/// Percent-encodes everything but the unreserved characters of RFC 3986 and `/`.
func escapedForQuery(_ text: String) -> String { PercentEncoding.encode(text, allowing: "/") }
