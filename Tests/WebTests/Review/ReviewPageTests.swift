import Chronology
import Codecs
import HTTPTypes
import HummingbirdTesting
import Ledger
import Review
import Store
import Testing

@testable import Web

/// The queue of the page: alike items, notices, signs, keys.
@Suite struct ReviewPageTests {
    /// Accepts or rejects all items that the page of one shows as alike; returns the next page.
    private func resolveAlike(_ id: Int64, _ action: String, _ site: PageSite) async throws -> TestResponse {
        let page = try await site.ask { try await $0.page("/app/review/\(id)") }.words
        let items = page.matches(of: #/name="item" value="([^"]+)"/#).map { ("item", String($0.output.1)) }
        return try await site.ask {
            try await $0.submit("/app/review/\(id)/alike", items + [("action", action)])
        }
    }

    private func follow(_ answer: TestResponse, _ site: PageSite) async throws -> String {
        let path = try #require(answer.headers[.location])
        return try await site.ask { try await $0.page(path) }.words
    }

    /// The notice names the merchant and the number, and its undo brings all back.
    @Test(arguments: [
        ("accept", "TEA STALL: 3 alike items were accepted and booked."),
        ("reject", "TEA STALL: 3 alike items were rejected: nothing is booked."),
    ]) func theNoticeNamesWhatWasSettled(action: String, words: String) async throws {
        let site = try PageSite()
        let ids = try (UInt32(1)...3).map { try site.record($0, merchant: "TEA STALL", Int64($0) * 100, waits: true) }
        try site.record(4, merchant: "OTHER", waits: true)
        let done = try await resolveAlike(ids[0], action, site)
        let next = try await follow(done, site)
        #expect(next.contains(words) && next.contains("data-key=\"u\""), "\(next)")
        #expect(next.contains("<h1 tabindex=\"-1\" autofocus>OTHER</h1>"))
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", done.undo ?? "")]) }
        #expect(try ids.allSatisfy { try site.store.transactions.find($0)?.status == .needsReview })
    }

    /// The next item has the focus after a decision, but not when a person opens it.
    @Test func theNextItemHasTheFocus() async throws {
        let site = try PageSite()
        let ids = try (UInt32(1)...2).map { try site.record($0, merchant: "SHOP \($0)", waits: true) }
        #expect(try await !site.ask { try await $0.page("/app/review/\(ids[0])") }.words.contains("autofocus"))
        let form = [
            ("action", "accept"), ("amount", "250.00"), ("currency", "INR"), ("type", "expense"),
            ("date", site.store.today.description), ("merchant", "SHOP 1"),
        ]
        let accepted = try await site.ask { try await $0.submit("/app/review/\(ids[0])", form) }
        #expect(try await follow(accepted, site).contains("autofocus>SHOP 2</h1>"))
    }

    /// Drafts without a template are alike if sender, merchant and direction are the same. One that lacks its direction
    /// cannot be accepted as it was read.
    @Test(arguments: [nil, TemplateName.generic]) func draftsWithoutATemplateAreAlike(template: String?) async throws {
        let site = try PageSite()
        func record(_ uid: UInt32, _ merchant: String, _ type: TransactionType? = .expense) throws -> Int64 {
            try site.record(uid, merchant: merchant, waits: true, type: type, template: template)
        }
        let ids = try [
            record(1, "TEA STALL"), record(2, "Tea Stall"), record(3, "TEA STALL", .income), record(4, "TEA ROOM"),
            record(5, "TEA STALL", nil),
        ]
        let service = ReviewService(site.store)
        let lines = try service.lines().lines
        let alike = service.alike(.transaction(ids[0]), in: lines).map(\.id)
        #expect(alike == [.transaction(ids[0]), .transaction(ids[1])])
        for other in ids.dropFirst(2) { #expect(service.alike(.transaction(other), in: lines).isEmpty) }
    }

    /// As in the list of transactions: money that comes in has a sign, and is named.
    @Test func signsAreThoseOfTheList() async throws {
        let site = try PageSite()
        try site.record(1, merchant: "REFUND", 5_000, waits: true, type: .income)
        try site.record(2, merchant: "SHOP", 6_000, waits: true)
        try site.record(3, merchant: "UNKNOWN", 7_000, waits: true, type: nil)
        let queue = try await site.ask { try await $0.page("/app/review") }.words
        #expect(
            queue.contains("+₹50.00 <small>income</small>") && queue.contains(">₹60.00<") && queue.contains(">₹70.00<"))
        let list = try await site.ask { try await $0.page("/app/transactions?q=refund") }.words
        #expect(list.contains("+₹50.00<small>income</small>"))
    }

    /// A preview names drafts apart, stays in the queue and does not link to itself.
    @Test func alwaysThisCategoryCountsDraftsApart() async throws {
        let site = try PageSite()
        let category = try site.store.categories.add(name: "Tea")
        let ids = try (UInt32(1)...4).map { try site.record($0, merchant: "LOTUS BOOKS", waits: $0 > 1) }
        try site.record(5, merchant: "LOTUS BOOKS", waits: true)
        let form = [
            ("action", "accept"), ("amount", "250.00"), ("currency", "INR"), ("type", "expense"),
            ("date", site.store.today.description), ("merchant", "LOTUS BOOKS"), ("category", "\(category.id)"),
        ]
        let accepted = try await site.ask { try await $0.submit("/app/review/\(ids[1])", form) }
        let next = try await follow(accepted, site)
        #expect(
            next.contains(
                "one transaction booked so far changes, 3 transactions waiting for review change"), "\(next)")
        let link = try #require(next.firstMatch(of: #/href="(\/app\/mappings\/new[^"]+)"/#)).output.1
        let path = String(link).replacing("&amp;", with: "&")
        let preview = try await site.ask { try await $0.page(path) }.words
        #expect(preview.contains("1 past transaction and 3 items waiting for review would change."))
        #expect(
            preview.contains("name=\"back\" value=\"/app/review/\(ids[2])\"")
                && !preview.contains("class=\"notice offer"))
        #expect(preview.contains("<button data-key=\"a\">Add the rule"))
    }

    /// The list of keys has each key that the script and the templates know.
    @Test func everyKeyIsListed() async throws {
        // The browser follows a link by itself.
        var known: Set<String> = ["?", "Enter"]
        for template in CatalogueTests.templates.values {
            for match in template.matches(of: #/data-(?:key|focus)="([^"]+)"/#) { known.insert(String(match.output.1)) }
        }
        for section in PageFrame.Section.allCases { known.insert(section.key) }
        let script = String(decoding: EmbeddedFile.bytes("page.js"), as: UTF8.self)
        for match in script.matches(of: #/event\.key === '([^']+)'/#) where !match.output.1.hasPrefix("Arrow") {
            known.insert(String(match.output.1))
        }
        let help = try await PageSite().ask { try await $0.page("/app/help") }.words
        let listed = Set(help.matches(of: #/<kbd>([^<]+)<\/kbd>/#).map { String($0.output.1) })
        #expect(listed.symmetricDifference(known).sorted() == [])
    }
}
