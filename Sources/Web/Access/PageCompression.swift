import Deflate
import HTTPTypes
import Hummingbird

/// Compresses pages, style sheet, script and icon with gzip.
///
/// A page holds private figures and the form token beside text of its address. BREACH guesses such a secret from the
/// length of many answers that another site requests with chosen text. A page is therefore compressed only if the
/// browser states that this site itself requested it, or that the person typed an address without a query.
struct PageCompression: RouterMiddleware {
    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let type = response.headers[.contentType] ?? ""
        let isPage = type.hasPrefix("text/html")
        guard isPage || ["text/css", "text/javascript", "image/svg+xml"].contains(where: { type.hasPrefix($0) }),
            response.headers[.contentEncoding] == nil
        else { return response }
        response.headers[.vary] = "Accept-Encoding"
        guard !isPage || Self.isOwn(request), request.method != .head,
            response.body.contentLength ?? .max >= ContentCoding.smallest, ContentCoding(request) == .gzip
        else { return response }
        response.headers[.contentEncoding] = "gzip"
        response.headers[.contentLength] = nil
        if let tag = response.headers[.eTag] { response.headers[.eTag] = ETag.zipped(tag) }
        let body = response.body
        response.body = ResponseBody { writer in
            guard let encoder = GzipEncoder() else {
                throw HTTPError(.insufficientStorage, message: "no memory to compress with")
            }
            try await body.write(GzipWriter(base: writer, encoder: encoder))
        }
        return response
    }

    private static func isOwn(_ request: Request) -> Bool {
        switch request.headers[.fetchSite] {
        case "same-origin": true
        case "none": request.uri.query == nil
        default: false
        }
    }
}
