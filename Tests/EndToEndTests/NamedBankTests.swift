import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    /// A bank that the configuration names by its domain alone.
    @Suite struct NamedBanks {
        private static func alert(_ id: String, _ amount: String, at shop: String, day: Int) -> Mail {
            Mail(
                id: id, from: "alerts@examplebank.example", subject: "Account alert",
                text: "Dear Customer, INR \(amount) was paid to \(shop) on \(India.text("%d-%m-%Y", India.daysAgo(day, 9, 30))) from your A/c XX9876. Avl Bal: INR 9,000.00",
                arrived: India.daysAgo(day, 9, 31), outcome: "review")
        }

        @Test(.timeLimit(.minutes(3))) func itsMailsWaitAndAreToldToBeAlike() throws {
            let station = try Station()
            station.settings = "auto_confirm_at: { default: 0.85, examplebank.example: 0 }\nbanks: [examplebank.example]"
            try station.deliver([
                Self.alert("one", "250.00", at: "CORNER STORE", day: 3), Self.alert("two", "1,200.50", at: "Lake Bakery Pune", day: 2), Self.alert("three", "75", at: "ASHA RAO", day: 1),
            ])
            try station.pass()
            #expect(try station.ledger.count("SELECT count(*) FROM transactions WHERE status = 'needs_review' AND profile = 'examplebank.example'") == 3)
            #expect(try station.ledger.count("SELECT count(DISTINCT shape) FROM processed_emails") == 1)

            let list = try station.control(["review", "list"])
            #expect(list.contains("3 mails like this one") && list.contains("generic_reader x0.4"))
            let queue = try station.control(["review", "list", "--json"]).split(separator: "\n").map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
            #expect(queue.count == 3 && queue.allSatisfy { $0["alike"] as? Int == 3 })
            let ids = try queue.map { try #require($0["id"] as? String) }
            #expect(Set(queue.compactMap { ($0["transaction"] as? [String: Any])?["amount"] as? String }) == ["250.00", "1200.50", "75.00"])
            let shape = try #require(queue.first?["shape"] as? String)
            #expect(try station.control(["review", "list", "--shape", shape, "--json"]).split(separator: "\n").count == 3)

            let drift = try station.control(["drift"])
            #expect(drift.contains("3 mails of examplebank.example that no template claims") && !drift.contains("CORNER") && !drift.contains("250"))
            let status = try #require(try JSONSerialization.jsonObject(with: Data(try station.control(["status", "--json"]).utf8)) as? [String: Any])
            #expect((status["drift"] as? [String: Any])?["changed"] as? Int == 0)

            _ = try station.control(["review", "accept", ids[0], ids[1]])
            _ = try station.control(["review", "reject", ids[2]])
            let calibration = try #require(try JSONSerialization.jsonObject(with: Data(try station.control(["calibrate", "--json"]).utf8)) as? [String: Any])
            let bin = try #require((calibration["bins"] as? [[String: Any]])?.first)
            #expect(calibration["bank"] as? String == "examplebank.example" && bin["accepted"] as? Int == 2 && bin["rejected"] as? Int == 1)
            #expect(try station.control(["calibrate"]).contains("no threshold is known to book 95 % rightly"))
        }

        @Test(.timeLimit(.minutes(3))) func aThresholdOfNoBankIsAnErrorWithItsPlace() throws {
            let station = try Station()
            station.settings = "auto_confirm_at: { hdcf: 0.9 }"
            let program = try station.start(["ingest", "--once"])
            #expect(try program.exit() == 1)
            #expect(program.errors.contains("spendwise.yaml:4:20: no profile is of a bank 'hdcf'"), "\(program.errors)")
        }
    }
}
