import Foundation
import Testing

extension EndToEnd {
    /// Booked mail decided again by corrected profiles.
    @Suite struct Replaying {
        private static let moment = India.daysAgo(4, 12, 0)

        private static func acme(_ id: String, _ amount: String) -> Mail {
            Mail(
                id: id, from: "alerts@acme.example",
                text: "Rs.\(amount) spent at HILL COFFEE on \(India.text("%d-%m-%Y", moment)) card 9090",
                arrived: moment, outcome: "recorded")
        }

        /// Three booked payments whose template read only the first word of the merchant.
        private func station() throws -> (station: Station, ids: [String]) {
            let station = try Station()
            try station.scratch.write(Reloading.bank, to: "parsers/acme/_bank.yaml")
            try station.scratch.write(
                Reloading.spend.replacing("(?<merchant>.{1,60}?)", with: "(?<merchant>\\w+) \\s \\w+"),
                to: "parsers/acme/spend.yaml")
            station.parsers.append(station.scratch.path + "/parsers")
            try station.deliver([Self.acme("a", "71.50"), Self.acme("b", "81.50"), Self.acme("c", "91.50")])
            try station.pass()
            let ids = try station.ledger.column("SELECT id FROM transactions ORDER BY id")
            #expect(try merchants(station) == ["HILL", "HILL", "HILL"])
            return (station, ids)
        }

        private func merchants(_ station: Station) throws -> [String] {
            try station.ledger.column("SELECT parsed_vendor FROM transactions ORDER BY id")
        }

        private func correct(_ station: Station) throws {
            try station.scratch.write(Reloading.spend, to: "parsers/acme/spend.yaml")
        }

        @Test(.timeLimit(.minutes(2))) func sameProfilesChangeNothing() throws {
            let (station, _) = try station()
            let output = try station.control(["replay"])
            #expect(output.contains("nothing would change") && output.contains("3 booked mails"), "\(output)")
        }

        @Test(.timeLimit(.minutes(2))) func differencesAreShownAppliedAndTakenBack() throws {
            let (station, ids) = try station()
            // A person's edit stays.
            _ = try station.control(["tag", "add", ids[2], "goa"])
            try correct(station)
            let dump = try station.ledger.rows("SELECT * FROM transactions ORDER BY id")
            let shown = try station.control(["replay", "--bank", "acme"])
            #expect(shown.contains("merchant: HILL -> HILL COFFEE") && shown.contains("2 transactions would change"))
            #expect(shown.contains("1 transaction would change, but a person edited it"), "\(shown)")
            #expect(try station.ledger.rows("SELECT * FROM transactions ORDER BY id") == dump, "nothing is written")

            let applied = try station.control(["replay", "--apply", "--yes"])
            #expect(try merchants(station) == ["HILL COFFEE", "HILL COFFEE", "HILL"], "\(applied)")
            let group = try #require(applied.split(separator: " ").last.map { String($0.filter { $0 != "\n" }) })
            #expect(try station.control(["replay"]).contains("nothing would change"))
            #expect(try station.control(["replay", "--undo", group]).contains("2 changes undone"))
            #expect(try merchants(station) == ["HILL", "HILL", "HILL"])
        }

        /// A transaction is never removed: if no template books its mail, it waits for a person.
        @Test(.timeLimit(.minutes(2))) func mailThatIsNotBookedTodayReturnsToTheQueue() throws {
            let (station, _) = try station()
            try FileManager.default.removeItem(atPath: station.scratch.path + "/parsers/acme/spend.yaml")
            try station.scratch.write(
                "template: acme/other\nkind: ignore\nreason: advert\nmatch:\n  body_pattern: 'spent \\s at'\n",
                to: "parsers/acme/other.yaml")
            #expect(try station.control(["replay"]).contains("ignored"))
            _ = try station.control(["replay", "--apply", "--yes"])
            #expect(try station.ledger.column("SELECT DISTINCT status FROM transactions") == ["needs_review"])
            #expect(try station.ledger.count("SELECT count(*) FROM transactions WHERE deleted_at IS NULL") == 3)
            // A second application finds nothing.
            #expect(try station.control(["replay", "--apply", "--yes"]).contains("nothing would change"))
        }
    }
}
