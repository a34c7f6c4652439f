import Ledger
import Store
import Testing

@testable import Web

/// The page of all edits: what changed, by whom, and its undo.
@Suite struct HistoryPageTests {
    private static let actor = Actor(.page, "asha")

    /// Three booked transactions: the first was moved to Gifts, the others were deleted together.
    private func site() throws -> PageSite {
        let site = try PageSite()
        let ids = try (UInt32(1)...3).map { try site.record($0, merchant: "SHOP \($0)") }
        var edit = TransactionEdit()
        edit.category = "Gifts"
        edit.notes = .set("<b>for Ravi</b>")
        try site.store.transactions.change(ids[0], edit, by: Self.actor)
        let group = LedgerChange.newGroup()
        for id in ids.dropFirst() { try site.store.transactions.delete(id, by: Self.actor, group: group) }
        return site
    }

    private func page(_ site: PageSite, _ query: String = "") async throws -> String {
        try await site.ask { try await $0.page("/app/history" + query) }.words
    }

    @Test func editsAreListedWithTheirValues() async throws {
        let words = try await page(site())
        #expect(words.contains("Deleted (2)") && words.contains("asha") && words.contains("SHOP 1"))
        #expect(words.contains("Category: \(CategoryRow.uncategorized) → Gifts"))
        #expect(words.contains("Note: none → &lt;b&gt;for Ravi&lt;/b&gt;"))
        #expect(try await page(PageSite()).contains("Nothing here"))
    }

    @Test func deletedTransactionsAreRestoredTogether() async throws {
        let site = try site()
        let deleted = try await page(site, "?kind=deleted")
        #expect(deleted.contains(">Restore<") && !deleted.contains("Gifts"))
        let group = try #require(try site.store.journal.groups(kind: .deleted, limit: 1).groups.first)
        #expect(group.changes == 2 && group.open == 2)
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", group.group)]) }
        #expect(try site.store.transactions.page(TransactionQuery()).total == 3)
        #expect(try await page(site, "?kind=deleted").contains("Nothing here"))
        let all = try await page(site)
        #expect(all.contains(">undone<") && all.contains(">Repeat<"))
    }

    @Test func olderGroupsFollowOnTheNextPage() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "SHOP")
        for number in 1...120 {
            var edit = TransactionEdit()
            edit.notes = .set("note \(number).")
            try site.store.transactions.change(id, edit, by: Self.actor)
        }
        let first = try site.store.journal.groups(limit: 50)
        let second = try site.store.journal.groups(before: first.next, limit: 50)
        let third = try site.store.journal.groups(before: second.next, limit: 50)
        #expect(third.next == nil && third.groups.count == 20)
        #expect(Set((first.groups + second.groups + third.groups).map(\.group)).count == 120)
        let words = try await page(site)
        #expect(words.contains("note 120.") && words.contains("note 71.") && !words.contains("→ note 70."))
        #expect(try await page(site, "?before=\(first.next ?? 0)").contains("→ note 70."))
    }
}
