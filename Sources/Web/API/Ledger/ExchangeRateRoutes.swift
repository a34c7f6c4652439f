import Chronology
import Codecs
import Hummingbird
import Ledger
import Store

/// /exchange-rates/: the rates by which totals are converted, and /stats/net-worth, which needs them.
enum ExchangeRateRoutes {
    private static let rate = Schema.shown([
        ("day", Schema.date), ("base", Schema.currency), ("quote", Schema.currency),
        ("rate", Schema.text(pattern: "^[0-9]+(\\.[0-9]+)?$")), ("source", Schema.words(ExchangeRate.Source.self)),
    ])
    private static let money = Schema.text(pattern: "^-?[0-9]+(\\.[0-9]+)?$")
    /// Rates since 1999 in one file have about 7,000 lines of 300 bytes.
    private static let longestFile = 4_000_000

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/exchange-rates", "Exchange rates", "The rates, the newest days first.",
            .init(
                parameters: [
                    .query("currency", Schema.currency, "Only rates of this currency."),
                    .query("limit", Schema.integer(1, 1000), "100 by default."),
                ],
                responses: [.init(status: 200, about: "The rates.", schema: Schema.list(rate))])
        ) { call in
            var query = Query(call)
            let (currency, limit) = (query.currency("currency"), query.number("limit", 1...1000) ?? 100)
            try query.finish()
            let rates = try await call.read { try $0.exchangeRates.list(of: currency, limit: limit) }
            return .json(.array(rates.map(\.api)))
        },
        Endpoint(
            .post, "/exchange-rates", "Exchange rates",
            "Stores the units of quote for one unit of base on a day. An import does not replace it. Recorded in the journal.",
            .init(
                body: Schema.object(
                    [
                        ("day", Schema.date), ("base", Schema.currency), ("quote", Schema.currency),
                        ("rate", Schema.text(pattern: "^[0-9]{1,7}(\\.[0-9]+)?$")),
                    ], required: ["day", "base", "quote", "rate"]),
                responses: [.init(status: 201, about: "The rate.", schema: rate)], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let rate = ExchangeRate(&fields)
            try fields.finish()
            guard let rate else { throw Problem.invalid([FieldProblem("rate", "must be more than 0")]) }
            let actor = call.actor
            return try await call.answer { store in
                try store.exchangeRates.set(rate, by: actor)
                return .created(rate.api, at: "/exchange-rates")
            }
        },
        Endpoint(
            .post, "/exchange-rates/import", "Exchange rates",
            "Stores the rates of a file of reference rates. Those that a person entered stay.",
            .init(
                body: Schema.object(
                    [
                        ("source", Schema.words(["ecb", "rbi"])), ("csv", Schema.sample(longestFile)),
                    ], required: ["source", "csv"]),
                responses: [
                    .init(
                        status: 200, about: "The number of rates that are new or changed.",
                        schema: Schema.shown([("read", Schema.integer()), ("stored", Schema.integer())]))
                ], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let source = fields.choice("source", ExchangeRate.Source.self)
            let text = fields.required("csv")
            if source == nil || source == .person { fields.refuse("source", "must be one of: ecb, rbi") }
            try fields.finish()
            let rates: [ExchangeRate]
            do { rates = try ReferenceRates.read(text, from: source ?? .ecb) } catch {
                throw Problem.invalid([FieldProblem("csv", "\(error)")])
            }
            return try await call.answer { store in
                let stored = try store.exchangeRates.add(rates)
                return .json(.object([("read", JSON(rates.count)), ("stored", JSON(stored))]))
            }
        },
        Endpoint(
            .get, "/stats/net-worth", "Statistics",
            "The sum of the balances of all accounts at the end of each day, in the home currency; without cards whose limit and initial balance are not known.",
            .init(
                parameters: [
                    .query("since", Schema.date, "First day; 30 days before the last one by default."),
                    .query("until", Schema.date, "Last day; today by default."),
                ],
                responses: [
                    .init(
                        status: 200, about: "The days, in order and without gaps.",
                        schema: Schema.list(
                            Schema.shown([
                                ("day", Schema.date), ("total", money), ("currency", Schema.currency),
                                (
                                    "unconverted",
                                    Schema.list(Schema.shown([("amount", money), ("currency", Schema.currency)]))
                                ),
                            ])))
                ])
        ) { call in
            var query = Query(call)
            let last = query.date("until") ?? call.services.store.today
            let first = query.date("since") ?? DaySpan(days: 31, through: last).first
            let span = DaySpan(first, through: last)
            if span == nil { query.refuse("since", "must not be after until") }
            if let span, span.days > 3660 { query.refuse("since", "must be at most ten years before until") }
            try query.finish()
            guard let span else { return .json(.array([])) }
            let days = try await call.read { try $0.userAccounts.netWorth(of: span) }
            return .json(.array(days.map(\.api)))
        },
    ]
}

extension ExchangeRate {
    /// `nil` if a member is refused, or for a rate of 0.
    fileprivate init?(_ fields: inout Fields) {
        let required = ["day", "base", "quote", "rate"].filter { !fields.has($0) }
        for name in required { fields.refuse(name, "is required") }
        let (day, base, quote) = (fields.date("day"), fields.currency("base"), fields.currency("quote"))
        let form = "must be a decimal number such as 83.0496, more than 0 and at most 1000000"
        let rate = fields.notNull("rate", fields.value("rate", form) { Self.billionths($0) })
        for (name, currency) in [("base", base), ("quote", quote)] {
            if let currency, !currency.isKnown { fields.refuse(name, "must be a currency of ISO 4217") }
        }
        if let base, base == quote { fields.refuse("quote", "must be another currency than base") }
        if let rate, !(1...Self.maximum).contains(rate) { fields.refuse("rate", form) }
        guard let day, let base, let quote, let rate else { return nil }
        self.init(day: day, base: base, quote: quote, billionths: rate, source: .person)
    }

    fileprivate var api: JSON {
        .object([
            ("day", JSON(describing: day)), ("base", .string(base.code)), ("quote", .string(quote.code)),
            ("rate", .string(decimal)), ("source", .string(source.rawValue)),
        ])
    }
}

extension NetWorth {
    fileprivate var api: JSON {
        .object([
            ("day", JSON(describing: day)), ("total", .string(total.decimal)),
            ("currency", .string(total.currency.code)),
            (
                "unconverted",
                .array(
                    unconverted.map {
                        .object([("amount", .string($0.decimal)), ("currency", .string($0.currency.code))])
                    })
            ),
        ])
    }
}
