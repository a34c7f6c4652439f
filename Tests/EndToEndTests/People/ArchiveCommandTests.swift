import Foundation
import Testing

extension EndToEnd {
    /// `parserctl archive` on the mails that the daemon retained.
    @Suite struct ArchiveCommands {
        private static func json(_ station: Station, _ arguments: [String]) throws -> [[String: Any]] {
            try JSONOutput.lines(try station.control(arguments + ["--json"]))
        }

        @Test(.timeLimit(.minutes(4))) func mailsAreCountedCopiedCompressedAndDeleted() throws {
            let station = try Station()
            try station.deliver(Catalogue.many(300))
            try station.pass()
            let kept = try station.ledger.count("SELECT count(*) FROM raw_messages")
            let before = try Self.json(station, ["archive", "stats"])
            #expect(kept > 100 && before.compactMap { $0["mails"] as? Int }.reduce(0, +) == kept)
            #expect(before.allSatisfy { ($0["compressed"] as? Int ?? 0) <= ($0["mails"] as? Int ?? 0) })
            #expect(try station.control(["archive"]).contains("bytes a mail"))

            // A copy has every mail, and can be read again.
            let copy = station.scratch.path + "/copy.mbox"
            #expect(try Self.json(station, ["archive", "export", copy]).first?["mails"] as? Int == kept)
            let text = try String(contentsOfFile: copy, encoding: .utf8)
            #expect(text.components(separatedBy: "\nFrom - ").count == kept)
            let again = try station.start(["archive", "export", copy], of: "parserctl")
            #expect(try again.exit() == 1 && again.errors.contains("exists"))
            let folder = station.scratch.path + "/mails"
            let bank = try #require(before.compactMap { $0["bank"] as? String }.first)
            let ofBank = try Self.json(station, ["archive", "export", folder, "--bank", bank]).first?["mails"] as? Int
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == ofBank)

            // Compression loses nothing.
            _ = try station.control(["archive", "compress"])
            let after = try Self.json(station, ["archive", "stats"])
            #expect(after.compactMap { $0["compressed"] as? Int }.reduce(0, +) > 0)
            func sum(_ rows: [[String: Any]]) -> Int { rows.compactMap { $0["stored_bytes"] as? Int }.reduce(0, +) }
            #expect(sum(after) <= sum(before))
            let second = station.scratch.path + "/second.mbox"
            _ = try station.control(["archive", "export", second])
            #expect(try Data(contentsOf: URL(filePath: second)) == Data(contentsOf: URL(filePath: copy)))

            // A deletion names its mails, asks, and leaves the transactions.
            let transactions = try station.ledger.count("SELECT count(*) FROM transactions")
            let unnamed = try station.start(["archive", "purge"], of: "parserctl")
            #expect(try unnamed.exit() == 64 && unnamed.errors.contains("--before"))
            let unattended = try station.start(["archive", "purge", "--bank", bank], of: "parserctl")
            #expect(try unattended.exit() == 64)
            #expect(try station.ledger.count("SELECT count(*) FROM raw_messages") == kept)
            let deleted = try Self.json(station, ["archive", "purge", "--bank", bank, "--yes"])
            #expect(deleted.first?["deleted"] as? Int ?? 0 > 0)
            #expect(
                try station.ledger.count("SELECT count(*) FROM raw_messages")
                    == kept - (deleted.first?["deleted"] as? Int ?? 0))
            #expect(try station.ledger.count("SELECT count(*) FROM transactions") == transactions)
        }
    }
}
