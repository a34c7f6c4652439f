import Chronology
import ChronologyFixture
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// What the overview shows of dues, budgets, balances and their gaps.
@Suite struct StandingPageTests {
    private func day(_ site: PageSite, _ days: Int) -> CalendarDate {
        CalendarDate(daysSince1970: site.store.today.daysSince1970 + days)
    }

    /// Alerts that print balances between which a payment is missing.
    func gap(_ site: PageSite) throws {
        for (uid, balance) in [(91, 1_000_000), (92, 680_000)] as [(UInt32, Int64)] {
            var draft = TransactionDraft(
                amount: Money(minorUnits: 70_000, currency: .inr), type: .expense, channel: .upi,
                date: day(site, 90 - Int(uid)), occurredAt: UnixTime(day(site, 90 - Int(uid))) + 16_200)
            (draft.merchant, draft.account, draft.reference) = ("SHOP", "8811", "B\(uid)")
            draft.balance = Money(minorUnits: balance, currency: .inr)
            draft.time = TimeOfDay(hour: 10, minute: 0, second: 0)
            let decision = Decision(
                .book(draft),
                by: Decision.Source(
                    profile: "example", bank: "Example Bank", version: "1", template: "example/paid",
                    authentication: "pass: genuine by dmarc", isAuthentic: true), confidence: 0.95)
            let entry = MailEntry(
                at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: uid), decision
            ) {
                $0.messageID = "<\(uid)@bank.example>"
                $0.contentDigest = [UInt8(uid), 3]
                $0.receivedAt = UnixTime(day(site, 90 - Int(uid))) + 16_200
            }
            try site.store.recording.record([entry])
        }
        try site.store.userAccounts.recordFindings()
    }

    private func filled() throws -> PageSite {
        let site = try PageSite()
        try fill(site)
        return site
    }

    func fill(_ site: PageSite) throws {
        try site.store.categories.add(name: "Food")
        let paid = try site.record(901, merchant: "BIG BAZAAR", 85_000)
        var edit = TransactionEdit()
        edit.category = "Food"
        _ = try site.store.transactions.change(paid, edit, by: .terminal)
        try site.store.budgets.add(
            NewBudget(
                category: "Food",
                budget: Budget(
                    amount: Money(minorUnits: 100_000, currency: .inr), period: .year, rollsOver: false,
                    start: "2020-01-01")), by: .terminal)
        var rent = RecurringItem(
            name: "Rent <b>", amount: Money(minorUnits: 1_500_000, currency: .inr),
            rule: try RecurrenceRule("FREQ=MONTHLY"), start: day(site, 5))
        rent.mode = .expected
        try site.store.recurring.add(rent, by: .terminal)
        var cash = UserAccountEdit()
        (cash.name, cash.type) = ("Purse", .cash)
        (cash.initialBalance, cash.initialDate) = (1_234_500, .set(day(site, -1)))
        _ = try site.store.userAccounts.add(cash, by: .terminal)
    }

    @Test func theOverviewShowsWhatIsDueBudgetedAndOwned() async throws {
        let site = try filled()
        try gap(site)
        let page = try await site.ask { try await $0.page("/") }.words
        for words in [
            "<a href=\"/app/dues#open\"><span class=\"name\">Rent &lt;b&gt;</span><span class=\"num\">₹15,000.00</span>",
            DayText.text(day(site, 5)), "₹850.00 of ₹1,000.00", "<strong>Almost spent</strong>", "85 % spent",
            "<span class=\"name\">Purse</span><span class=\"num\">₹12,345.00</span>", "Together",
            "Balances that do not add up", "#gaps\"><span class=\"name\">", "<span class=\"num\">1 gap</span>",
            "A movement between two printed balances is missing or wrong.",
        ] { #expect(page.contains(words), "\(words)\n\(page)") }
        // The state of today belongs to the present period only.
        let past = try await site.ask { try await $0.page("/?period=2020-01") }.words
        #expect(!past.contains("Rent") && !past.contains("Purse") && !past.contains("Almost spent"))
        #expect(page.utf8.count < 60_000)
    }

    @Test func nothingIsShownWithoutAny() async throws {
        let site = try PageSite()
        try site.record(1, merchant: "CAFE MOON")
        let page = try await site.ask { try await $0.page("/") }.words
        for id in ["dues", "budgets", "balances", "gaps"] { #expect(!page.contains("id=\"\(id)\""), "\(id)") }
    }

    /// What was late long ago hides neither the newest nor what comes next.
    @Test func theNextDuesAreShownBesideLateOnes() throws {
        let site = try filled()
        for number in 1...6 {
            let item = RecurringItem(
                name: "Missed \(number)", amount: Money(minorUnits: 10_000, currency: .inr),
                rule: try RecurrenceRule("FREQ=YEARLY"), start: day(site, -30 + number))
            try site.store.recurring.add(item, by: .terminal)
        }
        let standing = try site.store.userAccounts.standing()
        #expect(standing.dues.map(\.title) == ["Missed 5", "Missed 6", "Rent <b>"])
        #expect(standing.allDues == 7)
    }
}
