import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Older mail after profiles are added or corrected.
    @Suite struct Rescanning {
        private static let moment = India.daysAgo(4, 12, 0)

        private static func acme(
            _ id: String, _ amount: String, at shop: String = "HILL COFFEE", from: String = "alerts@acme.example"
        ) -> Mail {
            Mail(
                id: id, from: from,
                text: "Rs.\(amount) spent at \(shop) on \(India.text("%d-%m-%Y", moment)) card 9090", arrived: moment,
                outcome: "recorded")
        }

        /// The bank is known but no template matches: the generic reader makes drafts.
        private func station(keepRaw: String) throws -> Station {
            let station = try Station()
            station.settings = "keep_raw: \(keepRaw)"
            try station.scratch.write(Reloading.bank, to: "parsers/acme/_bank.yaml")
            try station.scratch.write(Self.other, to: "parsers/acme/other.yaml")
            station.parsers.append(station.scratch.path + "/parsers")
            return station
        }

        private static let other = """
            template: acme/other
            kind: ignore
            reason: advert
            match:
              body_pattern: 'win \\s a \\s car'
            """

        private func state(_ station: Station) throws -> [String] {
            try station.ledger.rows(
                """
                SELECT m.message_id, m.status, coalesce(t.status, '-'), coalesce(t.parsed_vendor, '-') FROM processed_emails m
                LEFT JOIN transactions t ON t.source_email_id = m.id ORDER BY m.uid
                """
            ).map { "\($0[0].prefix { $0 != "@" }) \($0[1]) \($0[2]) \($0[3])" }
        }

        /// Accepting one message of an unlisted address books the others by a rescan.
        @Test(.timeLimit(.minutes(3))) func waitingMailOfTrustedSenderIsBooked() throws {
            let station = try station(keepRaw: "90d")
            try station.scratch.write(Reloading.spend, to: "parsers/acme/spend.yaml")
            try station.deliver([
                Self.acme("first", "71.50", from: "new@acme.example"),
                Self.acme("second", "81.50", from: "new@acme.example"),
            ])
            try station.pass()
            let numbers = try station.ledger.column(
                "SELECT t.id FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id ORDER BY m.uid")
            let before = try state(station)
            #expect(numbers.count == 2 && before.allSatisfy { $0.contains(" review needs_review") }, "\(before)")
            #expect(try station.control(["review", "accept", numbers[0]]).contains("new@acme.example"))
            #expect(try station.control(["rescan", "--bank", "acme"]).contains("1 now recorded"))
            #expect(try state(station)[1] == "second recorded confirmed HILL COFFEE")
        }

        /// With retained mail `parserctl` decides alone; without it the daemon fetches the mail again.
        @Test(.timeLimit(.minutes(3)), arguments: ["90d", "0"]) func correctedProfileDecidesOlderMailAgain(
            keepRaw: String
        ) throws {
            let station = try station(keepRaw: keepRaw)
            try station.deliver([
                Self.acme("draft", "71.50"), Self.acme("rejected", "81.50"), Self.acme("accepted", "91.50"),
                Self.acme("deleted", "61.50"),
            ])
            try station.pass()
            let before = try state(station)
            #expect(before.count == 4 && before.allSatisfy { $0.contains(" review needs_review") }, "\(before)")
            let numbers = try station.ledger.column(
                "SELECT t.id FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id ORDER BY m.uid")
            _ = try station.control(["review", "reject", numbers[1]])
            _ = try station.control(["review", "accept", numbers[2]])
            let accepted = try station.ledger.rows("SELECT * FROM transactions WHERE id = \(numbers[2])")

            try station.scratch.write(Reloading.spend, to: "parsers/acme/spend.yaml")
            let output = try station.control(["rescan", "--bank", "acme"])
            #expect(output.contains(keepRaw == "0" ? "retained mails: 0 decided again" : "2 now recorded"), "\(output)")
            try station.pass()
            let after = try state(station)
            #expect(
                after[0] == "draft recorded confirmed HILL COFFEE"
                    && after[3] == "deleted recorded confirmed HILL COFFEE", "\(after)")
            #expect(after[1].hasPrefix("rejected review rejected"))
            #expect(try station.ledger.rows("SELECT * FROM transactions WHERE id = \(numbers[2])") == accepted)
            #expect(
                try station.ledger.column(
                    "SELECT id FROM transactions WHERE parsed_vendor = 'HILL COFFEE' AND status = 'confirmed' ORDER BY id"
                ).count >= 2)
            #expect(try station.ledger.count("SELECT count(*) FROM rescan_requests WHERE finished_at IS NULL") == 0)
            // Repeated, also after a deletion: nothing changes.
            _ = try station.control(["rescan"])
            let dump = try station.ledger.rows("SELECT * FROM transactions ORDER BY id")
            try station.pass()
            #expect(try station.ledger.rows("SELECT * FROM transactions ORDER BY id") == dump)
        }

        @Test(.timeLimit(.minutes(3))) func mailSeenBeforeItsBankIsKnownIsBookedLater() throws {
            let station = try station(keepRaw: "90d")
            // The server finds it by the end of its domain, and it is unclaimed.
            try station.deliver([
                Self.acme("subdomain", "71.50", from: "alerts@cards.acme.example"), Self.acme("main", "81.50"),
            ])
            try station.scratch.write(Reloading.spend, to: "parsers/acme/spend.yaml")
            try station.pass()
            #expect(try state(station) == ["subdomain unclaimed - -", "main recorded confirmed HILL COFFEE"])
            try station.scratch.write(
                Reloading.bank.replacing("acme", with: "acmecards").replacing(
                    "acmecards.example", with: "cards.acme.example"), to: "parsers/acmecards/_bank.yaml")
            try station.scratch.write(
                Reloading.spend.replacing("acme/", with: "acmecards/"), to: "parsers/acmecards/spend.yaml")
            try station.pass()
            #expect(
                try state(station) == [
                    "subdomain recorded confirmed HILL COFFEE", "main recorded confirmed HILL COFFEE",
                ])
            #expect(station.ledger.mails == 2)
        }

        @Test(.timeLimit(.minutes(3))) func runningDaemonRescansWithinSeconds() throws {
            let station = try station(keepRaw: "0")
            try station.deliver([Self.acme("draft", "71.50")])
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            #expect(try state(station).first?.hasPrefix("draft review") ?? false)
            try station.scratch.write(Reloading.spend, to: "parsers/acme/spend.yaml")
            daemon.signal(SIGHUP)
            try daemon.logs("profiles reloaded")
            let output = try station.control([
                "rescan", "--bank", "acme", "--wait", "--since", India.text("%Y-%m-%d", India.daysAgo(30, 1, 1)),
            ])
            #expect(output.contains("personal/INBOX: 1 mails read, 1 changed or new"), "\(output)")
            #expect(try state(station) == ["draft recorded confirmed HILL COFFEE"])
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            station.expectDiscreet(daemon)
        }

        private static let slow = #"""
            template: acme/slow
            kind: transaction
            extract:
              body_pattern: '(?<amount>(?:1|11)+) y'
              type: expense
              channel: card
            """#

        /// After a template with an endless pattern is corrected, the failed message is tried again.
        @Test(.timeLimit(.minutes(3)), arguments: ["90d", "0"]) func failedMailIsRetried(keepRaw: String) throws {
            let station = try station(keepRaw: keepRaw)
            try station.scratch.write(Self.slow, to: "parsers/acme/slow.yaml")
            var poison = Self.acme("poison", "71.50")
            poison.text += "\nYour number: \(String(repeating: "1", count: 60)) only"
            try station.deliver([Self.acme("before", "10.00"), poison, Self.acme("behind", "20.00")])
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            #expect(
                try station.ledger.column("SELECT status FROM processed_emails ORDER BY uid") == [
                    "review", "failed", "review",
                ])
            // The same pattern would hit its limit again.
            #expect(
                try station.ledger.count("SELECT count(*) FROM processed_emails WHERE next_attempt_at IS NOT NULL") == 0
            )
            #expect(try station.control(["retry"]).contains("limit of a pattern was hit"))
            unlink(station.scratch.path + "/parsers/acme/slow.yaml")
            try station.scratch.write(Reloading.spend, to: "parsers/acme/spend.yaml")
            daemon.signal(SIGHUP)
            try daemon.logs("profiles reloaded")
            let output = try station.control(["retry", "--all"])
            #expect(output.contains(keepRaw == "0" ? "1 will be fetched again" : "1 recorded"), "\(output)")
            try waitUntil("the mail's transaction") {
                try station.ledger.count(
                    "SELECT count(*) FROM transactions WHERE status = 'confirmed' AND amount_minor = 7150") == 1
            }
            #expect(
                try station.ledger.column("SELECT status FROM processed_emails ORDER BY uid") == [
                    "review", "recorded", "review",
                ])
            #expect(
                try station.ledger.count("SELECT count(*) FROM processed_emails WHERE next_attempt_at IS NOT NULL") == 0
            )
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }
    }
}
