import ArgumentParser
import Chronology
import Codecs
import Console
import Ledger
import Review
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
        @Option(help: "keyword, vpa, mcc or person. Default: by the form of the keyword.")
        var kind: String?
        @Option(help: "Only from this amount on.")
        var from: String?
        @Option(help: "Only up to this amount.")
        var to: String?
        @Option(help: "Only in this currency. Default for the amounts: INR.")
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
                do { return try FieldInput.currency(code) } catch { throw ValidationError("\(error)") }
            }
            func minor(_ text: String?) throws -> Int64? {
                try text.map { text in
                    do {
                        return try FieldInput.amount(text, conditions.currency ?? .inr).minorUnits
                    } catch { throw ValidationError("\(error)") }
                }
            }
            conditions.minimumMinor = try minor(from)
            conditions.maximumMinor = try minor(to)
            conditions.channel = try channel.map { try one(of: Channel.self, $0, "channel") }
            conditions.type = try type.map { try one(of: TransactionType.self, $0, "type") }
            return try NewMapping(keyword: keyword) {
                $0.category = target.category
                $0.subcategory = target.subcategory
                $0.kind = try kind.map { try one(of: VendorMapping.Kind.self, $0, "kind") }
                $0.conditions = conditions
            }
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
        @Flag(help: "Only your own.")
        var own = false
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { options.show(try $0.mappings.all(userDefined: own ? true : nil), as: .mappings) }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract:
                "Make a mapping of your own, or change its category; with --past also for booked transactions.")
        @OptionGroup var rule: Rule
        @Flag(help: "Also change booked transactions unless a person chose their category.")
        var past = false
        @Flag(help: "Do not ask.")
        var yes = false
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                let new = try rule.mapping(store)
                if past, !yes {
                    if !options.json { try store.mappings.preview(new, limit: 10).show() }
                    guard try options.confirm("do it?", unattended: "--past changes booked transactions") else {
                        return Output.line("nothing was done")
                    }
                }
                let applied = try store.mappings.apply(new, to: past, by: .terminal)
                let target = Terminal.printable(applied.mapping.target)
                options.show(
                    .object([
                        ("mapping", applied.mapping.json), ("changed", JSON(applied.changed)),
                        ("group", JSON(applied.group)),
                    ]),
                    "mapping \(applied.mapping.id): \(target) for \"\(applied.mapping.keyword)\"; past transactions changed: \(applied.changed)"
                )
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a mapping of your own. Transactions keep the category that it gave them.")
        @OptionGroup var row: RowArgument

        func run() async throws {
            try row.delete("mapping") { store, id in
                try store.write { store in
                    try store.mappings.delete(id, by: .terminal)
                    try store.audit.append(.byOperator("mapping deleted: \(id)"))
                }
            }
        }
    }

    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "preview", abstract: "Show what a mapping would change without changing it.")
        @OptionGroup var rule: Rule
        @Option(help: "The maximum number of rows of each kind.")
        var limit = 50
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                let preview = try store.mappings.preview(try rule.mapping(store), limit: limit)
                if options.json { Output.line(preview.json.text) } else { preview.show() }
            }
        }
    }
}

extension RowFormat where Row == MappingRow {
    static var mappings: RowFormat {
        RowFormat(
            empty: "no mappings", object: \.json,
            columns: [
                .right("id") { "\($0.id)" }, .left("kind") { $0.kind.rawValue }, .left("looks for") { $0.keyword },
                .left("category") { $0.target }, .left("only") { $0.conditions.sentence },
                .left("whose") { $0.isUserDefined ? "yours" : "shipped" }, .right("used") { "\($0.matchCount)" },
            ])
    }
}

extension MappingRow {
    var target: String { category + (subcategory.map { " / \($0)" } ?? "") }

    var json: JSON {
        .object([
            ("id", .integer(id)), ("kind", .string(kind.rawValue)), ("keyword", .string(keyword)),
            ("category", .string(category)), ("subcategory", JSON(subcategory)),
            ("is_user_defined", .bool(isUserDefined)), ("conditions", .string(conditions.sentence)),
            ("match_count", JSON(matchCount)), ("updated_at", JSON(describing: updatedAt)),
        ])
    }
}

extension MappingPreview {
    func show() {
        let target = category + (subcategory.map { " / \($0)" } ?? "")
        if count == 0 {
            Output.line("nothing booked so far changes")
        } else {
            Output.line(
                "to \(Terminal.printable(target)): \(count)"
                    + (waitingCount > 0 ? ", of which \(waitingCount) wait for review" : ""))
            var table = Table([
                ("id", .right), ("date", .left), ("amount", .right), ("", .left), ("merchant", .left),
                ("category now", .left),
            ])
            for change in changes {
                table.add([
                    "\(change.row.id)", change.row.date.description, change.row.amount.decimal,
                    change.row.amount.currency.code,
                    change.row.vendor ?? "", change.row.target,
                ])
            }
            table.print()
            if changes.count < count { Output.line("and \(count - changes.count) more") }
        }
        if stayingCount > 0 {
            Output.line(
                "\(stayingCount) stay as a person or a transfer made them: "
                    + staying.prefix(5).map { "\($0.id) (\(Terminal.printable($0.target)))" }.joined(separator: ", "))
        }
        if sameCount > 0 { Output.line("\(sameCount) have this category already") }
    }

    var json: JSON {
        .object([
            ("keyword", .string(keyword)), ("kind", .string(kind.rawValue)), ("category", .string(category)),
            ("subcategory", JSON(subcategory)), ("count", JSON(count)),
            ("waiting", JSON(waitingCount)),
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
