import DovecotFixture
import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite struct RandomCrashes {
        /// `SPENDWISE_CRASHES=500 swift test --filter RandomCrashes` runs the long campaign.
        static let count = ProcessInfo.processInfo.environment["SPENDWISE_CRASHES"].flatMap { Int($0) } ?? 7
        /// Number of crashes on one database before the comparison.
        static let perLedger = 20

        /// Kills at random instants, while mail arrives and once during a change of UIDVALIDITY. The rows must equal
        /// those of an undisturbed daemon.
        @Test(.timeLimit(.minutes(60))) func killsAtRandomInstantsGiveTheSameResult() throws {
            var left = Self.count
            while left > 0 {
                let crashes = min(left, Self.perLedger)
                left -= crashes
                try campaign(crashes, renumbers: left / Self.perLedger % 2 == 1)
            }
        }

        private func campaign(_ crashes: Int, renumbers: Bool) throws {
            let station = try Station()
            let mails = Catalogue.many(60 * crashes)
            var delivered = 0
            let begun = Date()
            station.database = station.scratch.path + "/trial.db"
            try station.pass()
            // The instants are spread over slightly more than the time of a whole run.
            let longest = Date().timeIntervalSince(begun) * 1.5
            let disturbed = station.scratch.path + "/disturbed.db"
            station.database = disturbed
            for crash in 0..<crashes {
                try station.deliver(Array(mails[delivered..<(delivered + 60)]))
                delivered += 60
                let daemon = try station.start(["ingest"])
                usleep(UInt32(Double.random(in: 0...longest) * 1e6))
                try daemon.crash()
                station.expectDiscreet(daemon)
                if station.ledger.mails > 0 {
                    #expect(try station.ledger.column("PRAGMA integrity_check") == ["ok"])
                    // Every message is from a bank, so there is no gap below the cursor.
                    let gap =
                        "SELECT count(*) FROM mailbox_cursors c WHERE (SELECT count(*) FROM processed_emails m WHERE m.uid_validity = c.uid_validity AND m.uid < c.next_uid) <> c.next_uid - 1"
                    #expect(try station.ledger.count(gap) == 0, "crash \(crash)")
                }
                if renumbers, crash == crashes / 2 {
                    station.server.pause()
                    try station.server.setUIDValidity(4711, of: "user")
                    try station.server.start()
                }
            }
            try station.pass()
            let facts = try station.ledger.facts()
            #expect(try station.ledger.column("PRAGMA foreign_key_check") == [])
            #expect(Set(station.server.flags(of: "user").values) == [""])
            if renumbers {
                // Both UIDVALIDITY values have rows. Every event is booked once.
                let events = try station.ledger.column("SELECT idempotency_key FROM transactions ORDER BY 1")
                station.database = station.scratch.path + "/undisturbed.db"
                try station.pass()
                #expect(try station.ledger.column("SELECT idempotency_key FROM transactions ORDER BY 1") == events)
            } else {
                station.database = station.scratch.path + "/undisturbed.db"
                try station.pass()
                #expect(try station.ledger.facts() == facts)
            }
            #expect(station.ledger.mails == delivered)
        }
    }
}
