import ArgumentParser
import Codecs
import Console
import Exports
import Ledger
import Store

struct TagCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "Words attached to transactions: list them, add and remove them.",
        subcommands: [Listing.self, Add.self, Remove.self], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the tags with the numbers of their transactions.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { options.show(try $0.transactions.tags(), as: .tags) }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add tags to a transaction. 'parserctl review undo' reverts it.")
        @Argument(help: "The number of a transaction.")
        var id: Int64
        @Argument(help: "Words without blanks and commas, such as goa-2026.")
        var tags: [String]
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { options.show(try $0.retag(id) { $0 + tags }) }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove tags from a transaction. 'parserctl review undo' reverts it.")
        @Argument(help: "The number of a transaction.")
        var id: Int64
        @Argument(help: "The tags, in any case of letters.")
        var tags: [String]
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let gone = Set(tags.map { $0.lowercased() })
            try options.write { options.show(try $0.retag(id) { $0.filter { !gone.contains($0.lowercased()) } }) }
        }
    }
}

extension Store {
    /// Changes the tags of a transaction in one commit.
    fileprivate func retag(_ id: Int64, _ change: ([String]) -> [String]) throws -> TransactionRow {
        try write { ledger in
            guard let row = try ledger.transactions.find(id) else { throw Refused("there is no transaction \(id)") }
            var edit = TransactionEdit()
            edit.tags = change(row.tags)
            return try ledger.transactions.change(id, edit, by: .terminal)
        }
    }
}

extension LedgerOptions {
    fileprivate func show(_ row: TransactionRow) {
        show(
            row.json,
            "\(row.id): " + (row.tags.isEmpty ? "no tags" : Terminal.printable(row.tags.joined(separator: " "))))
    }
}

extension RowFormat where Row == TagCount {
    fileprivate static var tags: RowFormat {
        RowFormat(
            empty: "no tags",
            object: { .object([("tag", .string($0.name)), ("transactions", JSON($0.transactions))]) },
            columns: [.left("tag") { $0.name }, .right("transactions") { "\($0.transactions)" }])
    }
}
