import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    /// A correction by the command line, from the messages to the resulting rule.
    @Suite struct Corrections {
        @Test(.timeLimit(.minutes(3))) func correctionOffersARule() throws {
            let station = try Station()
            let mails = (1...4).map { index in
                Mail.hdfcUPI(
                    "loom-\(index)", 10_000 * index, to: "TARA LOOM WORKS", vpa: "taraloom@ybl",
                    reference: "60701122330\(index)", at: India.daysAgo(index + 2, 10, index), in: Catalogue.none)
            }
            try station.deliver(mails)
            try station.pass()
            func rows() throws -> [[String: Any]] {
                try station.control(["list", "--json"]).split(separator: "\n").map { try JSONOutput.object(String($0)) }
            }
            func categories() throws -> [String] {
                try rows().map { "\($0["category"] ?? "")/\($0["subcategory"] ?? "")" }
            }
            let ids = try rows().map { "\($0["id"] ?? "")" }
            let (first, second) = (try #require(ids.first), try #require(ids.dropFirst().first))

            // The user sets categories for two of them. The second differs and keeps its own.
            let set = try JSONOutput.object(
                station.control(["category", "set", first, "shopping/home & furniture", "--json"]))
            let offer = try #require(set["offer"] as? [String: Any])
            #expect(
                offer["keyword"] as? String == "taraloom@ybl" && offer["kind"] as? String == "vpa"
                    && offer["count"] as? Int == 3)
            #expect(
                try categories().filter { $0 == "Shopping/Home & Furniture" }.count == 1,
                "nothing is learned behind anybody's back")
            _ = try station.control(["category", "set", second, "Giving & Family", "--never"])
            #expect(try station.control(["category", "why", second]).contains("chosen by a person"))
            _ = try station.control(["category", "set", first, "No such category"], expecting: 1)

            // The preview changes nothing.
            let preview = try JSONOutput.object(
                station.control(["mapping", "preview", "taraloom@ybl", "Shopping/Home & Furniture", "--json"]))
            #expect(preview["count"] as? Int == 2 && preview["staying"] as? Int == 1 && preview["same"] as? Int == 1)
            _ = try station.control(["category", "set", first, "Shopping/Home & Furniture", "--always"], expecting: 64)
            #expect(try categories().filter { $0 == "Shopping/Home & Furniture" }.count == 1)

            #expect(
                try station.control(["category", "set", first, "Shopping/Home & Furniture", "--always", "--yes"])
                    .contains("past transactions changed: 2"))
            #expect(try categories().filter { $0 == "Shopping/Home & Furniture" }.count == 3)
            #expect(try categories().contains { $0.hasPrefix("Giving & Family/") })
            #expect(
                try rows().contains {
                    $0["category_why"] as? String == "your UPI address \"taraloom@ybl\" -> Shopping / Home & Furniture"
                        && $0["category_by"] as? String == "mapping"
                })
            #expect(try station.control(["mapping", "list", "--own", "--json"]).contains("taraloom@ybl"))

            // The rule applies to the next message without a restart.
            let next = Mail.hdfcUPI(
                "loom-5", 55_500, to: "TARA LOOM WORKS", vpa: "taraloom@ybl", reference: "607011223309",
                at: India.daysAgo(1, 9, 9), in: ("Shopping", "Home & Furniture"))
            try station.deliver([next])
            try station.pass()
            #expect(
                try rows().contains {
                    $0["amount"] as? String == "555.00" && $0["subcategory"] as? String == "Home & Furniture"
                        && $0["category_by"] as? String == "mapping"
                })

            // One undo reverts the mapping and its changes.
            _ = try station.control(["review", "undo"])
            #expect(try station.control(["mapping", "list", "--own"]).contains("no mappings"))
            #expect(
                try categories().filter { $0 == "Shopping/Home & Furniture" }.count == 2,
                "the one that a person chose, and the one that was booked since")
        }
    }
}
