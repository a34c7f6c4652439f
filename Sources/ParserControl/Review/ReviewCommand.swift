import ArgumentParser
import JSONText
import Ledger
import Store

struct Review: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Settle what waits for a person: on a terminal a screen for it, otherwise the plain list.",
        discussion:
            "Without a subcommand, on a terminal: one item after the other on the whole screen; '?' shows the keys. Every decision is kept at once and can be undone.",
        subcommands: [
            Queue.self, Show.self, ShowOne.self, Accept.self, ReviewEdit.self, Reject.self, Release.self,
            UndoReview.self,
        ], defaultSubcommand: Queue.self)

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
                var table = Table([
                    ("id", .left), ("date", .left), ("amount", .right), ("", .left), ("merchant", .left),
                    ("subject", .left), ("conf", .right), ("why", .left),
                ])
                var shown: Set<String> = []
                for item in items {
                    // Of mails that no template claims, one of each shape.
                    let form = item.alike > 1 && shape == nil ? item.mail?.shape : nil
                    if let form, !shown.insert(form).inserted { continue }
                    let row = item.transaction
                    table.add([
                        row.map { "\($0.id)" } ?? item.mail?.id ?? "",
                        row?.date ?? item.mail?.receivedAt.map { String($0.prefix(10)) } ?? "",
                        row?.amount.decimal ?? "",
                        row?.amount.currency.code ?? "", row?.vendor ?? row?.vpa ?? "", item.mail?.subject ?? "",
                        "\((item.confidence * 100).rounded() / 100)",
                        (form.map { "\(item.alike) mails like this one: --shape \($0); " } ?? "")
                            + item.reasons.filter { $0.weight < 1 }.map { "\($0.name) x\($0.weight): \($0.note)" }
                            .joined(separator: "; "),
                    ])
                }
                table.print()
                print(
                    "\nOn a terminal 'parserctl review' shows them one by one. Or: 'parserctl review accept ID', 'edit ID', 'reject ID', 'release ID'; 'undo' takes back."
                )
            }
        }
    }

    /// What `review` alone means.
    struct Queue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "screen", abstract: "The queue on the whole terminal; the plain list where there is none.")
        @OptionGroup var listing: Listing

        func run() async throws {
            guard listing.isPlain, Terminal.isInteractive else { return try listing.show() }
            try orExit { try ReviewWorkshop.runScreen(listing.locations) }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the review queue, oldest first.")
        @OptionGroup var listing: Listing

        func run() async throws { try listing.show() }
    }

    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Book drafts as they are.",
            discussion: """
                Each by itself: what cannot be booked is told, and the others are. Doing it twice is no error. A mail in which nothing could be read is \
                booked by what you answer on the terminal; without one, 'parserctl review edit ID --amount … --type … --date … --accept' does it.
                """)
        @Argument(help: "Numbers of transactions, or ids of mails.")
        var ids: [String]
        @Flag(help: "One JSON object a line.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            try orTell(nil, json: json) {
                let store = try locations.store(readOnly: false)
                try ReviewSettling.run(ids, json: json) { id in
                    var edit = TransactionEdit()
                    if let item = try store.reviewItem(id), item.isBlank {
                        guard !json, Terminal.isInteractive else {
                            throw Refused(
                                description:
                                    "nothing could be read from this mail, so there is nothing to book yet: say what it says with 'parserctl review edit \(id.argument) --amount 1234.56 --type expense --date 2026-01-31 --accept', or that there is nothing with 'parserctl review reject \(id.argument)'"
                            )
                        }
                        try FieldQuestions.complete(&edit, of: item, in: store)
                    }
                    let changed = try store.accept(id, edit)
                    return .init(
                        result: "accepted", changed: changed, transaction: try store.reviewItem(id)?.transaction?.id,
                        taught: changed ? try store.senderTrusted(by: id) : nil)
                }
            }
        }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep drafts out of the books. Their mails do not bring them back.",
            discussion:
                "Each by itself, as with accept. Of a mail without a draft it says that there is nothing to book.")
        @Argument(help: "Numbers of transactions, or ids of mails.")
        var ids: [String]
        @Flag(help: "One JSON object a line.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            try orTell(nil, json: json) {
                let store = try locations.store(readOnly: false)
                try ReviewSettling.run(ids, json: json) { id in
                    .init(
                        result: "rejected", changed: try store.reject(id),
                        transaction: try store.reviewItem(id)?.transaction?.id)
                }
            }
        }
    }
}

extension ReviewItem {
    var json: JSON {
        .object([
            ("id", JSON(transaction.map { "\($0.id)" } ?? mail?.id)), ("confidence", .number(confidence)),
            (
                "reasons",
                .array(
                    reasons.map {
                        .object([
                            ("factor", .string($0.name)), ("weight", .number($0.weight)), ("note", .string($0.note)),
                        ])
                    })
            ),
            ("transaction", transaction?.json ?? .null), ("mail", mail?.json ?? .null),
            ("possible_duplicate", possibleDuplicate?.json ?? .null), ("shape", JSON(mail?.shape)),
            ("alike", JSON(alike)),
        ])
    }
}
