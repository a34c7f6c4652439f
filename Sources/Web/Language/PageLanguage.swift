import Access
import HTTPTypes
import Hummingbird

/// A language of the page.
enum PageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case hindi = "hi"

    /// The language of the request that this task answers; English for programs. Texts are made far below the request,
    /// so it is a value of the task instead of a parameter of every view.
    @TaskLocal static var current = PageLanguage.english

    /// The name of the language in itself.
    var name: String {
        switch self {
        case .english: "English"
        case .hindi: "हिन्दी"
        }
    }

    /// True if a text for one applies to the number (Unicode CLDR, plural rules of whole numbers).
    func isOne(_ number: Int) -> Bool {
        switch self {
        case .english: number == 1
        case .hindi: number == 0 || number == 1
        }
    }
}

extension PageLanguage {
    static let cookieName = "spendwise-language"
    /// Browsers keep a cookie for at most 400 days (RFC 6265bis, section 5.5).
    private static let cookieSeconds = 400 * 86400

    /// The language that the person chose, otherwise the one that the browser prefers.
    init(_ request: Request) {
        let chosen = request.cookies[Self.cookieName].flatMap { PageLanguage(rawValue: $0.value) }
        self = chosen ?? PageLanguage(accepted: HeaderChoice(request.headers[values: .acceptLanguage]))
    }

    /// The language with the highest weight (RFC 9110, section 12.5.4); English if the header has none of them.
    init(accepted header: HeaderChoice) {
        let weights = Self.allCases.map { ($0, header.weight(language: $0.rawValue)) }
        self = weights.max { $0.1 < $1.1 }?.0 ?? .english
    }

    func cookie(isSecure: Bool) -> Cookie {
        Cookie(
            name: Self.cookieName, value: rawValue, maxAge: Self.cookieSeconds, path: "/", secure: isSecure,
            httpOnly: true, sameSite: .strict)
    }
}

/// Sets the language of each page that a browser requests, and states it in the response.
struct LanguageChoice: RouterMiddleware {
    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard request.wantsPage else { return try await next(request, context) }
        let language = PageLanguage(request)
        var response = try await PageLanguage.$current.withValue(language) { try await next(request, context) }
        if response.headers[.contentType]?.hasPrefix("text/html") ?? false {
            response.headers[.contentLanguage] = language.rawValue
            response.headers.append(HTTPField(name: .vary, value: "Accept-Language, Cookie"))
        }
        return response
    }

    /// The form at the foot of each page.
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.post("/app/language", on: router) { call in
            guard let language = call.form["language"].flatMap({ PageLanguage(rawValue: $0) }) else {
                throw PageProblem.missing(PageText.of("missing.language"))
            }
            var response = pages.seeOther(call.back(otherwise: "/"))
            response.setCookie(language.cookie(isSecure: pages.services.access.policy.isTLS))
            return response
        }
    }
}
