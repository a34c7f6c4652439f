import ArgumentParser
import Codecs
import Console
import Exports
import Ledger
import Review
import Store

struct CategoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "category",
        abstract: "List the categories, set a transaction's category, show why it has one.",
        subcommands: [Listing.self, Set.self, Why.self])

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the categories with their subcategories.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try orExit {
                for row in try options.locations.store().categories.all() {
                    if options.json {
                        Output.line(
                            JSON.object([
                                ("id", .integer(row.id)), ("name", .string(row.name)),
                                ("is_system", .bool(row.isSystem)),
                                (
                                    "subcategories",
                                    .array(
                                        row.subcategories.map {
                                            .object([
                                                ("id", .integer($0.id)), ("name", .string($0.name)),
                                                ("is_system", .bool($0.isSystem)),
                                            ])
                                        })
                                ),
                            ]).text)
                    } else {
                        Output.line(Terminal.styled(Terminal.printable(row.name), .bold))
                        for sub in row.subcategories { Output.line("  " + Terminal.printable(sub.name)) }
                    }
                }
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Set a transaction's category, and with --always that of the merchant's other transactions.",
            discussion: """
                Afterwards an offer is shown: the keyword that would do the same for this merchant from now on, and how many transactions booked so far it \
                would change. Nothing of that is done unless --always says so; on a terminal it asks first, elsewhere it needs --yes. 'parserctl review undo' \
                reverts the change, and once more what --always did.
                """)
        @Argument(help: "The number of a transaction.")
        var id: Int64
        @Argument(help: "CATEGORY or CATEGORY/SUBCATEGORY, by name, in any case of letters.")
        var category: String
        @Flag(
            help:
                "Make a keyword for the merchant, also for booked transactions unless a person chose their category."
        )
        var always = false
        @Flag(help: "Do not ask.")
        var yes = false
        @Flag(help: "Refuse the offer; it is not repeated for this merchant and category.")
        var never = false
        @OptionGroup var options: LedgerOptions

        func validate() throws {
            if always, never { throw ValidationError("--always and --never exclude each other") }
        }

        func run() async throws {
            try options.write { store in
                guard let old = try store.transactions.find(id) else {
                    throw Refused("there is no transaction \(id)")
                }
                let target = try CategoryTarget(category, in: store)
                var edit = TransactionEdit()
                edit.category = target.category
                edit.subcategory = target.subcategory.map { .set($0) } ?? .clear
                edit.categoryBy = .person
                edit.categoryWhy = CategorySentences.chosen()
                let row = try store.transactions.change(id, edit, by: .terminal)
                let offer = try store.categories.offer(for: id)
                if never, let offer { try store.categories.refuse(offer) }
                let applied = try always ? offer.flatMap { try apply($0, store) } : nil
                if options.json {
                    return Output.line(
                        JSON.object([
                            ("id", .integer(id)), ("changed", .bool(row.revision != old.revision)),
                            ("offer", offer?.json ?? .null), ("refused", .bool(never && offer != nil)),
                            (
                                "applied",
                                applied.map {
                                    .object([
                                        ("mapping", .integer($0.mapping.id)), ("changed", JSON($0.changed)),
                                        ("group", JSON($0.group)),
                                    ])
                                } ?? .null
                            ),
                            ("transaction", row.json),
                        ]).text)
                }
                Output.line("\(id): \(old.target) -> \(row.target)")
                if let applied {
                    Output.line(
                        "\"\(applied.mapping.keyword)\" is \(target.text) from now on; past transactions changed: \(applied.changed). 'parserctl review undo' undoes it."
                    )
                } else if always, offer == nil {
                    Output.line(
                        "no keyword was made: the rules give this category already, the offer was refused before, or no word of the name identifies the merchant"
                    )
                } else if let offer, !never {
                    Output.line(
                        "offer: \(Terminal.printable(offer.sentence))\n  parserctl category set \(id) '\(target.text)' --always --yes\n  parserctl category set \(id) '\(target.text)' --never"
                    )
                }
            }
        }

        private func apply(_ offer: CategoryOffer, _ store: Store) throws -> AppliedMapping? {
            if !yes {
                let preview = try store.mappings.preview(offer.mapping, limit: 10)
                if !options.json { preview.show() }
                let question = Terminal.printable(offer.sentence)
                guard try options.confirm(question, unattended: "--always changes booked transactions") else {
                    return nil
                }
            }
            return try store.mappings.apply(offer.mapping, to: true, by: .terminal)
        }
    }

    struct Why: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "why", abstract: "Show why a transaction has its category, and the category by today's rules.")
        @Argument(help: "The number of a transaction.")
        var id: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                guard let row = try store.transactions.find(id) else {
                    throw Refused("there is no transaction \(id)")
                }
                let today = try store.categories.rules().match(CategoryFacts(row))
                let transfer = try store.transfers.find(of: id)
                if options.json {
                    return Output.line(
                        JSON.object([
                            ("id", .integer(id)), ("category", .string(row.category)),
                            ("subcategory", JSON(row.subcategory)), ("category_by", JSON(row.categoryBy?.rawValue)),
                            ("category_why", JSON(row.categoryWhy)), ("rules_say", JSON(today?.why)),
                            ("transfer", transfer?.json ?? .null),
                        ]).text)
                }
                Output.line(
                    "\(row.target): \(Terminal.printable(row.categoryWhy ?? "no rule matches this merchant"))")
                if let today, today.why != row.categoryWhy {
                    Output.line("by today's rules: \(Terminal.printable(today.why))")
                }
                if let transfer {
                    Output.line("transfer \(transfer.id), \(transfer.state.rawValue): \(transfer.reason.sentence)")
                }
            }
        }
    }
}

/// An existing category, named as CATEGORY or CATEGORY/SUBCATEGORY.
struct CategoryTarget {
    let category: String
    let subcategory: String?

    var text: String { category + (subcategory.map { "/\($0)" } ?? "") }

    init(_ text: String, in store: Store) throws {
        let parts = text.split(separator: "/", maxSplits: 1).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let categories = try store.categories.all()
        guard let name = parts.first,
            let category = categories.first(where: { $0.name.lowercased() == name.lowercased() })
        else {
            let near = categories.filter { $0.name.lowercased().contains(parts.first?.lowercased() ?? "") }.map(\.name)
            throw Refused(
                "there is no category '\(parts.first ?? "")': "
                    + (near.isEmpty
                        ? "'parserctl category list' shows them" : "did you mean \(near.joined(separator: ", "))?"),
                kind: .invalid)
        }
        self.category = category.name
        guard parts.count > 1, let wanted = parts.last else {
            subcategory = nil
            return
        }
        guard let sub = category.subcategories.first(where: { $0.name.lowercased() == wanted.lowercased() }) else {
            throw Refused(
                "'\(category.name)' has no subcategory '\(wanted)': it has \(category.subcategories.map(\.name).joined(separator: ", "))",
                kind: .invalid)
        }
        subcategory = sub.name
    }
}

extension TransactionRow {
    var target: String { category + (subcategory.map { " / \($0)" } ?? "") }
}

extension CategoryOffer {
    var json: JSON {
        .object([
            ("keyword", .string(keyword)), ("kind", .string(kind.rawValue)), ("category", .string(category)),
            ("subcategory", JSON(subcategory)), ("count", JSON(count)),
            ("waiting", JSON(waitingCount)), ("staying", JSON(stayingCount)), ("sentence", .string(sentence)),
        ])
    }
}
