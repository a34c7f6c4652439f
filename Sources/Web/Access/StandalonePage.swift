import HTTPTypes
import Hummingbird
import Ledger
import Mustache
import NIOCore

/// Pages without the navigation, for callers who may not see the ledger and for requests that reach no route.
enum StandalonePage {
    /// A template in each language.
    typealias Templates = [PageLanguage: MustacheTemplate]

    static func template(_ file: [UInt8]) -> Templates {
        MarkupEscaping.register()
        let templates = PageLanguage.allCases.compactMap { language in
            (try? EmbeddedText.template(file, language)).flatMap { try? MustacheTemplate(string: $0) }.map {
                (language, $0)
            }
        }
        return Templates(uniqueKeysWithValues: templates)
    }

    static func response(
        _ templates: Templates, _ values: [String: Any], status: HTTPResponse.Status, headers: HTTPFields = [:]
    ) -> Response {
        var (headers, values) = (headers, values)
        headers[.contentType] = "text/html; charset=utf-8"
        let assets = Assets.shared
        values.merge(["style": assets.stylePath, "manifest": assets.manifestPath, "picture": assets.picturePath]) { $1 }
        values["theme"] = PageTheme.current.attribute
        let text = templates[.current]?.render(values) ?? "the page cannot be made"
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

/// A refused request as a page, for a browser.
enum RefusalPage {
    private static let template = StandalonePage.template(EmbeddedFile.bytes("refusal.mustache"))

    /// Renders an error as the client reads it: as a page in a browser, as problem details (RFC 9457) otherwise.
    static func response(
        to error: any HTTPResponseError, _ request: Request, _ context: WebContext
    ) throws -> Response {
        let response = try error.response(from: request, context: context)
        guard request.isBrowser, let words = words(of: error) else { return response }
        var headers = response.headers
        headers[.contentType] = nil
        headers[.contentLength] = nil
        let values: [String: Any] = [
            "title": words.title, "detail": words.detail, "id": context.id,
            "again": [.tooManyRequests, .serviceUnavailable].contains(response.status) && request.method == .get
                ? [LoginRoutes.localTarget(request.uri.string)] : [],
        ]
        return StandalonePage.response(template, values, status: response.status, headers: headers)
    }

    private static func words(of error: any HTTPResponseError) -> (title: String, detail: String)? {
        switch error {
        case let refusal as Refusal: (refusal.title, refusal.detail)
        case let problem as Problem where problem.status == .notFound:
            (PageText.of("problem.not-found"), PageText.of("problem.nothing-here"))
        case let problem as Problem where problem.status == .contentTooLarge:
            (PageText.of("problem.too-large"), PageText.of("problem.too-large-request"))
        case let problem as Problem:
            (
                problem.status.reasonPhrase,
                ([problem.detail] + problem.errors.map { "\($0.field): \($0.detail)" })
                    .joined(separator: " ")
            )
        default: nil
        }
    }
}
