import Chronology
import Codecs
import Hummingbird
import Ledger
import Review
import Statements
import Store

/// /tools/import/statement: statements of accounts as files.
enum StatementRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .post, "/tools/import/statement", "Imports",
            "Stores a statement of an account, links its lines with what is booked, and books the rest on demand. The file is the body, the file of a form with the field password for a protected PDF, or the member text. The same file again stores nothing new and books nothing twice. 422 with the row if its balances do not follow from its lines.",
            .init(
                parameters: [
                    .init(
                        name: "account_id", place: .query, schema: Schema.integer(1),
                        about: "The number of the user's account.", isRequired: true),
                    .query(
                        "book", Schema.words(["true", "false"]), "true books the lines that are only in the statement."),
                    .query("name", Schema.filter, "The file's name, for display."),
                ],
                body: Schema.object(
                    [("text", Schema.text(Call.largestBody)), ("password", Schema.text(TextLimit.key))],
                    required: ["text"]),
                otherBodies: ["text/csv", "application/octet-stream", "multipart/form-data"],
                responses: [
                    .init(status: 200, about: "The statement beside the ledger.", schema: shown), .notFound, .conflict,
                ]), run: add)
    ]

    private static let maybe = Schema.nullable(Schema.text())
    static let shown = Schema.shown([
        ("id", Schema.integer()), ("is_new", Schema.bool), ("account_id", Schema.integer()),
        ("since", Schema.date), ("until", Schema.date), ("currency", Schema.currency), ("opening", maybe),
        ("closing", maybe), ("proof", Schema.words(["every_line", "sum", "none"])), ("reconciled", Schema.bool),
        ("booked", Schema.list(Schema.integer())), ("withheld", Schema.list(Schema.integer())),
        (
            "matches",
            Schema.list(
                Schema.shown([
                    ("row", Schema.integer()), ("transaction_id", Schema.integer()), ("evidence", Schema.text()),
                    ("differences", Schema.list(Schema.text())),
                ]))
        ),
        (
            "only_in_statement",
            Schema.list(
                Schema.shown([
                    ("row", Schema.integer()), ("date", Schema.date), ("amount", Schema.text()),
                    ("text", Schema.text()),
                    ("reference", maybe),
                ]))
        ),
        (
            "only_in_ledger",
            Schema.list(Schema.shown([("transaction_id", Schema.integer()), ("cause", Schema.text())]))
        ),
    ])

    private static func add(_ call: Call) async throws -> Answer {
        var query = Query(call)
        let account = query.number("account_id", 1...Int.max)
        let books = query.flag("book")
        let name = query.text("name", atMost: TextLimit.name)
        if account == nil { query.refuse("account_id", "is required: the number of an account") }
        try query.finish()
        let upload = try await StatementUpload(call)
        guard let account = account.map(Int64.init) else { throw Problem.invalid([]) }
        let found = try await call.ledger { try $0.userAccounts.find(account) }
        guard let row = found else { throw Problem.notFound("account \(account)") }
        let statement: BankStatement
        do {
            statement = try await call.services.statement(
                in: upload.file, of: row, password: upload.password)
        } catch let error as StatementReadingError { throw Problem.invalid("file", error.description) }
        return try await call.ledger { [actor = call.actor] store in
            let result = try store.write { ledger in
                try StatementService(ledger, by: actor).add(
                    statement, of: account, bytes: upload.file, file: name, books: books)
            }
            return .json(json(result))
        }
    }

    static func json(_ result: StatementResult) -> JSON {
        let row = result.row
        return .object([
            ("id", .integer(row.id)), ("is_new", .bool(result.isNew)), ("account_id", .integer(row.account)),
            ("since", JSON(describing: row.period.first)), ("until", JSON(describing: row.period.last)),
            ("currency", .string(row.currency.code)), ("opening", JSON(row.opening?.decimal)),
            ("closing", JSON(row.closing?.decimal)), ("proof", .string(row.proof.rawValue)),
            ("reconciled", .bool(row.reconciledAt != nil)),
            ("booked", .array(result.booking.transactions.map(JSON.integer))),
            ("withheld", .array(result.booking.withheld.map { JSON($0) })),
            ("matches", .array(result.comparison.result.matches.map { json($0, result.comparison.statement) })),
            (
                "only_in_statement",
                .array(
                    result.comparison.result.onlyInStatement.map {
                        json(result.comparison.statement.lines[$0], row.currency)
                    })
            ),
            (
                "only_in_ledger",
                .array(
                    result.comparison.result.onlyInLedger.map {
                        .object([("transaction_id", .integer($0.transaction)), ("cause", .string($0.cause.rawValue))])
                    })
            ),
        ])
    }

    private static func json(_ match: Reconciliation.Match, _ statement: BankStatement) -> JSON {
        .object([
            ("row", JSON(statement.lines[match.line].row)), ("transaction_id", .integer(match.transaction)),
            ("evidence", .string(match.strength.rawValue)),
            ("differences", .array(match.differences.map(\.rawValue).sorted().map(JSON.string))),
        ])
    }

    private static func json(_ line: StatementLine, _ currency: Currency) -> JSON {
        .object([
            ("row", JSON(line.row)), ("date", JSON(describing: line.day)),
            ("amount", .string(Money(minorUnits: line.change, currency: currency).decimal)),
            ("text", .string(line.text)), ("reference", JSON(line.reference)),
        ])
    }
}

extension Query {
    /// A parameter that is true or false; false if absent.
    mutating func flag(_ name: String) -> Bool {
        value(name, "must be true or false") { ["true": true, "false": false][$0] } ?? false
    }
}

extension Call {
    /// True if the client knows that it changes a transaction of a reconciled statement.
    func confirmsReconciled() throws -> Bool {
        var query = Query(self)
        let confirms = query.flag("confirm_reconciled")
        try query.finish()
        return confirms
    }
}
