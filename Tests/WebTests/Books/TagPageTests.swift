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

/// The page of all tags, and that of one.
@Suite struct TagsPageTests {
    private static func site() throws -> PageSite {
        let site = try PageSite()
        for (index, tags) in [["goa", "trip"], ["goa"], ["work"]].enumerated() {
            let id = try site.record(UInt32(index + 1), merchant: "SHOP", Int64(index + 1) * 1000, waits: index == 1)
            var edit = TransactionEdit()
            edit.tags = tags
            _ = try site.store.transactions.change(id, edit, by: .terminal)
        }
        return site
    }

    private static func tags(_ site: PageSite) throws -> [String] {
        try site.store.transactions.tags().map { "\($0.name) \($0.transactions)" }
    }

    @Test func listsTagsWithCountsAndSums() async throws {
        let page = try await Self.site().ask { try await $0.page("/app/tags") }.words
        #expect(page.contains("<a href=\"/app/tag?name=goa\">goa</a> <span class=\"note\">2 transactions</span>"))
        #expect(
            page.contains("aria-label=\"work: ₹30.00 spent\"")
                && page.contains("/app/transactions?tag=work&amp;period="))
        for path in ["/app/transactions", "/app/payees"] {
            #expect(try await Self.site().ask { try await $0.page(path) }.words.contains("href=\"/app/tags\""))
        }
    }

    @Test(arguments: [
        ("rename", [("tag", "goa"), ("name", "Panjim")], ["Panjim 2", "trip 1", "work 1"]),
        ("rename", [("tag", "GOA"), ("name", "Goa")], ["Goa 2", "trip 1", "work 1"]),
        ("merge", [("tag", "trip"), ("into", "goa")], ["goa 2", "work 1"]),
        ("merge", [("tag", "work"), ("into", "trip")], ["goa 2", "trip 2"]),
        ("remove", [("tag", "goa")], ["trip 1", "work 1"]),
    ]) func aChangeIsUndoneAtOnce(action: String, form: [(String, String)], after: [String]) async throws {
        let site = try Self.site()
        let before = try Self.tags(site)
        let done = try await site.ask { try await $0.submit("/app/tags/" + action, form) }
        #expect(done.status == .seeOther && done.undo != nil, "\(done.words)")
        #expect(try Self.tags(site) == after)
        let next = try #require(done.headers[.location])
        #expect(try await site.ask { try await $0.page(next) }.status == .ok)
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try Self.tags(site) == before)
    }

    @Test(arguments: [
        ("rename", [("tag", "goa"), ("name", "two words")], 422, "New name: must be words without blanks"),
        ("rename", [("tag", "goa"), ("name", "")], 422, "New name: must not be empty"),
        ("rename", [("tag", "goa"), ("name", "Trip")], 422, "There is a tag of this name"),
        ("rename", [("tag", "nope"), ("name", "x")], 404, "tag &#39;nope&#39;"),
        ("merge", [("tag", "goa"), ("into", "nope")], 404, "tag &#39;nope&#39;"),
        ("remove", [("tag", "nope")], 404, "tag &#39;nope&#39;"),
    ]) func anImpossibleChangeIsRefused(
        action: String, form: [(String, String)], status: Int, words: String
    ) async throws {
        let site = try Self.site()
        let before = try Self.tags(site)
        let answer = try await site.ask { try await $0.submit("/app/tags/" + action, form) }
        #expect(answer.status.code == status && answer.words.contains(words), "\(answer.words)")
        #expect(try Self.tags(site) == before)
    }

    @Test func aTagMayHaveAnyCharacter() async throws {
        let site = try Self.site()
        let name = "a/b?&<b>#%"
        _ = try await site.ask { try await $0.submit("/app/tags/rename", [("tag", "goa"), ("name", name)]) }
        let list = try await site.ask { try await $0.page("/app/tags") }.words
        let path = try #require(list.firstMatch(of: #/href="(\/app\/tag\?name=a[^"]*)"/#)).1.replacing(
            "&amp;", with: "&")
        let page = try await site.ask { try await $0.page(String(path)) }
        #expect(page.status == .ok && page.words.contains("<h1>a/b?&amp;&lt;b&gt;#%</h1>"))
    }
}
