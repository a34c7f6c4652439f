import ArgumentParser
import Codecs
import Console
import Fleet

struct ProviderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider", abstract: "Limit the connections to a mail server.",
        discussion: """
            Each mailbox under a lease has one connection all the time. The limits bind what workers lease from then on. \
            A limit that is not named is removed.
            """)
    @OptionGroup var file: FleetFile
    @Argument(help: "The host, as the mailboxes name it.") var host: String
    @Option(name: .customLong("fleet"), help: "Most connections of all workers together.") var ofFleet: Int64?
    @Option(name: .customLong("worker"), help: "Most connections of one worker, which has one address.")
    var ofWorker: Int64?
    @Flag(help: "Remove the limits.") var remove = false

    func validate() throws {
        guard remove != (ofFleet != nil || ofWorker != nil) else {
            throw ValidationError("name --fleet, --worker or both, or --remove")
        }
        guard (ofFleet ?? 1) > 0, (ofWorker ?? 1) > 0 else { throw ValidationError("a limit is 1 or more") }
    }

    func run() throws {
        let providers = ProviderTable(try file.read().database())
        if !remove { return try providers.set(host, fleet: ofFleet, worker: ofWorker) }
        guard try providers.remove(host) else { throw FleetError("there are no limits of '\(host)'") }
    }
}

struct ProvidersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the mail servers with their connections and limits.")
    @OptionGroup var file: FleetFile
    @OptionGroup var listing: ListingOptions

    func run() throws {
        let providers = try ProviderTable(file.read().database()).all()
        if listing.json {
            let rows = providers.map {
                JSON.object([
                    ("host", .string($0.host)), ("mailboxes", .integer($0.mailboxes)),
                    ("connections", .integer($0.used)), ("fleet_limit", JSON($0.fleetLimit)),
                    ("most_of_worker", .integer($0.mostOfWorker)), ("worker_limit", JSON($0.workerLimit)),
                ])
            }
            return Output.line(JSON.object([("providers", .array(rows))]).text)
        }
        var table = Table([
            ("host", .left), ("mailboxes", .right), ("connections", .right), ("limit", .right),
            ("most of a worker", .right), ("limit", .right),
        ])
        for provider in providers {
            table.add([
                provider.host, "\(provider.mailboxes)", "\(provider.used)", provider.fleetLimit.map { "\($0)" } ?? "",
                "\(provider.mostOfWorker)", provider.workerLimit.map { "\($0)" } ?? "",
            ])
        }
        table.print()
    }
}
