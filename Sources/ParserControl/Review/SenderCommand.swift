import ArgumentParser
import Chronology
import Codecs
import Console
import Ledger
import Profiles
import Store

struct SenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sender", abstract: "Trusted addresses at banks' own domains that no profile lists.",
        discussion: """
            Mail from a bank's domain, but from an address that its profile does not list, waits for review. Accepting such an item unchanged trusts the \
            address from then on, if nothing else about the mail was doubtful; undoing the acceptance undoes the trust as well.
            """, subcommands: [Listing.self, Trust.self, Forget.self], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the trusted addresses by bank.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { options.show(try $0.trustedSenders.all(), as: .trustedSenders) }
        }
    }

    struct Trust: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trust", abstract: "Trust an address at a domain of a bank.")
        @Argument(help: "Such as alerts@bank.example.")
        var address: String
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let address = address.lowercased()
                guard let at = address.lastIndex(of: "@"),
                    let bank = try locations.profiles(.deferred).bank(
                        ofDomain: String(address[address.index(after: at)...]))
                else {
                    throw Refused(
                        "\(address) is not at a domain of a bank in the profiles: add the domain to the bank's _bank.yaml, or the bank to 'banks' in spendwise.yaml"
                    )
                }
                if bank.addresses.isEmpty || bank.addresses.contains(address) {
                    return Output.line("\(address): the profile of \(bank.name) lists it already")
                }
                let isNew = try locations.store(readOnly: false).write { store in
                    let isNew = try store.trustedSenders.trust(TrustedSender(address: address, bank: bank.key))
                    // The audit log holds no addresses.
                    if isNew { try store.audit.append(.byOperator("sender trusted: a new one of \(bank.key)")) }
                    return isNew
                }
                Output.line(
                    "\(address): \(isNew ? "trusted" : "was trusted already") as a sender of \(bank.name). For its waiting mail: 'parserctl rescan --bank \(bank.key)'"
                )
            }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Stop trusting an address: its mail waits for review again.")
        @Argument(help: "As 'parserctl sender' shows it.")
        var address: String
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                try locations.store(readOnly: false).write { store in
                    let known = try store.trustedSenders.all().first { $0.sender.address == address.lowercased() }
                    guard let known, try store.trustedSenders.forget(address) else {
                        throw Refused(
                            "\(address) is not among the trusted senders: 'parserctl sender' shows them")
                    }
                    try store.audit.append(.byOperator("sender forgotten: one of \(known.sender.bank)"))
                }
                Output.line("\(address.lowercased()): no longer trusted")
            }
        }
    }
}

extension RowFormat where Row == TrustedSenderRow {
    static var trustedSenders: RowFormat {
        RowFormat(
            empty: "no address is trusted apart from those in the profiles", object: \.json,
            columns: [
                .left("bank") { $0.sender.bank }, .left("address") { $0.sender.address },
                .left("since") { $0.trustedAt.day().description },
                .left("why") { $0.transactionID.map { "transaction \($0) was accepted" } ?? "trusted by a person" },
            ])
    }
}

extension TrustedSenderRow {
    var json: JSON {
        .object([
            ("address", .string(sender.address)), ("bank", .string(sender.bank)),
            ("since", JSON(describing: trustedAt)),
            ("transaction", transactionID.map(JSON.integer) ?? .null),
            ("by", .string(actor.kind.rawValue)),
        ])
    }

    /// The notice after an item was accepted.
    var sentence: String {
        "alerts from \(sender.address) are trusted from now on; 'parserctl sender forget \(sender.address)' undoes that, 'parserctl rescan --bank \(sender.bank)' books its other waiting mail"
    }
}
