import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    /// `parserctl` on a ledger written by the daemon.
    @Suite struct LedgerCommands {
        @Test(.timeLimit(.minutes(3))) func exportListAndStatusShowTheLedger() throws {
            let station = try Station()
            let mails = Catalogue.mixed()
            try station.deliver(mails)
            try station.pass()
            let confirmed = mails.filter { $0.booked?.status == "confirmed" }

            let csv = try station.control(["export", "--format", "csv"]).split(separator: "\n").map(String.init)
            #expect(
                csv.first == "Ledger,Category,Subcategory,Currency,Price,Account,Recorder,Date,Time,Note,Transaction")
            #expect(csv.count == confirmed.count + 1)
            let day = India.text("%Y-%m-%d", India.daysAgo(3, 16, 6))
            #expect(
                csv.contains {
                    $0.hasPrefix("Personal,Transport,Fuel,INR,1412.00,")
                        && $0.contains(",Auto,\(day),16:06:33,KITE PETROL PUMP,expense")
                }, "\(csv)")
            #expect(csv.contains { $0.contains("INR,123456.78,") })

            let json = try JSONOutput.array(station.control(["export", "--format", "json"]))
            #expect(json.count == confirmed.count)
            #expect(
                json.contains { $0["amount"] as? String == "123456.78" && $0["reference"] as? String == "607011223399" }
            )
            #expect(
                try station.control(["export", "--format", "csv", "--since", day, "--until", day]).split(
                    separator: "\n"
                ).count == 2)
            #expect(try station.control(["export", "--status", "needs_review"]).split(separator: "\n").count == 2)

            let status = try #require(try JSONOutput.lines(station.control(["status", "--json"])).first)
            #expect(status["waiting_for_review"] as? Int == 1)
            let folder = try #require((status["folders"] as? [[String: Any]])?.first)
            let outcomes = try #require(folder["outcomes"] as? [String: Int])
            let expected = Dictionary(grouping: mails.filter { $0.outcome != "not fetched" }, by: \.outcome).mapValues(
                \.count)
            #expect(outcomes.filter { $0.value > 0 } == expected)
            #expect(try station.control(["status"]).contains("waiting for review: 1"))

            let listed = try JSONOutput.lines(station.control(["list", "--json"]))
            #expect(listed.count == confirmed.count + 1)
            #expect(
                listed.map { $0["date"] as? String ?? "" } == listed.map { $0["date"] as? String ?? "" }.sorted(by: >))
            #expect(try JSONOutput.lines(station.control(["list", "--json", "--limit", "2"])).count == 2)

            let quarantined = try JSONOutput.lines(station.control(["mails", "--outcome", "quarantined", "--json"]))
            #expect(
                Set(quarantined.map { ($0["message_id"] as? String ?? "").prefix { $0 != "@" } }) == [
                    "forged", "forged-results",
                ])
            #expect(quarantined.allSatisfy { !($0["reason"] as? String ?? "").isEmpty })
            let duplicates = try JSONOutput.lines(station.control(["mails", "--outcome", "duplicate", "--json"]))
            #expect(duplicates.count == 2 && duplicates.allSatisfy { $0["duplicate_of"] is String })
            _ = try station.control(["mails", "--outcome", "nonsense"], expecting: 64)
        }

        /// A message from an unlisted address waits for review.
        private static func waiting(_ id: String, minute: Int, reference: String) -> Mail {
            var mail = Mail.hdfcUPI(
                id, 44_400, to: "LAKE BAKERY", vpa: "lake@ybl", reference: reference, at: India.daysAgo(4, 5, minute),
                in: Catalogue.cafe)
            mail.from = "insta@hdfcbank.bank.in"
            mail.outcome = "review"
            mail.booked?.status = "needs_review"
            return mail
        }

        @Test(.timeLimit(.minutes(3))) func templateIsDerivedFromCorrection() throws {
            let station = try Station()
            let moment = India.daysAgo(4, 5, 1)
            var mail = Self.waiting("counter", minute: 1, reference: "610000000009")
            mail.from = "alerts@hdfcbank.bank.in"
            mail.encoding = .plain
            // No template matches, and the generic reader takes the greeting for the merchant.
            mail.text =
                "Dear Customer,\nRs.444.00 went out of your account ending 4410 and was paid over the counter of LAKE BAKERY, quoting 610000000009, on \(India.text("%d-%m-%y", moment)).\nGreetings from HDFC Bank.\n"
            try station.deliver([mail])
            try station.pass()
            let item = try #require(try JSONOutput.lines(station.control(["review", "list", "--json"])).first)
            let id = try #require(item["id"] as? String)
            #expect((item["transaction"] as? [String: Any])?["merchant"] as? String != "LAKE BAKERY")
            _ = try station.control(["review", "edit", id, "--merchant", "LAKE BAKERY"])
            let yaml = try station.control([
                "new", "--review", id, "--bank", "hdfc", "--name", "counter", "--into", station.scratch.path + "/own",
                "--json",
            ])
            let text = try #require(try JSONOutput.lines(yaml).first?["yaml"] as? String)
            #expect(
                text.contains("template: hdfc/counter") && text.contains(#"counter \s of \s"#)
                    && text.contains("(?<merchant>(?&name))") && text.contains("(?<date>"), "\(text)")
            #expect(!text.contains("LAKE") && !text.contains("610000000009"), "\(text)")
            _ = try station.control(["new", "--review", "999999", "--bank", "hdfc", "--name", "counter"], expecting: 1)
        }

        @Test(.timeLimit(.minutes(3))) func resolvedItemsStayResolved() throws {
            let station = try Station()
            let mails = [waiting("yes", 1), waiting("no", 2), waiting("open", 3)]
            func waiting(_ id: String, _ minute: Int) -> Mail {
                Self.waiting(id, minute: minute, reference: "61000000000\(minute)")
            }
            try station.deliver(mails)
            try station.pass()
            try station.expectBooked(mails)
            let queue = try JSONOutput.lines(station.control(["review", "list", "--json"]))
            #expect(queue.count == 3)
            #expect(
                queue.allSatisfy {
                    ($0["reasons"] as? [[String: Any]])?.contains { $0["factor"] as? String == "new_sender" } ?? false
                })
            func id(_ mail: String) throws -> String {
                try #require(
                    queue.first {
                        ($0["mail"] as? [String: Any])?["message_id"] as? String == "\(mail)@alerts.example.net"
                    }?["id"] as? String)
            }
            #expect(try station.control(["review", "accept", id("yes")]).contains("accepted"))
            #expect(try station.control(["review", "reject", id("no")]).contains("rejected"))
            // Repetition is not an error; an unknown item is.
            #expect(
                try JSONOutput.lines(station.control(["review", "accept", id("yes"), "--json"])).first?["changed"]
                    as? Bool
                    == false)
            _ = try station.control(["review", "accept", "999999"], expecting: 1)

            let expected = ["yes": "confirmed", "no": "rejected", "open": "needs_review"]
            for step in ["settled", "a second pass", "another UIDVALIDITY"] {
                #expect(try station.ledger.booked().mapValues(\.status) == expected, "\(step)")
                #expect(try JSONOutput.lines(station.control(["review", "list", "--json"])).count == 1, "\(step)")
                if step == "a second pass" { try station.server.setUIDValidity(99, of: "user") }
                try station.pass()
            }
            #expect(try station.ledger.count("SELECT count(*) FROM transactions") == 3)
            let csv = try station.control(["export"])
            #expect(csv.split(separator: "\n").count == 2 && csv.contains(",444.00,"))
        }
    }
}
