import Foundation
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

@Suite struct RefundPageTests {
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
        let done = try await site.ask { try await $0.submit("/app/refunds/\(link.id)/confirm", []) }
        #expect(try site.store.eventLinks.find(link.id)?.state == .made)
        let page = try await site.ask { try await $0.page("/app/transactions/\(purchase)") }.words
        #expect(page.contains("Refunds") && page.contains("Not its refund"))
        let found = try await site.ask { try await $0.page("/app/transactions?q=is:refund") }.words
        #expect(found.contains("1 transaction") && found.contains("LAMP SHOP"))
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try site.store.eventLinks.find(link.id)?.state == .proposed)
        _ = try await site.ask { try await $0.submit("/app/refunds/\(link.id)/reject", []) }
        #expect(try site.store.eventLinks.find(link.id)?.state == .rejected)
    }

    @Test func theInterfaceListsAndDecides() async throws {
        let (site, purchase, refund) = try site()
        let listed = try await site.ask { try await $0.ask(.get, "/refunds?transaction=\(refund)") }
        #expect(listed.status == .ok && listed.text.contains("\"state\":\"proposed\""))
        let body = "{\"purchase_id\":\(purchase),\"refund_id\":\(refund)}"
        let made = try await site.ask { try await $0.ask(.post, "/refunds", json: body) }
        #expect(made.status == .created && made.text.contains("\"state\":\"made\""))
        let twice = try await site.ask {
            try await $0.ask(.post, "/refunds", json: "{\"purchase_id\":2,\"refund_id\":\(refund)}")
        }
        #expect(twice.status == .conflict)
        let bad = try await site.ask { try await $0.ask(.post, "/refunds", json: "{\"purchase_id\":0,\"kind\":\"x\"}") }
        #expect(bad.status == .unprocessableContent)
        let unknown = try await site.ask { try await $0.ask(.get, "/refunds?state=maybe") }
        #expect(unknown.status == .unprocessableContent)
    }
}
