import HTTPTypes
import Hummingbird
import Logging
import Store

/// The REST API.
enum APIRoutes {
    /// All routes. The OpenAPI document is built from the same list.
    static let endpoints: [Endpoint] =
        TransactionRoutes.endpoints + ExportRoutes.endpoints + BulkRoutes.endpoints + OfferRoutes.endpoints
        + PayeeOfferRoutes.endpoints + SplitRoutes.endpoints + TransferRoutes.endpoints + LinkRoutes.endpoints
        + AccountRoutes.endpoints + UserAccountRoutes.endpoints + ExchangeRateRoutes.endpoints
        + CategoryRoutes.endpoints + BudgetRoutes.endpoints + PayeeRoutes.endpoints
        + DueRoutes.endpoints + RecurringRoutes.endpoints
        + MappingRoutes.endpoints + MappingPreviewRoutes.endpoints + DeviceRoutes.endpoints + ReviewRoutes.endpoints
        + MailRoutes.endpoints + ChangeRoutes.endpoints + ParserRoutes.endpoints
        + StatisticsRoutes.endpoints + ImportRoutes.endpoints + StatementRoutes.endpoints
        + ShortcutRoutes.endpoints + PaymentListRoutes.endpoints + ColumnMappingRoutes.endpoints
        + StatementListRoutes.endpoints + MailedStatementRoutes.endpoints + [OpenAPI.endpoint]

    /// Methods that get 405 instead of 404 if a path does not support them.
    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, .query,
    ]

    static func add(to router: Router<WebContext>, _ services: WebServices) {
        let idempotency = IdempotencyCache(services)
        // Paths of other route groups, with their methods.
        var served: [String: [HTTPRequest.Method]] = [
            "/": [.get, .head], "/health": [.get, .head], "/metrics": [.get, .head],
        ]
        var order: [(String, RouterPath)] = [("/", "/"), ("/health", "/health"), ("/metrics", "/metrics")]
        for endpoint in endpoints {
            router.on(endpoint.routerPath, method: endpoint.method) { request, context -> Response in
                let call = Call(request: request, context: context, services: services, endpoint: endpoint)
                try call.checkAccept()
                // A misspelt filter must not be ignored: it would find everything. Routes with query parameters check
                // them with the others, to report all problems at once.
                if endpoint.parameters.allSatisfy({ $0.place != .query }) { try Query(call).finish() }
                return try await (endpoint.isRepeatable ? idempotency.answer(call) : endpoint.run(call)).response(
                    ContentCoding(request))
            }
            if served[endpoint.path] == nil { order.append((endpoint.path, endpoint.routerPath)) }
            served[endpoint.path, default: []].append(endpoint.method)
            // The router derives HEAD from GET.
            if endpoint.method == .get { served[endpoint.path, default: []].append(.head) }
        }
        for (path, routerPath) in order {
            let allowed = (served[path] ?? []) + [.options]
            let allow = allowed.map(\.rawValue).joined(separator: ", ")
            router.on(routerPath, method: .options) { _, _ in Response(status: .noContent, headers: [.allow: allow]) }
            for method in methods where !allowed.contains(method) {
                router.on(routerPath, method: method) { _, _ -> Response in
                    throw Problem(
                        status: .methodNotAllowed, detail: "This path supports \(allow).", headers: [.allow: allow])
                }
            }
        }
    }
}
