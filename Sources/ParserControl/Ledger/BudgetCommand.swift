import ArgumentParser
import Chronology
import Codecs
import Console
import Ledger
import Review
import Store

struct BudgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget",
        abstract: "Limits of the expenses of categories: what is spent, what is left, what to expect.",
        subcommands: [Listing.self, Set.self, Delete.self], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the budgets with their state in the current period.")
        @Option(name: .customLong("on"), help: "The day, yyyy-mm-dd; today by default.")
        var date: String?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let day = try day(date)
            try options.read { options.show(try $0.budgets.reports(on: day), as: .budgets) }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Make a budget, or change the one of the same category, period and currency.",
            discussion: "'parserctl review undo' reverts the change.")
        @Argument(help: "CATEGORY or CATEGORY/SUBCATEGORY, by name, in any case of letters.")
        var category: String
        @Argument(help: "The limit of one period.")
        var amount: String
        @Option(help: "week, month, quarter or year. Weeks begin on Monday.")
        var period = "month"
        @Option(help: "The currency of the limit and of the expenses that count; the home currency by default.")
        var currency: String?
        @Flag(
            name: .customLong("roll-over"), inversion: .prefixedNo,
            help: "Carry the rest or the excess of a period into the next one; no by default.")
        var rollsOver: Bool?
        @Option(name: .customLong("since"), help: "A day of the first period, yyyy-mm-dd; today for a new budget.")
        var start: String?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let first = try day(start)
            try options.write { store in
                let target = try CategoryTarget(category, in: store)
                let limit = try FieldInput.amount(amount, try FieldInput.currency(currency ?? store.homeCurrency.code))
                let kind = try FieldInput.choice(period, "a period", of: CalendarPeriod.self)
                let row = try store.write { ledger in
                    var new = NewBudget(
                        category: target.category, subcategory: target.subcategory,
                        budget: Budget(
                            amount: limit, period: kind, rollsOver: rollsOver ?? false, start: first ?? store.today))
                    guard let old = try ledger.budgets.find(like: new) else {
                        return try ledger.budgets.add(new, by: .terminal)
                    }
                    new.budget.start = first ?? old.budget.start
                    new.budget.rollsOver = rollsOver ?? old.budget.rollsOver
                    return try ledger.budgets.update(old.id, new, by: .terminal)
                }
                options.show(row.json, row.text)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a budget. 'parserctl review undo' restores it.")
        @OptionGroup var row: RowArgument

        func run() async throws { try row.delete("budget") { try $0.budgets.delete($1, by: .terminal) } }
    }
}

extension RowFormat where Row == BudgetReport {
    fileprivate static var budgets: RowFormat {
        RowFormat(
            empty: "no budgets: 'parserctl budget set CATEGORY AMOUNT' makes one", object: \.json,
            columns: [
                .right("id") { "\($0.row.id)" }, .left("category") { $0.row.target },
                .left("period") { $0.row.budget.period.rawValue }, .left("until") { "\($0.status.days.last)" },
                .left("") { $0.row.budget.amount.currency.code },
                .right("available") { $0.status.available.decimal }, .right("spent") { $0.status.spent.decimal },
                .right("left") { $0.status.remaining.decimal },
                .right("%") { $0.status.percent.map { "\($0)" } ?? "-" },
                .right("forecast") { $0.status.forecast.decimal }, .left("state") { $0.status.state.rawValue },
            ])
    }
}

extension BudgetRow {
    fileprivate var text: String {
        "budget \(id): \(Terminal.printable(target)), \(budget.amount) a \(budget.period.rawValue)"
            + (budget.rollsOver ? ", rolls over" : "") + ", from \(budget.firstDay) on"
    }

    fileprivate var members: [(String, JSON)] {
        [
            ("id", .integer(id)), ("category_name", .string(category)), ("subcategory", JSON(subcategory)),
            ("period", .string(budget.period.rawValue)), ("currency", .string(budget.amount.currency.code)),
            ("amount", .string(budget.amount.decimal)), ("rolls_over", .bool(budget.rollsOver)),
            ("starts_on", .string(budget.start.description)),
        ]
    }

    fileprivate var json: JSON { .object(members) }
}

extension BudgetReport {
    fileprivate var json: JSON {
        .object(
            row.members + [
                ("since", .string(status.days.first.description)), ("until", .string(status.days.last.description)),
                ("state", .string(status.state.rawValue)), ("carried", .string(status.carried.decimal)),
                ("available", .string(status.available.decimal)), ("spent", .string(status.spent.decimal)),
                ("remaining", .string(status.remaining.decimal)), ("percent", JSON(status.percent)),
                ("upcoming", .string(status.upcoming.decimal)),
                ("forecast", .string(status.forecast.decimal)), ("expected_state", .string(status.expected.rawValue)),
            ])
    }
}
