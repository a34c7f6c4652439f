import Chronology
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// Tags on the page and in the API.
@Suite struct TagPageTests {
    @Test func typedOnThePageAndFound() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "Big Bazaar")
        try site.record(2, merchant: "Elsewhere")
        let row = try #require(try site.store.transactions.find(id))
        let form = [
            ("amount", row.amount.decimal), ("currency", "INR"), ("type", "expense"), ("date", "\(row.date)"),
            ("time", row.time?.description ?? ""), ("merchant", "Big Bazaar"), ("account", row.accountDigits ?? ""),
            ("reference", row.reference ?? ""),
        ]
        let path = "/app/transactions/\(id)"
        let saved = try await site.ask { try await $0.submit(path, form + [("tags", " goa,  Work ")]) }
        #expect(saved.status == .seeOther && saved.undo != nil)
        #expect(try site.store.transactions.find(id)?.tags == ["goa", "Work"])
        // A form without the field, such as that of the review, keeps the tags.
        _ = try await site.ask { try await $0.submit(path, form) }
        #expect(try site.store.transactions.find(id)?.tags == ["goa", "Work"])
        let page = try await site.ask { try await $0.page(path) }.words
        #expect(page.contains("value=\"goa Work\"") && page.contains("/app/transactions?q=tag%3Agoa"))
        let list = try await site.ask { try await $0.page("/app/transactions?q=tag%3AGOA") }.words
        #expect(list.contains("Big Bazaar") && !list.contains("Elsewhere"))
    }

    @Test func throughTheAPI() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "Big Bazaar")
        let put = try await site.ask { try await $0.ask(.put, "/transactions/\(id)", json: #"{"tags":["trip"]}"#) }
        #expect(put.status == .ok && put.words.contains(#""tags":["trip"]"#))
        let sums = try await site.ask { try await $0.ask(.get, "/stats/tags") }.words
        #expect(sums.contains(#"{"tag":"trip","spent":"250.00","transactions":1}"#))
        for wrong in [#"{"tags":null}"#, #"{"tags":"trip"}"#, #"{"tags":[1]}"#, #"{"tags":["a b"]}"#] {
            let answer = try await site.ask { try await $0.ask(.put, "/transactions/\(id)", json: wrong) }
            #expect(answer.status == .unprocessableContent && answer.words.contains(#""field":"tags""#), "\(wrong)")
        }
        #expect(try site.store.transactions.find(id)?.tags == ["trip"])
        let filtered = try await site.ask { try await $0.ask(.get, "/stats/summary?tag=TRIP") }.words
        #expect(filtered.contains(#""spent":"250.00""#))
        let new =
            #"{"parsed_amount":"10","parsed_date":"2026-01-05","transaction_type":"expense","tags":["trip","new"]}"#
        let added = try await site.ask { try await $0.ask(.post, "/transactions/", json: new) }
        #expect(added.status == .created && added.words.contains(#""tags":["new","trip"]"#))
        let refused = try await site.ask {
            try await $0.ask(.post, "/transactions/", json: new.replacing(#""new"]"#, with: #""a b"]"#))
        }
        #expect(refused.status == .unprocessableContent && refused.words.contains(#""field":"tags""#))
    }
}
