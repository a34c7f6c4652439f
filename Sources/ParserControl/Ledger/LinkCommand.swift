import ArgumentParser
import Chronology
import Codecs
import Ledger
import Store

struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Transactions of one event: refunds, second reports of a payment, final amounts, instalments.",
        subcommands: [Listing.self, Proposals.self, Confirm.self, Reject.self, Add.self, Find.self],
        defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show links, the newest first.")
        @Option(help: "proposed, made, rejected or all.")
        var state = "all"
        @Option(help: "refund, reversal, settles, same_event, instalment or all.")
        var kind = "all"
        @Option(help: "The maximum number of rows, or all.")
        var limit = RowLimit.rows(100)
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let states = try choices(state, "a state", of: EventLinkRow.State.self)
            let kinds = try choices(kind, "a kind", of: EventLinkKind.self)
            try options.read { store in
                let all = try store.eventLinks.list(states, of: kinds, limit: .max)
                let rows = Array(all.prefix(limit.count))
                options.show(rows, as: .links, more: all.count - rows.count)
            }
        }
    }

    struct Proposals: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "proposals", abstract: "Show everything that waits for an answer, transfers included.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                let rows =
                    try store.eventLinks.list([.proposed], limit: .max).map { Proposal($0) }
                    + store.transfers.list([.proposed], limit: .max).map { Proposal($0) }
                options.show(rows, as: .proposals, more: 0)
            }
        }
    }

    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "confirm", abstract: "Confirm a proposed link.")
        @OptionGroup var pair: RowArgument

        func run() async throws {
            try pair.options.write { pair.options.show(try $0.eventLinks.confirm(pair.id, by: .terminal)) }
        }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reject",
            abstract:
                "Reject a proposal or undo a link: each transaction counts by itself, and the pair is not proposed again."
        )
        @OptionGroup var pair: RowArgument

        func run() async throws {
            try pair.options.write { pair.options.show(try $0.eventLinks.reject(pair.id, by: .terminal)) }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Link two transactions yourself.")
        @Argument(help: "refund, reversal, settles, same_event or instalment.")
        var kind: String
        @Argument(help: "The transaction that counts: the purchase, the final amount, the report that stays.")
        var from: Int64
        @Argument(help: "The refund, the instalment, the authorisation, or the other report.")
        var to: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let kind = try choice(kind, "a kind", of: EventLinkKind.self)
            try options.write { options.show(try $0.eventLinks.link(from, to: to, as: kind, by: .terminal)) }
        }
    }

    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find", abstract: "Search booked transactions for links.")
        @OptionGroup var search: PairSearchOptions

        func run() async throws { try search.search("made") { try $0.eventLinks.search(since: $1) } }
    }
}

/// A proposed link or transfer, with the commands that answer it.
fileprivate struct Proposal {
    var kind: String
    var id: Int64
    var from: TransactionRow?
    var to: TransactionRow?
    var confidence: Double?
    var why: String
    var accept: String
    var reject: String

    init(_ link: EventLinkRow) {
        (kind, id, from, to) = (link.kind.rawValue, link.id, link.from, link.to)
        (confidence, why) = (link.confidence, link.why)
        (accept, reject) = ("link confirm \(link.id)", "link reject \(link.id)")
    }

    init(_ transfer: TransferRow) {
        (kind, id, from, to, why) = ("transfer", transfer.id, transfer.debit, transfer.credit, transfer.reason.sentence)
        (accept, reject) = ("transfer confirm \(transfer.id)", "transfer refuse \(transfer.id)")
    }

    var json: JSON {
        .object([
            ("kind", .string(kind)), ("id", .integer(id)), ("from", JSON(from?.id)), ("to", JSON(to?.id)),
            ("confidence", confidence.map(JSON.number) ?? .null), ("why", .string(why)), ("accept", .string(accept)),
            ("reject", .string(reject)),
        ])
    }
}

extension LedgerOptions {
    fileprivate func show(_ link: EventLinkRow) {
        show(link.json, "link \(link.id): \(link.state.rawValue), \(link.why)")
    }
}

extension RowFormat where Row == EventLinkRow {
    fileprivate static var links: RowFormat {
        RowFormat(
            empty: "no links", object: \.json,
            columns: [
                .right("id") { "\($0.id)" }, .left("state") { $0.state.rawValue }, .left("kind") { $0.kind.rawValue },
                .left("date") { $0.to.date.description }, .right("amount") { $0.to.amount.decimal },
                .left("") { $0.to.amount.currency.code }, .right("to") { "\($0.to.id)" },
                .right("from") { "\($0.from.id)" }, .right("of") { $0.from.amount.decimal },
                .left("why") { $0.why },
            ])
    }
}

extension RowFormat where Row == Proposal {
    fileprivate static var proposals: RowFormat {
        RowFormat(
            empty: "no proposals", object: \.json,
            columns: [
                .left("kind") { $0.kind }, .left("date") { ($0.to ?? $0.from)?.date.description ?? "" },
                .right("amount") { ($0.to ?? $0.from)?.amount.decimal ?? "" },
                .left("") { ($0.to ?? $0.from)?.amount.currency.code ?? "" },
                .right("from") { $0.from.map { "\($0.id)" } ?? "" }, .right("to") { $0.to.map { "\($0.id)" } ?? "" },
                .left("accept with") { $0.accept }, .left("why") { $0.why },
            ])
    }
}

extension EventLinkRow {
    fileprivate var json: JSON {
        .object([
            ("id", .integer(id)), ("kind", .string(kind.rawValue)), ("state", .string(state.rawValue)),
            ("from", .integer(from.id)), ("to", .integer(to.id)),
            ("confidence", .number(confidence)), ("evidence", .string(evidence.word)), ("why", .string(why)),
            ("made_by", .string(isMadeByPerson ? "person" : "rule")), ("created_at", JSON(describing: createdAt)),
            ("updated_at", JSON(describing: updatedAt)),
        ])
    }
}
