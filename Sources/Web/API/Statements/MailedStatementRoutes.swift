import Codecs
import Hummingbird
import Ledger
import Review
import Store

/// /statements/mailed: statements that banks attached to mails.
enum MailedStatementRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/statements/mailed", "Statements",
            "The statements that banks attached to authentic mails, the newest first: those that wait for a password or an account, and those that were read.",
            .init(
                parameters: [
                    .query("state", Schema.words(StatementFile.State.self), "Only those of this state."),
                    .ifNoneMatch,
                ],
                responses: [.init(status: 200, about: "The files.", schema: Schema.list(shown))])
        ) { call in
            var query = Query(call)
            let state = query.choice("state", StatementFile.State.self)
            try query.finish()
            let files = try await call.read { try $0.statements.files(in: state.map { [$0] }) }
            return Answer.json(.array(files.map(json))).tagged(for: call.request)
        },
        Endpoint(
            .post, "/statements/mailed/{id}/read", "Statements",
            "Reads a statement that waits, with a password or for an account. The password is not stored. The answer's state is read, or the reason why not.",
            .init(
                parameters: [.id],
                body: Schema.object([
                    ("password", Schema.text(TextLimit.key)), ("account_id", Schema.integer(1)),
                ]),
                isBodyRequired: false,
                responses: [.init(status: 200, about: "The file.", schema: shown), .notFound, .conflict])
        ) { call in
            let id = try call.number()
            var fields = try await call.fields(required: false)
            let password = fields.optional("password")
            let account = fields.integer("account_id").new
            try fields.finish()
            do {
                return .json(
                    json(
                        try await call.services.readMailed(
                            id, passwords: password.map { [$0] } ?? [], account: account, by: call.actor)))
            } catch let error as StoreError { throw Problem(error, isStale: false) }
        },
        Endpoint(
            .delete, "/statements/mailed/{id}", "Statements",
            "Deletes the bytes of a statement that waits and is not wanted. The mail stays.",
            .init(
                parameters: [.id],
                responses: [.init(status: 204, about: "Done."), .notFound, .conflict])
        ) { call in
            let id = try call.number()
            try await call.ledger { try $0.statements.discard(file: id) }
            return .noContent
        },
    ]

    private static let maybe = Schema.nullable(Schema.text())
    private static let shown = Schema.shown([
        ("id", Schema.integer()), ("bank", Schema.text()), ("account_digits", maybe), ("file_name", maybe),
        ("file_hash", maybe), ("size", Schema.nullable(Schema.integer())),
        ("state", Schema.words(StatementFile.State.self)),
        ("reason", maybe), ("account_id", Schema.nullable(Schema.integer())),
        ("statement_id", Schema.nullable(Schema.integer())), ("mail_id", Schema.text()),
        ("received_at", Schema.nullable(Schema.instant)),
    ])

    private static func json(_ file: StatementFile) -> JSON {
        .object([
            ("id", .integer(file.id)), ("bank", .string(file.profile)), ("account_digits", JSON(file.accountDigits)),
            ("file_name", JSON(file.name)), ("file_hash", JSON(file.digest)),
            ("size", file.size.map(JSON.integer) ?? .null),
            ("state", .string(file.state.rawValue)), ("reason", JSON(file.reason)),
            ("account_id", file.account.map(JSON.integer) ?? .null),
            ("statement_id", file.statement.map(JSON.integer) ?? .null), ("mail_id", .string(file.mailID)),
            ("received_at", JSON(describing: file.receivedAt)),
        ])
    }
}
