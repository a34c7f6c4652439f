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
    @OptionGroup var options: LedgerOptions

    func run() async throws {
        try options.read { store in
            let start = try since.map { UnixTime.now - (try AccessNames.seconds($0)) } ?? .epoch
            options.show(try store.audit.latest(since: start, limit: max(0, limit)), as: .auditEvents)
        }
    }
}

extension RowFormat where Row == AuditEvent {
    static var auditEvents: RowFormat {
        RowFormat(
            empty: "the audit log is empty",
            object: { event in
                .object([
                    ("at", JSON(describing: event.at)), ("event", .string(event.event)),
                    ("who", .string(event.who)), ("method", JSON(event.method)), ("route", JSON(event.route)),
                    ("status", JSON(event.status)), ("request_id", JSON(event.requestID)),
                ])
            },
            columns: [
                .left("at") { $0.at.description }, .left("event") { $0.event }, .left("who") { $0.who },
                .left("") { $0.method ?? "" }, .left("route") { $0.route ?? "" },
                .right("status") { $0.status.map { "\($0)" } ?? "" }, .left("request") { $0.requestID ?? "" },
            ])
    }
}
