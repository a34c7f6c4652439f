import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// After a clean stop, a pass and an import, a copy of the database file alone is the whole ledger.
    @Suite struct CleanStops {
        private static let mails = (1...3).map { Watching.coffee("coffee-\($0)", minutes: $0) }

        /// Copies the file without its log, and counts the transactions in the copy.
        private func expectWhole(_ station: Station) throws {
            let log = try? FileManager.default.attributesOfItem(atPath: station.database + "-wal")[.size] as? Int
            #expect((log ?? 0) == 0)
            let copy = station.scratch.path + "/copy.db"
            try FileManager.default.copyItem(atPath: station.database, toPath: copy)
            station.database = copy
            #expect(try station.ledger.count("SELECT count(*) FROM transactions") == Self.mails.count)
        }

        @Test(.timeLimit(.minutes(3))) func stopOfTheDaemon() throws {
            let station = try Station()
            try station.deliver(Self.mails)
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try expectWhole(station)
        }

        @Test(.timeLimit(.minutes(3))) func singlePass() throws {
            let station = try Station()
            try station.deliver(Self.mails)
            try station.pass()
            try expectWhole(station)
        }

        @Test(.timeLimit(.minutes(3))) func importOfMails() throws {
            let station = try Station()
            for (index, mail) in Self.mails.enumerated() {
                try station.scratch.write(mail.bytes, to: "mails/\(index).eml")
            }
            _ = try station.control(["import", "--authserv-id", "mx.google.com", station.scratch.path + "/mails"])
            try expectWhole(station)
        }
    }
}
