import DovecotFixture
import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite struct Bursts {
        /// Notifications arrive one by one or together, some during a pass.
        @Test(.timeLimit(.minutes(3))) func burstOfHundredMailsIsReadCompletely() throws {
            let station = try Station()
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            let mails = Catalogue.many(100)
            try station.deliver(mails)
            try waitUntil("a hundred rows") { station.ledger.mails == mails.count }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            #expect(
                try station.ledger.count("SELECT count(*) FROM (SELECT DISTINCT message_id FROM processed_emails)")
                    == mails.count)
            let expected = mails.filter { !Catalogue.isSecond($0) }.compactMap { mail in
                mail.booked.map { (mail.id, $0) }
            }
            #expect(try station.ledger.booked() == Dictionary(uniqueKeysWithValues: expected))
        }

        /// The server announces the message inside the answer to a FETCH, and never again.
        @Test(.timeLimit(.minutes(3))) func mailThatArrivesDuringFetchIsBooked() throws {
            let station = try Station(options: .keepingConversations)
            let mails = Catalogue.many(300)
            try station.deliver(mails)
            try station.server.keepConversations(of: "user")
            let relay = try Relay(to: station.server.port)
            defer { relay.close() }
            station.mailboxes[0].port = relay.port
            // After the login, in the first of many FETCH answers.
            relay.holds(at: 60_000)
            let daemon = try station.start(["ingest"])
            try waitUntil("the relay to hold mails back") { relay.isHolding }
            // Dovecot checks for new mail after such a command only if its last check is more than five seconds old.
            usleep(6_000_000)
            let late = Watching.coffee("late", minutes: 1)
            try station.deliver([late])
            relay.holds(at: nil)
            try waitUntil("the late mail's row\n\(daemon.errors)") { station.ledger.mails == mails.count + 1 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            #expect(try station.ledger.booked()["late"] == late.booked)
            let output = station.server.conversations(of: "user", byServer: true).joined().split(separator: "\r\n")
                .filter { $0.contains(" EXISTS") || $0.contains("+ idling") }
            #expect(
                output.first?.contains("300 EXISTS") == true
                    && output.dropFirst().first?.contains("301 EXISTS") == true,
                "announced before IDLE: \(output)")
        }
    }
}
