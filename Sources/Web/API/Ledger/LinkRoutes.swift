import Codecs
import Hummingbird
import Ledger
import Store

/// /links/: links between transactions of one event. /proposals/: proposed links that wait for a person.
enum LinkRoutes {
    private static let one = Endpoint.Response(
        status: 200, about: "The link after the change.", schema: Schema.ref("TransactionLink"))
    private static let states = EventLinkRow.State.allCases.map(\.rawValue)
    private static let kinds = EventLinkKind.allCases.map(\.rawValue)
    private static let limit = Endpoint.Parameter.query(
        "limit", Schema.integer(1, 1000), "The maximum number of rows; 100 by default.")

    static let endpoints = lists + changes

    private static let lists: [Endpoint] = [
        Endpoint(
            .get, "/links", "Links",
            "Transactions of one event, the newest link first: made and proposed ones. `from` counts; `to` is its refund or instalment, or a transaction that it replaces.",
            .init(
                parameters: [
                    .query("state", Schema.words(states), "Only links in this state."),
                    .query("kind", Schema.words(kinds), "Only links of this kind."),
                    .query("transaction", Schema.integer(1), "Only links of this transaction, at either end."),
                    limit, .ifNoneMatch,
                ],
                responses: [.list("TransactionLink", "The links.")])
        ) { call in
            var query = Query(call)
            let state = query.value("state", "must be one of: \(states.joined(separator: ", "))") {
                EventLinkRow.State(rawValue: $0)
            }
            let kind = query.value("kind", "must be one of: \(kinds.joined(separator: ", "))") {
                EventLinkKind(rawValue: $0)
            }
            let transaction = query.number("transaction", 1...Int.max).map(Int64.init)
            let limit = query.number("limit", 1...1000) ?? 100
            try query.finish()
            let wanted: Set<EventLinkRow.State> = state.map { [$0] } ?? [.proposed, .made]
            let wantedKinds = kind.map { [$0] } ?? Set(EventLinkKind.allCases)
            return Answer.json(
                .array(
                    try await call.read { ledger in
                        guard let transaction else {
                            return try ledger.api(ledger.eventLinks.list(wanted, of: wantedKinds, limit: limit))
                        }
                        let links = try ledger.eventLinks.links(of: [transaction])[transaction] ?? []
                        let found = links.filter { wanted.contains($0.state) && wantedKinds.contains($0.kind) }
                        return try ledger.api(Array(found.prefix(limit)))
                    })
            ).tagged(for: call.request)
        },
        Endpoint(
            .get, "/proposals", "Links",
            "Everything that waits for a person: proposed links and transfers, each with the paths that accept and reject it.",
            .init(parameters: [limit, .ifNoneMatch], responses: [.list("Proposal", "The proposals.")])
        ) { call in
            var query = Query(call)
            let limit = query.number("limit", 1...1000) ?? 100
            try query.finish()
            return Answer.json(
                .array(
                    try await call.read { ledger in
                        let links = try ledger.eventLinks.list([.proposed], limit: limit)
                        let transfers = try ledger.transfers.list([.proposed], limit: limit)
                        let all = try ledger.proposals(links) + ledger.proposals(transfers)
                        return Array(all.prefix(limit))
                    })
            ).tagged(for: call.request)
        },
    ]

    private static let changes: [Endpoint] = [
        Endpoint(
            .post, "/links", "Links",
            "Links two transactions, even if that was rejected before. They need one ledger and, except a final amount, one currency; the refunds of a purchase cannot exceed its amount.",
            .init(
                body: Schema.object(
                    [
                        ("kind", Schema.words(EventLinkKind.self)), ("from_id", Schema.integer(1)),
                        ("to_id", Schema.integer(1)),
                    ], required: ["kind", "from_id", "to_id"]),
                responses: [
                    .init(
                        status: 201, about: "The link.", schema: Schema.ref("TransactionLink"),
                        headers: [("Location", "Its path.")]), .notFound, .conflict,
                ], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let (from, to) = (fields.number("from_id"), fields.number("to_id"))
            if !fields.has("kind") { fields.refuse("kind", "is required") }
            let kind = fields.choice("kind", EventLinkKind.self) ?? .sameEvent
            try fields.finish()
            let actor = call.actor
            return try await call.answer { store in
                let row = try store.eventLinks.link(from, to: to, as: kind, by: actor)
                return .created(try store.api([row])[0], at: "/links/\(row.id)")
            }
        },
        Endpoint(
            .get, "/links/{id}", "Links", "One link in any state.",
            .init(parameters: [.id, .ifNoneMatch], responses: [one, .notFound])
        ) { call in
            let found = try await call.row("link") { store, id in
                try store.eventLinks.find(id).map { try store.api([$0])[0] }
            }
            return Answer.json(found).tagged(for: call.request)
        },
        Endpoint(
            .post, "/links/{id}/confirm", "Links", "Confirms a proposal, or makes a rejected link again.",
            .init(parameters: [.id], responses: [one, .notFound, .conflict], isRepeatable: true)
        ) { call in
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { .json(try $0.api([$0.eventLinks.confirm(id, by: actor)])[0]) }
        },
        Endpoint(
            .post, "/links/{id}/reject", "Links",
            "Rejects a proposal, or undoes a link: each transaction counts by itself again. The pair is not proposed again.",
            .init(parameters: [.id], responses: [one, .notFound, .conflict], isRepeatable: true)
        ) { call in
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { .json(try $0.api([$0.eventLinks.reject(id, by: actor)])[0]) }
        },
    ]
}
