import Chronology
import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Review
import Store

/// /dues/ and /calendar.ics
enum DueRoutes {
    private static let money = Schema.text(pattern: "^-?[0-9]+(\\.[0-9]+)?$")
    private static let reach = 0...366
    /// Days of the calendar feed.
    private static let feed = DueRange(back: 31, ahead: 92)

    static let schemas: [(String, JSON)] = [
        (
            "Due",
            Schema.shown([
                ("id", Schema.text()), ("kind", Schema.words(Due.Kind.self)), ("title", Schema.text()),
                ("day", Schema.date), ("has_day", Schema.bool), ("currency", Schema.currency), ("amount", money),
                ("minimum", Schema.nullable(money)), ("rest", money), ("is_income", Schema.bool),
                ("is_posted", Schema.bool), ("state", Schema.words(DueItem.State.self)),
                ("user_account_id", Schema.nullable(Schema.integer())),
                ("account_name", Schema.nullable(Schema.text())),
                ("by_person", Schema.bool),
                ("payer_id", Schema.nullable(Schema.integer())), ("payer_name", Schema.nullable(Schema.text())),
                ("suffices", Schema.nullable(Schema.bool)),
                (
                    "payments",
                    Schema.list(
                        Schema.shown([
                            ("transaction_id", Schema.integer()), ("amount", money), ("day", Schema.date),
                            ("by_person", Schema.bool),
                        ]))
                ),
            ])
        )
    ]

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/dues", "Dues",
            "Bills, announced debits and recurring items, by day: what is due, what settled it, whether the balance suffices.",
            .init(
                parameters: [
                    .query("back", Schema.integer(0, 366), "Days before today; 45 by default."),
                    .query("ahead", Schema.integer(0, 366), "Days from today on; 45 by default."),
                    .query("state", Schema.words(DueItem.State.self), "Only dues in this state."),
                ], responses: [.init(status: 200, about: "The dues.", schema: Schema.list(Schema.ref("Due")))])
        ) { call in
            var query = Query(call)
            var range = DueRange()
            range.back = query.number("back", reach) ?? range.back
            range.ahead = query.number("ahead", reach) ?? range.ahead
            let state = query.choice("state", DueItem.State.self)
            try query.finish()
            let rows = try await call.read { [range] in try $0.dues.list(range) }
            return .json(.array(rows.filter { $0.item.state == state ?? $0.item.state }.map(\.api)))
        },
        Endpoint(
            .post, "/dues/links", "Dues",
            "Declares that a transaction settles a due, or that it does not. Recorded in the journal.",
            .init(
                body: Schema.object(
                    [
                        ("due_id", Schema.line(TextLimit.key)), ("transaction_id", Schema.integer()),
                        ("settles", Schema.bool),
                    ], required: ["due_id", "transaction_id"]),
                responses: [.init(status: 200, about: "The due.", schema: Schema.ref("Due")), .notFound])
        ) { call in
            var fields = try await call.fields()
            let due = fields.required("due_id")
            let transaction = fields.notNull("transaction_id", fields.integer("transaction_id"))
            if transaction == nil { fields.refuse("transaction_id", "is required") }
            let settles = fields.bool("settles") ?? true
            try fields.finish()
            let actor = call.actor
            return try await call.answer { store in
                try store.dues.link(due, to: transaction ?? 0, settles: settles, by: actor)
                guard let row = try store.dues.find(due) else { throw Problem.notFound("due") }
                return .json(row.api)
            }
        },
        Endpoint(
            .post, "/dues/settlements", "Dues",
            "Declares that a due is paid though the ledger has no transaction of the payment, or takes that back. Recorded in the journal.",
            .init(
                body: Schema.object(
                    [("due_id", Schema.line(TextLimit.key)), ("settled", Schema.bool)], required: ["due_id"]),
                responses: [
                    .init(status: 200, about: "The due.", schema: Schema.ref("Due")), .notFound, .conflict,
                ])
        ) { call in
            var fields = try await call.fields()
            let due = fields.required("due_id")
            let isSettled = fields.bool("settled") ?? true
            try fields.finish()
            let actor = call.actor
            return try await call.answer { store in
                try store.dues.declareSettled(due, isSettled, by: actor)
                guard let row = try store.dues.find(due) else { throw Problem.notFound("due") }
                return .json(row.api)
            }
        },
        Endpoint(
            .get, "/calendar.ics", "Dues",
            "Payments to come as a calendar. A token with the scope calendar alone may be part of the address.",
            .init(
                parameters: [.query("token", Schema.text(), "A token with the scope calendar.")],
                responses: [
                    .init(status: 200, about: "A calendar (RFC 5545).", schema: Schema.text(), type: "text/calendar")
                ])
        ) { call in
            // The token was read with the caller's identity.
            try Query(call).finish()
            let rows = try await call.read { try $0.dues.list(feed) }
            let stamp = call.services.access.clock.wall().description.filter { $0 != "-" && $0 != ":" }
            let calendar = ICalendar(
                name: "SpendWise", stamp: stamp,
                rows.filter { $0.item.state != .settled && $0.item.state != .carried }.map(\.event))
            var answer = Answer(body: .bytes(calendar.bytes))
            answer.headers[.contentType] = "text/calendar; charset=utf-8"
            return answer
        },
    ]
}

extension DueRow {
    fileprivate var event: ICalendar.Event {
        ICalendar.Event(
            uid: "\(item.due.id)@spendwise", day: item.due.day.description.filter { $0 != "-" },
            summary: "\(title) \(item.rest)", details: sentence)
    }

    fileprivate var api: JSON {
        let due = item.due
        return .object([
            ("id", .string(due.id)), ("kind", .string(due.kind.rawValue)), ("title", .string(title)),
            ("day", JSON(describing: due.day)), ("has_day", .bool(due.hasDay)),
            ("currency", .string(due.amount.currency.code)),
            ("amount", .string(due.amount.decimal)), ("minimum", JSON(due.minimum?.decimal)),
            ("rest", .string(item.rest.decimal)), ("is_income", .bool(due.isIncome)),
            ("is_posted", .bool(due.isPosted)), ("state", .string(item.state.rawValue)),
            ("user_account_id", JSON(due.account)), ("account_name", JSON(accountName)),
            ("by_person", .bool(due.isDeclaredSettled)),
            ("payer_id", JSON(item.payer)), ("payer_name", JSON(payerName)),
            ("suffices", item.suffices.map(JSON.bool) ?? .null),
            (
                "payments",
                .array(
                    item.payments.map {
                        .object([
                            ("transaction_id", .integer($0.transaction)), ("amount", .string($0.amount.decimal)),
                            ("day", JSON(describing: $0.day)), ("by_person", .bool($0.byPerson)),
                        ])
                    })
            ),
        ])
    }
}
