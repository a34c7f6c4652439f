import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    /// A bank that the configuration names by its domain only.
    @Suite struct NamedBanks {
        private static func alert(_ id: String, _ amount: String, at shop: String, day: Int) -> Mail {
            Mail(
                id: id, from: "alerts@examplebank.example", subject: "Account alert",
                text:
                    "Dear Customer, INR \(amount) was paid to \(shop) on \(India.text("%d-%m-%Y", India.daysAgo(day, 9, 30))) from your A/c XX9876. Avl Bal: INR 9,000.00",
                arrived: India.daysAgo(day, 9, 31), outcome: "review")
        }

        @Test(.timeLimit(.minutes(3))) func mailsWaitAndAreReportedAsAlike() throws {
            let station = try Station()
            station.settings =
                "auto_confirm_at: { default: 0.85, examplebank.example: 0 }\nbanks: [examplebank.example]"
            try station.deliver([
                Self.alert("one", "250.00", at: "CORNER STORE", day: 3),
                Self.alert("two", "1,200.50", at: "Lake Bakery Pune", day: 2),
                Self.alert("three", "75", at: "ASHA RAO", day: 1),
            ])
            try station.pass()
            #expect(
                try station.ledger.count(
                    "SELECT count(*) FROM transactions WHERE status = 'needs_review' AND profile = 'examplebank.example'"
                ) == 3)
            #expect(try station.ledger.count("SELECT count(DISTINCT shape) FROM processed_emails") == 1)

            let list = try station.control(["review", "list"])
            #expect(list.contains("3 mails like this one") && list.contains("generic_reader x0.4"))
            let queue = try station.control(["review", "list", "--json"]).split(separator: "\n").map {
                try JSONOutput.object($0)
            }
            #expect(queue.count == 3 && queue.allSatisfy { $0["alike"] as? Int == 3 })
            let ids = try queue.map { try #require($0["id"] as? String) }
            #expect(
                Set(queue.compactMap { ($0["transaction"] as? [String: Any])?["amount"] as? String }) == [
                    "250.00", "1200.50", "75.00",
                ])
            let shape = try #require(queue.first?["shape"] as? String)
            #expect(
                try station.control(["review", "list", "--shape", shape, "--json"]).split(separator: "\n").count == 3)

            let drift = try station.control(["drift"])
            #expect(
                drift.contains("3 mails of examplebank.example that no template claims") && !drift.contains("CORNER")
                    && !drift.contains("250"))
            let status = try JSONOutput.object(station.control(["status", "--json"]))
            #expect((status["drift"] as? [String: Any])?["changed"] as? Int == 0)

            _ = try station.control(["review", "accept", ids[0], ids[1]])
            _ = try station.control(["review", "reject", ids[2]])
            let calibration = try JSONOutput.object(station.control(["calibrate", "--json"]))
            let bin = try #require((calibration["bins"] as? [[String: Any]])?.first)
            #expect(
                calibration["bank"] as? String == "examplebank.example" && bin["accepted"] as? Int == 2
                    && bin["rejected"] as? Int == 1)
            #expect(try station.control(["calibrate"]).contains("no threshold is known to book 95 % correctly"))
        }

        @Test(.timeLimit(.minutes(3))) func changedTemplateIsShownWithNearestTemplateAndCorrected() throws {
            let station = try Station()
            func changed(_ id: String, _ minor: Int, to name: String, reference: String, day: Int) -> Mail {
                var mail = Mail.hdfcUPI(
                    id, minor, to: name, vpa: "\(id)@ybl", reference: reference, at: India.daysAgo(day, 6, 5),
                    in: Catalogue.cafe)
                mail.text = mail.text.replacingOccurrences(
                    of: "is debited from your account ending", with: "was taken out of the account that ends in")
                mail.outcome = "review"
                return mail
            }
            try station.deliver([
                changed("one", 12_300, to: "CORNER STORE", reference: "611111111111", day: 3),
                changed("two", 4_550, to: "Lake Bakery", reference: "622222222222", day: 2),
            ])
            try station.pass()
            let drift = try station.control(["drift"])
            #expect(
                drift.contains("2 mails of hdfc that no template claims") && drift.contains("nearest: ")
                    && drift.contains("stopped in"), "\(drift)")
            let object = try JSONOutput.object(station.control(["drift", "--bank", "hdfc", "--json"]))
            let shape = try #require((object["unclaimed_shapes"] as? [[String: Any]])?.first)
            #expect(shape["drafts"] as? Int == 2 && (shape["nearest"] as? [String: Any])?["stopped_at"] is String)
            _ = try station.control(["drift", "--bank", "nobody"], expecting: 1)

            let ids = try station.control(["review", "list", "--json"]).split(separator: "\n").compactMap {
                (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["id"] as? String
            }
            #expect(
                try station.control([
                    "review", "edit", ids[0], "--merchant", "TEA HOUSE", "--amount", "12.50", "--accept",
                ]).contains("changed, accepted"))
            _ = try station.control(["review", "edit", ids[1]], expecting: 64)
            _ = try station.control(["review", "edit", ids[1], "--amount", "1.2.3"], expecting: 1)
            try station.pass()
            #expect(
                try station.ledger.count(
                    "SELECT count(*) FROM transactions WHERE amount_minor = 1250 AND parsed_vendor = 'TEA HOUSE' AND status = 'confirmed'"
                ) == 1)
            let calibration = try JSONOutput.object(station.control(["calibrate", "--json"]))
            let fields = try #require(
                (calibration["bins"] as? [[String: Any]])?.first?["corrected_fields"] as? [String: Int])
            #expect(fields["amount"] == 1 && fields["merchant"] == 1)
        }

        @Test(.timeLimit(.minutes(3))) func thresholdOfUnknownBankIsErrorWithPosition() throws {
            let station = try Station()
            station.settings = "auto_confirm_at: { hdcf: 0.9 }"
            let program = try station.start(["ingest", "--once"])
            #expect(try program.exit() == 1)
            #expect(program.errors.contains("spendwise.yaml:4:20: no profile is of a bank 'hdcf'"), "\(program.errors)")
        }
    }
}
