import Chronology
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

    /// A deleted transaction is named by the values of the journal.
    @Test func deletedTransactionsAreNamed() async throws {
        let site = try site()
        for query in ["", "?kind=deleted"] {
            let words = try await page(site, query)
            #expect(words.contains("SHOP 2, ₹250.00, ") && words.contains("SHOP 3, ₹250.00, "), "\(words)")
        }
    }

    /// Of many rows, some are named, and the page of their group names all; the common values are those that all got.
    @Test func bulkEditsNameTheirFieldAndValue() async throws {
        let site = try PageSite()
        let group = LedgerChange.newGroup()
        for number in UInt32(1)...30 {
            let id = try site.record(number, merchant: "SHOP \(number)", account: number % 2 == 0 ? "1111" : "2222")
            var edit = TransactionEdit()
            edit.category = "Gifts"
            edit.notes = .set("note \(number)")
            try site.store.transactions.change(id, edit, by: Self.actor, group: group)
        }
        let words = try await page(site)
        #expect(words.contains("Changed (30)") && words.contains("SHOP 30") && words.contains("and 27 more"))
        #expect(words.contains("Category: \(CategoryRow.uncategorized) → Gifts") && !words.contains("Note:"))
        let whole = try await page(site, "?group=\(group)")
        #expect((1...30).allSatisfy { whole.contains("SHOP \($0),") })
        #expect(try await page(site, "?group=none").contains("Nothing here"))
    }

    /// Lines about other rows name them, with what changed.
    @Test func otherRowsAreNamed() async throws {
        let site = try PageSite()
        let store = site.store
        let food = try store.categories.add(name: "Food <b>", by: Self.actor)
        let below = try store.categories.addSubcategory(of: food.id, name: "Tea", by: Self.actor)
        try store.categories.updateSubcategory(below.id, of: food.id, CategoryEdit(name: "Chai"), by: Self.actor)
        let budget = Budget(
            amount: Money(minorUnits: 50_000, currency: .inr), period: .month, start: store.today)
        try store.budgets.add(NewBudget(category: "Food <b>", budget: budget), by: Self.actor)
        _ = try store.mappings.apply(
            NewMapping(keyword: "chai point") { $0.category = "Food <b>" }, to: false, by: Self.actor)
        let payee = try store.payees.add(NewPayee(name: "Chai Point"), by: Self.actor)
        try store.payees.update(payee.row.id, PayeeEdit(name: "Chaayos"), by: Self.actor)
        var item = RecurringItem(
            name: "Rent", amount: Money(minorUnits: 1_500_000, currency: .inr), rule: RecurrenceRule(.monthly),
            start: store.today)
        let row = try store.recurring.add(item, by: Self.actor)
        (item.amount, item.rule) = (Money(minorUnits: 1_600_000, currency: .inr), RecurrenceRule(.monthly, interval: 3))
        try store.recurring.update(row.id, item, by: Self.actor)
        var cash = UserAccountEdit()
        (cash.name, cash.type) = ("Purse", .cash)
        _ = try store.userAccounts.add(cash, by: Self.actor)
        let words = try await page(site)
        for text in [
            "category Food &lt;b&gt;", "subcategory Food &lt;b&gt; / Chai", "Name: Tea → Chai",
            "budget of Food &lt;b&gt;", "rule &quot;chai point&quot;", "payee Chaayos", "Name: Chai Point → Chaayos",
            "recurring item Rent", "Amount: ₹15,000.00 → ₹16,000.00", "Comes again: Monthly → Quarterly",
            "account Purse",
        ] { #expect(words.contains(text), "\(text) in \(words)") }
        _ = try await site.ask { try await $0.submit("/app/categories/\(food.id)/delete", []) }
        let after = try await page(site, "?kind=deleted")
        #expect(after.contains("category Food &lt;b&gt;") && after.contains("a deleted category"))
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
