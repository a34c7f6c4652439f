import Access
import Codecs
import HTTPTypes
import Hummingbird
import Ledger

/// /openapi.json: the description of the API, built from the list of routes.
enum OpenAPI {
    static let endpoint = Endpoint(
        .get, "/openapi.json", "About", "This document.",
        .init(
            parameters: [.ifNoneMatch],
            responses: [.init(status: 200, about: "OpenAPI 3.1.", schema: .object([("type", .string("object"))]))])
    ) { call in
        Answer.json(document(version: call.services.version, asksForLogin: call.services.access.policy.asksForLogin))
            .tagged(for: call.request)
    }

    /// - Parameter asksForLogin: false if no request needs a token.
    static func document(version: String, asksForLogin: Bool) -> JSON {
        var paths: [(String, [(String, JSON)])] = about
        for endpoint in APIRoutes.endpoints {
            let item = (endpoint.method.rawValue.lowercased(), operation(endpoint))
            // The description names lists with a trailing slash, which clients use; both forms are served.
            let path = endpoint.isList ? endpoint.path + "/" : endpoint.path
            if let at = paths.firstIndex(where: { $0.0 == path }) {
                paths[at].1.append(item)
            } else {
                paths.append((path, [item]))
            }
        }
        return .object([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object([
                    ("title", .string("SpendWise")), ("version", .string(version)),
                    (
                        "description",
                        .string(
                            "The ledger that SpendWise keeps from bank alerts. Amounts are decimal texts, days are yyyy-mm-dd in the bank's zone, instants are UTC."
                        )
                    ),
                ])
            ),
            ("paths", .object(paths.map { ($0, .object($1)) })),
            (
                "components",
                .object([
                    ("schemas", .object(Schema.all)),
                    (
                        "securitySchemes",
                        .object([("token", .object([("type", .string("http")), ("scheme", .string("bearer"))]))])
                    ),
                ])
            ),
            ("security", .array(asksForLogin ? [.object([("token", .array([]))])] : [])),
        ])
    }

    /// Paths of other route groups.
    private static let about: [(String, [(String, JSON)])] = [
        (
            "/",
            [
                open(
                    "The program's name and version; the web page if Accept prefers text/html.",
                    [answer(200, "Name and version.", "application/json", named)])
            ]
        ),
        (
            "/health",
            [
                open(
                    "The health of the program and the state of each mailbox.",
                    [
                        answer(200, "Healthy or degraded.", "application/json", health),
                        answer(503, "Failing.", "application/json", health),
                    ])
            ]
        ),
        (
            "/metrics",
            [
                open(
                    "Metrics for Prometheus.",
                    [
                        answer(200, "Text of the exposition format 0.0.4.", "text/plain", Schema.text()),
                        answer(503, "The ledger cannot be read.", "application/problem+json", Schema.ref("Problem")),
                    ])
            ]
        ),
    ]

    private static let named = Schema.shown([("name", Schema.text()), ("version", Schema.text())])
    private static let health = Schema.object(
        [
            ("status", Schema.words(["ok", "degraded", "failing"])), ("reasons", Schema.list(Schema.text())),
            ("mailboxes", Schema.list(.object([("type", .string("object"))]))),
        ],
        required: ["status"], isOpen: true)

    private static func open(_ summary: String, _ responses: [(String, JSON)]) -> (String, JSON) {
        (
            "get",
            .object([
                ("tags", .array([.string("About")])), ("summary", .string(summary)), ("responses", .object(responses)),
                ("security", .array([])),
            ])
        )
    }

    private static func answer(_ status: Int, _ about: String, _ type: String, _ schema: JSON) -> (String, JSON) {
        ("\(status)", .object([("description", .string(about)), ("content", content(type, schema))]))
    }

    private static func content(_ type: String, _ schema: JSON) -> JSON {
        .object([(type, .object([("schema", schema)]))])
    }

    private static func operation(_ endpoint: Endpoint) -> JSON {
        var parameters = endpoint.parameters
        if endpoint.isRepeatable {
            parameters.append(
                Endpoint.Parameter(
                    name: "Idempotency-Key", place: .header, schema: Schema.text(255, pattern: "^[!-~]{1,255}$"),
                    about: "The same key with the same request gets the first response again, for a day."))
        }
        var members: [(String, JSON)] = [
            ("tags", .array([.string(endpoint.tag)])), ("summary", .string(endpoint.summary)),
            ("operationId", .string(endpoint.name)),
        ]
        if !parameters.isEmpty { members.append(("parameters", .array(parameters.map(parameter)))) }
        if let body = endpoint.body {
            let types =
                [("application/json", JSON.object([("schema", body)]))]
                + endpoint.otherBodies.map { ($0, JSON.object([("schema", Schema.text())])) }
            members.append(
                ("requestBody", .object([("required", .bool(endpoint.isBodyRequired)), ("content", .object(types))])))
        }
        members.append(("responses", .object(responses(endpoint, hasQuery: parameters.contains { $0.place != .path }))))
        return .object(members)
    }

    private static func parameter(_ parameter: Endpoint.Parameter) -> JSON {
        .object([
            ("name", .string(parameter.name)), ("in", .string(parameter.place.rawValue)),
            ("required", .bool(parameter.isRequired)), ("description", .string(parameter.about)),
            ("schema", parameter.schema),
        ])
    }

    private static func responses(_ endpoint: Endpoint, hasQuery: Bool) -> [(String, JSON)] {
        var list = endpoint.responses
        func add(_ status: Int, _ about: String) {
            if !list.contains(where: { $0.status == status }) { list.append(.problem(status, about)) }
        }
        if endpoint.parameters.contains(where: { $0.name == "If-None-Match" }) {
            list.append(.init(status: 304, about: "The client's representation is current."))
        }
        if endpoint.body != nil {
            add(413, "The body is too large.")
            add(415, "The body has an unsupported media type.")
        }
        if endpoint.responses.contains(where: { $0.status < 300 && $0.schema != nil }) {
            add(406, "Accept excludes the media type of the response.")
        }
        add(400, "The request is malformed: 'detail' gives the place.")
        add(422, "Some values are invalid: 'errors' lists them.")
        add(401, "A token or a login is required.")
        add(403, "The token lacks the scope.")
        add(429, "Too many requests: try again after Retry-After.")
        add(503, "The ledger is busy or cannot be read.")
        return list.sorted { $0.status < $1.status }.map { response in
            var members: [(String, JSON)] = [("description", .string(response.about))]
            if !response.headers.isEmpty {
                members.append(
                    (
                        "headers",
                        .object(
                            response.headers.map {
                                ($0.name, .object([("description", .string($0.about)), ("schema", Schema.text())]))
                            })
                    ))
            }
            if let schema = response.schema {
                // Another type that is JSON has a form of its own.
                let types =
                    [(response.type, schema)]
                    + response.otherTypes.map { ($0, $0.hasSuffix("json") ? .object([]) : schema) }
                members.append(("content", .object(types.map { ($0, .object([("schema", $1)])) })))
            }
            return ("\(response.status)", .object(members))
        }
    }
}

extension Endpoint {
    /// True if clients use the path with a trailing slash.
    var isList: Bool {
        [
            "/transactions", "/accounts", "/categories", "/categories/mappings", "/devices", "/review", "/changes",
            "/imports", "/transfers", "/links", "/proposals", "/user-accounts", "/budgets", "/dues", "/recurring",
        ].contains(path)
    }

    /// `get_transactions_id`
    var name: String {
        method.rawValue.lowercased()
            + path.split(separator: "/").map { "_" + $0.filter { $0.isLetter || $0.isNumber }.lowercased() }.joined()
    }
}
