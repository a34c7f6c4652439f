import ArgumentParser
import Codecs
import Console
import Fleet
import Store

/// Options of the commands that list something.
struct ListingOptions: ParsableArguments {
    @Flag(help: "JSON for other programs.") var json = false
}

struct HouseholdsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "households", abstract: "List the households.")
    @OptionGroup var file: FleetFile
    @OptionGroup var listing: ListingOptions

    func run() throws {
        let households = try file.read().households().all()
        if listing.json {
            let rows = households.map {
                JSON.object([
                    ("household", .string($0.name)), ("mailboxes", .integer($0.mailboxes)),
                    ("added_at", JSON(describing: $0.addedAt)), ("revision", .integer($0.revision)),
                    ("ledger_migration", .string($0.ledgerMigration)),
                ])
            }
            return Output.line(JSON.object([("households", .array(rows))]).text)
        }
        var table = Table([("household", .left), ("mailboxes", .right), ("added", .left), ("tables", .left)])
        for household in households {
            table.add([
                household.name, "\(household.mailboxes)", "\(household.addedAt)",
                household.ledgerMigration == Store.newestMigration ? "" : "of another version",
            ])
        }
        table.print()
    }
}

struct MailboxesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mailboxes", abstract: "List the mailboxes with their health.",
        discussion: "Workers write the health at each change and otherwise once a minute.")
    @OptionGroup var file: FleetFile
    @OptionGroup var listing: ListingOptions
    @Argument(help: "A household; all of them if none is named.") var household: String?

    func run() throws {
        let mailboxes = try file.read().households().mailboxes(of: household)
        if listing.json {
            let rows = mailboxes.map {
                JSON.object([
                    ("household", .string($0.household)), ("name", .string($0.name)), ("host", .string($0.host)),
                    ("state", JSON($0.state)), ("overdue", .bool($0.isOverdue)),
                    ("last_success_at", JSON(describing: $0.lastSuccess)), ("reason", JSON($0.reason)),
                ])
            }
            return Output.line(JSON.object([("mailboxes", .array(rows))]).text)
        }
        var table = Table([
            ("household", .left), ("mailbox", .left), ("host", .left), ("state", .left), ("last success", .left),
            ("reason", .left),
        ])
        for mailbox in mailboxes {
            table.add([
                mailbox.household, mailbox.name, mailbox.host,
                (mailbox.state ?? "not read yet") + (mailbox.isOverdue ? ", overdue" : ""),
                mailbox.lastSuccess.map { "\($0)" } ?? "", mailbox.reason ?? "",
            ])
        }
        table.print()
    }
}

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "List the households with the workers that read them.")
    @OptionGroup var file: FleetFile
    @OptionGroup var listing: ListingOptions

    func run() throws {
        let lines = try file.read().households().status()
        if listing.json {
            let rows = lines.map {
                JSON.object([
                    ("household", .string($0.household)), ("mailboxes", .integer($0.mailboxes)),
                    ("commits", .integer($0.version)), ("worker", JSON($0.worker)),
                    ("lease_seconds", .integer($0.seconds)), ("waits", JSON($0.wait?.description)),
                ])
            }
            return Output.line(JSON.object([("households", .array(rows))]).text)
        }
        var table = Table([
            ("household", .left), ("mailboxes", .right), ("commits", .right), ("worker", .left), ("lease", .left),
            ("waits", .left),
        ])
        for line in lines {
            table.add([
                line.household, "\(line.mailboxes)", "\(line.version)", line.worker ?? "",
                line.worker == nil ? "none for \(-line.seconds) s" : "for \(line.seconds) s",
                line.wait?.description ?? "",
            ])
        }
        table.print()
    }
}
