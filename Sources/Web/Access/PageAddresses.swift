import HTTPTypes
import Hummingbird

extension Request {
    /// True for a person's browser that opens an address: it asks for HTML, neither for JSON nor with a token.
    var isBrowser: Bool {
        wantsPage && headers[.authorization] == nil
            && !headers[values: .accept].contains { $0.contains("json") }
    }
}

/// Leads a browser that opens the address of a resource of the API to the page about it.
struct PageAddresses: RouterMiddleware {
    /// Templates of API routes whose page has the same path below `/app`.
    private static let templates: Set<String> = [
        "/transactions", "/transactions/{id}", "/review", "/review/{id}", "/categories", "/payees", "/payees/{id}",
        "/budgets", "/budgets/{id}", "/transfers", "/dues", "/mails", "/mails/{id}",
    ]

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard AccessTable.safe.contains(request.method), request.method != .options, request.isBrowser,
            let template = context.endpointPath, Self.templates.contains(template)
        else { return try await next(request, context) }
        return Response(status: .seeOther, headers: [.location: "/app" + request.uri.string, .vary: "Accept"])
    }
}
