import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import NIOCore
import Store

/// /transactions/
enum TransactionRoutes {
    /// Default number of rows of a page: sixty days of a busy household.
    static let defaultLimit = 1000

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/transactions", "Transactions",
            "Transactions, the newest first. If there are more, the header Link (rel=\"next\") gives the next page; X-Total-Count counts all.",
            .init(
                parameters: filters + paging,
                responses: [
                    .init(
                        status: 200, about: "A page of transactions.", schema: Schema.list(Schema.ref("Transaction")),
                        headers: [
                            ("X-Total-Count", "The number of transactions on all pages."),
                            ("Link", "The next page, if there is one."), ("ETag", "The ETag of this page."),
                        ])
                ]), run: list),
        Endpoint(
            .post, "/transactions", "Transactions",
            "Books a transaction. Without category_name, the keywords choose the category.",
            .init(
                body: Schema.ref("NewTransaction"),
                responses: [
                    .init(
                        status: 201, about: "The booked transaction.", schema: Schema.ref("Transaction"),
                        headers: [("Location", "Its path."), ("ETag", "Its revision.")]), .conflict,
                ],
                isRepeatable: true), run: add),
        Endpoint(
            .get, "/transactions/{id}", "Transactions", "One transaction with its provenance.",
            .init(
                parameters: [.id, .ifNoneMatch],
                responses: [
                    .init(
                        status: 200, about: "The transaction.", schema: Schema.ref("Transaction"),
                        headers: [("ETag", "Its revision.")]), .notFound,
                ]), run: show),
        Endpoint(
            .put, "/transactions/{id}", "Transactions",
            "Changes a transaction: absent members stay, null clears. A mail that is read again does not revert the change. If-Match, or the member revision, prevents overwriting a concurrent change.",
            .init(
                parameters: [.id, .ifMatch, .confirmReconciled], body: Schema.ref("TransactionEdit"),
                responses: [
                    .init(
                        status: 200, about: "The transaction after the change.", schema: Schema.ref("Transaction"),
                        headers: [("ETag", "Its revision.")]), .notFound, .conflict, .stale,
                ]), run: change),
        Endpoint(
            .delete, "/transactions/{id}", "Transactions",
            "Deletes a transaction. Its mail does not bring it back; undo in the journal does.",
            .init(
                parameters: [.id, .ifMatch, .confirmReconciled],
                responses: [.init(status: 204, about: "Deleted."), .notFound, .conflict, .stale]), run: delete),
    ]

    static let filters: [Endpoint.Parameter] = [
        .query("days", Schema.integer(0, 100_000), "The last days, and today."),
        .query("since", Schema.date, "First day."), .query("until", Schema.date, "Last day."),
        .query(
            "q", Schema.filter,
            "A search as people type it, all words of which must hold: text in merchant, payee, notes, reference or UPI address; \"text with blanks\"; amounts such as 499, >5000 or 500..700; days such as 21 Nov, 2026-11 or last week; tag:, payee:, merchant:, category:, account:, bank:, since:, until:, and is: with income, expense, transfer, refund, split, tagged, noted, uncategorized, booked, waiting or rejected; a hyphen before a word excludes."
        ),
        .query(
            "status",
            Schema.text(pattern: "^((confirmed|needs_review|rejected)(,(confirmed|needs_review|rejected))*)?$"),
            "One or more, separated by commas."),
        .query("category", Schema.filter, "By name."), .query("subcategory", Schema.filter, "By name."),
        .query("account", Schema.filter, "The account digits as printed in the mail."),
        .query("account_id", Schema.uuid, "The UUID of an account."),
        .query("user_account_id", Schema.integer(1), "The number of an account of the user."),
        .query("payee_id", Schema.integer(1), "The number of a payee."),
        .query("profile", Schema.filter, "The bank's key, such as hdfc."),
        .query("transaction_type", Schema.words(TransactionType.self), "The direction of the money."),
        .query("channel", Schema.words(Channel.self), "The payment channel."),
        .query("recorder", Schema.words(["Auto", "Manual", "Import", "SMS"]), "The source of the row."),
        .query("ledger", Schema.filter, "By name."), .query("currency", Schema.currency, "ISO 4217."),
        .query("amount_from", Schema.amountText, "At least; of the chosen currency, otherwise of the home currency."),
        .query("amount_to", Schema.amountText, "At most."),
    ]

    private static let paging: [Endpoint.Parameter] = [
        .query(
            "sort", Schema.words(TransactionQuery.Sort.self),
            "The sort key; id is the order of booking."),
        .query("order", Schema.words(["asc", "desc"]), "desc by default."),
        .query("limit", Schema.integer(1, TransactionQuery.maximumLimit), "Rows of a page."),
        .query(
            "cursor", Schema.text(4096, pattern: "^([0-9a-f]{2})+$"),
            "From Link of the previous page; filters and order must be the same."),
        .ifNoneMatch,
    ]

    static func query(_ call: Call) throws -> TransactionQuery {
        var fields = Query(call)
        let query = Self.query(&fields, home: call.services.store.homeCurrency)
        try fields.finish()
        return query
    }

    /// Reads the filters; the caller reports the problems.
    ///
    /// - Parameter home: the currency of amounts if no currency is chosen.
    static func query(_ fields: inout Query, home: Currency) -> TransactionQuery {
        var query = TransactionQuery(limit: defaultLimit)
        query.days = fields.number("days", 0...100_000)
        query.since = fields.date("since")
        query.until = fields.date("until")
        if let statuses = fields.value("status", "", { $0 }), !statuses.isEmpty {
            var set: Set<TransactionStatus> = []
            for word in statuses.split(separator: ",", omittingEmptySubsequences: false) {
                guard let status = TransactionStatus(rawValue: String(word)) else {
                    fields.refuse(
                        "status", "must be one or more of: confirmed, needs_review, rejected, separated by commas")
                    break
                }
                set.insert(status)
            }
            query.statuses = set
        }
        query.category = fields.text("category")
        query.subcategory = fields.text("subcategory")
        query.account = fields.text("account")
        query.accountID = fields.uuid("account_id")
        query.userAccountID = fields.number("user_account_id", 1...Int.max).map(Int64.init)
        query.payeeID = fields.number("payee_id", 1...Int.max).map(Int64.init)
        query.bank = fields.text("profile")
        query.type = fields.choice("transaction_type", TransactionType.self)
        query.channel = fields.choice("channel", Channel.self)
        query.recorder = fields.value("recorder", "must be one of: Auto, Manual, Import, SMS") {
            ["Auto", "Manual", "Import", "SMS"].contains($0) ? $0 : nil
        }
        query.ledger = fields.text("ledger")
        query.currency = fields.currency("currency")
        let unit = query.currency ?? home
        query.search = fields.text("q").map { SearchExpression($0, currency: unit) }
        for problem in query.search?.problems ?? [] { fields.refuse("q", problem.detail) }
        let form = "must be a decimal number such as 1234.50, with at most \(unit.exponent) decimals"
        query.amountFrom = fields.value("amount_from", form) { Money(plain: $0, currency: unit)?.minorUnits }
        query.amountTo = fields.value("amount_to", form) { Money(plain: $0, currency: unit)?.minorUnits }
        if let sort = fields.choice("sort", TransactionQuery.Sort.self) { query.sort = sort }
        query.isDescending = fields.value("order", "must be asc or desc") { ["asc": false, "desc": true][$0] } ?? true
        query.limit = fields.number("limit", 1...TransactionQuery.maximumLimit) ?? defaultLimit
        query.cursor = fields.value("cursor", "is invalid: use the one in Link of the previous page") {
            $0.isEmpty || $0.utf8.count > 4096 ? nil : $0
        }
        return query
    }

    private static func list(_ call: Call) async throws -> Answer {
        let query = try Self.query(call)
        // Encode the rows off the event loops, too: a thousand rows take some milliseconds.
        let (bytes, next, total) = try await call.read { store in
            let page = try store.transactions.page(query)
            return (JSON.array(try store.api(page.rows)).utf8, page.next, page.total)
        }
        var answer = Answer(body: .bytes(bytes))
        answer.headers[.contentType] = "application/json; charset=utf-8"
        answer.headers[.totalCount] = "\(total)"
        if let next {
            var kept = call.request.uri.queryParameters.filter { $0.key != "cursor" }.map {
                "\(escapedForQuery(String($0.key)))=\(escapedForQuery(String($0.value)))"
            }
            kept.append("cursor=\(next)")
            answer.headers[.link] = "</transactions/?\(kept.joined(separator: "&"))>; rel=\"next\""
        }
        return answer.tagged(for: call.request)
    }

    private static func show(_ call: Call) async throws -> Answer {
        let (tag, json) = try await call.row("transaction") { store, id in
            try store.transactions.find(id).map { ($0.tag, try store.api($0, isWhole: true)) }
        }
        return Answer.json(json).tagged(for: call.request, as: tag)
    }

    private static func add(_ call: Call) async throws -> Answer {
        var fields = try await call.fields()
        let new = NewTransaction(&fields, home: call.services.store.homeCurrency)
        try fields.finish()
        guard let new else { throw Problem.invalid([]) }
        let actor = call.actor
        return try await call.answer { store in
            let row = try store.transactions.add(new, by: actor)
            return .created(try store.api(row), at: "/transactions/\(row.id)", headers: [.eTag: row.tag.text])
        }
    }

    private static func change(_ call: Call) async throws -> Answer {
        let id = try call.number()
        let confirmsReconciled = try call.confirmsReconciled()
        var fields = try await call.fields()
        let actor = call.actor
        let expected = fields.notNull("revision", fields.integer("revision"))
        if let expected, expected < 1 { fields.refuse("revision", "must be a positive number") }
        for name in Schema.ignored { fields.ignore(name) }
        let old = try await call.row("transaction") { try $0.transactions.find($1) }
        var edit = TransactionEdit(&fields, besides: old.amount, home: call.services.store.homeCurrency)
        try fields.finish()
        guard call.expects(old.tag) else { throw Problem.changed }
        if let expected, expected != old.revision {
            throw Problem(
                status: .conflict,
                detail:
                    "The transaction has changed since you read it: its revision is \(old.revision), not \(expected).",
                errors: [FieldProblem("revision", "is now \(old.revision)")])
        }
        // An amount in the row's currency, and a precondition, hold for the revision that was read.
        let revision = edit.amount != nil || !call.ifMatch.isEmpty || expected != nil ? old.revision : nil
        if edit.amount == old.amount { edit.amount = nil }
        edit.confirmsReconciled = confirmsReconciled
        let made = edit
        do {
            return try await call.services.ledger { store in
                let row = try store.transactions.change(id, made, expecting: revision, by: actor)
                return .json(try store.api(row, isWhole: true), headers: [.eTag: row.tag.text])
            }
        } catch let error as StoreError { throw Problem(error, isStale: !call.ifMatch.isEmpty) }
    }

    private static func delete(_ call: Call) async throws -> Answer {
        let id = try call.number()
        let actor = call.actor
        let confirms = try call.confirmsReconciled()
        let old = try await call.row("transaction") { try $0.transactions.find($1) }
        guard call.expects(old.tag) else { throw Problem.changed }
        let revision = call.ifMatch.isEmpty ? nil : old.revision
        do {
            guard
                try await call.services.ledger({
                    try $0.transactions.delete(id, expecting: revision, by: actor, confirmsReconciled: confirms)
                })
            else { throw Problem.notFound("transaction \(id)") }
        } catch let error as StoreError { throw Problem(error, isStale: revision != nil) }
        return .noContent
    }
}

extension Endpoint.Parameter {
    static let id = Endpoint.Parameter(
        name: "id", place: .path, schema: Schema.integer(1), about: "The ID.", isRequired: true)
    static let uuid = Endpoint.Parameter(
        name: "id", place: .path, schema: Schema.uuid, about: "The UUID.", isRequired: true)
    static let ifMatch = Endpoint.Parameter.header(
        "If-Match", "The ETag of the representation that the client has, with quotation marks: 412 if it has changed.")
    static let confirmReconciled = Endpoint.Parameter.query(
        "confirm_reconciled", Schema.words(["true", "false"]),
        "true changes the amount, day, direction, account or status of a transaction, or deletes it, although it is in a reconciled statement: 409 otherwise."
    )
    static let ifNoneMatch = Endpoint.Parameter.header(
        "If-None-Match", "The ETag of the representation that the client has: 304 if it is current.")
    static func query(_ name: String, _ schema: JSON, _ about: String) -> Endpoint.Parameter {
        .init(name: name, place: .query, schema: schema, about: about)
    }
    static func header(_ name: String, _ about: String) -> Endpoint.Parameter {
        .init(name: name, place: .header, schema: Schema.text(), about: about)
    }
}

extension Endpoint.Response {
    /// A list with an ETag.
    static func list(_ schema: String, _ about: String) -> Endpoint.Response {
        .init(
            status: 200, about: about, schema: Schema.list(Schema.ref(schema)),
            headers: [("ETag", "The ETag of the list.")])
    }

    /// One row with its ETag; a new one (201) with its path.
    static func row(_ schema: String, _ noun: String, _ about: String, status: Int = 200) -> Endpoint.Response {
        .init(
            status: status, about: about, schema: Schema.ref(schema),
            headers: (status == 201 ? [("Location", "Its path.")] : []) + [("ETag", "The ETag of the \(noun).")])
    }

    static let notFound = problem(404, "Not found.")
    static let conflict = problem(409, "Another row conflicts, or the row has changed.")
    static let stale = problem(412, "The row is not the one that If-Match names.")

    static func problem(_ status: Int, _ about: String) -> Endpoint.Response {
        Endpoint.Response(status: status, about: about, schema: Schema.ref("Problem"), type: "application/problem+json")
    }
}
