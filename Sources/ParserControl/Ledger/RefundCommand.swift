import ArgumentParser
import Chronology
import Codecs
import Ledger
import Store

struct RefundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund", abstract: "Refunds and reversals with the purchases that they return.",
        subcommands: [Listing.self, Confirm.self, Reject.self, Link.self, Find.self], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show refunds with their purchases, the newest first.")
        @Option(help: "proposed, made, rejected or all.")
        var state = "all"
        @Option(help: "The maximum number of rows, or all.")
        var limit = RowLimit.rows(100)
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            guard state == "all" || EventLinkRow.State(rawValue: state) != nil else {
                throw ValidationError("unknown state '\(state)': use proposed, made, rejected or all")
            }
            let states = EventLinkRow.State(rawValue: state).map { [$0] } ?? Set(EventLinkRow.State.allCases)
            try options.read { store in
                let all = try store.eventLinks.list(states, limit: .max)
                let rows = Array(all.prefix(limit.count))
                options.show(rows, as: .refunds, more: all.count - rows.count)
            }
        }
    }

    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm", abstract: "Confirm a proposal: the refund lowers what its purchase's category cost."
        )
        @Argument(help: "Its number.")
        var id: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { options.show(try $0.eventLinks.confirm(id, by: .terminal)) }
        }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reject",
            abstract:
                "Reject a proposal or undo a link: the refund is income again, and the pair is not proposed again.")
        @Argument(help: "Its number.")
        var id: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { options.show(try $0.eventLinks.reject(id, by: .terminal)) }
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "link", abstract: "Link a purchase and its refund yourself.")
        @Argument(help: "The transaction of the purchase.")
        var purchase: Int64
        @Argument(help: "The transaction of the refund.")
        var refund: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write {
                options.show(try $0.eventLinks.link(purchase: purchase, refund: refund, by: .terminal))
            }
        }
    }

    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find", abstract: "Search booked refunds for their purchases.")
        @Option(help: "First day, yyyy-mm-dd.")
        var since: String?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let first = try day(since)
            try options.write { store in
                let found = try store.eventLinks.search(since: first)
                options.show(
                    .object([("made", JSON(found.made)), ("proposed", JSON(found.proposed))]),
                    "linked \(found.made), to be confirmed \(found.proposed)")
            }
        }
    }
}

extension LedgerOptions {
    fileprivate func show(_ link: EventLinkRow) {
        show(link.json, "refund \(link.id): \(link.state.rawValue), \(link.why)")
    }
}

extension RowFormat where Row == EventLinkRow {
    fileprivate static var refunds: RowFormat {
        RowFormat(
            empty: "no refunds", object: \.json,
            columns: [
                .right("id") { "\($0.id)" }, .left("state") { $0.state.rawValue }, .left("kind") { $0.kind.rawValue },
                .left("date") { $0.refund.date.description }, .right("amount") { $0.refund.amount.decimal },
                .left("") { $0.refund.amount.currency.code }, .right("refund") { "\($0.refund.id)" },
                .right("purchase") { "\($0.purchase.id)" }, .right("of") { $0.purchase.amount.decimal },
                .left("why") { $0.why },
            ])
    }
}

extension EventLinkRow {
    fileprivate var json: JSON {
        .object([
            ("id", .integer(id)), ("kind", .string(kind.rawValue)), ("state", .string(state.rawValue)),
            ("purchase", .integer(purchase.id)), ("refund", .integer(refund.id)), ("is_whole", .bool(isWhole)),
            ("confidence", .number(confidence)), ("evidence", .string(evidence)), ("why", .string(why)),
            ("made_by", .string(isMadeByPerson ? "person" : "rule")), ("created_at", JSON(describing: createdAt)),
            ("updated_at", JSON(describing: updatedAt)),
        ])
    }
}
