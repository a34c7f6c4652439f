import Codecs
import Hummingbird
import Ledger
import Store

/// POST /transactions/bulk
enum BulkRoutes {
    /// Limit of transactions: a year of a busy household. They are one database transaction.
    static let limit = 5000

    static let endpoints: [Endpoint] = [
        Endpoint(
            .post, "/transactions/bulk", "Transactions",
            "Books several transactions: all or none. Field names in errors begin with the row's index, from 0.",
            .init(
                body: .object([
                    ("anyOf", .array([list, Schema.object([("transactions", list)], required: ["transactions"])]))
                ]),
                responses: [
                    .init(
                        status: 201, about: "All are booked, in order; the group can be undone as one.",
                        schema: Schema.shown([
                            ("created", Schema.integer()), ("group_id", Schema.text()),
                            ("ids", Schema.list(Schema.integer())),
                        ])), .conflict,
                ], isRepeatable: true)
        ) { call in
            let rows = try await call.rows("transactions", atMost: limit)
            var new: [NewTransaction] = []
            var problems: [FieldProblem] = []
            for var fields in rows {
                let transaction = NewTransaction(&fields, home: call.services.store.homeCurrency)
                let found = fields.allProblems()
                problems += found
                if let transaction, found.isEmpty { new.append(transaction) }
            }
            guard problems.isEmpty else { throw Problem.invalid(Array(problems.prefix(1000))) }
            let made = new
            let (actor, group) = (call.actor, LedgerChange.newGroup())
            return try await call.answer { store in
                let ids = try store.transactions.add(made, by: actor, group: group).map(\.id)
                return .json(
                    .object([
                        ("created", JSON(ids.count)), ("group_id", .string(group)),
                        ("ids", .array(ids.map(JSON.integer))),
                    ]), status: .created)
            }
        }
    ]

    private static let list: JSON = .object([
        ("type", .string("array")), ("items", Schema.ref("NewTransaction")), ("maxItems", JSON(limit)),
    ])
}
