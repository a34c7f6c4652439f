import Chronology
import GRDB
import Ledger
import Testing

@testable import Store

/// Balances at a date, net worth, cash, and the recorded findings.
@Suite struct BalanceTests {
    private static let clerk = UserAccountTests.clerk

    private static func account(
        _ f: Fixture, _ name: String, _ type: UserAccountType, currency: Currency = .inr, initial: Int64,
        since: String? = nil
    ) throws -> UserAccountRow {
        var edit = UserAccountEdit()
        (edit.name, edit.type, edit.currency, edit.initialBalance) = (name, type, currency, initial)
        if let since { edit.initialDate = .set(date(since)) }
        return try f.store.userAccounts.add(edit, by: clerk)
    }

    @discardableResult
    private static func spend(
        _ f: Fixture, _ minor: Int64, on day: String, from account: Int64, channel: Channel? = nil
    ) throws -> Int64 {
        var new = NewTransaction(amount: rupees(minor), type: .expense, date: date(day))
        (new.userAccountID, new.channel) = (account, channel)
        return try f.store.transactions.add(new, by: clerk).id
    }

    @Test func netWorthFollowsEveryAccountByDay() throws {
        let f = try Fixture()
        let cash = try Self.account(f, "Cash", .cash, initial: 10_000, since: "2026-01-03")
        try Self.spend(f, 2_500, on: "2026-01-05", from: cash.id)
        _ = try f.store.recording.record([UserAccountTests.payment(1, 500, minute: 0, balance: 90_000)])
        let days = try f.store.userAccounts.netWorth(of: DaySpan(days: 4, through: date("2026-01-06")))
        #expect(days.map(\.total.minorUnits) == [10_000, 10_000, 97_500, 97_500])
        #expect(days.map(\.day.description) == ["2026-01-03", "2026-01-04", "2026-01-05", "2026-01-06"])
        // The curve ends at the balances themselves.
        let balances = try f.store.userAccounts.all().map {
            try f.store.userAccounts.position($0.id).balance.minorUnits
        }
        #expect(balances.reduce(0, +) == 97_500)
    }

    @Test func anAmountWithoutARateIsShownBesideTheTotal() throws {
        let f = try Fixture()
        let usd = try #require(Currency(code: "USD"))
        _ = try Self.account(f, "Cash", .cash, initial: 10_000, since: "2026-01-01")
        _ = try Self.account(f, "Broker", .investment, currency: usd, initial: 2_000, since: "2026-01-01")
        func worth() throws -> [NetWorth] {
            try f.store.userAccounts.netWorth(of: DaySpan(days: 2, through: date("2026-01-05")))
        }
        #expect(try worth().map(\.unconverted) == Array(repeating: [Money(minorUnits: 2_000, currency: usd)], count: 2))
        let rate = try #require(
            ExchangeRate(
                day: date("2026-01-05"), base: usd, quote: .inr, billionths: 80_000_000_000, source: .person))
        try f.store.exchangeRates.set(rate, by: Self.clerk)
        #expect(try worth().map(\.total.minorUnits) == [10_000, 170_000])
        #expect(try worth().map(\.unconverted.count) == [1, 0])
        // An import does not replace what a person entered.
        var other = rate
        (other.billionths, other.source) = (81_000_000_000, .rbi)
        #expect(try f.store.exchangeRates.add([other]) == 0)
        #expect(try f.store.exchangeRates.list() == [rate])
        try f.store.exchangeRates.delete(usd, .inr, on: date("2026-01-05"), by: Self.clerk)
        #expect(try f.store.exchangeRates.add([other]) == 1)
        #expect(try f.store.exchangeRates.add([other]) == 0)
    }

    @Test func theAvailableLimitOfACardGivesWhatIsOwed() throws {
        let f = try Fixture()
        var purchase = draft(500, channel: .card, reference: "R1")
        (purchase.balance, purchase.limit) = (nil, rupees(80_000))
        _ = try f.store.recording.record([mail(1, decision(.recorded, purchase))])
        let card = try #require(try f.store.userAccounts.all().first)
        #expect(card.type == .card && !card.hasBalance)
        #expect(
            try f.store.userAccounts.netWorth(of: DaySpan(days: 1, through: date("2026-01-06"))).map(\.total) == [
                rupees(0)
            ])
        var edit = UserAccountEdit()
        edit.creditLimit = .set(100_000)
        _ = try f.store.userAccounts.change(card.id, edit, by: Self.clerk)
        let position = try f.store.userAccounts.position(card.id)
        #expect(position.balance == rupees(-20_000))
        #expect(position.available == rupees(80_000))
        #expect(
            try f.store.userAccounts.netWorth(of: DaySpan(days: 1, through: date("2026-01-06"))).map(\.total) == [
                rupees(-20_000)
            ])
    }

    @Test func aWithdrawalIsATransferIntoCashAndUndoneAsOne() throws {
        let f = try Fixture()
        let cash = try Self.account(f, "Cash", .cash, initial: 0, since: "2026-01-01")
        let bank = try Self.account(f, "Bank", .bank, initial: 50_000, since: "2026-01-01")
        let id = try Self.spend(f, 20_000, on: "2026-01-05", from: bank.id, channel: .atm)
        #expect(try f.store.userAccounts.openWithdrawals(for: cash.id).map(\.id) == [id])
        let made = try f.store.userAccounts.withdraw(id, into: cash.id, by: Self.clerk)
        #expect(try f.store.userAccounts.position(cash.id).balance == rupees(20_000))
        #expect(try f.store.userAccounts.position(bank.id).balance == rupees(30_000))
        #expect(try f.store.transactions.find(id)?.type == .transfer)
        #expect(try f.store.userAccounts.openWithdrawals(for: cash.id) == [])
        // Neither twice, nor into an account that is no cash, nor into the account that it came from.
        #expect(throws: StoreError.self) { try f.store.userAccounts.withdraw(id, into: cash.id, by: Self.clerk) }
        #expect(throws: StoreError.self) { try f.store.userAccounts.withdraw(id, into: bank.id, by: Self.clerk) }
        _ = try f.store.journal.undo(group: made.group, by: Self.clerk)
        #expect(try f.store.userAccounts.position(cash.id).balance == rupees(0))
        #expect(try f.store.transactions.find(id)?.type == .expense)
        #expect(try f.store.userAccounts.openWithdrawals(for: cash.id).map(\.id) == [id])
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func deletingAnAccountKeepsItsRowsAndUndoRestoresIt() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            UserAccountTests.payment(1, 500, minute: 0, balance: 10_000),
            UserAccountTests.payment(2, 700, minute: 5, balance: 9_300),
        ])
        let account = try #require(try f.store.userAccounts.all().first)
        let manual = try Self.spend(f, 100, on: "2026-01-05", from: account.id)
        try f.store.userAccounts.delete(account.id, by: Self.clerk)
        #expect(try f.count("transactions", where: "deleted_at IS NULL AND user_account_id IS NULL") == 3)
        let group = try #require(try f.store.journal.changes(limit: 1).first?.group)
        _ = try f.store.journal.undo(group: group, by: Self.clerk)
        #expect(try f.store.userAccounts.find(account.id)?.numbers == account.numbers)
        #expect(try f.count("transactions", where: "user_account_id = \(account.id)") == 3)
        #expect(try f.store.transactions.find(manual)?.userAccountID == account.id)
        // The next alert of a deleted account makes one again.
        try f.store.userAccounts.delete(account.id, by: Self.clerk)
        _ = try f.store.recording.record([UserAccountTests.payment(3, 300, minute: 9, balance: 9_000)])
        #expect(try f.store.userAccounts.all().map(\.isNew) == [true])
        let deletion = try #require(try f.store.journal.changes(limit: 1).first?.group)
        #expect(throws: StoreError.self) { try f.store.journal.undo(group: deletion, by: Self.clerk) }
        #expect(try f.store.integrityDefects() == [])
    }

    @Test func findingsAreReportedOnceAfterAnHourAndEndWithLateMail() throws {
        let f = try Fixture()
        f.store.announce(NotificationPolicy(kinds: [.balance], maxAge: 400 * 86_400, changed: {}))
        _ = try f.store.recording.record([
            UserAccountTests.payment(1, 500, minute: 0, balance: 10_000),
            UserAccountTests.payment(2, 700, minute: 9, balance: 6_800),
        ])
        func events() throws -> Int { try f.count("notification_events", where: "kind = 'balance'") }
        #expect(try f.store.userAccounts.recordFindings().map(\.findings) == [1])
        #expect(try events() == 0)
        try f.store.writeDatabase {
            try $0.execute(sql: "UPDATE account_findings SET found_at = '2020-01-01T00:00:00Z'")
        }
        #expect(try f.store.userAccounts.recordFindings() == [])
        _ = try f.store.userAccounts.recordFindings()
        #expect(try events() == 1)
        #expect(try f.store.userAccounts.checks().map(\.findings) == [1])
        // The missing mail comes late.
        _ = try f.store.recording.record([UserAccountTests.payment(3, 2_500, minute: 5, balance: 7_500)])
        #expect(try f.store.userAccounts.recordFindings().map(\.findings) == [0])
        #expect(try f.store.userAccounts.checks().map(\.findings) == [0])
        #expect(try events() == 1)
    }

    @Test func statisticsCountOneAccountOrCategory() throws {
        let f = try Fixture()
        let cash = try Self.account(f, "Cash", .cash, initial: 0)
        let bank = try Self.account(f, "Bank", .bank, initial: 0)
        try Self.spend(f, 100, on: "2026-01-05", from: cash.id)
        try Self.spend(f, 250, on: "2026-02-05", from: cash.id)
        try Self.spend(f, 900, on: "2026-02-06", from: bank.id)
        let span = DaySpan(days: 60, through: date("2026-02-20"))
        let statistics = f.store.statistics
        #expect(try statistics.totals(of: span).map(\.spent.minorUnits) == [1_250])
        let filter = Statistics.Filter(account: cash.id)
        #expect(try statistics.totals(of: span, filter).map(\.spent.minorUnits) == [350])
        #expect(try statistics.totals(of: span, .init(category: "uncategorized")).map(\.spent.minorUnits) == [1_250])
        #expect(try statistics.totals(of: span, .init(account: bank.id, category: "Food")) == [])
        #expect(try statistics.spendByCategory(of: span, in: .inr, filter).map(\.spent.minorUnits) == [350])
        #expect(
            try statistics.spendOverTime(of: span, in: .inr, by: .month, filter).map(\.spent.minorUnits) == [
                0, 100, 250,
            ])
        func groups(_ by: Statistics.Grouping, _ filter: Statistics.Filter = .all) throws -> [String] {
            try statistics.groups(of: span, in: .inr, by: by, filter).map { "\($0.key) \($0.spent.minorUnits)" }
        }
        #expect(try groups(.account) == ["Bank 900", "Cash 350"])
        #expect(try groups(.month) == ["2026-01 100", "2026-02 1150"])
        #expect(try groups(.week) == ["2026-01-05 100", "2026-02-02 1150"])
        #expect(try groups(.month, filter) == ["2026-01 100", "2026-02 250"])
        for grouping in Statistics.Grouping.allCases { #expect(try !groups(grouping).isEmpty, "\(grouping)") }
    }
}
