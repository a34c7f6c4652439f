import Access
import HTTPTypes
import Hummingbird
import NIOCore

/// Refuses cross-site request forgery: checks the origin that the browser reports, and a token that only this site's
/// pages know. Requests with a bearer token pass, because no browser adds one by itself.
struct CrossSiteGuard: RouterMiddleware {
    let access: AccessGuard

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard !AccessTable.safe.contains(request.method), request.headers[.authorization] == nil else {
            return try await next(request, context)
        }
        guard isSameSite(request) else {
            throw Refusal.crossSite(
                "The browser reports that a page of another site sent this request. Open SpendWise itself and repeat it there."
            )
        }
        // A login needs no session, and a request without a session cookie has no authority to misuse.
        guard context.identity.kind == .person, context.endpointPath != "/login",
            let cookie = request.cookies[access.cookieName], let session = Credential(cookie.value, .session)
        else {
            return try await next(request, context)
        }
        var request = request
        guard let token = try await formToken(&request, most: context.maxUploadSize), session.matches(formToken: token)
        else {
            if request.isBrowser, isProvenSameSite(request), let form = await KeptForm(&request) {
                return ResendPage(form: form, formToken: session.formToken, isImmediate: false).response(.forbidden)
            }
            if request.isBrowser, isProvenSameSite(request), request.sendsFile, let page = request.pageOfLostFile {
                return Response(status: .seeOther, headers: [.location: LoginRoutes.localTarget(page)])
            }
            throw Refusal.crossSite(
                "The form's token 'csrf' (or the header X-CSRF-Token) is missing or belongs to another login. Load the page again and repeat it."
            )
        }
        return try await next(request, context)
    }

    /// Returns true if Fetch Metadata and the Origin header name this site. Every browser sends Origin with POST since
    /// 2020; a request with neither header is not a browser's.
    private func isSameSite(_ request: Request) -> Bool {
        if let site = request.headers[.fetchSite], site != "same-origin", site != "none" { return false }
        guard let origin = request.headers[.origin] else { return true }
        let authority = request.head.authority ?? ""
        return !authority.isEmpty
            && origin.lowercased() == "\(access.policy.isTLS ? "https" : "http")://\(authority.lowercased())"
    }

    /// Returns true if the browser itself states that a page of this site sent the request.
    func isProvenSameSite(_ request: Request) -> Bool {
        isSameSite(request) && (request.headers[.origin] != nil || request.headers[.fetchSite] == "same-origin")
    }

    /// Returns the path of the page that a request comes from; `nil` if the browser does not give it.
    static func origin(of request: Request) -> String? {
        guard let address = request.headers[.referer], let authority = request.head.authority,
            let start = address.firstRange(of: "://" + authority)?.upperBound
        else { return nil }
        let path = String(address[start...])
        return path.isEmpty ? nil : path
    }

    private func formToken(_ request: inout Request, most: Int) async throws -> String? {
        if let token = request.headers[.csrfToken] { return token }
        let type = request.headers[.contentType]?.lowercased() ?? ""
        // A form that sends files has the token in its query, which is neither logged nor sent to other sites as
        // Referer.
        if type.hasPrefix("multipart/form-data") { return request.uri.queryParameters["csrf"].map(String.init) }
        guard type.hasPrefix("application/x-www-form-urlencoded") else { return nil }
        let body = try await request.collectBody(upTo: most)
        return FormFields(String(buffer: body))["csrf"]
    }
}
