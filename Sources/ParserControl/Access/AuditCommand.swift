import ArgumentParser
import Chronology
import Codecs
import Glibc
import Store

/// The audit log of the web side.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the audit log: requests, logins, pairings, tokens.",
        discussion:
            "It holds no amounts, merchants, addresses, tokens or queries. A request's id is also in the answer's X-Request-ID and in the daemon's log."
    )
    @Option(help: "The maximum number of events, newest first.")
    var limit = 100
    @Option(help: "Only events of this last period, such as 7d.")
    var since: String?
    @Flag(help: "One JSON object a line.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        try orExit {
            let start = try since.map { UnixTime.now.seconds - (try AccessNames.seconds($0)) } ?? 0
            let events = try locations.store().audit.latest(since: start, limit: max(0, limit))
            if json {
                for event in events {
                    Output.line(
                        JSON.object([
                            ("at", .string(Store.timestamp(event.at))), ("event", .string(event.event)),
                            ("who", .string(event.who)), ("method", JSON(event.method)),
                            ("route", JSON(event.route)), ("status", JSON(event.status)),
                            ("request_id", JSON(event.requestID)),
                        ]).text)
                }
                return
            }
            if events.isEmpty { return Output.line("the audit log is empty") }
            var table = Table([
                ("at", .left), ("event", .left), ("who", .left), ("", .left), ("route", .left), ("status", .right),
                ("request", .left),
            ])
            for event in events {
                table.add([
                    Store.timestamp(event.at), event.event, event.who, event.method ?? "", event.route ?? "",
                    event.status.map { "\($0)" } ?? "", event.requestID ?? "",
                ])
            }
            table.print()
        }
    }
}
