import Chronology
import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Store

/// /budgets/
enum BudgetRoutes {
    private static let money = Schema.text(pattern: "^-?[0-9]+(\\.[0-9]+)?$")

    static let schemas: [(String, JSON)] = [
        (
            "Budget",
            Schema.shown([
                ("id", Schema.integer()), ("category_id", Schema.integer()), ("category_name", Schema.text()),
                ("subcategory_id", Schema.nullable(Schema.integer())), ("subcategory", Schema.nullable(Schema.text())),
                ("period", Schema.words(CalendarPeriod.self)), ("currency", Schema.currency), ("amount", money),
                ("rolls_over", Schema.bool), ("starts_on", Schema.date), ("created_at", Schema.instant),
                ("updated_at", Schema.instant),
            ])
        ),
        (
            "NewBudget",
            Schema.object(
                [
                    ("category_name", Schema.line(TextLimit.name)),
                    ("subcategory", Schema.nullable(Schema.line(TextLimit.name))),
                    ("period", Schema.words(CalendarPeriod.self)), ("currency", Schema.currency),
                    ("amount", Schema.amount), ("rolls_over", Schema.bool), ("starts_on", Schema.date),
                ]
                    + Schema.sentBack(["id", "category_id", "subcategory_id", "created_at", "updated_at"]),
                required: ["category_name", "amount"])
        ),
        (
            "BudgetStatus",
            Schema.shown([
                ("budget", Schema.ref("Budget")), ("since", Schema.date), ("until", Schema.date),
                ("state", Schema.words(BudgetStatus.State.self)), ("carried", money), ("available", money),
                ("spent", money), ("remaining", money), ("percent", Schema.nullable(Schema.integer())),
                ("upcoming", money), ("forecast", money), ("expected_state", Schema.words(BudgetStatus.State.self)),
            ])
        ),
    ]

    private static func one(_ about: String, status: Int = 200) -> Endpoint.Response {
        .row("Budget", "budget", about, status: status)
    }

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/budgets", "Budgets", "All budgets, by category.",
            .init(
                parameters: [.ifNoneMatch],
                responses: [
                    .list("Budget", "The budgets.")
                ])
        ) { call in
            Answer.json(.array(try await call.read { try $0.budgets.all() }.map(\.api))).tagged(for: call.request)
        },
        Endpoint(
            .get, "/budgets/status", "Budgets",
            "What is spent and left of each budget on a day, and the sum to expect at the end of its period.",
            .init(
                parameters: [.query("on", Schema.date, "The day; today by default.")],
                responses: [
                    .init(status: 200, about: "The budgets.", schema: Schema.list(Schema.ref("BudgetStatus")))
                ])
        ) { call in
            var query = Query(call)
            let day = query.date("on")
            try query.finish()
            return .json(.array(try await call.read { try $0.budgets.reports(on: day) }.map(\.api)))
        },
        Endpoint(
            .post, "/budgets", "Budgets",
            "Makes a budget: by default in the home currency for each month, from the current one on. Recorded in the journal.",
            .init(
                body: Schema.ref("NewBudget"), responses: [one("The new budget.", status: 201), .conflict],
                isRepeatable: true)
        ) { call in
            let new = try await budget(call)
            let actor = call.actor
            return try await call.answer { store in
                let row = try store.budgets.add(new, by: actor)
                return .created(row.api, at: "/budgets/\(row.id)", headers: [.eTag: row.tag.text])
            }
        },
        Endpoint(
            .get, "/budgets/{id}", "Budgets", "One budget.",
            .init(parameters: [.id, .ifNoneMatch], responses: [one("The budget."), .notFound])
        ) { call in
            let row = try await existing(call)
            return Answer.json(row.api).tagged(for: call.request, as: row.tag)
        },
        Endpoint(
            .put, "/budgets/{id}", "Budgets", "Replaces the values of a budget. Recorded in the journal.",
            .init(
                parameters: [.id, .ifMatch], body: Schema.ref("NewBudget"),
                responses: [one("The budget after the change."), .notFound, .conflict, .stale])
        ) { call in
            let old = try await existing(call)
            let new = try await budget(call, old)
            let actor = call.actor
            let row = try await call.edit(\BudgetRow.tag) { store, holds in
                try store.budgets.update(old.id, new, expecting: holds, by: actor)
            }
            return .json(row.api, headers: [.eTag: row.tag.text])
        },
        Endpoint(
            .delete, "/budgets/{id}", "Budgets", "Deletes a budget. Recorded in the journal.",
            .init(
                parameters: [.id, .ifMatch],
                responses: [.init(status: 204, about: "Deleted."), .notFound, .conflict, .stale])
        ) { call in
            let id = try await existing(call).id
            let actor = call.actor
            try await call.edit(\BudgetRow.tag) { store, holds in
                try store.budgets.delete(id, expecting: holds, by: actor)
            }
            return .noContent
        },
    ]

    private static func existing(_ call: Call) async throws -> BudgetRow {
        try await call.row("budget") { try $0.budgets.find($1) }
    }

    /// Reads a budget from the body.
    /// - Parameter old: the budget that is replaced, for the period, currency and first day that the body leaves out.
    private static func budget(_ call: Call, _ old: BudgetRow? = nil) async throws -> NewBudget {
        var fields = try await call.fields()
        fields.ignore("id", "category_id", "subcategory_id", "created_at", "updated_at")
        let (category, subcategory) = (fields.required("category_name"), fields.optional("subcategory"))
        let unit = fields.currency("currency") ?? old?.budget.amount.currency ?? call.services.store.homeCurrency
        if !fields.has("amount") { fields.refuse("amount", "is required") }
        let budget = Budget(
            amount: fields.requiredAmount("amount", unit) ?? Money(minorUnits: 1, currency: unit),
            period: fields.choice("period", CalendarPeriod.self) ?? old?.budget.period ?? .month,
            rollsOver: fields.bool("rolls_over") ?? false,
            start: fields.date("starts_on") ?? old?.budget.start ?? call.services.store.today)
        for problem in budget.problems { fields.refuse(problem.field, problem.detail) }
        try fields.finish()
        return NewBudget(category: category, subcategory: subcategory, budget: budget)
    }
}

extension BudgetRow {
    var api: JSON {
        .object([
            ("id", .integer(id)), ("category_id", .integer(categoryID)), ("category_name", .string(category)),
            ("subcategory_id", JSON(subcategoryID)), ("subcategory", JSON(subcategory)),
            ("period", .string(budget.period.rawValue)), ("currency", .string(budget.amount.currency.code)),
            ("amount", .string(budget.amount.decimal)), ("rolls_over", .bool(budget.rollsOver)),
            ("starts_on", .string(budget.start.description)), ("created_at", JSON(describing: createdAt)),
            ("updated_at", JSON(describing: updatedAt)),
        ])
    }

    var tag: ETag { ETag(of: api.utf8) }
}

extension BudgetReport {
    fileprivate var api: JSON {
        .object([
            ("budget", row.api), ("since", .string(status.days.first.description)),
            ("until", .string(status.days.last.description)), ("state", .string(status.state.rawValue)),
            ("carried", .string(status.carried.decimal)), ("available", .string(status.available.decimal)),
            ("spent", .string(status.spent.decimal)), ("remaining", .string(status.remaining.decimal)),
            ("percent", JSON(status.percent)), ("upcoming", .string(status.upcoming.decimal)),
            ("forecast", .string(status.forecast.decimal)),
            ("expected_state", .string(status.expected.rawValue)),
        ])
    }
}
