import ArgumentParser
import JSONText
import Ledger
import Store

struct MappingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mapping", abstract: "The keywords, UPI addresses and codes that choose categories.",
        subcommands: [Listing.self, Add.self, Delete.self, Preview.self])

    struct Rule: ParsableArguments {
        @Argument(
            help:
                "Words of a merchant's name; a UPI address such as 'swiggy*@*'; with --kind mcc a code or a range of them."
        )
        var keyword: String
        @Argument(help: "CATEGORY or CATEGORY/SUBCATEGORY.")
        var category: String
        @Option(help: "keyword, vpa, mcc or person; as the keyword looks, where it is not said.")
        var kind: String?
        @Option(help: "Only from this amount on.")
        var from: String?
        @Option(help: "Only up to this amount.")
        var to: String?
        @Option(help: "Only in this currency; that of the amounts is INR where it is not said.")
        var currency: String?
        @Option(help: "Only on the account or card with these last digits.")
        var account: String?
        @Option(help: "Only by this channel, such as card or upi.")
        var channel: String?
        @Option(help: "Only expense, income or transfer.")
        var type: String?

        func mapping(_ store: Store) throws -> NewMapping {
            let target = try CategoryTarget(category, in: store)
            var conditions = MappingConditions(account: account)
            conditions.currency = try currency.map { code in
                guard let unit = Currency(code: code) else {
                    throw ValidationError("'\(code)' is not a currency: write three letters, such as INR")
                }
                return unit
            }
            func minor(_ text: String?) throws -> Int64? {
                try text.map { text in
                    guard let money = Money(typed: text, currency: conditions.currency ?? .inr) else {
                        throw ValidationError("'\(text)' is not an amount for certain: \(Money.typedForm)")
                    }
                    return money.minorUnits
                }
            }
            conditions.minimumMinor = try minor(from)
            conditions.maximumMinor = try minor(to)
            conditions.channel = try channel.map { try one(of: Channel.self, $0, "channel") }
            conditions.type = try type.map { try one(of: TransactionType.self, $0, "type") }
            return NewMapping(
                keyword: keyword, category: target.category, subcategory: target.subcategory,
                kind: try kind.map { try one(of: VendorMapping.Kind.self, $0, "kind") },
                conditions: conditions)
        }

        private func one<Value: CaseIterable & RawRepresentable<String>>(
            of: Value.Type, _ text: String, _ name: String
        ) throws -> Value {
            guard let value = Value(rawValue: text) else {
                throw ValidationError(
                    "unknown \(name) '\(text)': use \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return value
        }
    }

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the mappings, your own first.")
        @Flag(help: "Only those that people made.")
        var own = false
        @Flag(help: "One JSON object a line.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let rows = try locations.store().mappings(userDefined: own ? true : nil)
                if json { return rows.forEach { print($0.json.text) } }
                if rows.isEmpty { return print("no mappings") }
                var table = Table([
                    ("id", .right), ("kind", .left), ("looks for", .left), ("category", .left), ("only", .left),
                    ("whose", .left), ("used", .right),
                ])
                for row in rows {
                    table.add([
                        "\(row.id)", row.kind.rawValue, row.keyword,
                        row.category + (row.subcategory.map { " / \($0)" } ?? ""), row.conditions.sentence,
                        row.isUserDefined ? "yours" : "shipped", "\(row.matchCount)",
                    ])
                }
                table.print()
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract:
                "Make a mapping of your own, or change what it stands for; with --past also for what is booked so far.")
        @OptionGroup var rule: Rule
        @Flag(help: "Give the category to what is booked so far too, but for what a person chose.")
        var past = false
        @Flag(help: "Do not ask.")
        var yes = false
        @Flag(help: "One JSON object.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let store = try locations.store(readOnly: false)
                let new = try rule.mapping(store)
                if past, !yes {
                    if !json { try store.mappingPreview(new, limit: 10).show() }
                    guard Terminal.isInteractive, !json else {
                        throw ValidationError("--past changes what is booked: add --yes where nobody can be asked")
                    }
                    print("do it? [y/N] ", terminator: "")
                    guard readLine()?.lowercased().hasPrefix("y") ?? false else { return print("nothing was done") }
                }
                let applied = try store.applyMapping(new, to: past, by: .terminal)
                if json {
                    return print(
                        JSON.object([
                            ("mapping", applied.mapping.json), ("changed", JSON(applied.changed)),
                            ("group", JSON(applied.group)),
                        ]).text)
                }
                print(
                    "mapping \(applied.mapping.id): \(Terminal.printable(applied.mapping.target)) for \"\(applied.mapping.keyword)\"; \(applied.changed) booked so far changed"
                )
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Take away a mapping of your own. What it gave its category keeps it.")
        @Argument(help: "Its number.")
        var id: Int64
        @Flag(help: "One JSON object.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                try locations.store(readOnly: false).deleteMapping(id)
                print(json ? JSON.object([("deleted", .integer(id))]).text : "mapping \(id): deleted")
            }
        }
    }

    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "preview", abstract: "Show what a mapping would change, and change nothing.")
        @OptionGroup var rule: Rule
        @Option(help: "How many rows of each kind.")
        var limit = 50
        @Flag(help: "One JSON object.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let store = try locations.store()
                let preview = try store.mappingPreview(try rule.mapping(store), limit: limit)
                if json { print(preview.json.text) } else { preview.show() }
            }
        }
    }
}

extension MappingRow {
    var target: String { category + (subcategory.map { " / \($0)" } ?? "") }

    var json: JSON {
        .object([
            ("id", .integer(id)), ("kind", .string(kind.rawValue)), ("keyword", .string(keyword)),
            ("category", .string(category)), ("subcategory", JSON(subcategory)),
            ("is_user_defined", .bool(isUserDefined)), ("conditions", .string(conditions.sentence)),
            ("match_count", JSON(matchCount)), ("updated_at", .string(updatedAt)),
        ])
    }
}

extension MappingPreview {
    func show() {
        let target = category + (subcategory.map { " / \($0)" } ?? "")
        if count == 0 {
            print("nothing booked so far changes")
        } else {
            print("to \(Terminal.printable(target)): \(count)")
            var table = Table([
                ("id", .right), ("date", .left), ("amount", .right), ("", .left), ("merchant", .left),
                ("category now", .left),
            ])
            for change in changes {
                table.add([
                    "\(change.row.id)", change.row.date, change.row.amount.decimal, change.row.amount.currency.code,
                    change.row.vendor ?? "", change.row.target,
                ])
            }
            table.print()
            if changes.count < count { print("and \(count - changes.count) more") }
        }
        if stayingCount > 0 {
            print(
                "\(stayingCount) stay as a person or a transfer made them: "
                    + staying.prefix(5).map { "\($0.id) (\(Terminal.printable($0.target)))" }.joined(separator: ", "))
        }
        if sameCount > 0 { print("\(sameCount) have this category already") }
    }

    var json: JSON {
        .object([
            ("keyword", .string(keyword)), ("kind", .string(kind.rawValue)), ("category", .string(category)),
            ("subcategory", JSON(subcategory)), ("count", JSON(count)),
            (
                "changes",
                .array(
                    changes.map {
                        .object([
                            ("id", .integer($0.row.id)), ("category", .string($0.row.category)),
                            ("subcategory", JSON($0.row.subcategory)), ("why", .string($0.why)),
                        ])
                    })
            ),
            ("staying", JSON(stayingCount)), ("staying_ids", .array(staying.map { .integer($0.id) })),
            ("same", JSON(sameCount)),
        ])
    }
}
