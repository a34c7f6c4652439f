import Access
import HTTPTypes
import Hummingbird

/// What a person chose for the page in one browser, which keeps it in a cookie.
protocol PageChoice: RawRepresentable<String>, Sendable {
    static var cookieName: String { get }
}

extension PageChoice {
    /// The choice of this browser; `nil` without one, and for a cookie with another value.
    static func chosen(in request: Request) -> Self? {
        request.cookies[cookieName].flatMap { Self(rawValue: $0.value) }
    }

    func cookie(isSecure: Bool) -> Cookie {
        // Browsers keep a cookie for at most 400 days (RFC 6265bis, section 5.5).
        Cookie(
            name: Self.cookieName, value: rawValue, maxAge: 400 * 86400, path: "/", secure: isSecure, httpOnly: true,
            sameSite: .strict)
    }

    /// Adds the route of a form at the foot of each page.
    ///
    /// - Parameter name: of the field, and in the group `missing` of the texts.
    fileprivate static func addForm(_ path: RouterPath, _ name: String, _ pages: Pages, to router: Router<WebContext>) {
        pages.post(path, on: router) { call in
            guard let choice = call.form[name].flatMap({ Self(rawValue: $0) }) else {
                throw PageProblem.missing(PageText.of("missing.\(name)"))
            }
            var response = pages.seeOther(call.back(otherwise: "/"))
            response.setCookie(choice.cookie(isSecure: pages.services.access.policy.isTLS))
            return response
        }
    }
}

/// Sets the language and the theme of each page that a browser requests, and states the language in the response.
struct PageChoices: RouterMiddleware {
    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard request.wantsPage else { return try await next(request, context) }
        let language = PageLanguage(request)
        var response = try await PageLanguage.$current.withValue(language) {
            try await PageTheme.$current.withValue(PageTheme.chosen(in: request) ?? .device) {
                try await next(request, context)
            }
        }
        if response.headers[.contentType]?.hasPrefix("text/html") ?? false {
            response.headers[.contentLanguage] = language.rawValue
            response.headers.append(HTTPField(name: .vary, value: "Accept-Language, Cookie"))
        }
        return response
    }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        PageLanguage.addForm("/app/language", "language", pages, to: router)
        PageTheme.addForm("/app/theme", "theme", pages, to: router)
    }
}
