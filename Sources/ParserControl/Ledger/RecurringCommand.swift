import ArgumentParser
import Chronology
import Codecs
import Console
import Ledger
import Review
import Store

struct RecurringCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recurring",
        abstract: "Payments that come again: detected in the ledger, or entered with a rule.",
        subcommands: [
            Listing.self, Detected.self, Confirm.self, Refuse.self, Add.self, Suspend.self, Resume.self, Remove.self,
            Post.self,
        ], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the items.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in options.show(try store.recurring.all(), as: .items(on: store.today)) }
        }
    }

    struct Detected: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "detected",
            abstract: "Show regular payments in the ledger that are not items yet, with their evidence.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { options.show(try $0.recurring.detected(), as: .candidates) }
        }
    }

    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Make an item of a detected payment: a missing one is reported from now on.")
        @OptionGroup var detected: DetectedArgument

        func run() async throws { try detected.decide(isRecurring: true) }
    }

    struct Refuse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refuse", abstract: "Do not propose a detected payment again.")
        @OptionGroup var detected: DetectedArgument

        func run() async throws { try detected.decide(isRecurring: false) }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Enter an item by hand.", discussion: "'parserctl review undo' reverts the change.")
        @Argument(help: "The payee or payer.")
        var name: String
        @Argument(help: "The amount of one payment.")
        var amount: String
        @Argument(help: "RFC 5545, such as 'FREQ=MONTHLY;BYMONTHDAY=5' or 'FREQ=WEEKLY;BYDAY=MO'.")
        var rule: String
        @Option(help: "The currency of the amount; the home currency by default.")
        var currency: String?
        @Option(help: "expected: a mail books it, and a missing one is reported; posted: the program books it.")
        var mode = RecurringItem.Mode.expected.rawValue
        @Flag(help: "Money comes in.")
        var income = false
        @Option(help: "The number of the account.")
        var account: Int64?
        @Option(help: "CATEGORY or CATEGORY/SUBCATEGORY of what is posted.")
        var category: String?
        @Option(help: "Deviation of the amount that counts as equal, in percent.")
        var band: Int64 = 0
        @Option(name: .customLong("since"), help: "The first day, yyyy-mm-dd; today by default.")
        var start: String?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let first = try day(start)
            let rule: RecurrenceRule
            do { rule = try RecurrenceRule(self.rule) } catch { throw ValidationError("\(error)") }
            try options.write { store in
                let money = try FieldInput.amount(amount, try FieldInput.currency(currency ?? store.homeCurrency.code))
                var item = RecurringItem(
                    name: name, isIncome: income, amount: money, rule: rule, start: first ?? store.today)
                item.mode = try FieldInput.choice(mode, "a mode", of: RecurringItem.Mode.self)
                (item.account, item.band) = (account, band)
                if let category {
                    let target = try CategoryTarget(category, in: store)
                    (item.category, item.subcategory) = (target.category, target.subcategory)
                }
                let row = try store.recurring.add(item, by: .terminal)
                options.show(row.json(on: store.today), row.text)
            }
        }
    }

    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "suspend", abstract: "Expect and post nothing until 'resume'.")
        @OptionGroup var row: RowArgument

        func run() async throws { try row.setActive(false) }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume",
            abstract: "Use a suspended item again. What was due meanwhile is posted.")
        @OptionGroup var row: RowArgument

        func run() async throws { try row.setActive(true) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove an item. What it posted stays; 'parserctl review undo' restores the item.")
        @OptionGroup var row: RowArgument

        func run() async throws {
            try row.delete("recurring item", as: "removed") { try $0.recurring.delete($1, by: .terminal) }
        }
    }

    struct Post: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "post",
            abstract: "Book now what is due of the posted items, as the daemon does every quarter of an hour.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                let booked = try store.recurring.post()
                options.show(.object([("booked", JSON(booked))]), "\(booked) booked")
            }
        }
    }
}

/// A detected payment that is not an item yet.
struct DetectedArgument: ParsableArguments {
    @Argument(help: "The number of one of its transactions, as 'parserctl recurring detected' shows it.")
    var transaction: Int64
    @OptionGroup var options: LedgerOptions

    func decide(isRecurring: Bool) throws {
        try options.write { store in
            let row = try store.recurring.decide(transaction, isRecurring: isRecurring, by: .terminal)
            options.show(
                row.json(on: store.today), isRecurring ? row.text : "recurring item \(row.id) was refused")
        }
    }
}

extension RowArgument {
    fileprivate func setActive(_ isActive: Bool) throws {
        try options.write { store in
            guard var item = try store.recurring.find(id)?.item else {
                throw Refused("there is no recurring item \(id)")
            }
            item.isActive = isActive
            let row = try store.recurring.update(id, item, by: .terminal)
            options.show(row.json(on: store.today), row.text)
        }
    }
}

extension RowFormat where Row == RecurringRow {
    fileprivate static func items(on day: CalendarDate) -> RowFormat {
        RowFormat(
            empty: "no recurring items: 'parserctl recurring detected' shows what was found",
            object: { $0.json(on: day) },
            columns: [
                .right("id") { "\($0.id)" }, .left("name") { $0.item.name }, .left("") { $0.item.amount.currency.code },
                .right("amount") { ($0.item.isIncome ? "+" : "-") + $0.item.amount.decimal },
                .left("rule") { $0.item.rule.description },
                .left("mode") { $0.item.isActive ? $0.item.mode.rawValue : "suspended" },
                .left("next") { $0.next(after: day).map { "\($0)" } ?? "-" },
                .left("account") { $0.accountName ?? "-" },
            ])
    }
}

extension RowFormat where Row == RecurringCandidate {
    fileprivate static var candidates: RowFormat {
        RowFormat(
            empty: "no regular payments were found", object: \.json,
            columns: [
                .right("transaction") { "\($0.payments.last?.id ?? 0)" }, .left("payee") { $0.payee },
                .left("") { $0.amount.currency.code },
                .right("amount") { ($0.isIncome ? "+" : "-") + $0.amount.decimal },
                .left("rule") { $0.rule.description }, .right("payments") { "\($0.payments.count)" },
                .left("since") { $0.payments.first.map { "\($0.day)" } ?? "-" }, .left("next") { "\($0.next)" },
                .left("prices") {
                    $0.priceChanges.isEmpty
                        ? "-"
                        : $0.priceChanges.map { "\($0.before.decimal) > \($0.after.decimal)" }.joined(separator: ", ")
                },
            ])
    }
}

extension RecurringRow {
    fileprivate var text: String {
        "recurring item \(id): \(Terminal.printable(item.name)), \(item.amount), \(item.rule), "
            + (item.isActive ? item.mode.rawValue : "suspended") + ", from \(item.start) on"
    }

    fileprivate func json(on day: CalendarDate) -> JSON {
        .object([
            ("id", .integer(id)), ("name", .string(item.name)), ("type", .string(item.type.rawValue)),
            ("currency", .string(item.amount.currency.code)), ("amount", .string(item.amount.decimal)),
            ("band_percent", .integer(item.band)), ("rule", .string(item.rule.description)),
            ("starts_on", JSON(describing: item.start)), ("mode", .string(item.mode.rawValue)),
            ("is_active", .bool(item.isActive)), ("account", JSON(accountName)),
            ("category_name", JSON(item.category)), ("subcategory", JSON(item.subcategory)),
            ("next", next(after: day).map { JSON(describing: $0) } ?? .null),
            ("last_processed_date", lastProcessed.map { JSON(describing: $0) } ?? .null),
        ])
    }
}

extension RecurringCandidate {
    fileprivate var json: JSON {
        .object([
            ("payee", .string(payee)), ("type", .string(isIncome ? "income" : "expense")),
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
