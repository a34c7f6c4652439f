import Chronology
import GRDB
import Ledger
import Testing

@testable import Store

/// Balance at a date and net worth over 100,000 rows. Prints milliseconds: `swift test --filter BookTimingTests`.
@Suite struct BookTimingTests {
    static let rows = 100_000

    /// Ten accounts and five years, a part of the rows with a printed balance.
    private static func ledger(printing part: Int) throws -> Fixture {
        let f = try Fixture()
        try f.store.writeDatabase { db in
            for account in 1...10 {
                try db.execute(
                    sql: """
                        INSERT INTO user_accounts (name, type, currency, confirmed_at, created_at, updated_at)
                        VALUES ('Account \(account)', 'bank', 'INR', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
                        """)
            }
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                    INSERT INTO transactions (category_name, currency, amount_minor, recorder, parsed_date, parsed_vendor, transaction_type, status,
                      created_at, updated_at, occurred_at, user_account_id, balance_minor, balance_currency)
                    SELECT 'Uncategorized', 'INR', 100 + i % 977, 'Manual', date('2021-01-01', (i % 1826) || ' days'), 'Shop ' || i % 300,
                      iif(i % 9 = 0, 'income', iif(i % 31 = 0, 'transfer', 'expense')), 'confirmed', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z',
                      date('2021-01-01', (i % 1826) || ' days') || 'T06:30:00Z', 1 + i % 10,
                      iif(?2 > 0 AND i % ?2 = 0, 1000000 + i, NULL), iif(?2 > 0 AND i % ?2 = 0, 'INR', NULL)
                    FROM n
                    """, arguments: [rows, part])
        }
        return f
    }

    /// - Parameter part: one row in `part` prints a balance; 0: none does.
    @Test(arguments: [0, 2]) func balancesAndNetWorth(part: Int) throws {
        let f = try Self.ledger(printing: part)
        let clock = ContinuousClock()
        func milliseconds(_ name: String, _ body: () throws -> Void) rethrows {
            let best = try (0..<3).map { _ in try clock.measure { try body() } }.min() ?? .zero
            print(
                "\(name), \(Self.rows) rows, \(part == 0 ? "no" : "half the") balances printed: \(best / .milliseconds(1)) ms"
            )
        }
        var position: AccountPosition?
        try milliseconds("balance at a date") {
            position = try f.store.userAccounts.position(1, on: date("2023-06-30"))
        }
        var month: [NetWorth] = []
        let today = date("2025-12-31")
        try milliseconds("net worth of 31 days") {
            month = try f.store.userAccounts.netWorth(of: DaySpan(days: 31, through: today))
        }
        var curve: [NetWorth] = []
        try milliseconds("net worth of 5 years") {
            curve = try f.store.userAccounts.netWorth(of: DaySpan(days: 1826, through: today))
        }
        try milliseconds("continuity check of all accounts, 400 days") {
            _ = try f.store.userAccounts.recordFindings()
        }
        #expect(curve.count == 1826 && month.count == 31)
        // Invented balances contradict each other, so that they depend on the first row that is read.
        guard part == 0 else { return }
        #expect(curve.suffix(31) == month[...], "the curves agree")
        let day = try #require(curve.first { $0.day == date("2023-06-30") })
        var sum: Int64 = 0
        for account in try f.store.userAccounts.all() {
            sum += try f.store.userAccounts.position(account.id, on: day.day).balance.minorUnits
        }
        #expect(sum == day.total.minorUnits && position != nil)
    }
}
