import Chronology
import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Store

/// /recurring/
enum RecurringRoutes {
    private static let money = Schema.text(pattern: "^-?[0-9]+(\\.[0-9]+)?$")
    private static let types: [TransactionType] = [.expense, .income]
    private static let rule = Schema.text(
        RecurrenceRule.longestText, about: "RFC 5545, section 3.3.10: FREQ, INTERVAL, BYDAY, BYMONTHDAY, COUNT, UNTIL.")

    static let schemas: [(String, JSON)] = [
        (
            "RecurringItem",
            Schema.shown([
                ("id", Schema.integer()), ("name", Schema.text()),
                ("user_account_id", Schema.nullable(Schema.integer())),
                ("account_name", Schema.nullable(Schema.text())),
                ("transaction_type", Schema.words(types.map(\.rawValue))),
                ("currency", Schema.currency), ("amount", money), ("band_percent", Schema.integer()),
                ("rule", Schema.text()), ("starts_on", Schema.date), ("mode", Schema.words(RecurringItem.Mode.self)),
                ("is_active", Schema.bool), ("category_name", Schema.nullable(Schema.text())),
                ("subcategory", Schema.nullable(Schema.text())), ("next", Schema.nullable(Schema.date)),
                ("last_processed_date", Schema.nullable(Schema.date)), ("created_at", Schema.instant),
                ("updated_at", Schema.instant),
            ])
        ),
        (
            "NewRecurringItem",
            Schema.object(
                [
                    ("name", Schema.line(TextLimit.merchant)), ("user_account_id", Schema.nullable(Schema.integer())),
                    ("transaction_type", Schema.words(types.map(\.rawValue))), ("currency", Schema.currency),
                    ("amount", Schema.amount), ("band_percent", Schema.integer(0, 100)), ("rule", rule),
                    ("starts_on", Schema.date), ("mode", Schema.words(RecurringItem.Mode.self)),
                    ("is_active", Schema.bool), ("category_name", Schema.nullable(Schema.line(TextLimit.name))),
                    ("subcategory", Schema.nullable(Schema.line(TextLimit.name))),
                ]
                    + Schema.sentBack([
                        "id", "account_name", "next", "last_processed_date", "created_at", "updated_at",
                    ]),
                required: ["name", "amount", "rule"])
        ),
        (
            "RecurringCandidate",
            Schema.shown([
                ("payee", Schema.text()), ("user_account_id", Schema.nullable(Schema.integer())),
                ("transaction_type", Schema.words(types.map(\.rawValue))), ("currency", Schema.currency),
                ("amount", money), ("band_percent", Schema.integer()), ("rule", Schema.text()), ("next", Schema.date),
                ("transactions", Schema.list(Schema.integer())),
                (
                    "price_changes",
                    Schema.list(Schema.shown([("day", Schema.date), ("before", money), ("after", money)]))
                ),
            ])
        ),
    ]

    private static func one(_ about: String, status: Int = 200) -> Endpoint.Response {
        .row("RecurringItem", "item", about, status: status)
    }

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/recurring", "Dues", "All recurring items, by name.",
            .init(
                parameters: [.ifNoneMatch],
                responses: [
                    .list("RecurringItem", "The items.")
                ])
        ) { call in
            let rows = try await call.read { ledger in try ledger.recurring.all().map { $0.api(on: ledger.today) } }
            return Answer.json(.array(rows)).tagged(for: call.request)
        },
        Endpoint(
            .get, "/recurring/detected", "Dues",
            "Regular payments among the booked transactions that are not items yet, with their evidence.",
            .init(responses: [
                .init(status: 200, about: "The payments.", schema: Schema.list(Schema.ref("RecurringCandidate")))
            ])
        ) { call in .json(.array(try await call.read { try $0.recurring.detected() }.map(\.api))) },
        Endpoint(
            .post, "/recurring", "Dues",
            "Makes an item: by default an expected expense in the home currency, from today on. Recorded in the journal.",
            .init(
                body: Schema.ref("NewRecurringItem"), responses: [one("The new item.", status: 201), .conflict],
                isRepeatable: true)
        ) { call in
            let new = try await item(call)
            let actor = call.actor
            return try await call.answer { store in
                let row = try store.recurring.add(new, by: actor)
                return .created(
                    row.api(on: store.today), at: "/recurring/\(row.id)", headers: [.eTag: row.tag.text])
            }
        },
        Endpoint(
            .get, "/recurring/{id}", "Dues", "One item.",
            .init(parameters: [.id, .ifNoneMatch], responses: [one("The item."), .notFound])
        ) { call in
            let row = try await existing(call)
            return Answer.json(row.api(on: call.services.store.today)).tagged(for: call.request, as: row.tag)
        },
        Endpoint(
            .put, "/recurring/{id}", "Dues",
            "Replaces the values of an item. What it posted stays. Recorded in the journal.",
            .init(
                parameters: [.id, .ifMatch], body: Schema.ref("NewRecurringItem"),
                responses: [one("The item after the change."), .notFound, .conflict, .stale])
        ) { call in
            let old = try await existing(call)
            let new = try await item(call, old.item)
            let actor = call.actor
            let row = try await call.edit(\RecurringRow.tag) { store, holds in
                try store.recurring.update(old.id, new, expecting: holds, by: actor)
            }
            return .json(row.api(on: call.services.store.today), headers: [.eTag: row.tag.text])
        },
        Endpoint(
            .delete, "/recurring/{id}", "Dues", "Deletes an item. What it posted stays. Recorded in the journal.",
            .init(
                parameters: [.id, .ifMatch],
                responses: [.init(status: 204, about: "Deleted."), .notFound, .conflict, .stale])
        ) { call in
            let id = try await existing(call).id
            let actor = call.actor
            try await call.edit(\RecurringRow.tag) { store, holds in
                try store.recurring.delete(id, expecting: holds, by: actor)
            }
            return .noContent
        },
    ]

    private static func existing(_ call: Call) async throws -> RecurringRow {
        try await call.row("recurring item") { try $0.recurring.find($1) }
    }

    /// Reads an item from the body.
    /// - Parameter old: the item that is replaced, for the values with a default that the body leaves out.
    private static func item(_ call: Call, _ old: RecurringItem? = nil) async throws -> RecurringItem {
        var fields = try await call.fields()
        fields.ignore("id", "account_name", "next", "last_processed_date", "created_at", "updated_at")
        let today = call.services.store.today
        let unit = fields.currency("currency") ?? old?.amount.currency ?? call.services.store.homeCurrency
        if !fields.has("amount") { fields.refuse("amount", "is required") }
        var rule = RecurrenceRule(.monthly)
        do { rule = try RecurrenceRule(fields.required("rule")) } catch { fields.refuse("rule", "\(error)") }
        var item = RecurringItem(
            name: fields.required("name"),
            amount: fields.requiredAmount("amount", unit) ?? Money(minorUnits: 1, currency: unit), rule: rule,
            start: fields.date("starts_on") ?? old?.start ?? today)
        let type = fields.choice("transaction_type", TransactionType.self)
        if type == .transfer { fields.refuse("transaction_type", "must be one of: expense, income") }
        item.isIncome = type.map { $0 == .income } ?? old?.isIncome ?? false
        item.account = fields.integer("user_account_id").new
        item.band = fields.notNull("band_percent", fields.integer("band_percent")) ?? old?.band ?? 0
        item.mode = fields.choice("mode", RecurringItem.Mode.self) ?? old?.mode ?? .expected
        item.isActive = fields.bool("is_active") ?? true
        (item.category, item.subcategory) = (fields.optional("category_name"), fields.optional("subcategory"))
        for problem in item.problems(on: today) where fields.isFree(of: problem.field) {
            fields.refuse(problem.field, problem.detail)
        }
        try fields.finish()
        return item
    }
}

extension RecurringRow {
    func api(on day: CalendarDate) -> JSON {
        .object([
            ("id", .integer(id)), ("name", .string(item.name)), ("user_account_id", JSON(item.account)),
            ("account_name", JSON(accountName)), ("transaction_type", .string(item.type.rawValue)),
            ("currency", .string(item.amount.currency.code)), ("amount", .string(item.amount.decimal)),
            ("band_percent", .integer(item.band)), ("rule", .string(item.rule.description)),
            ("starts_on", JSON(describing: item.start)), ("mode", .string(item.mode.rawValue)),
            ("is_active", .bool(item.isActive)), ("category_name", JSON(item.category)),
            ("subcategory", JSON(item.subcategory)), ("next", next(after: day).map { JSON(describing: $0) } ?? .null),
            ("last_processed_date", lastProcessed.map { JSON(describing: $0) } ?? .null),
            ("created_at", JSON(describing: createdAt)), ("updated_at", JSON(describing: updatedAt)),
        ])
    }

    /// Of the values that a person changes: it stays while days pass and occurrences are booked.
    var tag: ETag { ETag(of: Array("\(id) \(item)".utf8)) }
}

extension RecurringCandidate {
    fileprivate var api: JSON {
        .object([
            ("payee", .string(payee)), ("user_account_id", JSON(account)),
            ("transaction_type", .string(isIncome ? "income" : "expense")),
            ("currency", .string(amount.currency.code)), ("amount", .string(amount.decimal)),
            ("band_percent", .integer(band)), ("rule", .string(rule.description)), ("next", JSON(describing: next)),
            ("transactions", .array(payments.map { .integer($0.id) })),
            (
                "price_changes",
                .array(
                    priceChanges.map {
                        .object([
                            ("day", JSON(describing: $0.day)), ("before", .string($0.before.decimal)),
                            ("after", .string($0.after.decimal)),
                        ])
                    })
            ),
        ])
    }
}
