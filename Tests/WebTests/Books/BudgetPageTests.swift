import Chronology
import ChronologyFixture
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// Budgets on the page and in the API.
@Suite struct BudgetPageTests {
    /// A budget of Food of ₹1,000.00 a month, of which ₹850.00 is spent today.
    private func site() async throws -> (site: PageSite, budget: BudgetRow) {
        let site = try PageSite()
        let food = try site.store.categories.add(name: "Food")
        let paid = try site.record(1, merchant: "Big Bazaar", 85_000)
        var edit = TransactionEdit()
        edit.category = "Food"
        _ = try site.store.transactions.change(paid, edit, by: .terminal)
        let answer = try await site.ask {
            try await $0.submit(
                "/app/budgets",
                [
                    ("category", "\(food.id)"), ("amount", "1,000.00"), ("currency", "inr"), ("period", "year"),
                    ("start", "2026-01-01"), ("rolls_over", "1"),
                ])
        }
        #expect(answer.status == .seeOther && answer.undo != nil)
        return (site, try #require(try site.store.budgets.all().first))
    }

    @Test func pageShowsTheStateInWords() async throws {
        let (site, row) = try await site()
        #expect(row.budget.rollsOver && row.budget.amount == Money(minorUnits: 100_000, currency: .inr))
        try site.store.budgets.update(
            row.id,
            NewBudget(
                category: "Food",
                budget: Budget(amount: row.budget.amount, period: .year, rollsOver: false, start: "2026-01-01")),
            by: .terminal)
        let page = try await site.ask { try await $0.page("/app/budgets") }
        #expect(page.status == .ok)
        for words in [
            "₹850.00 of ₹1,000.00", "<strong>Almost spent</strong>", "85 % spent", "₹150.00 left",
            "aria-label=\"Change the budget of Food\"", "aria-current=\"page\"", "fill warning",
        ] { #expect(page.words.contains(words), "\(words)") }
    }

    /// The state at the end of a period of the past; no expenses of later days count.
    @Test func theBudgetsOfAnotherPeriodAreShown() async throws {
        let (site, row) = try await site()
        try site.store.budgets.update(
            row.id,
            NewBudget(
                category: "Food",
                budget: Budget(amount: row.budget.amount, period: .month, rollsOver: false, start: "2025-01-01")),
            by: .terminal)
        let page = try await site.ask { try await $0.page("/app/budgets?period=2025-10") }.words
        #expect(page.contains("At the end of Oct 2025") && page.contains("₹0.00 of ₹1,000.00"), "\(page)")
        #expect(page.contains("href=\"/app/budgets?period=2025-09\""))
        let wrong = try await site.ask { try await $0.page("/app/budgets?period=x") }
        #expect(wrong.status == .ok && wrong.words.contains("is not a period. Write 2026-10"))
    }

    /// The page of a budget shows its periods; each value leads to its expenses.
    @Test func thePeriodsOfABudgetAreAChart() async throws {
        let (site, row) = try await site()
        let page = try await site.ask { try await $0.page("/app/budgets/\(row.id)") }.words
        let year = site.store.today.year
        for words in [
            "Its periods", "exceeded in 0 of \(year - 2025)", "\(year) (in part), Spent: ₹850.00",
            "\(year) (in part), Available: ₹1,000.00", "category=Food&amp;type=expense", "period=\(year)",
            "<th scope=\"col\">Year</th>",
        ] { #expect(page.contains(words), "\(words)") }
    }

    @Test func changesAndDeletionsAreUndone() async throws {
        let (site, row) = try await site()
        let edit = [
            ("category", "\(row.categoryID)"), ("amount", "20"), ("currency", "INR"), ("period", "week"),
            ("start", "2026-01-01"),
        ]
        let changed = try await site.ask { try await $0.submit("/app/budgets/\(row.id)", edit) }
        #expect(try site.store.budgets.find(row.id)?.budget.amount.minorUnits == 2000)
        let same = try await site.ask { try await $0.submit("/app/budgets/\(row.id)", edit) }
        #expect(same.headers[.location] == "/app/budgets?done=unchanged")
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", changed.undo ?? "")]) }
        #expect(try site.store.budgets.find(row.id) == row)
        let deleted = try await site.ask { try await $0.submit("/app/budgets/\(row.id)/delete", []) }
        #expect(try site.store.budgets.all().isEmpty)
        _ = try await site.ask { try await $0.submit("/app/undo", [("group", deleted.undo ?? "")]) }
        #expect(try site.store.budgets.all() == [row])
        for path in ["/app/budgets/999", "/app/budgets/x"] {
            #expect(try await site.ask { try await $0.page(path).status } == .notFound)
        }
    }

    @Test(
        arguments: [
            ("amount", "1.2.3", "Limit:"), ("amount", "0", "Limit: must be more"), ("currency", "XX", "Currency:"),
            ("category", "", "Category: choose one."), ("period", "day", "Period:"),
            ("start", "2026-02-30", "First day:"),
            ("period", "year", "has a budget of this period"),
        ])
    func faultsAreShownAboveTheForm(field: String, value: String, problem: String) async throws {
        let (site, row) = try await site()
        let good = [
            ("category", "\(row.categoryID)"), ("amount", "12.34"), ("currency", "INR"), ("period", "week"),
            ("start", "2026-01-01"),
        ]
        let page = try await site.ask {
            try await $0.submit("/app/budgets", good.map { $0.0 == field ? (field, value) : $0 })
        }
        #expect(page.status == .unprocessableContent && page.words.contains(problem), "\(field)")
        #expect(try site.store.budgets.all() == [row])
    }

    @Test func throughTheAPI() async throws {
        let (site, row) = try await site()
        let made = try await site.ask {
            try await $0.ask(
                .post, "/budgets/", json: #"{"category_name":"food","amount":"12.50","currency":"USD"}"#)
        }
        #expect(made.status == .created && made.words.contains(#""period":"month""#))
        let path = made.headers[.location] ?? ""
        let again = try await site.ask {
            try await $0.ask(.post, "/budgets", json: #"{"category_name":"Food","amount":1,"currency":"USD"}"#)
        }
        #expect(again.status == .conflict)
        let wrong = try await site.ask {
            try await $0.ask(.post, "/budgets", json: #"{"amount":1.5,"period":"day","x":1}"#)
        }
        #expect(wrong.status == .unprocessableContent)
        for field in ["category_name", "amount", "period", "x"] {
            #expect(wrong.words.contains(#""field":"\#(field)""#), "\(field)")
        }
        let status = try await site.ask { try await $0.ask(.get, "/budgets/status?on=2026-06-30") }
        #expect(status.status == .ok && status.words.contains(#""since":"2026-01-01","until":"2026-12-31""#))
        let stale = try await site.ask {
            try await $0.ask(.put, path, [.ifMatch: "\"x\""], json: #"{"category_name":"Food","amount":2}"#)
        }
        #expect(stale.status == .preconditionFailed)
        let kept = try await site.ask { try await $0.ask(.put, path, json: #"{"category_name":"Food","amount":2}"#) }
        #expect(kept.status == .ok && kept.words.contains(#""currency":"USD","amount":"2.00""#))
        #expect(try await site.ask { try await $0.ask(.delete, path).status } == .noContent)
        #expect(try await site.ask { try await $0.ask(.get, path).status } == .notFound)
        #expect(try site.store.budgets.all() == [row])
    }
}
