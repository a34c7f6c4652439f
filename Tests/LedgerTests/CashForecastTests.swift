import Chronology
import ChronologyFixture
import Testing

@testable import Ledger

/// The cash of the days to come.
@Suite struct CashForecastTests {
    private static let today: CalendarDate = "2026-03-01"

    private static func item(
        _ minor: Int64, on day: CalendarDate, account: Int64? = DueSettlementTests.bank, isIncome: Bool = false,
        _ currency: Currency = .inr
    ) -> DueItem {
        var due = Due(
            .recurring, id: "recurring:\(minor):\(day)", payee: "x",
            amount: Money(minorUnits: minor, currency: currency), since: day, day: day)
        (due.account, due.isIncome) = (account, isIncome)
        return DueItem(due: due, payments: [], state: .upcoming)
    }

    private static func forecast(
        _ balances: [Money], _ items: [DueItem], _ rates: [ExchangeRate] = []
    ) throws -> CashForecast {
        CashForecast(
            from: balances, in: .inr, items, cards: [DueSettlementTests.card],
            of: try #require(DaySpan(today, through: "2026-03-05")), RateTable(rates))
    }

    @Test func eachDueChangesTheBalanceOnItsDay() throws {
        var late = Self.item(1_000, on: "2026-02-20")
        late.state = .overdue
        var paid = Self.item(7_777, on: "2026-03-02")
        paid.state = .settled
        let found = try Self.forecast(
            [Money(minorUnits: 10_000, currency: .inr)],
            [
                Self.item(500, on: "2026-03-05", isIncome: true), Self.item(12_000, on: "2026-03-03"), late, paid,
                Self.item(2_000, on: "2026-03-04", account: DueSettlementTests.card),
                Self.item(9_999, on: "2026-03-06"),
            ])
        #expect(found.days.map(\.balance.minorUnits) == [9_000, 9_000, -3_000, -3_000, -2_500])
        #expect(found.lowest.day == "2026-03-03" && found.lowest.balance.minorUnits == -3_000)
        #expect(found.unconverted.isEmpty)
    }

    /// The bill of a card is paid from cash, with what is left of it.
    @Test func aBillCounts() throws {
        var bill = DueItem(
            due: DueSettlementTests.bill(5_000, due: "2026-03-02", since: "2026-02-10"), payments: [], state: .upcoming)
        bill.payments = [
            .init(transaction: 1, amount: DueSettlementTests.money(2_000), day: "2026-02-20", byPerson: false)
        ]
        let found = try Self.forecast([Money(minorUnits: 10_000, currency: .inr)], [bill])
        #expect(found.days.map(\.balance.minorUnits) == [10_000, 7_000, 7_000, 7_000, 7_000])
    }

    @Test func currenciesAreConvertedOrListed() throws {
        let (dollar, euro) = (try #require(Currency(code: "USD")), try #require(Currency(code: "EUR")))
        let rate = try #require(
            ExchangeRate(day: "2026-02-28", base: dollar, quote: .inr, billionths: 80_000_000_000, source: .person))
        let found = try Self.forecast(
            [Money(minorUnits: 100, currency: dollar), Money(minorUnits: 300, currency: euro)],
            [Self.item(50, on: "2026-03-02", dollar), Self.item(100, on: "2026-03-02", euro)], [rate])
        #expect(found.days.map(\.balance.minorUnits) == [8_000, 4_000, 4_000, 4_000, 4_000])
        #expect(found.unconverted == [Money(minorUnits: 200, currency: euro)])
    }
}
