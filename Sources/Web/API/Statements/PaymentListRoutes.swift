import Chronology
import Codecs
import Exports
import Hummingbird
import Ledger
import Review
import Statements
import Store

/// /tools/import/{source}: lists of payments that payment apps export.
enum PaymentListRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .post, "/tools/import/{source}", "Imports",
            "Reads a list of payments as paytm, phonepe or googlepay export it, or by own columns, and shows each row with what the ledger has of it. Books nothing. The file is the body (.xlsx or .csv), or the member text. The same file again gives the same import.",
            .init(
                parameters: [
                    source,
                    .init(
                        name: "account_id", place: .query, schema: Schema.integer(1),
                        about: "The account of the payments that name no other one.", isRequired: true),
                    .query("name", Schema.filter, "The file's name, for display."),
                ],
                body: Schema.object(
                    [("text", Schema.text(Call.largestBody)), ("password", Schema.text(TextLimit.key))],
                    required: ["text"]),
                otherBodies: ["text/csv", "application/octet-stream", "multipart/form-data"],
                responses: [.init(status: 200, about: "The rows of the list.", schema: preview), .notFound]),
            run: read),
        Endpoint(
            .post, "/tools/import/{source}/confirm", "Imports",
            "Books the rows of a list that the ledger does not have, all of them or none, with the recorder Import. A duplicate is not booked; a possible one is if its row is named.",
            .init(
                parameters: [source],
                body: Schema.object(
                    [
                        ("id", Schema.integer(1)),
                        ("rows", Schema.list(Schema.integer(1), atMost: mostRows)),
                    ], required: ["id"]),
                responses: [
                    .init(status: 200, about: "The rows after the booking.", schema: preview), .notFound, .conflict,
                ]), run: confirm),
        Endpoint(
            .get, "/tools/import/{source}/download", "Imports",
            "The rows of a list as CSV, with what the ledger has of each.",
            .init(
                parameters: [
                    source,
                    .init(
                        name: "id", place: .query, schema: Schema.integer(1), about: "The number of the import.",
                        isRequired: true),
                ],
                responses: [
                    .init(status: 200, about: "The rows.", schema: Schema.text(), type: "text/csv"), .notFound,
                ]), run: download),
        Endpoint(
            .get, "/tools/import/history", "Imports",
            "The statements and lists of payments that were read, the latest period first, with the SHA-256 of each file.",
            .init(
                parameters: [.ifNoneMatch],
                responses: [.init(status: 200, about: "The imports.", schema: Schema.list(StatementJSON.schema))])
        ) { call in
            let rows = try await call.read { try $0.statements.all() }
            return Answer.json(.array(rows.map(StatementJSON.json))).tagged(for: call.request)
        },
    ]

    private static let mostRows = 10_000
    private static let source = Endpoint.Parameter(
        name: "source", place: .path, schema: Schema.text(),
        about: "paytm, phonepe, googlepay, or the name of own columns.", isRequired: true)
    private static let maybe = Schema.nullable(Schema.text())
    private static let preview = Schema.shown([
        ("id", Schema.integer()), ("is_new", Schema.bool), ("source", Schema.text()),
        ("account_id", Schema.integer()), ("currency", Schema.currency), ("file_hash", Schema.text()),
        ("booked", Schema.list(Schema.integer())), ("withheld", Schema.list(Schema.integer())), ("undo_group", maybe),
        (
            "rows",
            Schema.list(
                Schema.shown([
                    ("row", Schema.integer()), ("date", Schema.date), ("amount", Schema.text()),
                    ("text", Schema.text()), ("reference", maybe),
                    ("account_id", Schema.integer()), ("state", Schema.words(ImportedPayment.State.self)),
                    ("transaction_id", Schema.nullable(Schema.integer())),
                ]))
        ),
        (
            "omitted",
            Schema.list(
                Schema.shown([("row", Schema.integer()), ("reason", Schema.words(OmittedRow.Reason.self))]))
        ),
    ])

    private static func read(_ call: Call) async throws -> Answer {
        var query = Query(call)
        let account = query.number("account_id", 1...Int.max).map(Int64.init)
        let name = query.text("name", atMost: TextLimit.name)
        if account == nil { query.refuse("account_id", "is required: the number of an account") }
        try query.finish()
        let source = try call.text("source")
        let upload = try await StatementUpload(call)
        guard let account else { throw Problem.invalid([]) }
        let (row, mapping) = try await call.ledger { [services = call.services] store in
            (try store.userAccounts.find(account), try services.columnMappings(in: store).first { $0.name == source })
        }
        guard let mapping else { throw Problem.notFound("list of payments '\(source)'") }
        guard let row else { throw Problem.notFound("account \(account)") }
        let statement: BankStatement
        do {
            statement = try await call.services.statement(
                in: upload.file, of: row, password: upload.password, list: mapping)
        } catch let error as StatementReadingError { throw Problem.invalid("file", "\(error). \(error.remedy)") }
        return try await call.ledger { [actor = call.actor] store in
            .json(
                json(
                    try store.write {
                        try StatementService($0, by: actor).add(
                            statement, of: account, bytes: upload.file, file: name, books: false)
                    }))
        }
    }

    private static func confirm(_ call: Call) async throws -> Answer {
        let source = try call.text("source")
        var fields = try await call.fields()
        let id = fields.integer("id").new
        if id == nil { fields.refuse("id", "is required: the number of the import") }
        let rows = fields.rowNumbers("rows", atMost: mostRows)
        try fields.finish()
        guard let id else { throw Problem.invalid([]) }
        return try await call.ledger { [actor = call.actor] store in
            .json(
                json(
                    try store.write { ledger in
                        try check(id, source, in: ledger)
                        return try StatementService(ledger, by: actor).book(id, rows: rows)
                    }))
        }
    }

    /// - Throws: `notFound` unless the import is one of the source.
    private static func check(_ id: Int64, _ source: String, in ledger: some ReadScope) throws {
        guard try ledger.statements.content(of: id).row.list == source else {
            throw Problem.notFound("import \(id) of '\(source)'")
        }
    }

    private static func download(_ call: Call) async throws -> Answer {
        let source = try call.text("source")
        var query = Query(call)
        let id = query.number("id", 1...Int.max).map(Int64.init)
        if id == nil { query.refuse("id", "is required: the number of the import") }
        try query.finish()
        guard let id else { throw Problem.invalid([]) }
        let text = try await call.read { ledger in
            try check(id, source, in: ledger)
            let content = try ledger.statements.content(of: id)
            let currency = content.row.currency
            let lines = try StatementComparison(content, in: ledger).payments.map { payment in
                [
                    "\(payment.line.row)", "\(payment.line.day)",
                    Money(minorUnits: payment.line.change, currency: currency).decimal, currency.code,
                    CSV.field(payment.line.text), CSV.field(payment.line.reference ?? ""),
                    "\(payment.line.account ?? content.row.account)", payment.state.rawValue,
                    payment.transaction.map { "\($0.id)" } ?? "",
                ].joined(separator: ",")
            }
            return (["row,date,amount,currency,text,reference,account_id,state,transaction_id"] + lines)
                .map { $0 + "\r\n" }.joined()
        }
        var answer = Answer()
        answer.headers[.contentType] = "text/csv; charset=utf-8"
        answer.headers[.contentDisposition] = "attachment; filename=\"payments-\(id).csv\""
        answer.headers[.cacheControl] = "no-store"
        answer.body = .bytes(Array(text.utf8))
        return answer
    }

    private static func json(_ result: StatementResult) -> JSON {
        let row = result.row
        return .object([
            ("id", .integer(row.id)), ("is_new", .bool(result.isNew)), ("source", JSON(row.list)),
            ("account_id", .integer(row.account)), ("currency", .string(row.currency.code)),
            ("file_hash", .string(row.fileDigest)),
            ("booked", .array(result.booking.transactions.map(JSON.integer))),
            ("withheld", .array(result.booking.withheld.map { JSON($0) })),
            ("undo_group", JSON(result.booking.group)),
            ("rows", .array(result.comparison.payments.map { json($0, row) })),
            (
                "omitted",
                .array(
                    result.comparison.statement.omitted.map {
                        .object([("row", JSON($0.row)), ("reason", .string($0.reason.rawValue))])
                    })
            ),
        ])
    }

    private static func json(_ payment: ImportedPayment, _ row: StatementRow) -> JSON {
        .object([
            ("row", JSON(payment.line.row)), ("date", JSON(describing: payment.line.day)),
            ("amount", .string(Money(minorUnits: payment.line.change, currency: row.currency).decimal)),
            ("text", .string(payment.line.text)), ("reference", JSON(payment.line.reference)),
            ("account_id", .integer(payment.line.account ?? row.account)),
            ("state", .string(payment.state.rawValue)),
            ("transaction_id", payment.transaction.map { JSON.integer($0.id) } ?? .null),
        ])
    }
}

extension Fields {
    /// Reads a list of rows of a file that may be absent.
    mutating func rowNumbers(_ name: String, atMost limit: Int) -> Set<Int>? {
        guard let value = remove(name) else { return nil }
        guard let items = value.elements, items.count <= limit else {
            refuse(name, "must be a list of at most \(limit) whole numbers")
            return nil
        }
        let rows = items.compactMap { $0.integerValue.map { Int($0) } }
        if rows.count < items.count { refuse(name, "must be a list of whole numbers") }
        return Set(rows)
    }
}
