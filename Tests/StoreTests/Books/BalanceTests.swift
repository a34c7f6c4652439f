import Chronology
import ChronologyFixture
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
        let entered = try #require(try f.store.exchangeRates.set(rate, by: Self.clerk))
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
        // Undoing the entry is refused: another rate has its place.
        #expect(throws: StoreError.self) { try f.store.journal.undo(group: entered, by: Self.clerk) }
    }

    @Test func aRateIsUndone() throws {
        let f = try Fixture()
        let usd = try #require(Currency(code: "USD"))
        func rate(_ units: Int64) throws -> ExchangeRate {
            try #require(
                ExchangeRate(
                    day: date("2026-01-05"), base: usd, quote: .inr, billionths: units * 1_000_000_000, source: .person)
            )
        }
        func units() throws -> [Int64] { try f.store.exchangeRates.list().map { $0.billionths / 1_000_000_000 } }
        let first = try #require(try f.store.exchangeRates.set(try rate(80), by: Self.clerk))
        let second = try #require(try f.store.exchangeRates.set(try rate(81), by: Self.clerk))
        #expect(try f.store.exchangeRates.set(try rate(81), by: Self.clerk) == nil, "nothing changed")
        let gone = try f.store.exchangeRates.delete(usd, .inr, on: date("2026-01-05"), by: Self.clerk)
        #expect(try units() == [])
        try f.store.journal.undo(group: gone, by: Self.clerk)
        #expect(try units() == [81])
        #expect(throws: StoreError.self) { try f.store.journal.undo(group: first, by: Self.clerk) }
        try f.store.journal.undo(group: second, by: Self.clerk)
        #expect(try units() == [80])
        try f.store.journal.undo(group: first, by: Self.clerk)
        #expect(try units() == [])
    }

    /// The two amounts of a payment abroad are a rate; what a person entered or imported comes first.
    @Test func aPaymentAbroadStatesARate() throws {
        let f = try Fixture()
        let usd = try #require(Currency(code: "USD"))
        func payment(_ uid: UInt32, _ outcome: Outcome, _ minor: Int64, _ foreign: Int64) -> MailEntry {
            var draft = draft(minor, channel: .card, reference: "R\(uid)")
            draft.foreign = Money(minorUnits: foreign, currency: usd)
            return mail(uid, decision(outcome, draft))
        }
        _ = try f.store.recording.record([payment(1, .review, 900_000, 10_000)])
        #expect(try f.store.exchangeRates.list() == [], "a draft books nothing")
        _ = try f.store.recording.record([payment(2, .recorded, 270_640, 3_180)])
        let stated = try #require(try f.store.exchangeRates.list().first)
        #expect(
            (stated.base, stated.quote, stated.source, stated.decimal) == (usd, .inr, .mail, "85.106918239"))
        var imported = stated
        (imported.billionths, imported.source) = (84_000_000_000, .ecb)
        #expect(try f.store.exchangeRates.add([imported]) == 1)
        _ = try f.store.recording.record([payment(3, .recorded, 100_000, 1_000)])
        #expect(try f.store.exchangeRates.list() == [imported])
    }

    private static func notice(
        _ uid: UInt32, _ kind: BankNotice.Kind, _ minor: Int64, on day: String?, at time: String? = nil,
        sent: UnixTime
    ) -> MailEntry {
        var decision = Decision(
            .ignored, by: Decision.Source(profile: "hdfc", template: "hdfc/balance", isAuthentic: true))
        var notice = BankNotice(kind)
        (notice.amount, notice.account) = (rupees(minor), "4321")
        (notice.date, notice.time) = (day.map(date), time.flatMap(TimeOfDay.init(iso:)))
        decision.notice = notice
        return mail(uid, decision, sent: sent)
    }

    /// 1_767_600_000 is 13:30 in India.
    @Test func aBalanceMailIsAnObservation() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            UserAccountTests.payment(1, 500, minute: 0, balance: 10_000),
            Self.notice(2, .balance, 8_000, on: "2026-01-05", sent: 1_767_603_600),
        ])
        let account = try #require(try f.store.userAccounts.all().first)
        let position = try f.store.userAccounts.position(account.id)
        #expect(position.balance == rupees(8_000) && position.movements == 0)
        #expect(position.basis == .printed(.notice(1), at: UnixTime(seconds: 1_767_603_600)))
        let gap = try #require(try f.store.userAccounts.continuity(account.id).findings.first)
        #expect(gap.gap == -2_000 && AccountMovement.evidence(gap.to) == .notice(1))
        #expect(try f.store.userAccounts.noticeMails(of: [gap]).count == 1)
        // The lost alert arrives.
        _ = try f.store.recording.record([UserAccountTests.payment(3, 2_000, minute: 5, balance: nil)])
        #expect(try f.store.userAccounts.continuity(account.id).findings == [])
        #expect(try f.store.userAccounts.position(account.id).balance == rupees(8_000))
        // A movement after the notice counts from it.
        _ = try f.store.recording.record([UserAccountTests.payment(4, 300, minute: 90, balance: nil)])
        #expect(try f.store.userAccounts.position(account.id).balance == rupees(7_700))
        #expect(
            try f.store.userAccounts.netWorth(of: DaySpan(days: 2, through: date("2026-01-06"))).map(\.total) == [
                rupees(7_700), rupees(7_700),
            ])
    }

    @Test(
        arguments: [
            // A day alone is its end if the mail was sent later, and the instant of the mail otherwise.
            ("2026-01-05", nil, 1_767_657_600, 7_700), ("2026-01-05", nil, 1_767_601_000, 7_700 - 300),
            ("2026-01-05", "13:35:00", 1_767_657_600, 7_700 - 300), (nil, nil, 1_767_601_000, 7_700 - 300),
        ] as [(String?, String?, Int64, Int64)])
    func aNoticeIsOfItsInstant(day: String?, time: String?, sent: Int64, balance: Int64) throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            UserAccountTests.payment(1, 500, minute: 0, balance: nil),
            UserAccountTests.payment(2, 300, minute: 60, balance: nil),
            Self.notice(3, .balance, 7_700, on: day, at: time, sent: UnixTime(seconds: sent)),
        ])
        let account = try #require(try f.store.userAccounts.all().first)
        #expect(try f.store.userAccounts.position(account.id).balance == rupees(balance))
    }

    /// Banks print four digits of an account in one mail and six in another.
    @Test(arguments: [("204321", 8_000), ("994321", 8_000), ("20432", 10_000)] as [(String, Int64)])
    func aNoticeIsOfTheOnlyAccountWithItsLastDigits(digits: String, balance: Int64) throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            UserAccountTests.payment(1, 500, minute: 0, balance: 10_000, account: digits),
            Self.notice(2, .balance, 8_000, on: nil, sent: 1_767_603_600),
        ])
        let account = try #require(try f.store.userAccounts.all().first)
        #expect(try f.store.userAccounts.position(account.id).balance == rupees(balance))
        // With a second account of these digits, it is not known which one is meant.
        _ = try f.store.recording.record([
            UserAccountTests.payment(3, 500, minute: 0, balance: 10_000, account: "554321")
        ])
        let second = digits == "20432" ? rupees(8_000) : rupees(10_000)
        #expect(try f.store.userAccounts.position(account.id).balance == rupees(10_000))
        let other = try #require(try f.store.userAccounts.all().first { $0.id != account.id })
        #expect(try f.store.userAccounts.position(other.id).balance == second)
    }

    @Test func aLimitMailIsWhatACardHasLeft() throws {
        let f = try Fixture()
        var purchase = draft(500, channel: .card, reference: "R1")
        (purchase.balance, purchase.limit) = (nil, rupees(80_000))
        _ = try f.store.recording.record([
            mail(1, decision(.recorded, purchase)),
            Self.notice(2, .limit, 79_000, on: nil, sent: 1_767_700_000),
        ])
        let card = try #require(try f.store.userAccounts.all().first)
        #expect(try f.store.userAccounts.position(card.id).available == rupees(79_000))
        #expect(try f.store.userAccounts.position(card.id).movements == 1)
        var edit = UserAccountEdit()
        edit.creditLimit = .set(100_000)
        _ = try f.store.userAccounts.change(card.id, edit, by: Self.clerk)
        #expect(try f.store.userAccounts.position(card.id).balance == rupees(-21_000))
    }

    /// Without printed balances SQLite adds up: transfers in both directions, other currencies, an initial day.
    @Test func movementsWithoutPrintedBalancesAddUp() throws {
        let f = try Fixture()
        let usd = try #require(Currency(code: "USD"))
        let bank = try Self.account(f, "Bank", .bank, initial: 50_000, since: "2026-01-03")
        let cash = try Self.account(f, "Cash", .cash, initial: 0)
        try Self.spend(f, 99_999, on: "2026-01-02", from: bank.id)
        let withdrawal = try Self.spend(f, 20_000, on: "2026-01-04", from: bank.id, channel: .atm)
        _ = try f.store.userAccounts.withdraw(withdrawal, into: cash.id, by: Self.clerk)
        var abroad = NewTransaction(
            amount: Money(minorUnits: 700, currency: usd), type: .expense, date: date("2026-01-05"))
        abroad.userAccountID = bank.id
        try f.store.transactions.add(abroad, by: Self.clerk)
        for (merchant, minor) in [("Kin", 1_000), (nil, 400)] as [(String?, Int64)] {
            var moved = NewTransaction(amount: rupees(minor), type: .transfer, date: date("2026-01-05"))
            (moved.userAccountID, moved.merchant) = (bank.id, merchant)
            try f.store.transactions.add(moved, by: Self.clerk)
        }
        let position = try f.store.userAccounts.position(bank.id)
        #expect(position.balance == rupees(50_000 - 20_000 - 1_000 + 400) && position.movements == 4)
        #expect(position.foreign == [Money(minorUnits: -700, currency: usd)])
        #expect(try f.store.userAccounts.position(cash.id).balance == rupees(20_000))
        let days = try f.store.userAccounts.netWorth(of: DaySpan(days: 4, through: date("2026-01-05")))
        #expect(days.map(\.total.minorUnits) == [-99_999, 50_000, 50_000, 49_400])
        #expect(days.last?.unconverted == [Money(minorUnits: -700, currency: usd)])
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
