import Foundation
import Glibc
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

        /// Each command that copies rows out of the ledger leaves an event, without what was selected.
        @Test(.timeLimit(.minutes(3))) func copiesAreRecorded() throws {
            let station = try Station()
            try station.deliver(Catalogue.many(20))
            try station.pass()
            let folder = station.scratch.path
            for command in [
                ["export", "--format", "json", "--since", "2026-01-01"], ["export", "--since-last", "tara"],
                ["archive", "export", folder + "/copy.mbox"], ["backup", folder + "/a.tgz"],
                ["backup", "json", folder + "/a.json"],
            ] { _ = try station.control(command) }
            // What copies nothing leaves no event.
            _ = try station.control(["list"])
            let log = try station.ledger.column(
                "SELECT event FROM audit_log WHERE event LIKE 'export%' OR event LIKE 'backup%' ORDER BY id")
            #expect(log == ["export: json", "export: csv", "export of retained mails", "backup", "backup: json"])
            #expect(try station.control(["audit", "--verify"]).contains("is intact"))
        }

        /// The log of the backup replaces the newer one, which the saved ledger keeps: the restored log names its end.
        @Test(.timeLimit(.minutes(3))) func aRestoreNamesTheLogThatItReplaced() throws {
            let station = try Station()
            try station.pass()
            let backup = station.scratch.path + "/backup.tgz"
            _ = try station.control(["backup", backup])
            _ = try station.control(["token", "add", "phone"])
            func end(_ options: [String] = []) throws -> String {
                let proof = try JSONOutput.object(station.control(["audit", "--verify", "--json"] + options))
                #expect(proof["proved"] as? Bool == true)
                return try #require(proof["newest_digest"] as? String)
            }
            let replaced = try end()
            let report = try JSONOutput.object(station.control(["restore", "--yes", "--json", backup]))
            let log = try station.ledger.column("SELECT event FROM audit_log ORDER BY id")
            #expect(log.last?.hasPrefix("ledger restored: backup of ") == true)
            #expect(log.last?.hasSuffix(", replaced the audit log that ends with \(replaced)") == true)
            #expect(!log.contains { $0.hasPrefix("token added") })
            #expect(try end() != replaced)
            // As the manual describes.
            let saved = try #require(report["before"] as? String)
            let folder = station.scratch.path + "/saved"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(try Program("/usr/bin/tar", ["-xzf", saved, "-C", folder], in: station.scratch).exit() == 0)
            #expect(try end(["--database", folder + "/spendwise.db"]) == replaced)
        }

        /// The web role's journal names the newest event, so that a log which somebody wrote anew is found out.
        @Test(.enabled(if: access(WebSite.curl, X_OK) == 0), .timeLimit(.minutes(3)))
        func theJournalHasTheNewestDigest() throws {
            let site = try WebSite()
            _ = try site.token("phone")
            try site.daemon.logs("newest event of the audit log")
            let digest = try #require(site.log.firstMatch(of: /newest event of the audit log.*digest=([0-9a-f]{64})/)).1
            func proof(_ status: Int32) throws -> String {
                try site.station.control(["audit", "--verify", "--contains", String(digest)], expecting: status)
            }
            #expect(try proof(0).contains("it contains the given digest"))
            // Another log whose chain is intact.
            try site.restart { try site.sql("DELETE FROM audit_log; DELETE FROM audit_anchor") }
            #expect(try site.station.control(["audit", "--verify"]).contains("is intact"))
            _ = try proof(1)
        }

        /// Both roles read the profiles again, and say which of them did.
        @Test(.timeLimit(.minutes(3))) func theWebRolesReloadIsRecorded() throws {
            let site = try WebSite()
            site.daemon.signal(SIGHUP)
            try site.daemon.logs("profiles reloaded")
            let log = try site.station.ledger.rows("SELECT who, event FROM audit_log WHERE event LIKE 'profiles%'")
            #expect(log.count == 1 && log.first?.first == "web", "\(log)")
            #expect(log.first?.last?.contains(/^profiles reloaded: \d+ banks, \d+ templates$/) == true, "\(log)")
        }
    }
}
