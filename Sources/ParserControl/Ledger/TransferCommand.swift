import ArgumentParser
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
        @Option(help: "The maximum number of rows.")
        var limit = 100
        @Flag(help: "One JSON object a line.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            guard state == "all" || TransferRow.State(rawValue: state) != nil else {
                throw ValidationError("unknown state '\(state)': use proposed, linked, refused or all")
            }
            try orExit {
                let rows = try locations.store().transfers.list(
                    TransferRow.State(rawValue: state).map { [$0] } ?? Set(TransferRow.State.allCases), limit: limit)
                if json { return rows.forEach { Output.line($0.json.text) } }
                if rows.isEmpty { return Output.line("no transfers") }
                var table = Table([
                    ("id", .right), ("state", .left), ("date", .left), ("amount", .right), ("", .left),
                    ("debit", .right), ("credit", .right), ("why", .left),
                ])
                for row in rows {
                    let side = row.debit ?? row.credit
                    table.add([
                        "\(row.id)", row.state.rawValue, side?.date ?? "", side?.amount.decimal ?? "",
                        side?.amount.currency.code ?? "", row.debit.map { "\($0.id)" } ?? "",
                        row.credit.map { "\($0.id)" } ?? "", row.why,
                    ])
                }
                table.print()
            }
        }
    }

    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm", abstract: "Confirm a proposed transfer: both rows become a transfer.")
        @Argument(help: "Its number.")
        var id: Int64
        @Flag(help: "One JSON object.")
        var json = false
        @OptionGroup var locations: Locations
        func run() async throws {
            try orExit { try locations.store(readOnly: false).transfers.confirm(id, by: .terminal).show(json) }
        }
    }

    struct Refuse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refuse",
            abstract:
                "Refuse a proposed transfer or undo a linked one: both rows are restored, and it is not proposed again."
        )
        @Argument(help: "Its number.")
        var id: Int64
        @Flag(help: "One JSON object.")
        var json = false
        @OptionGroup var locations: Locations
        func run() async throws {
            try orExit { try locations.store(readOnly: false).transfers.refuse(id, by: .terminal).show(json) }
        }
    }

    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "link", abstract: "Link two transactions of one amount yourself.")
        @Argument(help: "The transaction of the outgoing money.")
        var debit: Int64
        @Argument(help: "The transaction of the incoming money.")
        var credit: Int64
        @Flag(help: "One JSON object.")
        var json = false
        @OptionGroup var locations: Locations
        func run() async throws {
            try orExit {
                try locations.store(readOnly: false).transfers.link(debit: debit, credit: credit, by: .terminal).show(
                    json)
            }
        }
    }

    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find", abstract: "Search booked transactions for transfers.")
        @Option(help: "First day, yyyy-mm-dd.")
        var since: String?
        @Flag(help: "One JSON object.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            let first = try day(since)
            try orExit {
                let found = try locations.store(readOnly: false).transfers.search(since: first)
                Output.line(
                    json
                        ? JSON.object([("linked", JSON(found.linked)), ("proposed", JSON(found.proposed))]).text
                        : "linked \(found.linked), to be confirmed \(found.proposed)")
            }
        }
    }
}

extension TransferRow {
    func show(_ asJSON: Bool) {
        if asJSON { return Output.line(json.text) }
        Output.line("transfer \(id): \(state.rawValue), \(why)")
    }

    var json: JSON {
        .object([
            ("id", .integer(id)), ("state", .string(state.rawValue)), ("debit", JSON(debit?.id)),
            ("credit", JSON(credit?.id)), ("evidence", .string(evidence)),
            ("why", .string(why)), ("made_by", .string(isMadeByPerson ? "person" : "rule")),
            ("created_at", .string(createdAt)), ("updated_at", .string(updatedAt)),
        ])
    }
}
