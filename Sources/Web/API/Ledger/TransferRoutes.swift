import Codecs
import Hummingbird
import Ledger
import Store

/// /transfers/: pairs of transactions that are one transfer between own accounts.
enum TransferRoutes {
    private static let one = Endpoint.Response(
        status: 200, about: "The transfer after the change.", schema: Schema.ref("Transfer"))
    private static let states = TransferRow.State.allCases.map(\.rawValue)

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/transfers", "Transfers",
            "Transfers between own accounts, the newest first: linked and proposed ones.",
            .init(
                parameters: [
                    .query(
                        "state",
                        Schema.text(
                            pattern: "^(\(states.joined(separator: "|")))(,(\(states.joined(separator: "|"))))*$"),
                        "One or more, separated by commas; proposed,linked by default."),
                    .query("limit", Schema.integer(1, 1000), "The maximum number of transfers; 100 by default."),
                    .ifNoneMatch,
                ],
                responses: [
                    .list("Transfer", "The transfers.")
                ])
        ) { call in
            var query = Query(call)
            let wanted: Set<TransferRow.State>? = query.value(
                "state", "must be one or more of: \(states.joined(separator: ", ")), separated by commas"
            ) { text in
                let words = text.split(separator: ",", omittingEmptySubsequences: false).map {
                    TransferRow.State(rawValue: String($0))
                }
                return words.contains(nil) ? nil : Set(words.compactMap { $0 })
            }
            let limit = query.number("limit", 1...1000) ?? 100
            try query.finish()
            return Answer.json(
                .array(
                    try await call.read {
                        try $0.api($0.transfers.list(wanted ?? [.proposed, .linked], limit: limit))
                    })
            ).tagged(for: call.request)
        },
        Endpoint(
            .post, "/transfers", "Transfers",
            "Links two transactions as a transfer, even if that was refused before. Their amounts must be equal.",
            .init(
                body: Schema.object(
                    [("debit_id", Schema.integer(1)), ("credit_id", Schema.integer(1))],
                    required: ["debit_id", "credit_id"]),
                responses: [
                    .init(
                        status: 201, about: "The linked transfer.", schema: Schema.ref("Transfer"),
                        headers: [("Location", "Its path.")]), .notFound, .conflict,
                ], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let (debit, credit) = (fields.number("debit_id"), fields.number("credit_id"))
            try fields.finish()
            let actor = call.actor
            return try await call.answer { store in
                let row = try store.transfers.link(debit: debit, credit: credit, by: actor)
                return .created(try store.api([row])[0], at: "/transfers/\(row.id)")
            }
        },
        Endpoint(
            .get, "/transfers/{id}", "Transfers", "One transfer in any state.",
            .init(
                parameters: [.id, .ifNoneMatch],
                responses: [one, .notFound])
        ) { call in
            let found = try await call.row("transfer") { store, id in
                try store.transfers.find(id).map { try store.api([$0])[0] }
            }
            return Answer.json(found).tagged(for: call.request)
        },
        Endpoint(
            .post, "/transfers/{id}/confirm", "Transfers",
            "Confirms a proposal, or links an unlinked pair again.",
            .init(
                parameters: [.id],
                responses: [one, .notFound, .conflict],
                isRepeatable: true)
        ) { call in
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { .json(try $0.api([$0.transfers.confirm(id, by: actor)])[0]) }
        },
        Endpoint(
            .post, "/transfers/{id}/refuse", "Transfers",
            "Refuses a proposal, or unlinks a transfer. Both transactions get back their type and category unless these were edited since. The pair is not proposed again.",
            .init(parameters: [.id], responses: [one, .notFound, .conflict], isRepeatable: true)
        ) { call in
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { .json(try $0.api([$0.transfers.refuse(id, by: actor)])[0]) }
        },
    ]
}

extension Fields {
    /// Reads the required ID of a row.
    mutating func number(_ name: String) -> Int64 {
        guard has(name) else {
            refuse(name, "is required")
            return 0
        }
        guard let value = notNull(name, integer(name)) else { return 0 }
        if value < 1 { refuse(name, "must be a positive number") }
        return value
    }
}
