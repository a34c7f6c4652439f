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
    /// Pages by the templates of API routes; `{id}` stands for the number of the address. Rows of `/accounts` have no
    /// page of their own.
    static let pages: [String: String] = [
        "/accounts": "/app/accounts", "/budgets": "/app/budgets", "/budgets/status": "/app/budgets",
        "/budgets/{id}": "/app/budgets/{id}", "/categories": "/app/categories",
        "/categories/mappings": "/app/categories", "/changes": "/app/history", "/dues": "/app/dues",
        "/links": "/app/questions", "/mails": "/app/mails", "/mails/{id}": "/app/mails/{id}",
        "/payees": "/app/payees", "/payees/figures": "/app/payees", "/payees/{id}": "/app/payees/{id}",
        "/proposals": "/app/questions", "/recurring": "/app/dues", "/recurring/detected": "/app/dues",
        "/review": "/app/review", "/review/{id}": "/app/review/{id}", "/statements": "/app/accounts",
        "/statements/mailed": "/app/statements", "/statements/{id}": "/app/statements/{id}",
        "/transactions": "/app/transactions", "/transactions/{id}": "/app/transactions/{id}",
        "/transfers": "/app/transfers", "/user-accounts": "/app/accounts",
        "/user-accounts/{id}": "/app/accounts/{id}",
    ]

    private static func address(_ page: String, _ request: Request) -> String {
        // As it was sent, so that nothing is decoded into the header.
        let path = page.replacing("{id}", with: request.uri.path.split(separator: "/").last ?? "")
        return path + (request.uri.query.map { "?" + $0 } ?? "")
    }

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard AccessTable.safe.contains(request.method), request.method != .options, request.isBrowser,
            let page = context.endpointPath.flatMap({ Self.pages[$0] })
        else { return try await next(request, context) }
        return Response(status: .seeOther, headers: [.location: Self.address(page, request), .vary: "Accept"])
    }
}
