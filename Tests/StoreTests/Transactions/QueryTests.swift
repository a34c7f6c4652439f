import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct QueryTests {
    /// Twelve transactions, two a day, of two merchants; the third is deleted.
    func ledger() throws -> Fixture {
        let f = try Fixture()
        for index in 0..<12 {
            let day = CalendarDate(daysSince1970: date("2026-01-01").daysSince1970 + index / 2)
            try f.store.transactions.add(
                NewTransaction(
                    amount: rupees(Int64(100 * (12 - index))), type: index % 4 == 0 ? .income : .expense, date: day
                ) {
                    $0.recorder = index % 3 == 0 ? .sms : .manual
                    $0.merchant = index % 2 == 0 ? "Alpha 100% Mart" : "beta_store"
                    $0.notes = index == 5 ? "Überweisung" : nil
                    $0.category = index < 6 ? "Food" : "Travel"
                    $0.accountDigits = "4321"
                    $0.status = index == 7 ? .needsReview : .confirmed
                    $0.channel = .upi
                    $0.reference = "REF\(index)"
                },
                by: .terminal)
        }
        try f.store.transactions.delete(3)
        return f
    }

    typealias Query = TransactionQuery

    @Test(
        arguments: [
            ("mart alpha", [11, 9, 7, 5, 1]), ("-alpha", [12, 10, 8, 6, 4, 2]), ("-weisung alpha", [11, 9, 7, 5, 1]),
            ("-weisung beta", [12, 10, 8, 4, 2]), ("\"100% mart\"", [11, 9, 7, 5, 1]), ("\"mart alpha\"", []),
            (">=9 beta", [4, 2]), ("1..2", [12, 11]), ("<2", [12]), ("=4", [9]), ("2026-01-03", [6, 5]),
            ("4 jan", [8, 7]), ("since:2026-01-04 until:2026-01-04", [8, 7]), ("until:2026-01-01", [2, 1]),
            ("this month alpha", [11, 9, 7, 5, 1]), ("last month", []), ("category:foo", [6, 5, 4, 2, 1]),
            ("category:\"t r a\"", [12, 11, 10, 9, 8, 7]), ("merchant:ALPHA", []), ("merchant:beta_store =1", [12]),
            ("account:321", [12, 11, 10, 9, 8, 7, 6, 5, 4, 2, 1]), ("account:432", []), ("4321 ref2", []),
            ("4321 beta 3", [10]), ("is:income", [9, 5, 1]), ("-is:income alpha", [11, 7]), ("is:waiting", [8]),
            ("-is:booked", [8]), ("is:noted", [6]), ("-is:noted is:tagged", []), ("is:split", []),
            ("is:uncategorized", []), ("bank:hdfc", []), ("is:nonsense beta", [12, 10, 8, 6, 4, 2]),
        ] as [(String, [Int64])])
    func searches(text: String, ids: [Int64]) throws {
        let fixture = try ledger()
        var query = Query()
        query.search = SearchExpression(text)
        let page = try fixture.store.transactions.page(query)
        #expect(page.rows.map(\.id) == ids && page.total == ids.count)
    }

    static let filters: [(String, @Sendable (inout Query) -> Void, [Int64])] = [
        ("nothing", { _ in }, [12, 11, 10, 9, 8, 7, 6, 5, 4, 2, 1]),
        (
            "since and until",
            {
                $0.since = date("2026-01-02")
                $0.until = date("2026-01-03")
            }, [6, 5, 4]
        ),
        ("days", { $0.days = 1 }, [12, 11, 10, 9, 8, 7].filter { $0 > 6 }),
        ("text", { $0.search = SearchExpression("ALPHA") }, [11, 9, 7, 5, 1]),
        ("a percent sign is itself", { $0.search = SearchExpression("%") }, [11, 9, 7, 5, 1]),
        ("so is an underscore", { $0.search = SearchExpression("a_s") }, [12, 10, 8, 6, 4, 2]),
        ("reference", { $0.search = SearchExpression("ref11") }, [12]),
        ("notes", { $0.search = SearchExpression("weisung") }, [6]),
        ("status", { $0.statuses = [.needsReview] }, [8]), ("no status", { $0.statuses = [] }, []),
        ("category", { $0.category = "fOOD" }, [6, 5, 4, 2, 1]), ("type", { $0.type = .income }, [9, 5, 1]),
        ("channel", { $0.channel = .card }, []),
        (
            "account",
            {
                $0.account = "4321"
                $0.search = SearchExpression("REF1")
            }, [12, 11, 2]
        ), ("recorder", { $0.recorder = "SMS" }, [10, 7, 4, 1]),
        (
            "amounts",
            {
                $0.amountFrom = 200
                $0.amountTo = 400
            }, [11, 10, 9]
        ), ("currency", { $0.currency = Currency(code: "USD") }, []),
        (
            "upwards",
            {
                $0.isDescending = false
                $0.since = date("2026-01-05")
            }, [9, 10, 11, 12]
        ),
        (
            "by amount",
            {
                $0.sort = .amount
                $0.limit = 3
            }, [1, 2, 4]
        ),
        (
            "by merchant",
            {
                $0.sort = .merchant
                $0.isDescending = false
                $0.limit = 6
            }, [1, 5, 7, 9, 11, 2]
        ),
        (
            "by category",
            {
                $0.sort = .category
                $0.limit = 2
            }, [12, 11]
        ),
        (
            "by confidence",
            {
                $0.sort = .confidence
                $0.limit = 2
            }, [12, 11]
        ),
        (
            "by number",
            {
                $0.sort = .id
                $0.isDescending = false
                $0.limit = 2
            }, [1, 2]
        ),
    ]

    @Test(arguments: filters) func finds(name: String, make: @Sendable (inout Query) -> Void, ids: [Int64]) throws {
        let f = try ledger()
        var query = Query()
        make(&query)
        let page = try f.store.transactions.page(query)
        #expect(page.rows.map(\.id) == ids, "\(name)")
        if query.limit == 100 {
            #expect(page.total == ids.count && page.next == nil)
        } else {
            #expect(page.total == 11 && page.next != nil)
        }
    }

    /// The index alone selects the rows of a page, for any filter: a row of the table is ten times as large.
    @Test func filtersReadTheIndexOnly() throws {
        let store = try ledger().store
        let words =
            "parsed_vendor, notes, reference, vpa, status, currency, transaction_type, amount_minor, category_name, subcategory, channel, account_digits, profile, account_id, recorder, ledger, confidence_score"
        let plan = try store.readDatabase { db in
            try String.fetchAll(
                db,
                sql:
                    "EXPLAIN QUERY PLAN SELECT id, parsed_date, \(words) FROM transactions INDEXED BY transactions_by_date WHERE deleted_at IS NULL AND +id <= 5",
                adapter: SuffixRowAdapter(fromIndex: 3))
        }
        #expect(plan.contains { $0.contains("COVERING INDEX transactions_by_date") }, "\(plan)")
        var query = Query()
        query.search = SearchExpression("a 500 9876 >3 21 Nov merchant:x -bank:hdfc is:noted")
        (query.category, query.subcategory, query.account, query.accountID, query.bank) = (
            "a", "a", "a", "a", "a"
        )
        (query.type, query.channel, query.recorder, query.ledger, query.amountFrom, query.amountTo) = (
            .expense, .upi, "SMS", "a", 1, 1
        )
        (query.currency, query.statuses, query.days) = (.inr, [.confirmed], 1)
        let condition = QueryCondition(query, today: date("2026-01-01"))
        let whole = try store.readDatabase { db in
            try String.fetchAll(
                db,
                sql:
                    "EXPLAIN QUERY PLAN SELECT id FROM transactions INDEXED BY transactions_by_date WHERE \(condition.sql)",
                arguments: condition.arguments, adapter: SuffixRowAdapter(fromIndex: 3))
        }
        #expect(whole.contains { $0.contains("COVERING INDEX transactions_by_date") }, "\(whole)")
        // Parts of split payments are in tables of their own, and rows of payees have an index of their own.
        let parts = [
            "split_transactions", "split_parts", "transaction_id", "part_category", "part_subcategory", "payee_id",
        ]
        let columns = condition.sql.matches(
            of: /[a-z]+_[a-z_]+|currency|subcategory|channel|recorder|ledger|notes|reference|vpa|profile|status/
        ).map { String($0.output) }
        for column in columns {
            #expect(words.contains(column) || (["parsed_date", "deleted_at"] + parts).contains(column), "\(column)")
        }
        #expect(columns.count > 16)
    }

    @Test(arguments: [true, false]) func rowsWithoutAMerchantSortFirst(isDescending: Bool) throws {
        let f = try ledger()
        for _ in 0..<5 {
            try f.store.transactions.add(
                NewTransaction(amount: rupees(1), type: .expense, date: date("2026-01-03")), by: .terminal)
        }
        var query = Query(sort: .merchant, isDescending: isDescending)
        query.since = date("2026-01-01")
        let whole = try f.store.transactions.page(query).rows.map(\.id)
        #expect(
            whole.count == 16
                && (isDescending ? whole.suffix(5) == [17, 16, 15, 14, 13] : whole.prefix(5) == [13, 14, 15, 16, 17]))
        query.limit = 3
        var seen: [Int64] = []
        repeat {
            let page = try f.store.transactions.page(query)
            seen += page.rows.map(\.id)
            query.cursor = page.next
        } while query.cursor != nil && seen.count < 20
        #expect(seen == whole)
    }

    @Test(arguments: Query.Sort.allCases, [true, false]) func pagesDoNotMove(
        sort: Query.Sort, isDescending: Bool
    ) throws {
        let f = try ledger()
        var query = Query(sort: sort, isDescending: isDescending)
        let whole = try f.store.transactions.page(query).rows.map(\.id)
        query.limit = 2
        var seen: [Int64] = []
        var pages = 0
        repeat {
            let page = try f.store.transactions.page(query)
            seen += page.rows.map(\.id)
            #expect(page.total == 11)
            query.cursor = page.next
            pages += 1
            // Rows arrive at every position of every order.
            try f.store.transactions.add(
                NewTransaction(amount: rupees(Int64(pages * 170)), type: .expense, date: date("2026-01-0\(pages)")) {
                    $0.merchant = "beta \(pages)"
                    $0.category = "M"
                }, by: .terminal)
        } while query.cursor != nil && pages < 9
        #expect(seen == whole && pages == 6)
    }

    @Test(arguments: ["x", "00", "646174652d1f39", "646174652d1f391f391f", "ff", String(repeating: "61", count: 3000)])
    func unknownCursorIsRefused(text: String) throws {
        let f = try ledger()
        var query = Query()
        query.cursor = text
        if text != "646174652d1f391f391f391f" {
            #expect(throws: StoreError.self) { try f.store.transactions.page(query) }
        } else {
            _ = try f.store.transactions.page(query)
        }
    }

    @Test func cursorIsValidForItsOrderOnly() throws {
        let f = try ledger()
        var query = Query(limit: 2)
        query.cursor = try f.store.transactions.page(query).next
        query.sort = .amount
        let error = #expect(throws: StoreError.self) { try f.store.transactions.page(query) }
        #expect(error?.kind == .invalid && error?.fields.map(\.field) == ["cursor"])
    }
}
