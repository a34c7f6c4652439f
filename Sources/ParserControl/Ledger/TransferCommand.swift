import ArgumentParser
import Chronology
import Codecs
import Ledger
import Store

struct TransferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer", abstract: "Transfers between your own accounts: linked and proposed ones.",
        subcommands: [Listing.self, Confirm.self, Refuse.self, Link.self, Find.self], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show transfers, the newest first.")
        @Option(help: "proposed, linked, refused or all.")
        var state = "all"
        @Option(help: "The maximum number of rows, or all.")
        var limit = RowLimit.rows(100)
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let states = try choices(state, "a state", of: TransferRow.State.self)
            try options.read { store in
                let rows = try store.transfers.list(states, limit: limit.count)
                let isCut = rows.count == limit.count
                options.show(rows, as: .transfers, more: isCut ? try store.transfers.count(states) - rows.count : 0)
            }
        }
    }

    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm", abstract: "Confirm a proposed transfer: both rows become a transfer.")
        @OptionGroup var pair: RowArgument

        func run() async throws {
            try pair.options.write { pair.options.show(try $0.transfers.confirm(pair.id, by: .terminal)) }
        }
    }

    struct Refuse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refuse",
            abstract:
                "Refuse a proposed transfer or undo a linked one: both rows are restored, and it is not proposed again."
        )
        @OptionGroup var pair: RowArgument

        func run() async throws {
            try pair.options.write { pair.options.show(try $0.transfers.refuse(pair.id, by: .terminal)) }
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "link", abstract: "Link two transactions of one amount yourself.")
        @Argument(help: "The transaction of the outgoing money.")
        var debit: Int64
        @Argument(help: "The transaction of the incoming money.")
        var credit: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { options.show(try $0.transfers.link(debit: debit, credit: credit, by: .terminal)) }
        }
    }

    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find", abstract: "Search booked transactions for transfers.")
        @OptionGroup var search: PairSearchOptions

        func run() async throws { try search.search("linked") { try $0.transfers.search(since: $1) } }
    }
}

extension LedgerOptions {
    fileprivate func show(_ transfer: TransferRow) {
        show(transfer.json, "transfer \(transfer.id): \(transfer.state.rawValue), \(transfer.reason.sentence)")
    }
}

extension RowFormat where Row == TransferRow {
    static var transfers: RowFormat {
        RowFormat(
            empty: "no transfers", object: \.json,
            columns: [
                .right("id") { "\($0.id)" }, .left("state") { $0.state.rawValue },
                .left("date") { $0.side?.date.description ?? "" }, .right("amount") { $0.side?.amount.decimal ?? "" },
                .left("") { $0.side?.amount.currency.code ?? "" },
                .right("debit") { $0.debit.map { "\($0.id)" } ?? "" },
                .right("credit") { $0.credit.map { "\($0.id)" } ?? "" }, .left("why") { $0.reason.sentence },
            ])
    }
}

extension TransferRow {
    /// The side that dates and amounts are taken from.
    fileprivate var side: TransactionRow? { debit ?? credit }

    var json: JSON {
        .object([
            ("id", .integer(id)), ("state", .string(state.rawValue)), ("debit", JSON(debit?.id)),
            ("credit", JSON(credit?.id)), ("evidence", .string(basis.rawValue)),
            ("why", .string(reason.sentence)), ("made_by", .string(isMadeByPerson ? "person" : "rule")),
            ("created_at", JSON(describing: createdAt)), ("updated_at", JSON(describing: updatedAt)),
        ])
    }
}
