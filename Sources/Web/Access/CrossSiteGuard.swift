import Access
import HTTPTypes
import Hummingbird
import NIOCore

/// Refuses changes that a page of another site asks a person's browser for (CSRF): by what the browser says of the
/// origin, and by a token that only this site's own pages know. Requests with a bearer token pass: no browser adds one
/// by itself.
struct CrossSiteGuard: RouterMiddleware {
    let access: AccessGuard

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard !AccessTable.safe.contains(request.method), request.headers[.authorization] == nil else {
            return try await next(request, context)
        }
        guard comesFromHere(request) else {
            throw Refusal.crossSite(
                "The browser says that a page of another site asked for this. Open SpendWise itself and try there.")
        }
        // The login is made without a session or for another one, and a program without cookies has nothing to be
        // misused.
        guard context.identity.kind == .person, context.endpointPath != "/login",
            let cookie = request.cookies[access.cookieName], let session = Credential(cookie.value, .session)
        else {
            return try await next(request, context)
        }
        var request = request
        guard let token = try await formToken(&request, most: context.maxUploadSize), session.matches(formToken: token)
        else {
            throw Refusal.crossSite(
                "The form's token 'csrf' (or the header X-CSRF-Token) is missing or belongs to another login. Load the page again and repeat it."
            )
        }
        return try await next(request, context)
    }

    /// Fetch Metadata where the browser has it, the Origin header where not (every browser sends it with POST since
    /// 2020); neither: no browser.
    private func comesFromHere(_ request: Request) -> Bool {
        if let site = request.headers[.fetchSite], site != "same-origin", site != "none" { return false }
        guard let origin = request.headers[.origin] else { return true }
        let authority = request.head.authority ?? ""
        return !authority.isEmpty
            && origin.lowercased() == "\(access.policy.isTLS ? "https" : "http")://\(authority.lowercased())"
    }

    private func formToken(_ request: inout Request, most: Int) async throws -> String? {
        if let token = request.headers[.csrfToken] { return token }
        let type = request.headers[.contentType]?.lowercased() ?? ""
        // A form that sends files has it in its address: nothing of an address is logged, and the Referer stays on this
        // site.
        if type.hasPrefix("multipart/form-data") { return request.uri.queryParameters["csrf"].map(String.init) }
        guard type.hasPrefix("application/x-www-form-urlencoded") else { return nil }
        let body = try await request.collectBody(upTo: most)
        return FormFields(String(buffer: body))["csrf"]
    }
}
