import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct TagTests {
    static let asha = Actor(.page, "asha")

    static func edit(_ tags: [String]) -> TransactionEdit {
        var edit = TransactionEdit()
        edit.tags = tags
        return edit
    }

    /// Three expenses of January; the first two are tagged.
    func ledger() throws -> Fixture {
        let f = try Fixture()
        let drafts = [draft(10_000, on: "2026-01-01"), draft(5_000, on: "2026-01-02"), draft(7_000, on: "2026-01-31")]
        _ = try f.store.recording.record(
            drafts.enumerated().map { mail(UInt32($0 + 1), decision(.recorded, $1)) })
        try f.store.transactions.change(1, Self.edit(["work", "Goa"]), by: Self.asha)
        try f.store.transactions.change(2, Self.edit(["GOA"]), by: Self.asha)
        return f
    }

    @Test func aKnownTagKeepsItsSpelling() throws {
        let f = try ledger()
        #expect(try f.store.transactions.find(1)?.tags == ["Goa", "work"])
        #expect(try f.store.transactions.find(2)?.tags == ["Goa"])
        #expect(try f.store.transactions.find(3)?.tags == [])
        #expect(
            try f.store.transactions.tags() == [
                TagCount(name: "Goa", transactions: 2), TagCount(name: "work", transactions: 1),
            ])
        try f.store.transactions.delete(1)
        #expect(try f.store.transactions.tags() == [TagCount(name: "Goa", transactions: 1)])
    }

    @Test(
        arguments: [
            ("tag:goa", [2, 1]), ("tag:GOA tag:work", [1]), ("tag:none", []), ("tag:go", []), ("tag:", [3, 2, 1]),
            ("tag:goa nothing", []),
        ] as [(String, [Int64])])
    func aSearchByTag(text: String, ids: [Int64]) throws {
        var query = TransactionQuery()
        query.search = SearchExpression(text)
        let page = try ledger().store.transactions.page(query)
        #expect(page.rows.map(\.id) == ids && page.total == ids.count)
    }

    @Test func theFilterOfTheListAndTheSums() throws {
        let f = try ledger()
        var filter = TransactionFilter()
        filter.tag = "goa"
        #expect(try f.store.transactions.count(filter) == 2)
        filter.tag = nil
        #expect(try f.store.transactions.count(filter) == 3)
        let sums = try f.store.statistics.spendByTag(of: DaySpan(days: 31, through: date("2026-01-31")), in: .inr)
        #expect(sums.map(\.tag) == ["Goa", "work"] && sums.map(\.spent.minorUnits) == [15_000, 10_000])
        #expect(
            try f.store.statistics.spendByTag(of: DaySpan(days: 1, through: date("2026-01-31")), in: .inr).isEmpty)
    }

    @Test func statisticsCountOneTag() throws {
        let f = try ledger()
        let span = DaySpan(days: 31, through: date("2026-01-31"))
        func spent(_ tag: String?) throws -> Int64 {
            try f.store.statistics.totals(of: span, Statistics.Filter(tag: tag)).reduce(0) { $0 + $1.spent.minorUnits }
        }
        #expect(try spent("GOA") == 15_000)
        #expect(try spent("nowhere") == 0)
        let groups = try f.store.statistics.groups(of: span, in: .inr, by: .category, Statistics.Filter(tag: "goa"))
        #expect(groups.map(\.spent.minorUnits).reduce(0, +) == 15_000)
    }

    /// A new transaction brings its tags, and undoing it takes them along.
    @Test func aNewTransactionHasTags() throws {
        let f = try ledger()
        var new = NewTransaction(amount: rupees(100), type: .expense, date: date("2026-01-05"))
        new.tags = ["goa", "Goa", "beach"]
        let group = LedgerChange.newGroup()
        let row = try #require(try f.store.transactions.add([new], by: Self.asha, group: group).first)
        #expect(row.tags == ["beach", "Goa"], "a known tag keeps its spelling")
        try f.store.journal.undo(group: group, by: Self.asha)
        #expect(try f.store.transactions.find(row.id) == nil)
        new.tags = ["a b"]
        #expect(throws: StoreError.self) { try f.store.transactions.add(new, by: Self.asha) }
    }

    @Test func editsAreUndone() throws {
        let f = try ledger()
        let revision = try #require(try f.store.transactions.find(1)?.revision)
        #expect(
            try f.store.transactions.change(1, Self.edit(["work", "Goa"]), by: Self.asha).revision == revision,
            "the same tags change nothing")
        try f.store.transactions.change(1, Self.edit([]), by: Self.asha)
        #expect(try f.store.transactions.find(1)?.tags == [])
        let cleared = try #require(try f.store.journal.changes(ofTransaction: 1, limit: 1).first)
        try f.store.journal.undo(change: cleared.id, by: Self.asha)
        #expect(try f.store.transactions.find(1)?.tags == ["Goa", "work"])
        try f.store.transactions.change(1, Self.edit(["x"]), by: Self.asha)
        let undone = try f.store.journal.changes(ofTransaction: 1, limit: 2)[1]
        #expect(throws: StoreError.self) { try f.store.journal.undo(change: undone.id, by: Self.asha) }
        // An edit of another value keeps the tags, and so does its undo.
        var notes = TransactionEdit()
        notes.notes = .set("a note")
        try f.store.transactions.change(1, notes, by: Self.asha)
        let noted = try #require(try f.store.journal.changes(ofTransaction: 1, limit: 1).first)
        try f.store.journal.undo(change: noted.id, by: Self.asha)
        #expect(try f.store.transactions.find(1)?.tags == ["x"])
    }

    @Test(arguments: [
        ["two words"], ["a,b"], [""], ["a\u{202E}b"], [String(repeating: "x", count: 61)], (0...20).map { "t\($0)" },
    ])
    func refusals(tags: [String]) throws {
        let f = try ledger()
        let error = #expect(throws: StoreError.self) {
            try f.store.transactions.change(3, Self.edit(tags), by: Self.asha)
        }
        #expect(error?.kind == .invalid && error?.fields.map(\.field) == ["tags"])
    }
}
