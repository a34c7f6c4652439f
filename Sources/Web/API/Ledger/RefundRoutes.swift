import Codecs
import Hummingbird
import Ledger
import Store

/// /refunds/: purchases with the incomes that return them.
enum RefundRoutes {
    private static let one = Endpoint.Response(
        status: 200, about: "The link after the change.", schema: Schema.ref("RefundLink"))
    private static let states = EventLinkRow.State.allCases.map(\.rawValue)

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/refunds", "Refunds",
            "Refunds and reversals with the purchases that they return, the newest first: made and proposed ones.",
            .init(
                parameters: [
                    .query("state", Schema.words(states), "Only links in this state."),
                    .query("transaction", Schema.integer(1), "Only links of this transaction, at either end."),
                    .query("limit", Schema.integer(1, 1000), "The maximum number of links; 100 by default."),
                    .ifNoneMatch,
                ],
                responses: [.list("RefundLink", "The links.")])
        ) { call in
            var query = Query(call)
            let state = query.value("state", "must be one of: \(states.joined(separator: ", "))") {
                EventLinkRow.State(rawValue: $0)
            }
            let transaction = query.number("transaction", 1...Int.max).map(Int64.init)
            let limit = query.number("limit", 1...1000) ?? 100
            try query.finish()
            let wanted: Set<EventLinkRow.State> = state.map { [$0] } ?? [.proposed, .made]
            return Answer.json(
                .array(
                    try await call.read { ledger in
                        guard let transaction else {
                            return try ledger.api(ledger.eventLinks.list(wanted, limit: limit))
                        }
                        let links = try ledger.eventLinks.links(of: [transaction])[transaction] ?? []
                        return try ledger.api(Array(links.filter { wanted.contains($0.state) }.prefix(limit)))
                    })
            ).tagged(for: call.request)
        },
        Endpoint(
            .post, "/refunds", "Refunds",
            "Links a purchase and its refund, even if that was rejected before. The refunds of a purchase cannot exceed its amount.",
            .init(
                body: Schema.object(
                    [
                        ("purchase_id", Schema.integer(1)), ("refund_id", Schema.integer(1)),
                        ("kind", Schema.words(ReturnKind.self)),
                    ], required: ["purchase_id", "refund_id"]),
                responses: [
                    .init(
                        status: 201, about: "The link.", schema: Schema.ref("RefundLink"),
                        headers: [("Location", "Its path.")]), .notFound, .conflict,
                ], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let (purchase, refund) = (fields.number("purchase_id"), fields.number("refund_id"))
            let kind = fields.choice("kind", ReturnKind.self) ?? .refund
            try fields.finish()
            let actor = call.actor
            return try await call.answer { store in
                let row = try store.eventLinks.link(purchase: purchase, refund: refund, kind, by: actor)
                return .created(try store.api([row])[0], at: "/refunds/\(row.id)")
            }
        },
        Endpoint(
            .get, "/refunds/{id}", "Refunds", "One link in any state.",
            .init(parameters: [.id, .ifNoneMatch], responses: [one, .notFound])
        ) { call in
            let id = try call.number()
            let found = try await call.read { store in try store.eventLinks.find(id).map { try store.api([$0])[0] } }
            guard let found else { throw Problem.notFound("refund \(id)") }
            return Answer.json(found).tagged(for: call.request)
        },
        Endpoint(
            .post, "/refunds/{id}/confirm", "Refunds", "Confirms a proposal, or makes a rejected link again.",
            .init(parameters: [.id], responses: [one, .notFound, .conflict], isRepeatable: true)
        ) { call in
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { .json(try $0.api([$0.eventLinks.confirm(id, by: actor)])[0]) }
        },
        Endpoint(
            .post, "/refunds/{id}/reject", "Refunds",
            "Rejects a proposal, or undoes a link: the refund is income again. The pair is not proposed again.",
            .init(parameters: [.id], responses: [one, .notFound, .conflict], isRepeatable: true)
        ) { call in
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { .json(try $0.api([$0.eventLinks.reject(id, by: actor)])[0]) }
        },
    ]
}
