import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct BudgetRowsTests {
    static let asha = Actor(.page, "asha")

    static func new(
        _ minor: Int64, _ subcategory: String? = nil, _ period: CalendarPeriod = .month, category: String = "Food",
        currency: Currency = .inr, rollsOver: Bool = false
    ) -> NewBudget {
        NewBudget(
            category: category, subcategory: subcategory,
            budget: Budget(
                amount: Money(minorUnits: minor, currency: currency), period: period, rollsOver: rollsOver,
                start: date("2025-12-01")))
    }

    /// Expenses of Food in December and January, one of its subcategory, and rows that do not count.
    func ledger() throws -> Fixture {
        let f = try Fixture()
        let food = try f.store.categories.add(name: "Food")
        try f.store.categories.addSubcategory(of: food.id, name: "Groceries")
        let dollars = Currency(code: "USD") ?? .inr
        let drafts = [
            draft(10_000, on: "2025-12-31"), draft(5_000, on: "2026-01-01"), draft(7_000, on: "2026-01-31"),
            draft(90_000, type: .income, on: "2026-01-15"), draft(40_000, type: .transfer, on: "2026-01-20"),
            draft(999, on: "2026-01-09", currency: dollars), draft(50_000, on: "2026-01-11"),
            draft(60_000, on: "2026-01-12"), draft(3_000, on: "2026-01-10"),
        ]
        let results = try f.store.recording.record(
            drafts.enumerated().map { mail(UInt32($0 + 1), decision($0 == 6 ? .review : .recorded, $1)) })
        let ids = try results.map { try #require($0.transactionID) }
        try f.store.writeDatabase { db in
            try db.execute(
                sql: "UPDATE transactions SET category_name = 'Food' WHERE id <> ?", arguments: [ids[8]])
            try db.execute(
                sql: "UPDATE transactions SET subcategory = 'Groceries' WHERE id = ?", arguments: [ids[2]])
        }
        try f.store.transactions.delete(ids[7])
        return f
    }

    @Test func onlyBookedExpensesOfTheCategoryAndCurrencyCount() throws {
        let f = try ledger()
        let dollars = Currency(code: "USD") ?? .inr
        for new in [
            Self.new(15_000), Self.new(7_000, "Groceries"), Self.new(2_000, currency: dollars),
            Self.new(20_000, nil, .quarter, rollsOver: true), Self.new(100, nil, .year),
        ] { try f.store.budgets.add(new, by: Self.asha) }
        let reports = try f.store.budgets.reports(on: date("2026-01-31"))
        #expect(
            reports.map { $0.status.spent.minorUnits } == [12_000, 12_000, 12_000, 999, 7_000],
            "by category, the whole one first, then by currency and number")
        #expect(reports.map(\.status.state) == [.warning, .within, .exceeded, .within, .exceeded])
        #expect(reports[1].status.carried.minorUnits == 10_000, "the fourth quarter had one expense")
        #expect(try f.store.budgets.reports(on: date("2025-11-30")).first?.status.state == .pending)
    }

    /// Today is 2026-01-05; the budget begins in December.
    @Test func theNewestPeriodsOfABudget() throws {
        let f = try ledger()
        let plain = try f.store.budgets.add(Self.new(15_000), by: Self.asha)
        let rolling = try f.store.budgets.add(Self.new(15_000, nil, .quarter, rollsOver: true), by: Self.asha)
        let months = try f.store.budgets.history(of: plain, periods: 12)
        #expect(months.map(\.days.first) == [date("2025-12-01"), date("2026-01-01")])
        #expect(months.map(\.spent.minorUnits) == [10_000, 12_000])
        #expect(try f.store.budgets.history(of: plain, periods: 1).map(\.days.first) == [date("2026-01-01")])
        let quarters = try f.store.budgets.history(of: rolling, periods: 12)
        #expect(quarters.map(\.available.minorUnits) == [15_000, 20_000])
        var later = Self.new(15_000)
        later.budget.start = date("2026-02-01")
        let coming = try f.store.budgets.update(plain.id, later, by: Self.asha)
        #expect(try f.store.budgets.history(of: coming, periods: 12).isEmpty)
    }

    @Test func editsAreUndone() throws {
        let f = try ledger()
        let row = try f.store.budgets.add(Self.new(15_000, "Groceries"), by: Self.asha)
        let changed = try f.store.budgets.update(row.id, Self.new(9_000, nil, .week), by: Self.asha)
        #expect((changed.subcategory, changed.budget.period) == (nil, .week))
        try f.store.budgets.delete(row.id, by: Self.asha)
        let changes = try f.store.journal.changes(limit: 3)
        #expect(changes.map(\.kind) == [.deleted, .changed, .added] && changes.allSatisfy { $0.actor == Self.asha })
        for (change, expected) in zip(changes, [changed, row, nil]) {
            try f.store.journal.undo(group: change.group, by: Self.asha)
            #expect(try f.store.budgets.find(row.id) == expected)
        }
        let undone = try #require(try f.store.journal.changes(limit: 1).first)
        try f.store.journal.undo(group: undone.group, by: Self.asha)
        #expect(try f.store.budgets.all() == [row], "an undo is undone")
    }

    @Test func undoIsRefusedIfThePlaceIsTaken() throws {
        let f = try ledger()
        let row = try f.store.budgets.add(Self.new(15_000), by: Self.asha)
        try f.store.budgets.delete(row.id, by: Self.asha)
        let group = try #require(try f.store.journal.changes(limit: 1).first?.group)
        let other = try f.store.budgets.add(Self.new(1), by: Self.asha)
        #expect(other.id != row.id, "a number is not used twice")
        #expect(throws: StoreError.self) { try f.store.journal.undo(group: group, by: Self.asha) }
        #expect(try f.store.budgets.all() == [other])
    }

    @Test(
        arguments: [
            (Self.new(15_000), .conflict, "category_name"),
            (Self.new(1, category: "Nothing"), .conflict, "category_name"),
            (Self.new(1, "Nothing"), .conflict, "subcategory"), (Self.new(0, nil, .week), .invalid, "amount"),
        ] as [(NewBudget, StoreError.Kind, String)])
    func refusals(new: NewBudget, kind: StoreError.Kind, field: String) throws {
        let f = try ledger()
        try f.store.budgets.add(Self.new(5), by: Self.asha)
        let error = #expect(throws: StoreError.self) { try f.store.budgets.add(new, by: Self.asha) }
        #expect(error?.kind == kind && error?.fields.map(\.field) == [field])
    }

    @Test func aDeletedCategoryTakesItsBudgetsWithIt() throws {
        let f = try ledger()
        let row = try f.store.budgets.add(Self.new(5), by: Self.asha)
        try f.store.categories.delete(row.categoryID, by: Self.asha)
        #expect(try f.store.budgets.all().isEmpty)
    }

    @Test func aRenamedCategoryKeepsItsBudget() throws {
        let f = try ledger()
        let row = try f.store.budgets.add(Self.new(15_000), by: Self.asha)
        try f.store.categories.update(row.categoryID, CategoryEdit(name: "Meals"))
        let report = try #require(try f.store.budgets.reports(on: date("2026-01-31")).first)
        #expect((report.row.category, report.status.spent.minorUnits) == ("Meals", 12_000))
    }

    /// Recurring items and announced debits of the category that are still to come count in the forecast.
    @Test func whatIsKnownToComeIsInTheForecast() throws {
        let f = try Fixture()
        let food = try f.store.categories.add(name: "Food")
        try f.store.categories.addSubcategory(of: food.id, name: "Groceries")
        _ = try f.store.mappings.add(NewMapping(keyword: "tiffin") { $0.category = "Food" }, by: Self.asha)
        try f.store.budgets.add(Self.new(20_000), by: Self.asha)
        try f.store.budgets.add(Self.new(5_000, "Groceries"), by: Self.asha)
        var milk = try RecurringPostingTests.item("FREQ=WEEKLY", since: "2026-01-08", mode: .expected, name: "Milk")
        (milk.amount, milk.category, milk.subcategory) = (rupees(1_000), "Food", "Groceries")
        try f.store.recurring.add(milk, by: Self.asha)
        _ = try f.store.recording.record([
            mail(1, DueRowsTests.notice(.mandate, 9_000, on: "2026-01-20", merchant: "Tiffin Service")),
            mail(2, DueRowsTests.notice(.mandate, 70_000, on: "2026-01-20", merchant: "Gym")),
            mail(3, DueRowsTests.notice(.mandate, 9_000, on: "2026-02-02", merchant: "Tiffin Service")),
        ])
        let reports = try f.store.budgets.reports()
        // 8, 15, 22 and 29 January, and the tiffin.
        #expect(reports.map(\.status.upcoming.minorUnits) == [13_000, 4_000])
        #expect(reports.map(\.status.forecast.minorUnits) == [13_000, 4_000])
        #expect(reports.map(\.status.expected) == [.within, .warning])
        #expect(try f.store.budgets.reports(on: date("2026-01-04")).map(\.status.upcoming.minorUnits) == [0, 0])
    }

    @Test func eachStateOfAPeriodIsReportedOnce() throws {
        let f = try Fixture()
        f.store.announce(NotificationPolicy(kinds: [.budget], maxAge: 86_400, changed: {}))
        try f.store.categories.add(name: "Food")
        try f.store.budgets.add(Self.new(10_000), by: Self.asha)
        func spend(_ minor: Int64, _ number: UInt32, on day: String) throws -> Int {
            _ = try f.store.recording.record([mail(number, decision(.recorded, draft(minor, on: day)))])
            try f.store.writeDatabase { try $0.execute(sql: "UPDATE transactions SET category_name = 'Food'") }
            return try f.store.budgets.announce { "\($0.row.target): \($0.status.summary)" }
        }
        #expect(try spend(7_999, 1, on: "2026-01-02") == 0)
        #expect(try spend(1, 2, on: "2026-01-02") == 1)
        #expect(
            try f.value("SELECT details FROM notification_events")
                == "Food: 80 % of INR 100.00 is spent, INR 20.00 is left until 2026-01-31")
        #expect(try f.store.budgets.announce { "\($0.row.target): \($0.status.summary)" } == 0)
        #expect(try spend(3_000, 3, on: "2026-01-03") == 1)
        #expect(
            try f.value("SELECT details FROM notification_events ORDER BY id DESC")
                == "Food: 110 % of INR 100.00 is spent, INR 10.00 too much until 2026-01-31")
        try f.store.writeDatabase {
            try $0.execute(sql: "UPDATE transactions SET amount_minor = 500 WHERE amount_minor = 3000")
        }
        #expect(
            try f.store.budgets.announce { "\($0.row.target): \($0.status.summary)" } == 0,
            "a warning after the limit is not reported")
        f.clock.advance(31 * 86_400)
        #expect(try f.store.budgets.announce { "\($0.row.target): \($0.status.summary)" } == 0)
        #expect(try spend(9_000, 4, on: "2026-02-02") == 1, "the next period")
    }

    @Test func withoutASinkNothingIsWritten() throws {
        let f = try Fixture()
        try f.store.categories.add(name: "Food")
        try f.store.budgets.add(Self.new(1), by: Self.asha)
        #expect(try f.store.budgets.announce { "\($0.row.target): \($0.status.summary)" } == 0)
    }
}
