import ArgumentParser
import JSONText
import Ledger
import Profiles
import Store

struct SenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sender", abstract: "Addresses at banks' own domains that you trust though no profile lists them.",
        discussion: """
            Mail from a bank's domain, but from an address that its profile does not list, waits for review. Accepting such an item as it is trusts the \
            address from then on, where nothing else about the mail was doubtful; undoing that takes the trust back, too.
            """, subcommands: [Listing.self, Trust.self, Forget.self], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Show them, by bank.")
        @Flag(help: "One JSON object a line.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let rows = try locations.store().trustedSenders()
                if json { return rows.forEach { print($0.json.text) } }
                if rows.isEmpty { return print("no address is trusted beside those of the profiles") }
                var table = Table([("bank", .left), ("address", .left), ("since", .left), ("why", .left)])
                for row in rows {
                    table.add([
                        row.sender.bank, row.sender.address, String(row.trustedAt.prefix(10)),
                        row.transactionID.map { "transaction \($0) was accepted" } ?? "named by a person",
                    ])
                }
                table.print()
            }
        }
    }

    struct Trust: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Trust an address at a domain of a bank.")
        @Argument(help: "Such as alerts@bank.example.")
        var address: String
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let address = address.lowercased()
                guard let at = address.lastIndex(of: "@"),
                    let bank = try locations.profiles(samples: false).bank(
                        ofDomain: String(address[address.index(after: at)...]))
                else {
                    throw ValidationError(
                        "\(address) is not at a domain of a bank in the profiles: add the domain to the bank's _bank.yaml, or the bank to 'banks' in spendwise.yaml"
                    )
                }
                if bank.addresses.isEmpty || bank.addresses.contains(address) {
                    return print("\(address): the profile of \(bank.name) lists it already")
                }
                let isNew = try locations.store(readOnly: false).trust(TrustedSender(address: address, bank: bank.key))
                print(
                    "\(address): \(isNew ? "trusted" : "was trusted already") as a sender of \(bank.name). What waits from it: 'parserctl rescan --bank \(bank.key)'"
                )
            }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Trust an address no more: its mail waits for review again.")
        @Argument(help: "As 'parserctl sender' shows it.")
        var address: String
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                guard try locations.store(readOnly: false).forgetSender(address) else {
                    throw ValidationError("\(address) is not among the trusted senders: 'parserctl sender' shows them")
                }
                print("\(address.lowercased()): trusted no more")
            }
        }
    }
}

extension TrustedSenderRow {
    var json: JSON {
        .object([
            ("address", .string(sender.address)), ("bank", .string(sender.bank)), ("since", .string(trustedAt)),
            ("transaction", transactionID.map(JSON.integer) ?? .null),
            ("by", .string(actor.kind.rawValue)),
        ])
    }

    /// For who has just accepted the item that taught it.
    var sentence: String {
        "alerts from \(sender.address) are trusted from now on; 'parserctl sender forget \(sender.address)' takes that back, 'parserctl rescan --bank \(sender.bank)' books what else waits from it"
    }
}
