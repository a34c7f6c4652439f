import Foundation
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// Links between transactions of one event on the page and in the API.
@Suite struct LinkPageTests {
    /// A refund without a reference of its purchase, and another purchase that it may return.
    private func site() throws -> (site: PageSite, purchase: Int64, refund: Int64) {
        let site = try PageSite()
        let purchase = try site.record(1, merchant: "LAMP SHOP", 90_000)
        _ = try site.record(2, merchant: "LAMP SHOP", 80_000)
        let refund = try site.record(
            3, merchant: "LAMP SHOP", 30_000, type: .income, template: "example/card-refund")
        return (site, purchase, refund)
    }

    @Test func aProposalIsAnsweredAtTheRefundAndUndone() async throws {
        let (site, purchase, refund) = try site()
        #expect(try site.store.eventLinks.list([.proposed]).count == 2)
        let asked = try await site.ask { try await $0.page("/app/transactions/\(refund)") }.words
        #expect(asked.contains("A refund of a purchase?") && asked.contains("a part of the amount"))
        let link = try #require(try site.store.eventLinks.links(of: [purchase])[purchase]?.first)
        let done = try await site.ask { try await $0.submit("/app/links/\(link.id)/confirm", []) }
        #expect(try site.store.eventLinks.find(link.id)?.state == .made)
        let page = try await site.ask { try await $0.page("/app/transactions/\(purchase)") }.words
        #expect(page.contains("Refunds") && page.contains("Not its refund"))
        let found = try await site.ask { try await $0.page("/app/transactions?q=is:refund") }.words
        #expect(found.contains("1 transaction") && found.contains("LAMP SHOP"))
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try site.store.eventLinks.find(link.id)?.state == .proposed)
        _ = try await site.ask { try await $0.submit("/app/links/\(link.id)/reject", []) }
        #expect(try site.store.eventLinks.find(link.id)?.state == .rejected)
    }

    @Test func theInterfaceListsAndDecides() async throws {
        let (site, purchase, refund) = try site()
        let listed = try await site.ask { try await $0.ask(.get, "/links?transaction=\(refund)") }
        #expect(listed.status == .ok && listed.text.contains("\"state\":\"proposed\""))
        let body = "{\"kind\":\"refund\",\"from_id\":\(purchase),\"to_id\":\(refund)}"
        let made = try await site.ask { try await $0.ask(.post, "/links", json: body) }
        #expect(made.status == .created && made.text.contains("\"state\":\"made\""))
        let twice = try await site.ask {
            try await $0.ask(
                .post, "/links", json: "{\"kind\":\"refund\",\"from_id\":2,\"to_id\":\(refund)}")
        }
        #expect(twice.status == .conflict)
        let bad = try await site.ask { try await $0.ask(.post, "/links", json: "{\"from_id\":0,\"kind\":\"x\"}") }
        #expect(bad.status == .unprocessableContent)
        let unknown = try await site.ask { try await $0.ask(.get, "/links?state=maybe") }
        #expect(unknown.status == .unprocessableContent)
    }

    /// One payment that the account's bank and an app report within minutes.
    private func reports() throws -> (site: PageSite, first: Int64, second: Int64) {
        let site = try PageSite()
        let first = try site.record(1, merchant: "LAMP SHOP", 48_000)
        return (site, first, try site.record(2, merchant: "Lamp Shop", 48_000, template: "app/paid", bank: "app"))
    }

    @Test func questionsAreListedAndAnswered() async throws {
        let (site, first, second) = try reports()
        let link = try #require(try site.store.eventLinks.list([.proposed]).first)
        #expect((link.from.id, link.to.id) == (first, second))
        for path in ["/app/questions", "/app/transactions/\(first)", "/app/transactions/\(second)"] {
            let page = try await site.ask { try await $0.page(path) }.words
            #expect(page.contains("/app/links/\(link.id)/confirm") && page.contains("reported twice"), "\(path)")
        }
        let overview = try await site.ask { try await $0.page("/") }.words
        #expect(overview.contains("1 question"))
        let done = try await site.ask { try await $0.submit("/app/links/\(link.id)/confirm", []) }
        #expect(done.headers[.location]?.hasPrefix("/app/questions?done=same_event") == true)
        let shown = try await site.ask { try await $0.page("/app/transactions/\(second)") }.words
        #expect(shown.contains("Also reported by") && shown.contains("Two payments"), "the report leads to the payment")
        #expect(try await site.ask { try await $0.page("/app/questions") }.words.contains("No questions"))
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try site.store.eventLinks.find(link.id)?.state == .proposed)
        let missing = try await site.ask { try await $0.submit("/app/links/x/confirm", []) }
        #expect(missing.status == .notFound)
    }

    @Test func theInterfaceListsProposals() async throws {
        let (site, _, second) = try reports()
        _ = try site.record(3, merchant: "SELF", 500_000)
        _ = try site.record(4, merchant: "NEFT CR", 500_000, type: .income, account: "9876")
        let listed = try await site.ask { try await $0.ask(.get, "/proposals/") }
        #expect(listed.status == .ok)
        #expect(listed.text.contains("\"kind\":\"same_event\"") && listed.text.contains("\"kind\":\"transfer\""))
        #expect(listed.text.contains("\"accept\":\"/links/1/confirm\""))
        #expect(listed.text.contains("\"reject\":\"/transfers/1/refuse\""))
        let made = try await site.ask { try await $0.ask(.post, "/links/1/confirm") }
        #expect(made.status == .ok && made.text.contains("\"state\":\"made\""))
        #expect(try await site.ask { try await $0.ask(.get, "/transactions/\(second)") }.status == .notFound)
        let found = try await site.ask { try await $0.ask(.get, "/links/?kind=same_event&transaction=\(second)") }
        #expect(found.text.contains("\"id\":1"))
        let again = try await site.ask {
            try await $0.ask(.post, "/links", json: "{\"kind\":\"settles\",\"from_id\":1,\"to_id\":\(second)}")
        }
        #expect(again.status == .notFound, "a replaced transaction is linked no second time")
        let unknown = try await site.ask { try await $0.ask(.get, "/links?kind=maybe") }
        #expect(unknown.status == .unprocessableContent)
        let rejected = try await site.ask { try await $0.ask(.post, "/links/1/reject") }
        #expect(rejected.text.contains("\"state\":\"rejected\""))
        #expect(try await site.ask { try await $0.ask(.get, "/transactions/\(second)") }.status == .ok)
    }
}
