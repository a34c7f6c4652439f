import ArgumentParser
import Chronology
import Codecs
import Ledger
import Store

struct DueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dues",
        abstract: "Bills, announced debits and recurring items: what is due, what is late, what differs.",
        subcommands: [Listing.self, Link.self, Settle.self], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show what is due, in the order of the days.")
        @Option(help: "Days from today on.")
        var ahead = DueRange().ahead
        @Option(help: "Days before today.")
        var back = DueRange().back
        @Flag(help: "Only what is overdue, missing or differs.")
        var late = false
        @OptionGroup var options: LedgerOptions

        func validate() throws {
            guard (0...366).contains(ahead), (0...366).contains(back) else {
                throw ValidationError("--ahead and --back are at most 366 days")
            }
        }

        func run() async throws {
            try options.read { store in
                let rows = try store.dues.list(DueRange(back: back, ahead: ahead))
                options.show(rows.filter { !late || $0.item.state.isAlarming }, as: .dues)
            }
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "link", abstract: "Declare that a transaction pays a due, or that it does not.",
            discussion: "'parserctl review undo' reverts the change.")
        @Argument(help: "The due, as 'parserctl dues' shows it: notice:12.")
        var due: String
        @Argument(help: "The number of the transaction.")
        var transaction: Int64
        @Flag(name: .customLong("not"), help: "The transaction does not pay it.")
        var isRefused = false
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                try store.dues.link(due, to: transaction, settles: !isRefused, by: .terminal)
                options.show(
                    .object([
                        ("due", .string(due)), ("transaction", .integer(transaction)), ("settles", .bool(!isRefused)),
                    ]), "transaction \(transaction) \(isRefused ? "does not pay" : "pays") \(due)")
            }
        }
    }
}

extension DueCommand {
    struct Settle: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "settle", abstract: "Declare that a due is paid, though the ledger has no transaction of it.",
            discussion: "'parserctl review undo' reverts the change.")
        @Argument(help: "The due, as 'parserctl dues' shows it: notice:12.")
        var due: String
        @Flag(name: .customLong("not"), help: "Take the declaration back.")
        var isRefused = false
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                try store.dues.declareSettled(due, !isRefused, by: .terminal)
                options.show(
                    .object([("due", .string(due)), ("settled", .bool(!isRefused))]),
                    isRefused ? "\(due) is not declared paid" : "\(due) is declared paid")
            }
        }
    }
}

extension RowFormat where Row == DueRow {
    fileprivate static var dues: RowFormat {
        RowFormat(
            empty: "nothing is due", object: \.json,
            columns: [
                .left("id") { $0.item.due.id },
                .left("day") { $0.item.due.hasDay ? "\($0.item.due.day)" : "not printed" },
                .left("kind") { $0.item.due.kind.rawValue }, .left("what") { $0.title },
                .left("") { $0.item.due.amount.currency.code }, .right("amount") { $0.item.due.amount.decimal },
                .right("paid") { row in
                    row.item.payments.isEmpty
                        ? "-" : Money(minorUnits: row.item.paid, currency: row.item.due.amount.currency).decimal
                },
                .left("state") { $0.item.state.rawValue }, .left("from") { $0.payerName ?? $0.accountName ?? "-" },
                .left("balance") { $0.item.suffices.map { $0 ? "enough" : "too low" } ?? "-" },
            ])
    }
}

extension DueRow {
    fileprivate var json: JSON {
        let due = item.due
        return .object([
            ("id", .string(due.id)), ("kind", .string(due.kind.rawValue)), ("title", .string(title)),
            ("day", JSON(describing: due.day)), ("has_day", .bool(due.hasDay)),
            ("currency", .string(due.amount.currency.code)),
            ("amount", .string(due.amount.decimal)), ("minimum", JSON(due.minimum?.decimal)),
            ("state", .string(item.state.rawValue)), ("rest", .string(item.rest.decimal)),
            ("is_income", .bool(due.isIncome)), ("account", JSON(accountName)), ("payer", JSON(payerName)),
            ("suffices", item.suffices.map(JSON.bool) ?? .null),
            ("transactions", .array(item.payments.map { .integer($0.transaction) })),
        ])
    }
}
