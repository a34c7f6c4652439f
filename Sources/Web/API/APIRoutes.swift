import HTTPTypes
import Hummingbird
import Logging
import Store

/// The REST API.
enum APIRoutes {
    /// Every route; the OpenAPI document is made of the same list.
    static let endpoints: [Endpoint] =
        TransactionRoutes.endpoints + BulkRoutes.endpoints + OfferRoutes.endpoints + TransferRoutes.endpoints
        + AccountRoutes.endpoints + CategoryRoutes.endpoints
        + MappingRoutes.endpoints + MappingPreviewRoutes.endpoints + DeviceRoutes.endpoints + ReviewRoutes.endpoints
        + ChangeRoutes.endpoints + ParserRoutes.endpoints
        + StatisticsRoutes.endpoints + ImportRoutes.endpoints + [OpenAPI.endpoint]

    /// A path that the router serves and that has not the method answers 405, not 404.
    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, .query,
    ]

    static func add(to router: Router<WebContext>, _ services: WebServices) {
        let repetitions = Repetitions(services)
        // What others serve, without the methods of its own.
        var served: [String: [HTTPRequest.Method]] = [
            "/": [.get, .head], "/health": [.get, .head], "/metrics": [.get, .head],
        ]
        var order: [(String, RouterPath)] = [("/", "/"), ("/health", "/health"), ("/metrics", "/metrics")]
        for endpoint in endpoints {
            router.on(endpoint.routerPath, method: endpoint.method) { request, context -> Response in
                let call = Call(request: request, context: context, services: services, endpoint: endpoint)
                try call.checkAccept()
                // A date or a filter that is misspelt must not look like one that finds everything. Routes that know
                // some tell of all that is wrong at once.
                if endpoint.parameters.allSatisfy({ $0.place != .query }) { try Query(call).finish() }
                return try await (endpoint.isRepeatable ? repetitions.answer(call) : endpoint.run(call)).response(
                    ContentCoding(request))
            }
            if served[endpoint.path] == nil { order.append((endpoint.path, endpoint.routerPath)) }
            served[endpoint.path, default: []].append(endpoint.method)
            // Which the router answers of itself.
            if endpoint.method == .get { served[endpoint.path, default: []].append(.head) }
        }
        for (path, routerPath) in order {
            let allowed = (served[path] ?? []) + [.options]
            let allow = allowed.map(\.rawValue).joined(separator: ", ")
            router.on(routerPath, method: .options) { _, _ in Response(status: .noContent, headers: [.allow: allow]) }
            for method in methods where !allowed.contains(method) {
                router.on(routerPath, method: method) { _, _ -> Response in
                    throw Problem(
                        status: .methodNotAllowed, detail: "This path knows \(allow).", headers: [.allow: allow])
                }
            }
        }
    }
}
