import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Review
import Store

/// /payees/
enum PayeeRoutes {
    static let schemas: [(String, JSON)] = [
        (
            "Payee",
            Schema.shown([
                ("id", Schema.integer()), ("name", Schema.text()),
                ("category_id", Schema.nullable(Schema.integer())), ("category_name", Schema.nullable(Schema.text())),
                ("subcategory_id", Schema.nullable(Schema.integer())), ("subcategory", Schema.nullable(Schema.text())),
                ("is_shipped", Schema.bool),
                (
                    "aliases",
                    Schema.list(
                        Schema.shown([
                            ("id", Schema.integer()), ("alias", Schema.text()),
                            ("kind", Schema.words(["keyword", "vpa"])),
                            ("is_user_defined", Schema.bool),
                        ]))
                ), ("created_at", Schema.instant), ("updated_at", Schema.instant),
            ])
        ),
        (
            "NewPayee",
            Schema.object(
                [("name", Schema.trimmedName), ("aliases", Schema.list(alias, atMost: NewPayee.mostAliases))] + target,
                required: ["name"])
        ),
        (
            "PayeeEdit",
            Schema.object(
                [("name", Schema.trimmedName)] + target
                    + Schema.sentBack([
                        "id", "category_id", "subcategory_id", "is_shipped", "aliases", "created_at", "updated_at",
                    ]))
        ),
        (
            "PayeeChange",
            Schema.shown([
                ("payee", Schema.ref("Payee")), ("changed", Schema.integer()),
                ("group", Schema.nullable(Schema.text())),
            ])
        ),
        (
            "PayeeFigures",
            Schema.shown([
                ("payee", Schema.ref("Payee")), ("transactions", Schema.integer()),
                ("uncategorized", Schema.integer()),
            ])
        ),
    ]

    /// Words of a printed name, or a UPI address.
    private static let alias = Schema.line(TextLimit.keyword)
    private static let target: [(String, JSON)] = [
        ("category_name", Schema.nullable(Schema.line(TextLimit.name))),
        ("subcategory", Schema.nullable(Schema.line(TextLimit.name))),
    ]

    private static func one(_ about: String) -> Endpoint.Response {
        .row("Payee", "payee", about)
    }
    private static let changed = Endpoint.Response(
        status: 200, about: "The payee, the number of changed transactions, and the group to undo.",
        schema: Schema.ref("PayeeChange"))

    static let endpoints: [Endpoint] =
        [
            Endpoint(
                .get, "/payees", "Payees", "All payees with their aliases, by name.",
                .init(
                    parameters: [.ifNoneMatch],
                    responses: [
                        .list("Payee", "The payees.")
                    ])
            ) { call in
                Answer.json(.array(try await call.read { try $0.payees.all() }.map(\.api))).tagged(for: call.request)
            },
            Endpoint(
                .get, "/payees/figures", "Payees",
                "The payees with transactions: their number, and the number of those without a category, which come first.",
                .init(
                    responses: [
                        .init(status: 200, about: "The payees.", schema: Schema.list(Schema.ref("PayeeFigures")))
                    ])
            ) { call in .json(.array(try await call.read { try $0.payees.counted() }.map(\.api))) },
            Endpoint(
                .post, "/payees", "Payees",
                "Makes a payee and finds its transactions by its name and aliases. Recorded in the journal.",
                .init(
                    body: Schema.ref("NewPayee"),
                    responses: [
                        .row("PayeeChange", "payee", "The new payee.", status: 201), .conflict,
                    ],
                    isRepeatable: true)
            ) { call in
                var fields = try await call.fields()
                var new = NewPayee(name: fields.required("name"))
                (new.category, new.subcategory) = (fields.optional("category_name"), fields.optional("subcategory"))
                new.aliases = fields.texts("aliases") ?? []
                try fields.finish()
                let (made, actor) = (new, call.actor)
                return try await call.answer { store in
                    let change = try store.payees.add(made, by: actor)
                    return .created(change.api, at: "/payees/\(change.row.id)", headers: [.eTag: change.row.tag.text])
                }
            },
            Endpoint(
                .get, "/payees/{id}", "Payees", "One payee.",
                .init(parameters: [.id, .ifNoneMatch], responses: [one("The payee."), .notFound])
            ) { call in
                let row = try await existing(call)
                return Answer.json(row.api).tagged(for: call.request, as: row.tag)
            },
            Endpoint(
                .put, "/payees/{id}", "Payees",
                "Changes the name and the category: absent members stay, null clears. Booked transactions stay. Recorded in the journal.",
                .init(
                    parameters: [.id, .ifMatch], body: Schema.ref("PayeeEdit"),
                    responses: [one("The payee after the change."), .notFound, .conflict, .stale]), run: update),
            Endpoint(
                .delete, "/payees/{id}", "Payees",
                "Deletes a payee with its aliases; its transactions stay without it. Recorded in the journal.",
                .init(
                    parameters: [.id, .ifMatch],
                    responses: [.init(status: 204, about: "Deleted."), .notFound, .conflict, .stale])
            ) { call in
                let (id, actor) = (try await existing(call).id, call.actor)
                try await call.edit(\PayeeRow.tag) { store, holds in
                    try store.payees.delete(id, expecting: holds, by: actor)
                }
                return .noContent
            },
        ] + actions

    private static let actions: [Endpoint] = [
        Endpoint(
            .post, "/payees/{id}/aliases", "Payees",
            "Adds an alias and finds its transactions. Recorded in the journal.",
            .init(
                parameters: [.id], body: Schema.object([("alias", alias)], required: ["alias"]),
                responses: [changed, .notFound, .conflict], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let alias = fields.required("alias")
            try fields.finish()
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { .json(try $0.payees.add(alias: alias, to: id, by: actor).api) }
        },
        Endpoint(
            .delete, "/payees/{id}/aliases/{alias}", "Payees",
            "Removes an alias that a person added. Recorded in the journal.",
            .init(
                parameters: [
                    .id,
                    Endpoint.Parameter(
                        name: "alias", place: .path, schema: Schema.integer(1), about: "The number of the alias.",
                        isRequired: true),
                ],
                responses: [.init(status: 204, about: "Removed."), .notFound, .conflict])
        ) { call in
            let (id, alias, actor) = (try call.number(), try call.number("alias"), call.actor)
            return try await call.answer {
                try $0.payees.remove(alias: alias, of: id, by: actor)
                return .noContent
            }
        },
        Endpoint(
            .post, "/payees/{id}/merge", "Payees",
            "Gives the aliases and transactions to another payee, which keeps its name and category. Recorded in the journal.",
            .init(
                parameters: [.id], body: Schema.object([("into", Schema.integer(1))], required: ["into"]),
                responses: [changed, .notFound, .conflict], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let other = fields.number("into")
            try fields.finish()
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { .json(try $0.payees.merge(id, into: other, by: actor).api) }
        },
        Endpoint(
            .post, "/payees/{id}/settle", "Payees",
            "Chooses the category of a payee, also for its transactions without one. Recorded in the journal.",
            .init(
                parameters: [.id], body: Schema.object(target, required: ["category_name"]),
                responses: [changed, .notFound, .conflict], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let (category, subcategory) = (fields.required("category_name"), fields.optional("subcategory"))
            try fields.finish()
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer {
                .json(try $0.payees.assign(id, category: category, subcategory: subcategory, by: actor).api)
            }
        },
    ]

    private static func existing(_ call: Call) async throws -> PayeeRow {
        try await call.row("payee") { try $0.payees.find($1) }
    }

    private static func update(_ call: Call) async throws -> Answer {
        let old = try await existing(call)
        var fields = try await call.fields()
        fields.ignore("id", "category_id", "subcategory_id", "is_shipped", "aliases", "created_at", "updated_at")
        let name = fields.notNull("name", fields.text("name"))
        let (category, subcategory) = (fields.text("category_name"), fields.text("subcategory"))
        try fields.finish()
        // A subcategory alone is one of the present category.
        let whole: Change<String> =
            category.isKeep && !subcategory.isKeep ? (old.category.map { .set($0) } ?? .keep) : category
        let below = subcategory.isKeep && category.isKeep ? old.subcategory : subcategory.new
        let actor = call.actor
        let row = try await call.edit(\PayeeRow.tag) { store, holds in
            try store.payees.update(
                old.id, PayeeEdit(name: name, category: whole, subcategory: whole.new == nil ? nil : below),
                expecting: holds, by: actor)
        }
        return .json(row.api, headers: [.eTag: row.tag.text])
    }
}

/// The offer to find the payee of a corrected merchant by an alias.
enum PayeeOfferRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/transactions/{id}/payee-offer", "Transactions",
            "The alias that would give the printed merchant, corrected by a person, the payee of this name.",
            .init(
                parameters: [.id],
                responses: [
                    .init(
                        status: 200, about: "The offer.",
                        schema: Schema.shown([
                            ("transaction_id", Schema.integer()), ("alias", Schema.text()),
                            ("kind", Schema.words(["keyword", "vpa"])), ("payee", Schema.text()),
                            ("count", Schema.integer()), ("sentence", Schema.text()),
                        ])), .init(status: 204, about: "No offer."), .notFound,
                ])
        ) { call in
            let id = try call.number()
            let (exists, offer) = try await call.read { store in
                (try store.transactions.find(id) != nil, try store.payees.offer(for: id))
            }
            guard exists else { throw Problem.notFound("transaction \(id)") }
            guard let offer else { return .noContent }
            return .json(
                .object([
                    ("transaction_id", .integer(id)), ("alias", .string(offer.alias)),
                    ("kind", .string(offer.kind.rawValue)), ("payee", .string(offer.payee)),
                    ("count", JSON(offer.count)), ("sentence", .string(offer.sentence)),
                ]))
        },
        Endpoint(
            .post, "/transactions/{id}/payee-offer/accept", "Transactions",
            "Accepts the offer: makes the payee if there is none, adds the alias and finds its transactions.",
            .init(
                parameters: [.id],
                responses: [
                    .init(status: 200, about: "The payee.", schema: Schema.ref("PayeeChange")),
                    .init(status: 204, about: "No offer."), .notFound, .conflict,
                ], isRepeatable: true)
        ) { call in
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { store in
                guard try store.transactions.find(id) != nil else { throw Problem.notFound("transaction \(id)") }
                guard let offer = try store.payees.offer(for: id) else { return .noContent }
                return .json(try store.payees.accept(offer, by: actor).api)
            }
        },
        Endpoint(
            .post, "/transactions/{id}/payee-offer/refuse", "Transactions",
            "Refuses the offer; it is not made again for this name and payee.",
            .init(
                parameters: [.id],
                responses: [.init(status: 204, about: "Refused."), .notFound], isRepeatable: true)
        ) { call in
            let id = try call.number()
            return try await call.answer { store in
                guard try store.transactions.find(id) != nil else { throw Problem.notFound("transaction \(id)") }
                if let offer = try store.payees.offer(for: id) { try store.payees.refuse(offer) }
                return .noContent
            }
        },
    ]
}

extension PayeeRow {
    var api: JSON {
        .object([
            ("id", .integer(id)), ("name", .string(name)), ("category_id", JSON(categoryID)),
            ("category_name", JSON(category)), ("subcategory_id", JSON(subcategoryID)),
            ("subcategory", JSON(subcategory)), ("is_shipped", .bool(isShipped)),
            (
                "aliases",
                .array(
                    aliases.map {
                        .object([
                            ("id", .integer($0.id)), ("alias", .string($0.alias)), ("kind", .string($0.kind.rawValue)),
                            ("is_user_defined", .bool($0.isUserDefined)),
                        ])
                    })
            ), ("created_at", JSON(describing: createdAt)), ("updated_at", JSON(describing: updatedAt)),
        ])
    }

    var tag: ETag { ETag(of: api.utf8) }
}

extension PayeeChange {
    fileprivate var api: JSON { .object([("payee", row.api), ("changed", JSON(changed)), ("group", JSON(group))]) }
}

extension CountedPayee {
    fileprivate var api: JSON {
        .object([
            ("payee", row.api), ("transactions", JSON(figures.transactions)),
            ("uncategorized", JSON(figures.uncategorized)),
        ])
    }
}
