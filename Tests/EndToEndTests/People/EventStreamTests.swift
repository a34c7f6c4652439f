import Foundation
import Glibc
import LoopbackFixture
import Testing

extension EndToEnd {
    /// Server-sent events of the real daemon, with curl as the reader.
    @Suite(.enabled(if: access(WebSite.curl, X_OK) == 0)) struct EventStreams {
        private func events(_ program: Program) -> Int {
            program.output.split(whereSeparator: \.isNewline).count { $0.hasPrefix("data: ") }
        }

        /// A change is told; the stream ends with the token, and another one when the daemon stops: both complete.
        @Test(.timeLimit(.minutes(2))) func changesUntilTheTokenOrTheDaemonEnds() throws {
            let site = try WebSite()
            func bearer(_ token: String) -> [String] { ["-H", "Authorization: Bearer \(token)"] }
            let stream = ["-N", "-H", "Accept: text/event-stream"]
            let writer = try site.token("writer", ["--scope", "read", "--scope", "write"])
            let display = try site.token("display", ["--scope", "read"])
            let first = try site.begin("/app/events", stream + bearer(display))
            try waitUntil("the first event\n\(first.output)") { events(first) == 1 }
            let head = first.output.lowercased()
            #expect(head.contains("content-type: text/event-stream") && !head.contains("content-encoding"))
            let payment =
                #"{"parsed_amount":"12.00","parsed_date":"2026-01-05","transaction_type":"expense","parsed_vendor":"LAKE BAKERY"}"#
            #expect(try site.ask("/transactions/", bearer(writer) + ["--json", payment]).status == 201)
            try waitUntil("the change\n\(first.output)") { events(first) == 2 }
            #expect(!first.output.contains("BAKERY"))
            _ = try site.station.control(["token", "revoke", "display"])
            #expect(try first.exit(within: 20) == 0, "\(first.errors)")

            let second = try site.begin("/app/events", stream + bearer(writer))
            try waitUntil("the first event\n\(second.output)") { events(second) == 1 }
            try site.restart {}
            #expect(try second.exit(within: 20) == 0, "the answer is complete: \(second.errors)")
        }
    }
}
