import Foundation
import Testing

extension EndToEnd {
    /// Commands that change what the program trusts or does by itself are in the audit log, without private values.
    @Suite struct OperatorAudit {
        @Test(.timeLimit(.minutes(3))) func trustAndMappingsAreRecorded() throws {
            let station = try Station()
            try station.pass()
            let address = "new-desk@hdfcbank.net"
            _ = try station.control(["sender", "trust", address])
            _ = try station.control(["sender", "trust", address])
            _ = try station.control(["sender", "forget", address])
            let made = try JSONOutput.object(station.control(["mapping", "add", "tara loom", "Shopping", "--json"]))
            let id = try #require((made["mapping"] as? [String: Any])?["id"] as? Int)
            _ = try station.control(["mapping", "delete", "\(id)"])
            let log = try station.ledger.column("SELECT event FROM audit_log ORDER BY id")
            #expect(
                log.filter { !$0.hasPrefix("decision: ") } == [
                    "sender trusted: a new one of hdfc", "sender forgotten: one of hdfc", "mapping deleted: \(id)",
                ], "\(log)")
            #expect(!log.contains { $0.contains("new-desk") || $0.contains("loom") })
        }
    }
}
