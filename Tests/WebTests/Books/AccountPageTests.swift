import HTTPTypes
import HummingbirdTesting
import Store
import Testing

@testable import Web

/// The page of the accounts.
@Suite struct AccountPageTests {
    @Test func cardsWithoutALimitAreNamedBesideTheNetWorth() async throws {
        let site = try PageSite()
        _ = try site.record(1, merchant: "CAFE MOON")
        let account = try #require(try site.store.userAccounts.all().first)
        func names() async throws -> Bool {
            let page = try await site.ask { try await $0.page("/app/accounts") }
            #expect(page.words.contains("Together"))
            return page.words.contains("without \(account.name): enter the credit limit")
        }
        #expect(try await !names())
        for (field, value, isNamed) in [("type", "card", true), ("limit", "50000", false)] {
            let saved = try await site.ask { try await $0.submit("/app/accounts/\(account.id)", [(field, value)]) }
            #expect(saved.status == .seeOther)
            #expect(try await names() == isNamed, "\(field)")
        }
    }
}
