import HTTPTypes
import Ledger
import Store
import Testing

@testable import Web

@Suite struct SearchesPageTests {
    private func site() throws -> PageSite {
        let site = try PageSite()
        _ = try (UInt32(1)...3).map { try site.record($0, merchant: "SHOP \($0)") }
        return site
    }

    @Test func aFilteredListIsSavedAndOpenedAgain() async throws {
        let site = try site()
        let before = try await site.ask { try await $0.page("/app/transactions?q=shop+2&cursor=x") }.words
        #expect(before.contains("Save this search") && before.contains("value=\"q=shop"))
        _ = try await site.ask { try await $0.submit("/app/searches", [("name", "<Two>"), ("list", "q=shop+2")]) }
        let saved = try #require(try site.store.searches.all().first)
        #expect(saved.name == "<Two>" && saved.query == "q=shop%202")
        let after = try await site.ask { try await $0.page("/app/transactions?q=shop+2") }.words
        #expect(after.contains("aria-current=\"true\">&lt;Two&gt;</a>") && !after.contains("Save this search"))
        #expect(try await site.ask { try await $0.page("/app/searches") }.words.contains("&lt;Two&gt;"))
        _ = try await site.ask { try await $0.submit("/app/searches/\(saved.id)/delete", []) }
        #expect(try site.store.searches.all().isEmpty)
        #expect(try await site.ask { try await $0.page("/app/searches") }.words.contains("No search is saved"))
    }

    @Test func theWholeListIsNotOfferedForSaving() async throws {
        let words = try await site().ask { try await $0.page("/app/transactions") }.words
        #expect(!words.contains("Save this search"))
    }

    /// The yen has no minor units: 500 of them are not the 50,000 of 500 rupees.
    @Test(arguments: ["/app/transactions?q=500", "/app/transactions?from=500&to=500", "/app/transactions?q=400..600"])
    func amountsAreOfTheHomeCurrency(path: String) async throws {
        let yen = try #require(Currency(code: "JPY"))
        let site = try PageSite(homeCurrency: yen)
        try site.record(1, merchant: "TEA HOUSE", 500, currency: yen)
        try site.record(2, merchant: "RYOKAN", 50_000, currency: yen)
        let words = try await site.ask { try await $0.page(path) }.words
        #expect(words.contains("TEA HOUSE") && !words.contains("RYOKAN"))
        let api = try await site.ask { try await $0.ask(.get, "/transactions/?amount_from=500&amount_to=500") }.words
        #expect(api.contains("TEA HOUSE") && !api.contains("RYOKAN"))
    }

    @Test func namesOfTheLedgerCompleteASearch() async throws {
        let site = try site()
        let words = try await site.ask { try await $0.page("/app/searches/words") }.words
        #expect(words.contains("<option value=\"is:income\">"))
        #expect(words.contains("id=\"search-choices\""))
    }

    @Test func completionsAreSearchesForTheirName() {
        let words = SearchExpression.completions(
            categories: ["Food & Dining", "Home"], accounts: ["HDFC \"x\""], tags: ["goa"], payees: ["", "goa"],
            banks: ["hdfc"])
        #expect(
            words.prefix(6) == [
                "category:\"Food & Dining\"", "category:Home", "account:\"HDFC \"\"x\"\"\"", "tag:goa", "payee:goa",
                "bank:hdfc",
            ])
        for word in words {
            let parsed = SearchExpression(word)
            #expect(parsed.problems.isEmpty && parsed.parts.count == 1, "\(word)")
        }
        #expect(SearchExpression(words[2]).parts.first?.term == .account("HDFC \"x\""))
    }
}
