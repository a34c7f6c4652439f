import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Notices and recurring items as one list with their payments. Today is 2026-01-05.
@Suite struct DueRowsTests {
    static let asha = Actor(.page, "asha")

    static func notice(
        _ kind: BankNotice.Kind, _ minor: Int64, on day: String, account: String = "4321", merchant: String? = nil,
        minimum: Int64? = nil
    ) -> Decision {
        var decision = Decision(
            .ignored, by: Decision.Source(profile: "hdfc", template: "hdfc/notice", isAuthentic: true))
        var notice = BankNotice(kind)
        (notice.amount, notice.minimum) = (rupees(minor), minimum.map(rupees))
        (notice.account, notice.merchant, notice.date) = (account, merchant, date(day))
        decision.notice = notice
        return decision
    }

    @Test func aMandateIsSettledByItsDebit() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            mail(1, Self.notice(.mandate, 64_900, on: "2026-01-05", merchant: "Netflix")),
            mail(2, Self.notice(.mandate, 64_900, on: "2026-01-05", merchant: "Netflix")),
            mail(3, Self.notice(.mandate, 19_900, on: "2026-01-07", merchant: "Spotify")),
            mail(4, Self.notice(.mandate, 10_000, on: "2025-12-20", merchant: "Gym")),
            mail(5, Self.notice(.mandate, 50_000, on: "2026-01-04", merchant: "Broadband Co")),
        ])
        _ = try f.store.recording.record([
            mail(6, decision(.recorded, draft(64_900, on: "2026-01-05", merchant: "NETFLIX.COM", reference: "R6"))),
            mail(7, decision(.recorded, draft(55_000, on: "2026-01-04", merchant: "BROADBAND CO", reference: "R7"))),
        ])
        let rows = try f.store.dues.list()
        #expect(rows.map(\.title) == ["Gym", "Broadband Co", "Netflix", "Spotify"], "a repeated notice is one")
        #expect(rows.map(\.item.state) == [.missed, .differs, .settled, .upcoming])
        #expect(rows[3].item.suffices == true, "the alerts print a balance of ₹10,000.00")
        #expect(rows[1].item.due.amount == rupees(50_000) && rows[1].item.paid == 55_000)
    }

    @Test func ofMoreMovementsThanAreSearchedTheNewestAre() throws {
        let f = try Fixture()
        _ = try f.store.recording.record(
            (1...5).map { day in
                mail(
                    day,
                    decision(.recorded, draft(10_000, on: "2026-01-0\(day)", merchant: "GYM", reference: "R\(day)")))
            })
        let span = try #require(DaySpan("2026-01-01", through: "2026-01-04"))
        let days = try [2, 9].map { count in
            try f.store.readDatabase { try DueMovements.newest(count, of: span, $0).map(\.day.day) }
        }
        #expect(days == [[4, 3], [4, 3, 2, 1]])
    }

    /// The forecast begins with what the accounts have, and needs one whose balance is known.
    @Test func cashAheadBeginsWithTheBalances() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            mail(1, Self.notice(.mandate, 19_900, on: "2026-01-07", merchant: "Spotify"))
        ])
        #expect(try f.store.dues.outlook(DueRange(ahead: 3)).cash == nil)
        var cash = UserAccountEdit()
        (cash.name, cash.type) = ("Purse", .cash)
        (cash.initialBalance, cash.initialDate) = (50_000, .set(date("2026-01-01")))
        _ = try f.store.userAccounts.add(cash, by: Self.asha)
        let forecast = try #require(try f.store.dues.outlook(DueRange(ahead: 3)).cash)
        #expect(forecast.days.map(\.balance.minorUnits) == [50_000, 50_000, 30_100, 30_100])
        #expect(forecast.days.first?.day == f.store.today)
    }

    @Test func aBillIsOfItsCardAndAReminderIsNoSecondBill() throws {
        let f = try Fixture()
        let paid = draft(1_000, type: .transfer, on: "2026-01-02", merchant: nil, account: "9876", reference: "R1")
        _ = try f.store.recording.record([
            mail(1, Self.notice(.bill, 120_000, on: "2026-01-20", account: "9876", minimum: 6_000)),
            mail(2, Self.notice(.bill, 119_000, on: "2026-01-20", account: "9876")),
            mail(3, decision(.recorded, paid)),
            mail(
                4,
                decision(
                    .recorded,
                    draft(60_000, type: .transfer, on: "2026-01-05", merchant: nil, account: "9876", reference: "R2"))),
        ])
        let row = try #require(try f.store.dues.list().first)
        #expect(try f.store.dues.list().count == 1)
        #expect(row.item.due.amount == rupees(120_000) && row.item.state == .partlySettled)
        #expect(row.item.paid == 60_000, "a payment before the mail is of the bill before")
        #expect(row.title == row.accountName && row.accountName != nil)
    }

    /// - Parameter title: the only card of the bank, or else the bank.
    @Test(arguments: [(["9876"], "HDFC Bank ··9876"), (["9876", "5432"], "HDFC Bank")] as [([String], String)])
    func aBillWithoutDigitsIsOfTheOnlyCard(cards: [String], title: String) throws {
        let f = try Fixture()
        let spends = cards.enumerated().map { index, digits in
            var draft = draft(1_000, channel: .card, on: "2026-01-02", account: digits, reference: "S\(index)")
            draft.balance = nil
            return mail(UInt32(index + 10), decision(.recorded, draft))
        }
        let paid = draft(120_000, type: .transfer, on: "2026-01-05", merchant: nil, account: "9876", reference: "R2")
        var bill = Self.notice(.bill, 120_000, on: "2026-01-20", account: "9876")
        bill.notice?.account = nil
        _ = try f.store.recording.record(spends + [mail(1, bill), mail(4, decision(.recorded, paid))])
        let row = try #require(try f.store.dues.list().first)
        #expect(row.title == title)
        #expect(row.item.state == (cards.count == 1 ? .settled : .upcoming))
    }

    @Test func whatAPersonLinksFitsTheDueAndCountsOnAnyDay() throws {
        let f = try Fixture()
        let usd = try #require(Currency(code: "USD"))
        _ = try f.store.recording.record([
            mail(1, decision(.recorded, draft(64_900, on: "2025-09-01", merchant: "NF", reference: "R1"))),
            mail(2, decision(.recorded, draft(64_900, type: .income, reference: "R2"))),
            mail(3, decision(.recorded, draft(64_900, reference: "R3", currency: usd))),
            mail(4, Self.notice(.mandate, 64_900, on: "2026-01-03", merchant: "Netflix")),
        ])
        let due = try #require(try f.store.dues.list().first).item.due.id
        for transaction in [2, 3] as [Int64] {
            #expect(throws: StoreError.self) {
                try f.store.dues.link(due, to: transaction, settles: true, by: .terminal)
            }
        }
        try f.store.dues.link(due, to: 1, settles: true, by: .terminal)
        #expect(try f.store.dues.list().first?.item.state == .settled, "months before the due")
    }

    /// A bill whose mail names no due day is due until it is paid, and a mail with the day takes its place.
    @Test func aBillWithoutADayIsDue() throws {
        let f = try Fixture()
        var undated = Self.notice(.bill, 120_000, on: "2026-01-01", account: "9876")
        undated.notice?.date = nil
        let purchase = draft(1_000, on: "2026-01-02", account: "9876", reference: "R1")
        _ = try f.store.recording.record([
            mail(1, undated, sent: 1_767_400_000), mail(2, undated, sent: 1_767_500_000),
            mail(3, decision(.recorded, purchase)),
        ])
        let row = try #require(try f.store.dues.list().first)
        #expect(try f.store.dues.list().count == 1, "a reminder is no second bill")
        #expect(!row.item.due.hasDay && row.item.state == .due && row.item.due.day == "2026-01-03")
        _ = try f.store.recording.record([mail(4, Self.notice(.bill, 120_000, on: "2026-01-20", account: "9876"))])
        let dated = try f.store.dues.list()
        #expect(dated.count == 1 && dated[0].item.due.hasDay && dated[0].item.state == .upcoming)
        let paid = draft(120_000, type: .transfer, on: "2026-01-05", merchant: nil, account: "9876", reference: "R2")
        _ = try f.store.recording.record([mail(5, decision(.recorded, paid))])
        #expect(try f.store.dues.list().map(\.item.state) == [.settled])
    }

    @Test func aPersonLinksAndRefusesAndUndoes() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            mail(1, Self.notice(.mandate, 64_900, on: "2026-01-05", merchant: "Netflix")),
            mail(2, decision(.recorded, draft(64_900, on: "2026-01-05", merchant: "NETFLIX", reference: "R2"))),
        ])
        let due = try #require(try f.store.dues.list().first).item
        #expect(due.state == .settled)
        let payment = try #require(due.payments.first).transaction
        let group = LedgerChange.newGroup()
        try f.store.dues.link(due.due.id, to: payment, settles: false, by: Self.asha, group: group)
        #expect(try f.store.dues.list().map(\.item.state) == [.due])
        try f.store.journal.undo(group: group, by: Self.asha)
        #expect(try f.store.dues.list().map(\.item.state) == [.settled])
        try f.store.dues.link(due.due.id, to: payment, settles: true, by: Self.asha)
        #expect(try f.store.dues.list().first?.item.payments.first?.byPerson == true)
        #expect(throws: StoreError.self) {
            try f.store.dues.link("notice:99", to: payment, settles: true, by: Self.asha)
        }
        #expect(throws: StoreError.self) { try f.store.dues.link(due.due.id, to: 99, settles: true, by: Self.asha) }
    }

    @Test func anAnnouncedDebitTakesThePlaceOfTheRecurringItem() throws {
        let f = try Fixture()
        var item = try RecurringPostingTests.item("FREQ=MONTHLY;BYMONTHDAY=7", mode: .expected, name: "Netflix")
        item.amount = rupees(64_900)
        try f.store.recurring.add(item, by: Self.asha)
        _ = try f.store.recording.record([
            mail(1, Self.notice(.mandate, 64_900, on: "2026-01-08", merchant: "NETFLIX.COM"))
        ])
        let rows = try f.store.dues.list(DueRange(back: 10, ahead: 20))
        #expect(rows.map(\.item.due.kind) == [.mandate])
    }

    @Test func eachOccasionIsReportedOnce() throws {
        let f = try Fixture()
        f.store.announce(NotificationPolicy(kinds: [.due], maxAge: 86_400, changed: {}))
        _ = try f.store.recording.record([
            mail(1, Self.notice(.mandate, 64_900, on: "2026-01-07", merchant: "Netflix")),
            mail(2, Self.notice(.mandate, 64_900, on: "2026-01-20", merchant: "Gym")),
        ])
        #expect(try f.store.dues.announce(daysAhead: 3, details: \.title) == 1)
        #expect(try f.store.dues.announce(daysAhead: 3, details: \.title) == 0)
        #expect(try f.value("SELECT details FROM notification_events") == "Netflix")
        f.clock.advance(7 * 86_400)
        #expect(try f.store.dues.announce(daysAhead: 3, details: \.title) == 1, "the debit did not come")
        #expect(try f.store.dues.announce(daysAhead: 3, details: \.title) == 0)
    }
}
