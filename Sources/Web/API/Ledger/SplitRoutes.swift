import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Store

/// /transactions/{id}/splits: the parts of a payment over several categories.
enum SplitRoutes {
    private static let members: [(String, JSON)] = [
        ("category_name", Schema.line(TextLimit.name)), ("subcategory", Schema.nullable(Schema.line(TextLimit.name))),
        ("amount", Schema.amount),
    ]
    private static let answer = Endpoint.Response(
        status: 200, about: "The parts in order; none if the payment is not split.",
        schema: Schema.shown([
            ("transaction_id", Schema.integer()), ("currency", Schema.currency), ("amount", Schema.text()),
            ("revision", Schema.integer()),
            (
                "splits",
                Schema.list(
                    Schema.shown([
                        ("category_name", Schema.text()), ("subcategory", Schema.nullable(Schema.text())),
                        ("amount", Schema.text()),
                    ]))
            ),
        ]), headers: [("ETag", "The revision of the transaction.")])

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/transactions/{id}/splits", "Transactions", "The parts of a split payment.",
            .init(parameters: [.id, .ifNoneMatch], responses: [answer, .notFound])
        ) { call in
            let (row, parts) = try await call.row("transaction") { store, id in
                try store.transactions.find(id).map { ($0, try store.transactions.parts(of: id)) }
            }
            return Answer.json(json(row, parts)).tagged(for: call.request, as: row.tag)
        },
        Endpoint(
            .put, "/transactions/{id}/splits", "Transactions",
            "Splits a payment over categories, or joins it again with an empty list. The parts must make up the amount. Recorded in the journal.",
            .init(
                parameters: [.id, .ifMatch],
                body: Schema.object(
                    [
                        (
                            "splits",
                            Schema.list(
                                Schema.object(members, required: ["category_name", "amount"]), atMost: SplitPart.maximum
                            )
                        )
                    ], required: ["splits"]),
                responses: [answer, .notFound, .conflict, .stale]), run: put),
    ]

    private static func put(_ call: Call) async throws -> Answer {
        let old = try await call.row("transaction") { try $0.transactions.find($1) }
        let id = old.id
        var problems: [FieldProblem] = []
        var parts: [SplitPart] = []
        for var fields in try await call.rows("splits", atMost: SplitPart.maximum) {
            let (category, subcategory) = (fields.required("category_name"), fields.optional("subcategory"))
            if !fields.has("amount") { fields.refuse("amount", "is required") }
            let amount = fields.requiredAmount("amount", old.amount.currency)
            problems += fields.allProblems().map { FieldProblem("splits.\($0.field)", $0.detail) }
            parts.append(
                SplitPart(category: category, subcategory: subcategory, minorUnits: amount?.minorUnits ?? 0))
        }
        guard problems.isEmpty else { throw Problem.invalid(problems) }
        guard call.expects(old.tag) else { throw Problem.changed }
        let (made, actor) = (parts, call.actor)
        do {
            return try await call.services.ledger { store in
                // The amounts are in the currency of the revision that was read.
                let row = try store.transactions.split(id, made, expecting: old.revision, by: actor)
                return .json(json(row, try store.transactions.parts(of: id)), headers: [.eTag: row.tag.text])
            }
        } catch let error as StoreError { throw Problem(error, isStale: !call.ifMatch.isEmpty) }
    }

    private static func json(_ row: TransactionRow, _ parts: [SplitPart]) -> JSON {
        .object([
            ("transaction_id", .integer(row.id)), ("currency", .string(row.amount.currency.code)),
            ("amount", .string(row.amount.decimal)), ("revision", .integer(row.revision)),
            (
                "splits",
                .array(
                    parts.map {
                        .object([
                            ("category_name", .string($0.category)), ("subcategory", JSON($0.subcategory)),
                            (
                                "amount",
                                .string(Money(minorUnits: $0.minorUnits, currency: row.amount.currency).decimal)
                            ),
                        ])
                    })
            ),
        ])
    }
}
