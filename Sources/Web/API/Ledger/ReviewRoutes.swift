import Codecs
import Hummingbird
import Ledger
import Review
import Store

/// /review/: the review queue.
enum ReviewRoutes {
    private static let item = Endpoint.Parameter(
        name: "id", place: .path, schema: Schema.line(64), about: "The number of a transaction, or the UUID of a mail.",
        isRequired: true)
    private static let decided = Endpoint.Response(
        status: 200, about: "The item as it is now, and whether the request changed anything.",
        schema: Schema.shown([("changed", Schema.bool), ("item", Schema.ref("ReviewItem"))]))
    private static let changes: [Endpoint.Response] = [decided, .notFound, .conflict]

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/review", "Review", "The items that wait, oldest first.",
            .init(
                parameters: [
                    .query("limit", Schema.integer(1, 1000), "The maximum number of items; 100 by default."),
                    .ifNoneMatch,
                ],
                responses: [
                    .init(
                        status: 200, about: "The queue.", schema: Schema.list(Schema.ref("ReviewItem")),
                        headers: [("ETag", "Of the list.")])
                ])
        ) { call in
            var query = Query(call)
            let limit = query.number("limit", 1...1000) ?? 100
            try query.finish()
            let list = try await call.read { try $0.api(ReviewService($0).list(limit: limit)) }
            return Answer.json(.array(list)).tagged(for: call.request)
        },
        Endpoint(
            .get, "/review/{id}", "Review", "One item, decided or not.",
            .init(
                parameters: [item, .ifNoneMatch],
                responses: [
                    .init(
                        status: 200, about: "The item.", schema: Schema.ref("ReviewItem"),
                        headers: [("ETag", "Of the item.")]), .notFound,
                ])
        ) { call in
            let id = try reviewID(call)
            let json = try await call.read { store in
                guard let item = try ReviewService(store).item(id) else { throw Problem.notFound("such item") }
                return try store.api([item])[0]
            }
            return Answer.json(json).tagged(for: call.request)
        },
        Endpoint(
            .post, "/review/{id}/accept", "Review",
            "Books the draft with the corrections of the body. A mail without a draft is booked from the body, which then needs amount, type and date; without a body it only leaves the queue.",
            .init(
                parameters: [item], body: Schema.ref("TransactionEdit"), isBodyRequired: false, responses: changes,
                isRepeatable: true)
        ) { call in
            let home = call.services.store.homeCurrency
            return try await change(call) { service, id, seen, fields in
                try service.accept(id, seen: seen) { try fields.edit(of: $0, home: home) }
            }
        },
        Endpoint(
            .post, "/review/{id}/reject", "Review",
            "States that there is nothing to book. The mail does not bring the item back.",
            .init(
                parameters: [item],
                body: Schema.object([("revision", Schema.integer())]), isBodyRequired: false, responses: changes,
                isRepeatable: true)
        ) { call in
            try await change(call) { service, id, seen, fields in
                var fields = fields
                try fields.finish()
                return try service.reject(id, seen: seen)
            }
        },
        Endpoint(
            .post, "/review/{id}/edit", "Review",
            "Corrects the draft, or makes the draft of a mail without one. The item stays in the queue.",
            .init(parameters: [item], body: Schema.ref("TransactionEdit"), responses: changes, isRepeatable: true)
        ) { call in
            let home = call.services.store.homeCurrency
            return try await change(call) { service, id, seen, fields in
                try service.correct(id, seen: seen) { try fields.edit(of: $0, home: home) }
            }
        },
        Endpoint(
            .post, "/review/{id}/undo", "Review", "Undoes the last change of this item that is not undone yet.",
            .init(parameters: [item], responses: changes, isRepeatable: true)
        ) { call in
            let id = try reviewID(call)
            let actor = call.actor
            return try await call.answer { store in
                try ReviewService(store, by: actor).undo(id)
                return try answer(store, id, true)
            }
        },
    ]

    private static func reviewID(_ call: Call) throws -> ReviewID {
        let text = try call.text()
        guard text.utf8.count <= 64 else { throw Problem.notFound("such item") }
        return ReviewID(text)
    }

    /// Runs a change with the revision that the body names, all within the transaction of the answer.
    private static func change(
        _ call: Call,
        _ body:
            @escaping @Sendable (ReviewService<WriteTransaction>, ReviewID, SeenDraft, Fields) throws -> ReviewResult
    ) async throws -> Answer {
        let id = try reviewID(call)
        let fields = try await call.fields(required: call.endpoint.isBodyRequired)
        let actor = call.actor
        return try await call.answer { store in
            guard try store.review.item(id) != nil else { throw Problem.notFound("such item") }
            var fields = fields
            let seen = fields.notNull("revision", fields.integer("revision")).map(SeenDraft.revision) ?? .anything
            do {
                let result = try body(ReviewService(store, by: actor), id, seen, fields)
                return try answer(store, id, result.changed)
            } catch is ReviewConflict {
                throw Problem(
                    status: .conflict, detail: "It was changed since you read it.",
                    errors: [FieldProblem("revision", "is not the current revision")])
            }
        }
    }

    private static func answer(_ store: some ReadScope, _ id: ReviewID, _ changed: Bool) throws -> Answer {
        guard let item = try store.review.item(id) else { throw Problem.notFound("such item") }
        return .json(.object([("changed", .bool(changed)), ("item", try store.api([item])[0])]))
    }
}

extension Fields {
    /// The corrections of an item; everything that is wrong with them is thrown.
    fileprivate func edit(of item: ReviewItem, home: Currency) throws -> TransactionEdit {
        var fields = self
        for name in Schema.ignored { fields.ignore(name) }
        let edit = TransactionEdit(&fields, besides: item.transaction?.amount, home: home)
        try fields.finish()
        return edit
    }
}

/// /changes/: the journal.
enum ChangeRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/changes", "Journal", "The last edits, newest first.",
            .init(
                parameters: [
                    .query("transaction_id", Schema.integer(1), "Only of this transaction."),
                    .query("group_id", Schema.uuid, "Only of this group."),
                    .query("limit", Schema.integer(1, 1000), "Maximum number of rows; 100 by default."),
                ], responses: [.init(status: 200, about: "The edits.", schema: Schema.list(Schema.ref("Change")))])
        ) { call in
            var query = Query(call)
            let transaction = query.number("transaction_id", 1...Int.max).map(Int64.init)
            let group = query.uuid("group_id")
            let limit = query.number("limit", 1...1000) ?? 100
            try query.finish()
            return .json(
                .array(
                    try await call.read {
                        try $0.journal.changes(ofTransaction: transaction, group: group, limit: limit)
                    }
                    .map(\.api)))
        },
        Endpoint(
            .post, "/changes/{id}/undo", "Journal",
            "Takes an edit back, where nothing changed the row since; undoing that does it again.",
            .init(
                parameters: [.id],
                responses: [
                    .init(
                        status: 200, about: "The edits that undid it.", schema: Schema.list(Schema.ref("Change"))),
                    .notFound, .conflict,
                ], isRepeatable: true)
        ) { call in
            let id = try call.number()
            let actor = call.actor
            return try await call.answer { .json(.array(try $0.journal.undo(change: id, by: actor).map(\.api))) }
        },
        Endpoint(
            .post, "/changes/groups/{id}/undo", "Journal",
            "Takes back everything that was done as one: all of it, or nothing.",
            .init(
                parameters: [.uuid],
                responses: [
                    .init(
                        status: 200, about: "The edits that undid it.", schema: Schema.list(Schema.ref("Change"))),
                    .notFound, .conflict,
                ], isRepeatable: true)
        ) { call in
            let group = try call.text()
            let actor = call.actor
            return try await call.answer { .json(.array(try $0.journal.undo(group: group, by: actor).map(\.api))) }
        },
    ]
}
