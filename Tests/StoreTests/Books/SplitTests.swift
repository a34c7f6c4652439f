import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Payments over several categories.
@Suite struct SplitTests {
    static let asha = Actor(.page, "asha")
    static let parts = [
        SplitPart(category: "Food", minorUnits: 6_000),
        SplitPart(category: "Home", subcategory: "Cleaning", minorUnits: 4_000),
    ]

    /// Two expenses and an income of January.
    func ledger() throws -> Fixture {
        let f = try Fixture()
        try f.store.categories.seed([
            CategorySeed(name: "Food"), CategorySeed(name: "Home", subcategories: [.init(name: "Cleaning")]),
        ])
        _ = try f.store.recording.record([
            mail(1, decision(.recorded, draft(10_000, on: "2026-01-01"))),
            mail(2, decision(.recorded, draft(5_000, on: "2026-01-02"))),
            mail(3, decision(.recorded, draft(7_000, type: .income, on: "2026-01-03"))),
        ])
        return f
    }

    func split() throws -> Fixture {
        let f = try ledger()
        try f.store.transactions.split(1, Self.parts, by: Self.asha)
        return f
    }

    @Test func thePartsCountInPlaceOfTheWhole() throws {
        let f = try split()
        let row = try #require(try f.store.transactions.find(1))
        #expect(row.isSplit && row.category == "Food" && row.categoryBy == .person && row.editedAt != nil)
        #expect(try f.store.transactions.parts(of: 1) == Self.parts)
        let span = try #require(DaySpan(date("2026-01-01"), through: date("2026-01-31")))
        let sums = try f.store.statistics.spendByCategory(of: span, in: .inr)
        #expect(sums.map(\.category) == ["Food", CategoryRow.uncategorized, "Home"])
        #expect(sums.map(\.spent.minorUnits) == [6_000, 5_000, 4_000])
        #expect(try f.store.statistics.totals(of: span).map(\.spent.minorUnits) == [15_000])
        #expect(
            try f.store.statistics.totals(of: span, .init(category: "home")).map(\.spent.minorUnits) == [4_000])
        let overview = try f.store.statistics.sums(of: span, in: .inr, by: .week)
        #expect(overview.categories == sums && overview.totals.map(\.spent.minorUnits) == [15_000])
        #expect(overview.buckets.first?.expenses == 2)
        #expect(overview.series.map(\.total) == sums.map(\.spent))
        #expect(overview.series.last?.spent.map(\.minorUnits) == [4_000, 0, 0, 0, 0])
        let groups = try f.store.statistics.groups(of: span, in: .inr, by: .category)
        #expect(groups.filter { $0.key == "Home" }.map(\.spent.minorUnits) == [4_000])
        #expect(
            try f.store.statistics.groups(of: span, in: .inr, by: .subcategory).filter { $0.key == "Cleaning" }
                .map(\.spent.minorUnits) == [4_000])
        let new = NewBudget(
            category: "Home", subcategory: "Cleaning",
            budget: Budget(amount: rupees(5_000), period: .month, rollsOver: false, start: date("2026-01-01")))
        try f.store.budgets.add(new, by: Self.asha)
        #expect(try f.store.budgets.reports(on: date("2026-01-20")).map(\.status.spent.minorUnits) == [4_000])
    }

    @Test(
        arguments: [
            ("home", nil, [1]), ("Food", nil, [1]), ("Home", "cleaning", [1]), ("Food", "Cleaning", []),
            ("Uncategorized", nil, [3, 2]),
        ] as [(String, String?, [Int64])])
    func aListByCategory(category: String, subcategory: String?, ids: [Int64]) throws {
        var query = TransactionQuery()
        (query.category, query.subcategory) = (category, subcategory)
        let page = try split().store.transactions.page(query)
        #expect(page.rows.map(\.id) == ids && page.total == ids.count)
    }

    @Test func editsAreUndone() throws {
        let f = try split()
        var group = try #require(try f.store.journal.changes(ofTransaction: 1, limit: 1).first?.group)
        try f.store.journal.undo(group: group, by: Self.asha)
        var row = try #require(try f.store.transactions.find(1))
        #expect(!row.isSplit && row.category == CategoryRow.uncategorized && row.categoryBy == nil)
        let undone = try #require(try f.store.journal.changes(ofTransaction: 1, limit: 1).first)
        try f.store.journal.undo(change: undone.id, by: Self.asha)
        #expect(try f.store.transactions.parts(of: 1) == Self.parts)
        let revision = try #require(try f.store.transactions.find(1)?.revision)
        #expect(try f.store.transactions.split(1, Self.parts, by: Self.asha).revision == revision)
        group = LedgerChange.newGroup()
        row = try f.store.transactions.split(1, [], by: Self.asha, group: group)
        #expect(!row.isSplit && row.category == "Food")
        try f.store.journal.undo(group: group, by: Self.asha)
        #expect(try f.store.transactions.parts(of: 1) == Self.parts)
        // An edit of another value keeps the parts, and so does its undo.
        var edit = TransactionEdit()
        edit.notes = .set("a note")
        try f.store.transactions.change(1, edit, by: Self.asha)
        let noted = try #require(try f.store.journal.changes(ofTransaction: 1, limit: 1).first)
        try f.store.journal.undo(change: noted.id, by: Self.asha)
        #expect(try f.store.transactions.parts(of: 1) == Self.parts)
    }

    @Test func whatThePartsDoNotAllowIsRefused() throws {
        let f = try split()
        var edits = [TransactionEdit(), TransactionEdit(), TransactionEdit()]
        edits[0].amount = rupees(9_000)
        edits[1].amount = Money(minorUnits: 10_000, currency: try #require(Currency(code: "USD")))
        edits[2].category = "Home"
        for edit in edits {
            let error = #expect(throws: StoreError.self) { try f.store.transactions.change(1, edit, by: Self.asha) }
            #expect(error?.kind == .conflict && error?.message.contains("is split over several categories") == true)
        }
        let error = #expect(throws: StoreError.self) { try f.store.transactions.delete(1, by: Self.asha) }
        #expect(error?.message.contains("join its parts before you delete it") == true)
        try f.store.transactions.split(1, [], by: Self.asha)
        #expect(try f.store.transactions.delete(1, by: Self.asha))
    }

    @Test(arguments: [
        ([SplitPart(category: "Food", minorUnits: 10_000)], "splits"),
        ([SplitPart(category: "Food", minorUnits: 1), SplitPart(category: "Home", minorUnits: 2)], "splits"),
        (
            [SplitPart(category: "", minorUnits: 6_000), SplitPart(category: "Home", minorUnits: 4_000)],
            "splits.0.category_name"
        ),
        (
            [SplitPart(category: "Food", minorUnits: 11_000), SplitPart(category: "Home", minorUnits: -1_000)],
            "splits.1.amount"
        ),
        (
            [SplitPart(category: "Food", minorUnits: 10_000), SplitPart(category: "Home", minorUnits: 0)],
            "splits.1.amount"
        ),
        ([SplitPart(category: "Food", minorUnits: .max), SplitPart(category: "Home", minorUnits: .max)], "splits"),
        (Array(repeating: SplitPart(category: "Food", minorUnits: 1), count: 51), "splits"),
    ])
    func refusals(parts: [SplitPart], field: String) throws {
        let f = try ledger()
        let error = #expect(throws: StoreError.self) { try f.store.transactions.split(1, parts, by: Self.asha) }
        #expect(error?.kind == .invalid && error?.fields.map(\.field) == [field])
        #expect(try f.count("transaction_splits") == 0)
    }

    /// Other clients of the file, with foreign keys off, cannot make parts count that differ from the amount.
    @Test(arguments: [
        "INSERT INTO split_transactions VALUES (2)",
        "INSERT INTO transaction_splits VALUES (2, 1, 'a', NULL, 5000); INSERT INTO split_transactions VALUES (2)",
        """
        INSERT INTO transaction_splits VALUES (2, 1, 'a', NULL, 4000), (2, 2, 'b', NULL, 999);
        INSERT OR REPLACE INTO split_transactions VALUES (2)
        """,
        "INSERT INTO transaction_splits VALUES (1, 3, 'a', NULL, 1)",
        "UPDATE transaction_splits SET part_minor = part_minor + 1 WHERE transaction_id = 1",
        "UPDATE OR REPLACE transaction_splits SET transaction_id = 2 WHERE position = 1",
        "DELETE FROM transaction_splits WHERE transaction_id = 1 AND position = 1",
        "UPDATE transactions SET amount_minor = 1 WHERE id = 1",
        "UPDATE transactions SET currency = 'USD' WHERE id = 1",
        "UPDATE split_transactions SET transaction_id = 2",
    ])
    func theDatabaseEnforcesTheSum(sql: String) throws {
        let f = try split()
        let other = try DatabaseQueue(path: f.folder.database)
        try other.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
        }
        #expect(try f.store.transactions.parts(of: 1) == Self.parts)
        #expect(try f.store.transactions.parts(of: 2).isEmpty, "parts without a seal do not count")
    }

    @Test func aDeletedRowTakesItsPartsAlong() throws {
        let f = try split()
        try f.store.writeDatabase { try $0.execute(sql: "DELETE FROM transactions WHERE id = 1") }
        #expect(try f.count("transaction_splits") == 0 && f.count("split_transactions") == 0)
    }

    @Test func aTransferHasNoParts() throws {
        let f = try ledger()
        var edit = TransactionEdit()
        edit.type = .transfer
        try f.store.transactions.change(1, edit, by: Self.asha)
        let error = #expect(throws: StoreError.self) { try f.store.transactions.split(1, Self.parts, by: Self.asha) }
        #expect(error?.kind == .conflict)
        #expect(throws: StoreError.self) { try f.store.transactions.split(99, Self.parts, by: Self.asha) }
        #expect(throws: StoreError.self) {
            try f.store.transactions.split(2, Self.parts, expecting: 99, by: Self.asha)
        }
    }

    @Test func categoriesOfPartsFollow() throws {
        let f = try ledger()
        let pets = try f.store.categories.add(name: "Pets")
        try f.store.transactions.split(
            1, [SplitPart(category: "pets", minorUnits: 6_000), SplitPart(category: "Food", minorUnits: 4_000)],
            by: Self.asha)
        try f.store.categories.update(pets.id, CategoryEdit(name: "Animals"))
        #expect(try f.store.transactions.parts(of: 1).map(\.category) == ["Animals", "Food"])
        #expect(try f.store.categories.delete(pets.id, by: Self.asha).changed == 1)
        #expect(try f.store.transactions.parts(of: 1).map(\.category) == [CategoryRow.uncategorized, "Food"])
        #expect(try f.store.transactions.find(1)?.category == CategoryRow.uncategorized)
    }
}
