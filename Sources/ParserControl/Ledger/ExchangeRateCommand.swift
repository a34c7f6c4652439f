import ArgumentParser
import Chronology
import Codecs
import Ledger
import Review
import Store
import YAMLSource

struct ExchangeRateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rate", abstract: "Exchange rates, by which totals are converted to the home currency.",
        subcommands: [Listing.self, Set.self, Import.self, Delete.self], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show rates, the newest days first.")
        @Option(help: "Only rates of this currency.")
        var currency: String?
        @Option(help: "The maximum number of rows, or all.")
        var limit = RowLimit.rows(100)
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                let currency = try currency.map(FieldInput.currency)
                options.show(try store.exchangeRates.list(of: currency, limit: limit.count), as: .exchangeRates)
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Enter the units of a currency for one unit of another, on a day.",
            discussion: "'parserctl review undo' takes the change back.")
        @OptionGroup var pair: Pair
        @Argument(help: "The rate, such as 83.0496.")
        var rate: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let rate = try pair.rate(rate)
            try options.write { store in
                try store.exchangeRates.set(rate, by: .terminal)
                options.show([rate], as: .exchangeRates)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete the rate of a day.",
            discussion: "'parserctl review undo' takes the change back.")
        @OptionGroup var pair: Pair
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            // The rate itself does not matter.
            let rate = try pair.rate("1")
            try options.write { store in
                try store.exchangeRates.delete(rate.base, rate.quote, on: rate.day, by: .terminal)
                options.show(
                    .object([("deleted", .bool(true))]), "rate of \(rate.base) in \(rate.quote) on \(rate.day) deleted")
            }
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Read a file of reference rates. Rates entered by hand stay.",
            discussion: """
                ecb: eurofxref.csv or eurofxref-hist.csv of the European Central Bank. rbi: reference rates of the Reserve Bank of India, as FBIL \
                publishes them.
                """)
        @Argument(help: "ecb or rbi.")
        var source: String
        @Argument(help: "The CSV file.", completion: .file())
        var file: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            guard let source = ExchangeRate.Source(rawValue: source), source != .person else {
                throw ValidationError("unknown source '\(source)': use ecb or rbi")
            }
            try options.write { store in
                let rates: [ExchangeRate]
                // Read whole and with a limit, as every other file of a person.
                let text = String(decoding: try YAMLFile(path: file).bytes, as: UTF8.self)
                do { rates = try ReferenceRates.read(text, from: source) } catch let defect
                    as ReferenceRates.Defect
                {
                    throw ValidationError("\(file): \(defect)")
                }
                let stored = try store.exchangeRates.add(rates)
                options.show(
                    .object([("read", JSON(rates.count)), ("stored", JSON(stored))]),
                    "\(rates.count) rates read, \(stored) new or changed")
            }
        }
    }

    /// A day and two currencies.
    struct Pair: ParsableArguments {
        @Argument(help: "The day, yyyy-mm-dd.")
        var day: String
        @Argument(help: "The currency of which one unit is priced, such as USD.")
        var base: String
        @Argument(help: "The currency of the price, such as INR.")
        var quote: String

        func rate(_ text: String) throws -> ExchangeRate {
            let day = try FieldInput.date(day)
            let (base, quote) = (try FieldInput.currency(base), try FieldInput.currency(quote))
            for currency in [base, quote] where !currency.isKnown {
                throw ValidationError(
                    "unknown currency '\(currency.code)': write three letters of ISO 4217, such as INR")
            }
            guard base != quote else { throw ValidationError("the two currencies must differ") }
            guard let billionths = ExchangeRate.billionths(text),
                let rate = ExchangeRate(day: day, base: base, quote: quote, billionths: billionths, source: .person)
            else { throw ValidationError("'\(text)' is not a rate: write it as 83.0496, more than 0") }
            return rate
        }
    }
}

extension UserAccountCommand {
    struct Worth: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "worth", abstract: "Show the sum of all balances by day, in the home currency.")
        @Option(help: "First day, yyyy-mm-dd; 30 days before the last one by default.")
        var since: String?
        @Option(help: "Last day, yyyy-mm-dd; today by default.")
        var until: String?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let (first, last) = (try day(since), try day(until))
            try options.read { store in
                let last = last ?? store.today
                guard let span = DaySpan(first ?? DaySpan(days: 31, through: last).first, through: last) else {
                    throw ValidationError("--since must not be after --until")
                }
                try store.read { ledger in
                    options.show(try ledger.userAccounts.netWorth(of: span), as: .netWorth)
                    let left = try ledger.userAccounts.all().filter { $0.isActive && !$0.hasBalance }
                    guard !left.isEmpty else { return }
                    options.note(
                        "not counted, because a card's debt follows from its limit: "
                            + left.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
                            + "; name it with 'parserctl account edit NUMBER --limit AMOUNT'")
                }
            }
        }
    }
}

extension RowFormat where Row == ExchangeRate {
    fileprivate static var exchangeRates: RowFormat {
        RowFormat(
            empty: "no rates",
            object: {
                .object([
                    ("day", .string($0.day.description)), ("base", .string($0.base.code)),
                    ("quote", .string($0.quote.code)), ("rate", .string($0.decimal)),
                    ("source", .string($0.source.rawValue)),
                ])
            },
            columns: [
                .left("day") { $0.day.description }, .left("1") { $0.base.code }, .right("") { $0.decimal },
                .left("") { $0.quote.code }, .left("source") { $0.source.rawValue },
            ])
    }
}

extension RowFormat where Row == NetWorth {
    fileprivate static var netWorth: RowFormat {
        RowFormat(
            empty: "no days",
            object: {
                .object([
                    ("day", .string($0.day.description)), ("total", .string($0.total.decimal)),
                    ("currency", .string($0.total.currency.code)),
                    (
                        "unconverted",
                        .array(
                            $0.unconverted.map {
                                .object([("amount", .string($0.decimal)), ("currency", .string($0.currency.code))])
                            })
                    ),
                ])
            },
            columns: [
                .left("day") { $0.day.description }, .right("net worth") { $0.total.description },
                .left("without a rate") { $0.unconverted.map(\.description).joined(separator: ", ") },
            ])
    }
}
