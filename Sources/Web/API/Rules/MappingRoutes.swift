import Chronology
import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Store

/// /categories/mappings/: keywords that choose categories.
enum MappingRoutes {
    static let syncLimit = 5000

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/categories/mappings", "Mappings", "All keywords, own ones first.",
            .init(
                parameters: [
                    .query("is_user_defined", Schema.bool, "Only own or only shipped keywords."), .ifNoneMatch,
                ],
                responses: [
                    .list("Mapping", "The keywords.")
                ])
        ) { call in
            var query = Query(call)
            let own = query.value("is_user_defined", "must be true or false") { ["true": true, "false": false][$0] }
            try query.finish()
            return Answer.json(.array(try await call.read { try $0.mappings.all(userDefined: own) }.map(\.api)))
                .tagged(
                    for: call.request)
        },
        Endpoint(
            .post, "/categories/mappings", "Mappings",
            "Makes an own keyword, which precedes shipped ones. Booked transactions stay unchanged.",
            .init(
                body: Schema.ref("NewMapping"),
                responses: [
                    .row("Mapping", "keyword", "The new keyword, in force.", status: 201), .conflict,
                ],
                isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let new = NewMapping(&fields)
            try fields.finish()
            let actor = call.actor
            return try await call.answer { store in
                let row = try store.mappings.add(new, by: actor)
                return .created(row.api, at: "/categories/mappings/\(row.id)", headers: [.eTag: row.tag.text])
            }
        },
        Endpoint(
            .get, "/categories/mappings/{id}", "Mappings", "One keyword.",
            .init(
                parameters: [.id, .ifNoneMatch],
                responses: [
                    .row("Mapping", "keyword", "The keyword."), .notFound,
                ])
        ) { call in
            let row = try await call.row("mapping") { try $0.mappings.find($1) }
            return Answer.json(row.api).tagged(for: call.request, as: row.tag)
        },
        Endpoint(
            .put, "/categories/mappings/{id}", "Mappings", "Changes an own keyword.",
            .init(
                parameters: [.id, .ifMatch], body: Schema.ref("NewMapping"),
                responses: [
                    .row("Mapping", "keyword", "The keyword after the change."), .notFound, .conflict, .stale,
                ])
        ) { call in
            let id = try await call.row("mapping") { try $0.mappings.find($1) }.id
            var fields = try await call.fields()
            let new = NewMapping(&fields)
            try fields.finish()
            let actor = call.actor
            let row = try await call.edit(\MappingRow.tag) { store, holds in
                try store.mappings.update(id, new, expecting: holds, by: actor)
            }
            return .json(row.api, headers: [.eTag: row.tag.text])
        },
        Endpoint(
            .delete, "/categories/mappings/{id}", "Mappings",
            "Deletes an own keyword. Transactions keep the category that it chose.",
            .init(
                parameters: [.id, .ifMatch],
                responses: [.init(status: 204, about: "Deleted."), .notFound, .conflict, .stale])
        ) { call in
            let id = try call.number()
            let actor = call.actor
            try await call.edit(\MappingRow.tag) { store, holds in
                try store.mappings.delete(id, expecting: holds, by: actor)
            }
            return .noContent
        },
        Endpoint(
            .post, "/categories/mappings/sync", "Mappings",
            "Merges a client's keywords with the own ones: the latest change wins. All or none.",
            .init(
                body: .object([("anyOf", .array([list, Schema.object([("mappings", list)], required: ["mappings"])]))]),
                responses: [
                    .init(status: 200, about: "The result for each keyword, in order.", schema: Schema.mergedMapping),
                    .conflict,
                ], isRepeatable: true)
        ) { call in
            let sent = try await call.rows("mappings", atMost: syncLimit)
            var list: [NewMapping] = []
            var problems: [FieldProblem] = []
            for var fields in sent {
                let updated = fields.instant("updated_at")
                var mapping = NewMapping(&fields)
                mapping.updatedAt = updated
                problems += fields.allProblems()
                list.append(mapping)
            }
            guard problems.isEmpty else { throw Problem.invalid(Array(problems.prefix(1000))) }
            let (new, actor) = (list, call.actor)
            return try await call.answer { store in
                let merged = try store.mappings.sync(new, by: actor)
                return .json(
                    .array(
                        zip(new, merged).map {
                            .object([("vendor_keyword", .string($0.keyword)), ("result", .string($1.rawValue))])
                        }))
            }
        },
        Endpoint(
            .get, "/categories/mappings/export", "Mappings", "The own keywords in the form that sync accepts.",
            .init(
                parameters: [.ifNoneMatch],
                responses: [
                    .init(
                        status: 200, about: "The keywords.",
                        schema: Schema.object(
                            [("mappings", Schema.list(exported))], required: ["mappings"], isOpen: true))
                ])
        ) { call in
            let rows = try await call.read { try $0.mappings.all(userDefined: true) }
            return .json(
                .object([
                    (
                        "mappings",
                        .array(
                            rows.map {
                                .object([
                                    ("vendor_keyword", .string($0.keyword)), ("kind", .string($0.kind.rawValue)),
                                    ("conditions", $0.conditions.api),
                                    ("category_name", .string($0.category)), ("subcategory", JSON($0.subcategory)),
                                    ("updated_at", JSON(describing: $0.updatedAt)),
                                ])
                            })
                    )
                ])
            ).tagged(for: call.request)
        },
    ]

    private static let list: JSON = .object([
        ("type", .string("array")), ("items", Schema.ref("SyncedMapping")), ("maxItems", JSON(syncLimit)),
    ])
    private static let exported = Schema.shown([
        ("vendor_keyword", Schema.text()), ("kind", Schema.words(VendorMapping.Kind.self)),
        ("conditions", Schema.ref("Conditions")), ("category_name", Schema.text()),
        ("subcategory", Schema.nullable(Schema.text())), ("updated_at", Schema.instant),
    ])
}

extension NewMapping {
    /// Reads a keyword and collects its problems. The ledger checks that the category exists.
    init(_ fields: inout Fields) {
        self.init(keyword: fields.required("vendor_keyword"))
        categoryID = fields.integer("category_id").new
        category = fields.optional("category_name")
        subcategoryID = fields.integer("subcategory_id").new
        subcategory = fields.optional("subcategory")
        kind = fields.choice("kind", VendorMapping.Kind.self)
        switch fields.remove("conditions") {
        case nil, .null: break
        case .object(let members):
            var inner = Fields(members, prefix: fields.prefix + "conditions.")
            conditions = MappingConditions(&inner)
            for problem in inner.allProblems() { fields.refuse(whole: problem) }
        default: fields.refuse("conditions", "must be an object")
        }
        fields.ignore("id", "is_user_defined", "match_count", "created_at", "updated_at")
        for (name, number) in [("category_id", categoryID), ("subcategory_id", subcategoryID)]
        where number.map({ $0 < 1 }) ?? false { fields.refuse(name, "must be a positive number") }
        var check = FieldCheck()
        check.text("category_name", category, atMost: TextLimit.name)
        check.text("subcategory", subcategory, atMost: TextLimit.name)
        for problem in check.problems + problems
        where !fields.problems.contains(where: { $0.field == fields.prefix + problem.field }) {
            fields.refuse(problem.field, problem.detail)
        }
    }
}

extension MappingConditions {
    init(_ fields: inout Fields) {
        let unit = fields.optionalCurrency("currency")
        self.init(
            minimumMinor: fields.amount("amount_from", unit ?? .inr)?.minorUnits,
            maximumMinor: fields.amount("amount_to", unit ?? .inr)?.minorUnits, currency: unit,
            account: fields.optional("account_digits"),
            channel: fields.value(
                "channel", "must be one of: \(Channel.allCases.map(\.rawValue).joined(separator: ", "))"
            ) { Channel(rawValue: $0) }.new,
            type: fields.value("transaction_type", "must be one of: expense, income, transfer") {
                TransactionType(rawValue: $0)
            }.new)
    }
}
