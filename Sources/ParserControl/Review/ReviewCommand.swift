import ArgumentParser
import Chronology
import Codecs
import Console
import Exports
import Ledger
import Review
import Store

struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Decide the items that wait for review: on a terminal with a screen, otherwise as a plain list.",
        discussion:
            "Without a subcommand on a terminal: one item after the other on the whole screen; '?' shows the keys. Every decision is stored at once and can be undone.",
        subcommands: [
            Queue.self, Show.self, ShowOne.self, Accept.self, ReviewEdit.self, Reject.self, Release.self,
            UndoReview.self,
        ], defaultSubcommand: Queue.self)

    struct Listing: ParsableArguments {
        @Option(help: "The maximum number of items, or all. Default: 100.")
        var limit: RowLimit?
        @Option(help: "Only mails of this shape, see 'parserctl drift'.")
        var shape: String?
        @OptionGroup var options: LedgerOptions

        private static let usualLimit = 100

        /// No option of the list is given.
        var isPlain: Bool { limit == nil && shape == nil && !options.json }

        func show() throws {
            try options.read { store in
                let service = ReviewService(store)
                let limit = limit?.count ?? Self.usualLimit
                let items = try service.list(limit: limit, shape: shape)
                let isCut = items.count == limit
                let more = isCut ? try service.count(shape: shape) - items.count : 0
                options.show(options.json ? items : firstOfEachShape(items), as: .reviewItems(shape: shape), more: more)
                guard !options.json, !items.isEmpty else { return }
                Output.line(
                    "\nOn a terminal 'parserctl review' shows them one by one. Or use 'parserctl review accept ID', 'edit ID', 'reject ID', 'release ID'; 'undo' undoes the last."
                )
            }
        }

        /// Only the first mail of each shape that no template claims.
        private func firstOfEachShape(_ items: [ReviewItem]) -> [ReviewItem] {
            guard shape == nil else { return items }
            var shown: Set<String> = []
            return items.filter { $0.commonShape.map { shown.insert($0).inserted } ?? true }
        }
    }

    /// `review` without a subcommand.
    struct Queue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "screen", abstract: "The queue on the whole terminal; the plain list without a terminal.")
        @OptionGroup var listing: Listing

        func run() async throws {
            guard listing.isPlain, Terminal.isInteractive else { return try listing.show() }
            try orExit { try ReviewScreenProgram.run(listing.options.locations) }
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
            commandName: "accept",
            abstract: "Book drafts as they are.",
            discussion: """
                Each item is a change of its own: one that cannot be booked is reported and does not stop the others. Doing it twice is no error. A mail that could not \
                be read is booked from your answers on the terminal; without one use 'parserctl review edit ID --amount … --type … --date … --accept'.
                """)
        @Argument(help: "Numbers of transactions, or ids of mails.")
        var ids: [String]
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try orReport(nil, json: options.json) {
                let service = ReviewService(try options.locations.store(readOnly: false))
                try ReviewRun.run(ids, json: options.json) { id in
                    var edit = TransactionEdit()
                    var seen = SeenDraft.anything
                    if let item = try service.item(id), item.isBlank {
                        seen = .noDraft
                        guard !options.json, Terminal.isInteractive else {
                            throw Refused(
                                "nothing could be read from this mail, so there is nothing to book yet: give its values with 'parserctl review edit \(id.argument) --amount 1234.56 --type expense --date 2026-01-31 --accept', or reject it with 'parserctl review reject \(id.argument)'"
                            )
                        }
                        try FieldQuestions.complete(&edit, of: id, by: service)
                    }
                    let result = try service.accept(id, seen: seen) { [edit] _ in edit }
                    return .init(
                        result: "accepted", changed: result.changed, transaction: result.item?.transaction?.id,
                        trustedSender: result.trustedSender)
                }
            }
        }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reject",
            abstract: "Keep drafts out of the books. Their mails do not bring them back.",
            discussion:
                "Each item is a change of its own, as with accept. A mail without a draft has nothing to book then.")
        @Argument(help: "Numbers of transactions, or ids of mails.")
        var ids: [String]
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try orReport(nil, json: options.json) {
                let service = ReviewService(try options.locations.store(readOnly: false))
                try ReviewRun.run(ids, json: options.json) { id in
                    let result = try service.reject(id, seen: .anything)
                    return .init(
                        result: "rejected", changed: result.changed, transaction: result.item?.transaction?.id)
                }
            }
        }
    }
}

extension RowFormat where Row == ReviewItem {
    /// - Parameter shape: the shape that the list is of, if it is of one.
    static func reviewItems(shape: String?) -> RowFormat {
        RowFormat(
            empty: "nothing waits for review", object: \.json,
            columns: [
                .left("id") { $0.transaction.map { "\($0.id)" } ?? $0.mail?.id ?? "" },
                .left("date") { ($0.transaction?.date ?? $0.mail?.receivedAt?.day())?.description ?? "" },
                .right("amount") { $0.transaction?.amount.decimal ?? "" },
                .left("") { $0.transaction?.amount.currency.code ?? "" },
                .left("merchant") { $0.transaction?.vendor ?? $0.transaction?.vpa ?? "" },
                .left("subject") { $0.mail?.subject ?? "" },
                .right("conf") { "\(($0.confidence * 100).rounded() / 100)" },
                .left("why") { item in
                    let alike = shape == nil ? item.commonShape : nil
                    return (alike.map { "\(item.alike) mails like this one: --shape \($0); " } ?? "")
                        + item.reasons.filter { $0.weight < 1 }.map { "\($0.name) x\($0.weight): \($0.note)" }
                        .joined(separator: "; ")
                },
            ])
    }
}

extension ReviewItem {
    /// The shape of its mail if other waiting mails have it, too.
    fileprivate var commonShape: String? { alike > 1 ? mail?.shape : nil }

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
