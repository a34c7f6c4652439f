import DovecotFixture
import Glibc
import Testing

extension EndToEnd {
    @Suite struct Watching {
        static func coffee(_ id: String, minutes: Int) -> Mail {
            .iciciCard(id, 12_300, at: "\(id.uppercased()) COFFEE", India.daysAgo(1, 10, minutes), in: Catalogue.cafe)
        }

        @Test(.timeLimit(.minutes(3))) func newMailIsBookedDuringIdleAndSIGTERMStops() throws {
            let station = try Station()
            let (old, new, third) = (
                Self.coffee("old", minutes: 1), Self.coffee("new", minutes: 2), Self.coffee("third", minutes: 3)
            )
            try station.deliver([old])
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            try station.expectBooked([old])
            try station.deliver([new])
            try waitUntil("the new mail's row") { station.ledger.mails == 2 }
            try station.deliver([third])
            try waitUntil("the third mail's row") { station.ledger.mails == 3 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            station.expectDiscreet(daemon)
            try station.expectBooked([old, new, third])
            #expect(try station.ledger.column("SELECT state FROM mailbox_health") == ["stopped"])
            #expect(Set(station.server.flags(of: "user").values) == [""])
        }

        @Test(.timeLimit(.minutes(3))) func mailDuringStopAndDowntimeIsNotLost() throws {
            let station = try Station()
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            let ending = (0..<5).map { Self.coffee("ending\($0)", minutes: $0) }
            for mail in ending {
                try station.deliver([mail])
                if mail.id == "ending2" { daemon.signal(SIGTERM) }
            }
            #expect(try daemon.exit(within: 10) == 0)
            let down = Self.coffee("down", minutes: 30)
            try station.deliver([down])
            try station.pass()
            try station.expectBooked(ending + [down])
        }

        @Test(.timeLimit(.minutes(3)), arguments: [SIGTERM, SIGINT])
        func signalDuringLongPassStopsWithoutLoss(signal: Int32) throws {
            let station = try Station()
            let mails = Catalogue.many(1500)
            try station.deliver(mails)
            let relay = try Relay(to: station.server.port)
            defer { relay.close() }
            station.mailboxes[0].port = relay.port
            // A fast machine reads all of them before it sees the signal.
            relay.holds(at: mails.reduce(0) { $0 + $1.bytes.count } / 2)
            let daemon = try station.start(["ingest"])
            try waitUntil("the first rows of half a pass") { relay.isHolding && station.ledger.mails > 0 }
            daemon.signal(signal)
            #expect(try daemon.exit(within: 10) == 0)
            #expect(station.ledger.mails < mails.count)
            relay.holds(at: nil)
            try station.pass()
            #expect(station.ledger.mails == mails.count)
            #expect(
                try station.ledger.count("SELECT count(*) FROM (SELECT DISTINCT message_id FROM processed_emails)")
                    == mails.count)
        }

        @Test(.timeLimit(.minutes(3))) func serverIsReadAgainAfterItReturns() throws {
            let station = try Station()
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            station.server.kill()
            try daemon.logs("mailbox cannot be read")
            let mail = Self.coffee("meanwhile", minutes: 5)
            try station.deliver([mail])
            try station.server.start()
            try waitUntil("row of the mail delivered during the outage") { station.ledger.mails == 1 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try station.expectBooked([mail])
        }
    }
}
