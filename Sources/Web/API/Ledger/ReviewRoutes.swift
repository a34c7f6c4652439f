import Hummingbird
import JSONText
import Ledger
import Store

/// /review/: what waits for a person.
enum ReviewRoutes {
    private static let item = Endpoint.Parameter(
        name: "id", place: .path, schema: Schema.line(64), about: "The number of a transaction, or the UUID of a mail.",
        isRequired: true)
    private static let settled = Endpoint.Response(
        status: 200, about: "The item as it is now, and whether this changed anything.",
        schema: Schema.shown([("changed", Schema.bool), ("item", Schema.ref("ReviewItem"))]))

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/review", "Review", "What waits, oldest first.",
            parameters: [
                .query("limit", Schema.integer(1, 1000), "At most so many; 100 unless said otherwise."), .ifNoneMatch,
            ],
            responses: [
                .init(
                    status: 200, about: "The queue.", schema: Schema.list(Schema.ref("ReviewItem")),
                    headers: [("ETag", "Of the list.")])
            ]
        ) { call in
            var query = Query(call)
            let limit = query.number("limit", 1...1000) ?? 100
            try query.finish()
            return Answer.json(.array(try await call.ledger { try $0.api($0.reviewQueue(limit: limit)) })).tagged(
                for: call.request)
        },
        Endpoint(
            .get, "/review/{id}", "Review", "One item, settled or not.", parameters: [item, .ifNoneMatch],
            responses: [
                .init(
                    status: 200, about: "The item.", schema: Schema.ref("ReviewItem"),
                    headers: [("ETag", "Of the item.")]), .notFound,
            ]
        ) { call in
            let item = try await existing(call).1
            return Answer.json(try await call.ledger { try $0.api([item])[0] }).tagged(for: call.request)
        },
        Endpoint(
            .post, "/review/{id}/accept", "Review",
            "Books the draft, with what the body puts right; a mail without a draft by what the body says: amount, type and date are needed then. Without a body such a mail only leaves the queue.",
            parameters: [item], body: Schema.ref("TransactionEdit"), isBodyRequired: false,
            responses: [settled, .notFound, .conflict], isRepeatable: true
        ) { call in
            let (id, old) = try await existing(call)
            let edit = try await Self.edit(call, old)
            let actor = call.actor
            return try await call.answer { try answer($0, id, $0.accept(id, edit, by: actor)) }
        },
        Endpoint(
            .post, "/review/{id}/reject", "Review",
            "Says that there is nothing to book. Its mail does not bring it back.", parameters: [item],
            responses: [settled, .notFound, .conflict], isRepeatable: true
        ) { call in
            let (id, _) = try await existing(call)
            let actor = call.actor
            return try await call.answer { try answer($0, id, $0.reject(id, by: actor)) }
        },
        Endpoint(
            .post, "/review/{id}/edit", "Review",
            "Puts right what was read wrongly, or makes the draft of a mail without one, and leaves it in the queue.",
            parameters: [item], body: Schema.ref("TransactionEdit"),
            responses: [settled, .notFound, .conflict], isRepeatable: true
        ) { call in
            let (id, old) = try await existing(call)
            let edit = try await Self.edit(call, old)
            let actor = call.actor
            return try await call.answer { try answer($0, id, $0.edit(draft: id, edit, by: actor)) }
        },
        Endpoint(
            .post, "/review/{id}/undo", "Review",
            "Takes back the last edit or decision about this item that still stands.", parameters: [item],
            responses: [settled, .notFound, .conflict], isRepeatable: true
        ) { call in
            let (id, old) = try await existing(call)
            let actor = call.actor
            return try await call.answer { store in
                let changes = try store.changes(
                    ofTransaction: old.transaction?.id, mail: old.transaction == nil ? old.mail?.id : nil, limit: 1000)
                guard let last = changes.first(where: { !$0.isUndone && $0.kind != .undone }) else {
                    throw StoreError(
                        kind: .conflict, path: store.path,
                        message: "nothing was done to this item that could be taken back")
                }
                try store.undo(change: last.id, by: actor)
                return try answer(store, id, true)
            }
        },
    ]

    private static func existing(_ call: Call) async throws -> (ReviewID, ReviewItem) {
        let text = try call.text()
        let id = ReviewID(text)
        guard text.utf8.count <= 64, let item = try await call.ledger({ try $0.reviewItem(id) }) else {
            throw Problem.notFound("such item")
        }
        return (id, item)
    }

    private static func edit(_ call: Call, _ item: ReviewItem) async throws -> TransactionEdit {
        var fields = try await call.fields(required: call.endpoint.isBodyRequired)
        if let revision = fields.notNull("revision", fields.integer("revision")), revision != item.transaction?.revision
        {
            throw Problem(
                status: .conflict, detail: "It was changed since you read it.",
                errors: [FieldProblem("revision", "is another by now")])
        }
        for name in Schema.ignored { fields.ignore(name) }
        let edit = TransactionEdit(&fields, besides: item.transaction?.amount)
        try fields.finish()
        return edit
    }

    private static func answer(_ store: Store, _ id: ReviewID, _ changed: Bool) throws -> Answer {
        guard let item = try store.reviewItem(id) else { throw Problem.notFound("such item") }
        return .json(.object([("changed", .bool(changed)), ("item", try store.api([item])[0])]))
    }
}

/// /changes/: the journal.
enum ChangeRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/changes", "Journal", "The last edits, newest first.",
            parameters: [
                .query("transaction_id", Schema.integer(1), "Only of this transaction."),
                .query("group_id", Schema.uuid, "Only of this group."),
                .query("limit", Schema.integer(1, 1000), "At most so many; 100 unless said otherwise."),
            ], responses: [.init(status: 200, about: "The edits.", schema: Schema.list(Schema.ref("Change")))]
        ) { call in
            var query = Query(call)
            let transaction = query.number("transaction_id", 1...Int.max).map(Int64.init)
            let group = query.uuid("group_id")
            let limit = query.number("limit", 1...1000) ?? 100
            try query.finish()
            return .json(
                .array(
                    try await call.ledger { try $0.changes(ofTransaction: transaction, group: group, limit: limit) }
                        .map(\.api)))
        },
        Endpoint(
            .post, "/changes/{id}/undo", "Journal",
            "Takes an edit back, where nothing changed the row since; undoing that does it again.", parameters: [.id],
            responses: [
                .init(status: 200, about: "The edits that took it back.", schema: Schema.list(Schema.ref("Change"))),
                .notFound, .conflict,
            ], isRepeatable: true
        ) { call in
            let id = try call.number()
            let actor = call.actor
            return try await call.answer { .json(.array(try $0.undo(change: id, by: actor).map(\.api))) }
        },
        Endpoint(
            .post, "/changes/groups/{id}/undo", "Journal",
            "Takes back everything that was done as one: all of it, or nothing.", parameters: [.uuid],
            responses: [
                .init(status: 200, about: "The edits that took it back.", schema: Schema.list(Schema.ref("Change"))),
                .notFound, .conflict,
            ], isRepeatable: true
        ) { call in
            let group = try call.text()
            let actor = call.actor
            return try await call.answer { .json(.array(try $0.undo(group: group, by: actor).map(\.api))) }
        },
    ]
}
