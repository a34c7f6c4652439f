import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct StatisticsTests {
    static let january = DaySpan(days: 31, through: date("2026-01-31"))

    func ledger() throws -> Fixture {
        let f = try Fixture()
        let dollars = Currency(code: "USD") ?? .inr
        var drafts = [
            draft(10_000, on: "2026-01-01", merchant: "CAFÉ NOIR"),
            draft(5_000, on: "2026-01-02", merchant: "Big Bazaar"),
            draft(7_000, on: "2026-01-31", merchant: "BIG BAZAAR"),
            draft(90_000, type: .income, on: "2026-01-15", merchant: "Salary"),
            draft(40_000, type: .transfer, on: "2026-01-20", merchant: "Own account"),
            draft(999, on: "2026-01-09", merchant: "Hosting", currency: dollars),
            draft(1, on: "2025-12-31"), draft(2, on: "2026-02-01"), draft(3, on: "2026-01-10", merchant: nil),
        ]
        drafts.append(draft(50_000, on: "2026-01-11", merchant: "Waits"))
        drafts.append(draft(60_000, on: "2026-01-12", merchant: "Deleted"))
        let results = try f.store.recording.record(
            drafts.enumerated().map { index, draft in
                mail(UInt32(index + 1), decision(index == 9 ? .review : .recorded, draft))
            })
        try f.store.transactions.delete(results[10].transactionID ?? 0)
        return f
    }

    @Test func eachCurrencyByItselfAndTransfersApart() throws {
        let totals = try ledger().store.statistics.totals(of: Self.january)
        #expect(totals.map(\.currency.code) == ["INR", "USD"])
        let rupees = try #require(totals.first)
        #expect(rupees.spent.minorUnits == 22_003 && rupees.expenses == 4 && rupees.largest.minorUnits == 10_000)
        #expect(rupees.received.minorUnits == 90_000 && rupees.incomes == 1 && rupees.net.minorUnits == 67_997)
        #expect(rupees.transferred.minorUnits == 40_000 && rupees.transfers == 1)
        #expect(totals.last?.spent.minorUnits == 999)
        #expect(try ledger().store.statistics.totals(of: DaySpan(days: 7, through: date("2020-01-01"))).isEmpty)
    }

    @Test func sumsOfAQueryCountBookedRows() throws {
        let f = try ledger()
        var query = TransactionQuery(limit: 1)
        query.search = SearchExpression("\"big bazaar\"")
        #expect(try f.store.transactions.totals(of: query).map(\.spent.minorUnits) == [12_000])
        query.search = SearchExpression("waits")
        #expect(try f.store.transactions.page(query).total == 1)
        #expect(try f.store.transactions.totals(of: query).isEmpty)
        query.search = nil
        (query.since, query.until) = (Self.january.first, Self.january.last)
        #expect(try f.store.transactions.totals(of: query) == f.store.statistics.totals(of: Self.january))
        query.statuses = [.needsReview]
        #expect(try f.store.transactions.totals(of: query).isEmpty)
    }

    @Test(
        arguments: [(nil, "INR"), (Currency(code: "USD"), "USD"), (Currency(code: "EUR"), "INR")]
            as [(Currency?, String)], Statistics.Step.allCases)
    func anOverviewIsAllOfItAtOnce(asked: (Currency?, String), step: Statistics.Step) throws {
        let f = try ledger()
        try f.store.writeDatabase { db in
            try db.execute(
                sql:
                    "UPDATE transactions SET category_name = 'Food', subcategory = 'Groceries' WHERE parsed_vendor LIKE 'Big Bazaar'"
            )
        }
        let sums = try f.store.statistics.sums(of: Self.january, in: asked.0, by: step)
        #expect(sums.currency.code == asked.1)
        #expect(try sums.totals == f.store.statistics.totals(of: Self.january))
        #expect(try sums.categories == f.store.statistics.spendByCategory(of: Self.january, in: sums.currency))
        #expect(try sums.buckets == f.store.statistics.spendOverTime(of: Self.january, in: sums.currency, by: step))
    }

    @Test func byCategoryTheLargestFirst() throws {
        let f = try ledger()
        try f.store.writeDatabase { db in
            try db.execute(
                sql:
                    "UPDATE transactions SET category_name = 'Food', subcategory = 'Groceries' WHERE parsed_vendor LIKE 'Big Bazaar'"
            )
            try db.execute(sql: "UPDATE transactions SET category_name = 'Food' WHERE parsed_vendor = 'CAFÉ NOIR'")
        }
        let sums = try f.store.statistics.spendByCategory(of: Self.january, in: .inr)
        #expect(
            sums.map(\.category) == ["Food", "Food", CategoryRow.uncategorized]
                && sums.map(\.subcategory) == ["Groceries", nil, nil])
        #expect(sums.map(\.spent.minorUnits) == [12_000, 10_000, 3] && sums.map(\.expenses) == [2, 1, 1])
    }

    @Test func merchantsIgnoringCase() throws {
        let merchants = try ledger().store.statistics.topMerchants(of: Self.january, in: .inr, limit: 2)
        #expect(merchants.map(\.spent.minorUnits) == [12_000, 10_000] && merchants.map(\.expenses) == [2, 1])
        #expect(merchants.first?.merchant.lowercased() == "big bazaar" && merchants.first?.lastDate == "2026-01-31")
    }

    @Test(
        arguments: [
            (Statistics.Step.day, 31, [10_000, 5_000]), (.week, 5, [15_000, 3]), (.month, 1, [22_003]),
        ] as [(Statistics.Step, Int, [Int64])])
    func overTimeWithoutGaps(step: Statistics.Step, count: Int, first: [Int64]) throws {
        let buckets = try ledger().store.statistics.spendOverTime(of: Self.january, in: .inr, by: step)
        #expect(buckets.count == count && buckets.prefix(first.count).map(\.spent.minorUnits) == first)
        #expect(
            buckets.reduce(0) { $0 + $1.spent.minorUnits } == 22_003
                && buckets.reduce(0) { $0 + $1.received.minorUnits } == 90_000)
        #expect(buckets.first?.days.first == Self.january.first && buckets.last?.days.last == Self.january.last)
        #expect(
            zip(buckets, buckets.dropFirst()).allSatisfy {
                $0.days.last.daysSince1970 + 1 == $1.days.first.daysSince1970
            })
    }

    /// 2025-12-29 and 2026-01-05 were Mondays.
    @Test func weeksBeginOnMonday() throws {
        let span = try #require(DaySpan(date("2025-12-30"), through: date("2026-01-12")))
        #expect(
            Statistics.Step.week.steps(of: span).map(\.first.description) == ["2025-12-30", "2026-01-05", "2026-01-12"])
        #expect(Statistics.Step.month.steps(of: span).map(\.last.description) == ["2025-12-31", "2026-01-12"])
        #expect(
            span.before.first == date("2025-12-16") && span.before.last == date("2025-12-29")
                && DaySpan(date("2026-01-02"), through: date("2026-01-01")) == nil)
    }

    /// The index alone suffices: a row of the table is twenty times as large.
    @Test func readsTheIndexOnly() throws {
        let plan = try Fixture().store.readDatabase { db in
            try String.fetchAll(
                db,
                sql: """
                    EXPLAIN QUERY PLAN SELECT category_name, subcategory, parsed_vendor, currency, transaction_type, sum(amount_minor) FROM transactions
                    INDEXED BY transactions_by_date WHERE status = 'confirmed' AND deleted_at IS NULL AND parsed_date BETWEEN '2026-01-01' AND '2026-01-31'
                    """, adapter: SuffixRowAdapter(fromIndex: 3))
        }
        #expect(plan.contains { $0.contains("COVERING INDEX transactions_by_date") }, "\(plan)")
    }
}
