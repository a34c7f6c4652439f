import Codecs
import Hummingbird
import Ledger
import Review
import Store

/// /statements: the stored statements and lists of payments.
enum StatementListRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/statements", "Statements",
            "The stored statements and lists of payments, the latest period first.",
            .init(
                parameters: [
                    .query("account_id", Schema.integer(1), "Only those of this account."), .ifNoneMatch,
                ],
                responses: [.init(status: 200, about: "The statements.", schema: Schema.list(StatementJSON.schema))])
        ) { call in
            var query = Query(call)
            let account = query.number("account_id", 1...Int.max).map(Int64.init)
            try query.finish()
            let rows = try await call.read { try $0.statements.all(of: account) }
            return Answer.json(.array(rows.map(StatementJSON.json))).tagged(for: call.request)
        },
        Endpoint(
            .get, "/statements/{id}", "Statements", "A statement beside the ledger as it is now.",
            .init(
                parameters: [.id, .ifNoneMatch],
                responses: [.init(status: 200, about: "The statement.", schema: StatementRoutes.shown), .notFound])
        ) { call in
            let id = try call.number()
            let result = try await call.read { ledger in
                let content = try ledger.statements.content(of: id)
                return StatementResult(row: content.row, comparison: try StatementComparison(content, in: ledger))
            }
            return Answer.json(StatementRoutes.json(result)).tagged(for: call.request)
        },
        Endpoint(
            .post, "/statements/{id}/book", "Statements",
            "Books the named rows that have no transaction, or all of them, with the recorder Import: all or none. 409 if the statement does not prove itself.",
            .init(
                parameters: [.id],
                body: Schema.object([("rows", Schema.list(Schema.integer(1), atMost: mostRows))]),
                isBodyRequired: false,
                responses: [
                    .init(status: 200, about: "The statement after the booking.", schema: StatementRoutes.shown),
                    .notFound, .conflict,
                ])
        ) { call in
            let id = try call.number()
            var fields = try await call.fields(required: false)
            let rows = fields.rowNumbers("rows", atMost: mostRows)
            try fields.finish()
            return try await call.ledger { [actor = call.actor] store in
                .json(
                    StatementRoutes.json(try store.write { try StatementService($0, by: actor).book(id, rows: rows) }))
            }
        },
        Endpoint(
            .delete, "/statements/{id}", "Statements",
            "Deletes a statement and the transactions that it booked, except those that a person changed, tagged, split or linked since.",
            .init(
                parameters: [.id, .confirmReconciled],
                responses: [
                    .init(
                        status: 200, about: "The numbers of the deleted and the kept transactions.",
                        schema: Schema.shown([
                            ("deleted", Schema.list(Schema.integer())), ("kept", Schema.list(Schema.integer())),
                        ])), .notFound, .conflict,
                ])
        ) { call in
            let id = try call.number()
            let confirms = try call.confirmsReconciled()
            return try await call.ledger { [actor = call.actor] store in
                let (deleted, kept) = try store.statements.undo(id, by: actor, confirmsReconciled: confirms)
                return .json(
                    .object([
                        ("deleted", .array(deleted.map(JSON.integer))), ("kept", .array(kept.map(JSON.integer))),
                    ]))
            }
        },
    ]

    private static let mostRows = 10_000
}
