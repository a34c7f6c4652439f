import ArgumentParser
import JSONText
import Ledger
import Store

struct Review: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Settle what waits for a person: on a terminal a screen for it, otherwise the plain list.",
        discussion: "Without a subcommand, on a terminal: one item after the other on the whole screen; '?' shows the keys. Every decision is kept at once and can be undone.",
        subcommands: [Queue.self, Show.self, ShowOne.self, Accept.self, ReviewEdit.self, Reject.self, Release.self, UndoReview.self], defaultSubcommand: Queue.self)

    struct Listing: ParsableArguments {
        @Option(help: "How many.")
        var limit: Int?
        @Option(help: "Only mails of this shape, as 'parserctl drift' names it.")
        var shape: String?
        @Flag(help: "One JSON object a line.")
        var json = false
        @OptionGroup var locations: Locations

        /// Nothing was asked for that only a list can give.
        var isPlain: Bool { limit == nil && shape == nil && !json }

        func show() throws {
            try orExit {
                let items = try locations.store().reviewQueue(limit: limit ?? 100, shape: shape)
                if json { return items.forEach { print($0.json.text) } }
                if items.isEmpty { return print("nothing waits for review") }
                var table = Table([("id", .left), ("date", .left), ("amount", .right), ("", .left), ("merchant", .left), ("subject", .left), ("conf", .right), ("why", .left)])
                var shown: Set<String> = []
                for item in items {
                    // Of mails that no template claims, one of each shape.
                    let form = item.alike > 1 && shape == nil ? item.mail?.shape : nil
                    if let form, !shown.insert(form).inserted { continue }
                    let row = item.transaction
                    table.add([
                        row.map { "\($0.id)" } ?? item.mail?.id ?? "", row?.date ?? item.mail?.receivedAt.map { String($0.prefix(10)) } ?? "", row?.amount.decimal ?? "",
                        row?.amount.currency.code ?? "", row?.vendor ?? row?.vpa ?? "", item.mail?.subject ?? "", "\((item.confidence * 100).rounded() / 100)",
                        (form.map { "\(item.alike) mails like this one: --shape \($0); " } ?? "") + item.reasons.filter { $0.weight < 1 }.map { "\($0.factor) x\($0.weight): \($0.note)" }.joined(separator: "; "),
                    ])
                }
                table.print()
                print("\nOn a terminal 'parserctl review' shows them one by one. Or: 'parserctl review accept ID', 'edit ID', 'reject ID', 'release ID'; 'undo' takes back.")
            }
        }
    }

    /// What `review` alone means.
    struct Queue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "screen", abstract: "The queue on the whole terminal; the plain list where there is none.")
        @OptionGroup var listing: Listing

        func run() async throws {
            guard listing.isPlain, Terminal.isInteractive else { return try listing.show() }
            try orExit { try ReviewWorkshop.runScreen(listing.locations) }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the review queue, oldest first.")
        @OptionGroup var listing: Listing

        func run() async throws { try listing.show() }
    }

    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Book drafts as they are.")
        @Argument(help: "Numbers of transactions, or ids of mails.")
        var ids: [String]
        @Flag(help: "One JSON object a line.")
        var json = false
        @OptionGroup var locations: Locations
        func run() async throws { try settle(ids, json: json, "accepted", locations) { try $0.accept($1) } }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Keep drafts out of the books. Their mails do not bring them back.")
        @Argument(help: "Numbers of transactions, or ids of mails.")
        var ids: [String]
        @Flag(help: "One JSON object a line.")
        var json = false
        @OptionGroup var locations: Locations
        func run() async throws { try settle(ids, json: json, "rejected", locations) { try $0.reject($1) } }
    }
}

/// `change` answers whether anything was changed; settling twice is no error.
private func settle(_ ids: [String], json: Bool, _ done: String, _ locations: Locations, _ change: (Store, ReviewID) throws -> Bool) throws {
    try orExit {
        let store = try locations.store(readOnly: false)
        for text in ids {
            let changed = try change(store, ReviewID(text))
            if json { print(JSON.object([("id", .string(text)), ("result", .string(done)), ("changed", .bool(changed))]).text) } else { print("\(text): \(changed ? done : "was \(done) already")") }
        }
    }
}

extension ReviewItem {
    var json: JSON {
        .object([
            ("id", JSON(transaction.map { "\($0.id)" } ?? mail?.id)), ("confidence", .number(confidence)),
            ("reasons", .array(reasons.map { .object([("factor", .string($0.factor)), ("weight", .number($0.weight)), ("note", .string($0.note))]) })),
            ("transaction", transaction?.json ?? .null), ("mail", mail?.json ?? .null), ("possible_duplicate", possibleDuplicate?.json ?? .null), ("shape", JSON(mail?.shape)), ("alike", JSON(alike)),
        ])
    }
}
