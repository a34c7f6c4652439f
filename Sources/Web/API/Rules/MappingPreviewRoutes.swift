import Codecs
import Hummingbird
import Ledger
import Store

/// What a keyword would do to what is booked already.
enum MappingPreviewRoutes {
    private static let change = Schema.shown([
        ("transaction", Schema.ref("Transaction")), ("category_name", Schema.text()),
        ("subcategory", Schema.nullable(Schema.text())), ("category_why", Schema.text()),
    ])
    private static let preview = Schema.shown([
        ("vendor_keyword", Schema.text()), ("kind", Schema.words(VendorMapping.Kind.self)),
        ("category_name", Schema.text()), ("subcategory", Schema.nullable(Schema.text())),
        ("count", Schema.integer()), ("changes", Schema.list(change)), ("staying_count", Schema.integer()),
        ("staying", Schema.list(Schema.ref("Transaction"))),
        ("same_count", Schema.integer()),
    ])

    static let endpoints: [Endpoint] = [
        Endpoint(
            .post, "/categories/mappings/preview", "Mappings",
            "Which transactions a keyword would give another category if it were made, the newest first, and which stay since a person or a transfer chose theirs. Changes nothing.",
            parameters: [.query("limit", Schema.integer(0, 1000), "Rows of each list; 50 unless said otherwise.")],
            body: Schema.ref("NewMapping"),
            responses: [.init(status: 200, about: "What it would do.", schema: preview), .conflict]
        ) { call in
            var query = Query(call)
            let limit = query.number("limit", 0...1000) ?? 50
            var fields = try await call.fields()
            let new = NewMapping(&fields)
            try query.finish()
            try fields.finish()
            return .json(
                try await call.ledger { store in
                    let found = try store.mappings.preview(new, limit: limit)
                    let rows = try store.api(found.changes.map(\.row))
                    return .object([
                        ("vendor_keyword", .string(found.keyword)), ("kind", .string(found.kind.rawValue)),
                        ("category_name", .string(found.category)),
                        ("subcategory", JSON(found.subcategory)), ("count", JSON(found.count)),
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
            "Makes a keyword of one's own, or changes what it stands for; with past it gives its category to what the preview names. All of it is undone as one.",
            body: Schema.appliedMapping,
            responses: [
                .init(
                    status: 200, about: "What was done; group_id is null where that was nothing.",
                    schema: Schema.shown([
                        ("mapping", Schema.ref("Mapping")), ("changed", Schema.integer()),
                        ("group_id", Schema.nullable(Schema.text())),
                    ])), .conflict,
            ], isRepeatable: true
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
