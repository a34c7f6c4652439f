import Chronology
import Codecs
import Glibc
import Hummingbird
import Ledger
import Store

/// /stats/: sums over confirmed transactions, by currency.
enum StatisticsRoutes {

    private static let span: [Endpoint.Parameter] = [
        .query(
            "period", Schema.filtered(24),
            "\(ReportingPeriod.forms). The 30 days up to today (or `until`) by default."),
        .query("since", Schema.date, "First day, instead of a period."),
        .query("until", Schema.date, "Last day; today by default."),
        .query("account", Schema.integer(1), "The number of a user account."),
        .query("category", Schema.filter, "A category or subcategory. Of split payments, its parts count."),
        .query("payee", Schema.integer(1), "The number of a payee."),
        .query("tag", Schema.filter, "A tag."),
    ]
    private static let currency = Endpoint.Parameter.query("currency", Schema.currency, "The home currency by default.")
    private static let money = Schema.text(pattern: "^-?[0-9]+(\\.[0-9]+)?$")

    private static func framed(_ members: [(String, JSON)]) -> JSON {
        Schema.shown([("since", Schema.date), ("until", Schema.date)] + members)
    }

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/stats/summary", "Statistics",
            "Spent and received by currency, for the days and for as many days before.",
            .init(
                parameters: span,
                responses: [
                    .init(
                        status: 200, about: "The sums.",
                        schema: framed([("currencies", Schema.list(totals)), ("before", Schema.list(totals))]))
                ])
        ) { call in
            let days = try Self.days(call).0
            let filter = try Self.filter(call)
            let (now, before) = try await call.read {
                (try $0.statistics.totals(of: days, filter), try $0.statistics.totals(of: days.before, filter))
            }
            return answer(days, [("currencies", .array(now.map(json))), ("before", .array(before.map(json)))])
        },
        list(
            "/stats/categories", "Spent by category and subcategory, the largest sum first.",
            Rows(
                name: "categories",
                members: [
                    ("category_name", Schema.text()), ("subcategory", Schema.nullable(Schema.text())), ("spent", money),
                    ("transactions", Schema.integer()),
                ])
        ) { call, days, unit, filter in
            try await call.read { try $0.statistics.spendByCategory(of: days, in: unit, filter) }.map {
                .object([
                    ("category_name", .string($0.category)), ("subcategory", JSON($0.subcategory)),
                    ("spent", .string($0.spent.decimal)), ("transactions", JSON($0.expenses)),
                ])
            }
        },
        list(
            "/stats/tags", "Spent by tag, the largest sum first. An expense with several tags counts for each.",
            Rows(
                name: "tags",
                members: [("tag", Schema.text()), ("spent", money), ("transactions", Schema.integer())])
        ) { call, days, unit, filter in
            try await call.read { try $0.statistics.spendByTag(of: days, in: unit, filter) }.map {
                .object([
                    ("tag", .string($0.tag)), ("spent", .string($0.spent.decimal)), ("transactions", JSON($0.expenses)),
                ])
            }
        },
        list(
            "/stats/payees", "The payees with the largest sums; their printed names may differ.",
            Rows(
                name: "payees", about: "The payees, the largest sum first.",
                parameters: [.query("limit", Schema.integer(1, 1000), "100 by default.")],
                members: [
                    ("payee_id", Schema.integer(1)), ("payee", Schema.text()), ("spent", money),
                    ("transactions", Schema.integer()), ("last_date", Schema.date),
                ])
        ) { call, days, unit, filter in
            var query = Query(call)
            let limit = query.number("limit", 1...1000) ?? 100
            try query.finish()
            return try await call.read { try $0.statistics.spendByPayee(of: days, in: unit, limit: limit, filter) }.map
            {
                .object([
                    ("payee_id", .integer($0.payeeID)), ("payee", .string($0.payee)),
                    ("spent", .string($0.spent.decimal)), ("transactions", JSON($0.expenses)),
                    ("last_date", JSON(describing: $0.lastDate)),
                ])
            }
        },
        list(
            "/stats/over-time", "Spent and received in each day, week or month.",
            Rows(
                name: "steps", about: "The steps, in order and without gaps.",
                parameters: [.query("step", Schema.words(Statistics.Step.self), "day by default.")],
                members: [
                    ("since", Schema.date), ("until", Schema.date), ("spent", money), ("received", money),
                    ("transactions", Schema.integer()),
                ])
        ) { call, days, unit, filter in
            var query = Query(call)
            let step = query.choice("step", Statistics.Step.self) ?? .day
            if step == .day, days.days > 3660 {
                query.refuse("step", "must be week or month for more than ten years")
            }
            try query.finish()
            return try await call.read { try $0.statistics.spendOverTime(of: days, in: unit, by: step, filter) }.map {
                .object([
                    ("since", .string($0.days.first.description)), ("until", .string($0.days.last.description)),
                    ("spent", .string($0.spent.decimal)), ("received", .string($0.received.decimal)),
                    ("transactions", JSON($0.expenses)),
                ])
            }
        },
        list(
            "/stats/merchants", "The merchants with the largest sums.",
            Rows(
                name: "merchants", about: "The merchants, the largest sum first.",
                parameters: [.query("limit", Schema.integer(1, 100), "5 by default.")],
                members: [
                    ("parsed_vendor", Schema.text()), ("spent", money), ("transactions", Schema.integer()),
                    ("last_date", Schema.date),
                ])
        ) { call, days, unit, filter in
            var query = Query(call)
            let limit = query.number("limit", 1...100) ?? 5
            try query.finish()
            return try await call.read { try $0.statistics.topMerchants(of: days, in: unit, limit: limit, filter) }.map
            {
                .object([
                    ("parsed_vendor", .string($0.merchant)), ("spent", .string($0.spent.decimal)),
                    ("transactions", JSON($0.expenses)), ("last_date", JSON(describing: $0.lastDate)),
                ])
            }
        },
        list(
            "/stats/groups", "Spent, received and transferred by any value of the transactions.",
            Rows(
                name: "groups", about: "The groups: steps of time in order, others with the largest spending first.",
                parameters: [.query("group_by", Schema.words(Statistics.Grouping.self), "category by default.")],
                members: [
                    ("key", Schema.text()), ("user_account_id", Schema.nullable(Schema.integer(1))),
                    ("payee_id", Schema.nullable(Schema.integer(1))), ("spent", money),
                    ("received", money), ("transferred", money), ("transactions", Schema.integer()),
                ])
        ) { call, days, unit, filter in
            var query = Query(call)
            let grouping = query.choice("group_by", Statistics.Grouping.self) ?? .category
            try query.finish()
            return try await call.read { try $0.statistics.groups(of: days, in: unit, by: grouping, filter) }.map {
                .object([
                    ("key", .string($0.key)), ("user_account_id", JSON($0.account)),
                    ("payee_id", JSON($0.payee)),
                    ("spent", .string($0.spent.decimal)), ("received", .string($0.received.decimal)),
                    ("transferred", .string($0.transferred.decimal)), ("transactions", JSON($0.transactions)),
                ])
            }
        },
    ]

    /// The list in the answer of a route.
    private struct Rows {
        var name: String
        var about = "The sums."
        /// Besides days and currency.
        var parameters: [Endpoint.Parameter] = []
        /// Members of each row with their schemas.
        var members: [(String, JSON)]
    }

    /// A route that lists sums of some days in one currency.
    private static func list(
        _ path: String, _ summary: String, _ rows: Rows,
        read: @escaping @Sendable (Call, DaySpan, Currency, Statistics.Filter) async throws -> [JSON]
    ) -> Endpoint {
        let name = rows.name
        return Endpoint(
            .get, path, "Statistics", summary,
            .init(
                parameters: span + [currency] + rows.parameters,
                responses: [
                    .init(
                        status: 200, about: rows.about,
                        schema: framed([
                            ("currency", Schema.currency), (name, Schema.list(Schema.shown(rows.members))),
                        ]))
                ])
        ) { call in
            let (days, unit) = try Self.days(call)
            let filter = try Self.filter(call)
            let found = try await read(call, days, unit, filter)
            return answer(days, [("currency", .string(unit.code)), (name, .array(found))])
        }
    }

    private static let totals = Schema.shown([
        ("currency", Schema.currency), ("spent", money), ("received", money), ("net", money), ("transferred", money),
        ("largest_expense", money), ("expenses", Schema.integer()),
        ("incomes", Schema.integer()), ("transfers", Schema.integer()),
    ])

    private static func json(_ totals: Statistics.Totals) -> JSON {
        .object([
            ("currency", .string(totals.currency.code)), ("spent", .string(totals.spent.decimal)),
            ("received", .string(totals.received.decimal)),
            ("net", .string(totals.net.decimal)), ("transferred", .string(totals.transferred.decimal)),
            ("largest_expense", .string(totals.largest.decimal)),
            ("expenses", JSON(totals.expenses)), ("incomes", JSON(totals.incomes)),
            ("transfers", JSON(totals.transfers)),
        ])
    }

    private static func answer(_ days: DaySpan, _ members: [(String, JSON)]) -> Answer {
        .json(
            .object([("since", .string(days.first.description)), ("until", .string(days.last.description))] + members))
    }

    private static func filter(_ call: Call) throws -> Statistics.Filter {
        var query = Query(call)
        let filter = Statistics.Filter(
            account: query.number("account", 1...Int.max).map(Int64.init), category: query.text("category"),
            payee: query.number("payee", 1...Int.max).map(Int64.init), tag: query.text("tag"))
        try query.finish()
        return filter
    }

    private static func days(_ call: Call) throws -> (DaySpan, Currency) {
        var query = Query(call)
        let today = call.services.store.today
        let word = query.text("period")
        let (since, until) = (query.date("since"), query.date("until"))
        // The days up to today end with `until`.
        let period = word.flatMap { ReportingPeriod($0, today: until ?? today) }
        if word != nil, period == nil { query.refuse("period", "must be one of: \(ReportingPeriod.forms)") }
        if until != nil, let period, period.fixed == period {
            query.refuse("until", "must not be combined with a period")
        }
        let unit = query.currency("currency") ?? call.services.store.homeCurrency
        if period != nil, since != nil { query.refuse("since", "must not be combined with a period") }
        let last = until ?? today
        var span = (period ?? .recent(.month, through: last)).days
        if let since {
            if let given = DaySpan(since, through: last) {
                span = given
            } else {
                query.refuse("since", "must not be after until")
            }
        }
        try query.finish()
        return (span, unit)
    }
}
