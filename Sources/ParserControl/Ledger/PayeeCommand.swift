import ArgumentParser
import Codecs
import Console
import Ledger
import Review
import Store

struct PayeeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payee",
        abstract: "Payees: one name for the many ways in which banks print it, and a category.",
        discussion: "'parserctl review undo' reverts every change, with those of the transactions.",
        subcommands: [
            Listing.self, Show.self, Add.self, Alias.self, Rename.self, Merge.self, Settle.self, Offer.self,
            Delete.self,
        ], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the payees with transactions, first those with uncategorized ones.")
        @Flag(help: "Also payees without transactions.")
        var all = false
        @Flag(help: "Only payees with uncategorized transactions.")
        var unsettled = false
        @OptionGroup var options: LedgerOptions

        func validate() throws {
            if all, unsettled { throw ValidationError("--all and --unsettled exclude each other") }
        }

        func run() async throws {
            try options.read { store in
                var rows = try store.payees.counted()
                if unsettled { rows = rows.filter { $0.figures.uncategorized > 0 } }
                if all {
                    let known = Set(rows.map(\.row.id))
                    rows += try store.payees.all().filter { !known.contains($0.id) }.map { CountedPayee(row: $0) }
                }
                options.show(rows, as: .payees)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a payee with its aliases.")
        @OptionGroup var target: PayeeArgument

        func run() async throws {
            try target.options.read { store in
                let row = try target.row(in: store)
                let figures = try store.payees.figures()[row.id] ?? PayeeFigures()
                target.options.show(
                    CountedPayee(row: row, figures: figures).json,
                    """
                    \(row.text): \(figures.transactions) transactions, \(figures.uncategorized) without a category
                    \(row.aliases.map(\.text).joined(separator: "\n"))
                    """)
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Make a payee and find its transactions by its name and aliases.")
        @Argument(help: "Its name.")
        var name: String
        @Option(
            name: .customLong("alias"),
            help: "Words of the printed name, or a UPI address with * for any characters; may be repeated.")
        var aliases: [String] = []
        @Option(help: "CATEGORY or CATEGORY/SUBCATEGORY, by name, in any case of letters.")
        var category: String?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                let target = try category.map { try CategoryTarget($0, in: store) }
                let new = NewPayee(
                    name: name, category: target?.category, subcategory: target?.subcategory, aliases: aliases)
                options.show(try store.payees.add(new, by: .terminal))
            }
        }
    }

    struct Alias: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "alias",
            abstract: "Add aliases to a payee and find their transactions, or remove your own aliases.")
        @OptionGroup var target: PayeeArgument
        @Argument(help: "Words of the printed name, or UPI addresses with * for any characters.")
        var aliases: [String]
        @Flag(help: "Remove the aliases.")
        var remove = false

        func run() async throws {
            try target.options.write { store in
                target.options.show(
                    try store.write { ledger in
                        var change = PayeeChange(row: try target.row(in: ledger))
                        let group = LedgerChange.newGroup()
                        for alias in aliases {
                            let made =
                                try remove
                                ? ledger.payees.remove(
                                    alias: PayeeArgument.alias(alias, of: change.row).id, of: change.row.id,
                                    by: .terminal, group: group)
                                : ledger.payees.add(alias: alias, to: change.row.id, by: .terminal, group: group)
                            change.row = made.row
                            change.changed += made.changed
                            change.group = change.group ?? made.group
                        }
                        return change
                    })
            }
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Rename a payee. Its aliases stay.")
        @OptionGroup var target: PayeeArgument
        @Argument(help: "The new name.")
        var name: String

        func run() async throws {
            try target.options.write { store in
                let row = try store.write { ledger in
                    try ledger.payees.update(target.row(in: ledger).id, PayeeEdit(name: name), by: .terminal)
                }
                target.options.show(PayeeChange(row: row))
            }
        }
    }

    struct Merge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge",
            abstract: "Give the aliases and transactions of a payee to another one, which keeps its name and category.")
        @Argument(help: "The payee that ends, by name or number.")
        var payee: String
        @Argument(help: "The payee that stays, by name or number.")
        var other: String
        @Flag(help: "Do not ask.")
        var yes = false
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                let (row, target) = (try PayeeRow.named(payee, in: store), try PayeeRow.named(other, in: store))
                let count = try store.payees.figures()[row.id]?.transactions ?? 0
                let question = "merge \(row.text) with its \(count) transactions into \(target.text)?"
                guard try yes || options.confirm(question, unattended: "merge changes booked transactions") else {
                    return
                }
                options.show(try store.payees.merge(row.id, into: target.id, by: .terminal))
            }
        }
    }

    struct Settle: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "settle",
            abstract: "Choose the category of a payee, also for its transactions without a category.")
        @OptionGroup var target: PayeeArgument
        @Argument(help: "CATEGORY or CATEGORY/SUBCATEGORY, by name, in any case of letters.")
        var category: String
        @Flag(help: "Do not ask.")
        var yes = false

        func run() async throws {
            try target.options.write { store in
                let (row, chosen) = (try target.row(in: store), try CategoryTarget(category, in: store))
                let count = try store.payees.figures()[row.id]?.uncategorized ?? 0
                let question = "\(chosen.text) for \(row.text) from now on, and for \(count) booked so far?"
                guard
                    try count == 0 || yes
                        || target.options.confirm(question, unattended: "settle changes booked transactions")
                else { return }
                target.options.show(
                    try store.payees.assign(
                        row.id, category: chosen.category, subcategory: chosen.subcategory, by: .terminal))
            }
        }
    }

    struct Offer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "offer",
            abstract: "Show the alias that would give a corrected merchant its payee, and accept or refuse it.")
        @Argument(help: "The number of a transaction whose merchant was corrected.")
        var id: Int64
        @Flag(help: "Make the payee and the alias, also for booked transactions.")
        var accept = false
        @Flag(help: "Refuse the offer; it is not repeated for this name and payee.")
        var never = false
        @OptionGroup var options: LedgerOptions

        func validate() throws {
            if accept, never { throw ValidationError("--accept and --never exclude each other") }
        }

        func run() async throws {
            try options.open(forChanges: accept || never) { store in
                guard let offer = try store.payees.offer(for: id) else {
                    return options.show(.object([("offer", .null)]), "no offer")
                }
                if accept { return options.show(try store.payees.accept(offer, by: .terminal)) }
                if never { try store.payees.refuse(offer) }
                options.show(
                    .object([
                        ("transaction", .integer(id)), ("alias", .string(offer.alias)), ("payee", .string(offer.payee)),
                        ("count", JSON(offer.count)), ("refused", .bool(never)),
                    ]), (never ? "refused: " : "offer: ") + Terminal.printable(offer.sentence))
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a payee of your own with its aliases. Its transactions stay.")
        @OptionGroup var target: PayeeArgument

        func run() async throws {
            try target.options.write { store in
                let row = try target.row(in: store)
                try store.payees.delete(row.id, by: .terminal)
                target.options.show(.object([("deleted", .integer(row.id))]), "\(row.text) was deleted")
            }
        }
    }
}

/// A payee, by its name or its number.
struct PayeeArgument: ParsableArguments {
    @Argument(help: "Its name, in any case of letters, or its number.")
    var payee: String
    @OptionGroup var options: LedgerOptions

    func row(in store: some ReadScope) throws -> PayeeRow { try .named(payee, in: store) }

    /// The alias of a payee, as it is stored or as it was typed.
    static func alias(_ text: String, of row: PayeeRow) throws -> PayeeAlias {
        let normalized = VendorMapping.normalized(text, as: VendorMapping.Kind(of: text))
        guard
            let alias = row.aliases.first(where: { $0.alias == normalized && $0.isUserDefined })
                ?? row.aliases.first(where: { $0.alias == normalized })
        else { throw Refused("\(row.text) has no alias '\(text)'") }
        return alias
    }
}

extension LedgerOptions {
    fileprivate func show(_ change: PayeeChange) {
        show(
            .object([
                ("payee", CountedPayee(row: change.row).json), ("changed", JSON(change.changed)),
                ("group", JSON(change.group)),
            ]),
            change.row.text + ": " + (change.changed == 1 ? "one transaction" : "\(change.changed) transactions")
                + " changed")
    }
}

extension PayeeRow {
    /// The payee of a name, otherwise of a number.
    fileprivate static func named(_ text: String, in store: some ReadScope) throws -> PayeeRow {
        let byNumber = try Int64(text).flatMap { try store.payees.find($0) }
        guard let row = try store.payees.find(named: text) ?? byNumber else {
            throw Refused("there is no payee '\(text)': 'parserctl payee list --all' shows them")
        }
        return row
    }

    fileprivate var target: String? { category.map { $0 + (subcategory.map { "/\($0)" } ?? "") } }

    fileprivate var text: String {
        Terminal.printable("payee \(id), \(name)" + (target.map { " (\($0))" } ?? ""))
    }
}

extension PayeeAlias {
    fileprivate var text: String { "  " + Terminal.printable(alias) + (isUserDefined ? "" : "  (shipped)") }
}

extension CountedPayee {
    fileprivate var json: JSON {
        .object([
            ("id", .integer(row.id)), ("name", .string(row.name)), ("category_name", JSON(row.category)),
            ("subcategory", JSON(row.subcategory)), ("is_shipped", .bool(row.isShipped)),
            ("aliases", .array(row.aliases.map { .string($0.alias) })), ("transactions", JSON(figures.transactions)),
            ("uncategorized", JSON(figures.uncategorized)),
        ])
    }
}

extension RowFormat where Row == CountedPayee {
    fileprivate static var payees: RowFormat {
        RowFormat(
            empty: "no payees with transactions: --all shows the others", object: \.json,
            columns: [
                .right("id") { "\($0.row.id)" }, .left("payee") { $0.row.name },
                .left("category") { $0.row.target ?? "" }, .right("transactions") { "\($0.figures.transactions)" },
                .right("uncategorized") { "\($0.figures.uncategorized)" },
                .right("aliases") { "\($0.row.aliases.count)" },
            ])
    }
}
