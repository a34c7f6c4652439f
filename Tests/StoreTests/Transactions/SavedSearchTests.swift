import Ledger
import Testing

@testable import Store

@Suite struct SavedSearchTests {
    private static let asha = Actor(.page, "asha")

    @Test func savedReplacedDeletedAndUndone() throws {
        let f = try Fixture()
        try f.store.searches.save("Goa", query: "q=tag%3Agoa", by: Self.asha)
        try f.store.searches.save("coffee", query: "q=coffee", by: Self.asha)
        #expect(try f.store.searches.all().map(\.name) == ["coffee", "Goa"])
        try f.store.searches.save("GOA", query: "q=tag%3Agoa&type=expense", by: Self.asha)
        let goa = try #require(try f.store.searches.all().last)
        #expect(goa.name == "GOA" && goa.query == "q=tag%3Agoa&type=expense")
        let group = LedgerChange.newGroup()
        try f.store.searches.delete(goa.id, by: Self.asha, group: group)
        #expect(try f.store.searches.all().map(\.name) == ["coffee"])
        #expect(throws: StoreError.self) { try f.store.searches.delete(goa.id, by: Self.asha) }
        try f.store.journal.undo(group: group)
        #expect(try f.store.searches.all().last == goa)
    }

    @Test(arguments: [
        ("", "q=x"), ("\u{200B}", "q=x"), ("a\nb", "q=x"), ("a", ""), (String(repeating: "n", count: 121), "q=x"),
    ])
    func badNamesAndQueriesAreRefused(name: String, query: String) throws {
        let f = try Fixture()
        #expect(throws: StoreError.self) { try f.store.searches.save(name, query: query, by: Self.asha) }
        #expect(throws: StoreError.self) {
            try f.store.searches.save("a", query: String(repeating: "x", count: 2001), by: Self.asha)
        }
        #expect(try f.store.searches.all().isEmpty)
    }

    @Test func theirNumberIsLimited() throws {
        let f = try Fixture()
        let limit = SearchRepository<Store>.limit
        for number in 1...limit { try f.store.searches.save("s\(number)", query: "q=\(number)", by: Self.asha) }
        #expect(throws: StoreError.self) { try f.store.searches.save("one more", query: "q=x", by: Self.asha) }
        try f.store.searches.save("S1", query: "q=again", by: Self.asha)
        #expect(try f.store.searches.all().count == limit)
    }
}
