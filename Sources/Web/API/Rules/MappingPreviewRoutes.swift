import Codecs
import Hummingbird
import Ledger
import Store

/// Previews and applies a keyword to booked transactions.
enum MappingPreviewRoutes {
    private static let change = Schema.shown([
        ("transaction", Schema.ref("Transaction")), ("category_name", Schema.text()),
        ("subcategory", Schema.nullable(Schema.text())), ("category_why", Schema.text()),
    ])
    private static let preview = Schema.shown([
        ("vendor_keyword", Schema.text()), ("kind", Schema.words(VendorMapping.Kind.self)),
        ("category_name", Schema.text()), ("subcategory", Schema.nullable(Schema.text())),
        ("count", Schema.integer()), ("waiting_count", Schema.integer()), ("changes", Schema.list(change)),
        ("staying_count", Schema.integer()),
        ("staying", Schema.list(Schema.ref("Transaction"))),
        ("same_count", Schema.integer()),
    ])

    static let endpoints: [Endpoint] = [
        Endpoint(
            .post, "/categories/mappings/preview", "Mappings",
            "Lists the transactions whose category a new keyword would change, the newest first, and those that keep a category that a person or a transfer chose. Changes nothing.",
            .init(
                parameters: [.query("limit", Schema.integer(0, 1000), "Rows of each list; 50 by default.")],
                body: Schema.ref("NewMapping"),
                responses: [.init(status: 200, about: "The effect of the keyword.", schema: preview), .conflict])
        ) { call in
            var query = Query(call)
            let limit = query.number("limit", 0...1000) ?? 50
            var fields = try await call.fields()
            let new = NewMapping(&fields)
            try query.finish()
            try fields.finish()
            return .json(
                try await call.read { store in
                    let found = try store.mappings.preview(new, limit: limit)
                    let rows = try store.api(found.changes.map(\.row))
                    return .object([
                        ("vendor_keyword", .string(found.keyword)), ("kind", .string(found.kind.rawValue)),
                        ("category_name", .string(found.category)),
                        ("subcategory", JSON(found.subcategory)), ("count", JSON(found.count)),
                        ("waiting_count", JSON(found.waitingCount)),
                        (
                            "changes",
                            .array(
                                zip(rows, found.changes).map {
                                    .object([
                                        ("transaction", $0), ("category_name", .string($1.category)),
                                        ("subcategory", JSON($1.subcategory)), ("category_why", .string($1.why)),
                                    ])
                                })
                        ), ("staying_count", JSON(found.stayingCount)),
                        ("staying", .array(try store.api(found.staying))), ("same_count", JSON(found.sameCount)),
                    ])
                })
        },
        Endpoint(
            .post, "/categories/mappings/apply", "Mappings",
            "Makes an own keyword or changes its category; with past, applies it to the transactions of the preview. All of it can be undone as one.",
            .init(
                body: Schema.appliedMapping,
                responses: [
                    .init(
                        status: 200, about: "The result; group_id is null if nothing changed.",
                        schema: Schema.shown([
                            ("mapping", Schema.ref("Mapping")), ("changed", Schema.integer()),
                            ("group_id", Schema.nullable(Schema.text())),
                        ])), .conflict,
                ], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let past = fields.bool("past") ?? false
            let new = NewMapping(&fields)
            try fields.finish()
            let actor = call.actor
            return try await call.answer { store in
                let applied = try store.mappings.apply(new, to: past, by: actor)
                return .json(
                    .object([
                        ("mapping", applied.mapping.api), ("changed", JSON(applied.changed)),
                        ("group_id", JSON(applied.group)),
                    ]))
            }
        },
    ]
}
