import Chronology
import ChronologyFixture
import Foundation
import HTTPTypes
import HummingbirdTesting
import Ledger
import NIOCore
import Store
import Testing

@testable import Web

/// Periods on the pages that show one, and the statistics.
@Suite struct StatisticsPageTests {
    /// Payments of October and September 2025, and before.
    static func site() throws -> PageSite {
        let site = try PageSite()
        try site.store.categories.seed([CategorySeed(name: "Food"), CategorySeed(name: "Home")])
        try site.record(1, merchant: "LAMPS", 30_000, on: "2025-10-05")
        try site.record(2, merchant: "LAMPS", 20_000, on: "2025-09-07")
        try site.record(3, merchant: "SALARY", 90_000, on: "2025-10-01", type: .income)
        try site.record(4, merchant: "OLD", 10_000, on: "2024-10-09")
        try site.record(5, merchant: "OLD", 10_000, on: "2023-01-09")
        return site
    }

    static func page(_ path: String) async throws -> String {
        let answer = try await site().ask { try await $0.page(path) }
        #expect(answer.status == .ok)
        // Forbidden by the content security policy.
        #expect(!answer.words.contains(" style=\"") && !answer.words.contains("<style"))
        return answer.words
    }

    @Test(arguments: [
        ("/?period=2025-10", "<strong>Oct 2025</strong>", "₹300.00"),
        ("/?period=2025-q4", "<strong>Q4 2025</strong>", "₹300.00"),
        ("/?period=fy2025", "<strong>FY 2025–26</strong>", "₹500.00"),
        ("/?period=2025-W40", "<strong>Week 40, 29 Sep to 5 Oct 2025</strong>", "₹300.00"),
        ("/?period=2025-09-08..2025-10-07", "<strong>8 Sep to 7 Oct 2025</strong>", "₹300.00"),
        (
            "/app/statistics?period=2025-10", "<strong>Oct 2025</strong>",
            "Spent ₹300.00, 50 % more than ₹200.00 in Sep 2025."
        ),
        (
            "/app/statistics?period=2025-10&compare=year", "a year ago",
            "Spent ₹300.00, 200 % more than ₹100.00 in Oct 2024."
        ),
        ("/app/transactions?period=2025-10", "2 transactions", "₹300.00 spent, ₹900.00 received"),
    ]) func aPeriodIsShown(path: String, title: String, sum: String) async throws {
        let page = try await Self.page(path)
        #expect(page.contains(title) && page.contains(sum), "\(page)")
    }

    @Test(arguments: ["/", "/app/statistics", "/app/transactions"])
    func anInvalidPeriodIsReportedWithTheForms(path: String) async throws {
        let page = try await Self.page(path + "?period=2026-13")
        #expect(page.contains("&#39;2026-13&#39; is not a period. Write 2026-10 (month), 2026-W43 (week)"), "\(page)")
        #expect(page.contains("role=\"alert\""))
    }

    @Test(arguments: [
        ("/app/statistics?part=lost", "no part of the statistics"), ("/app/statistics?payee=x", "number of a payee"),
        ("/?compare=never", "Write previous or year"),
        ("/app/transactions?period=2025-10&since=2025-10-02", "The days From and To count"),
    ]) func otherInvalidValuesAreReported(path: String, words: String) async throws {
        #expect(try await Self.page(path).contains(words))
    }

    @Test(arguments: ["/", "/app/statistics", "/app/transactions", "/app/budgets"])
    func thePeriodIsKeptBetweenPages(path: String) async throws {
        let page = try await Self.page(path + "?period=2025-10")
        for other in PageFrame.Section.allCases.map(\.path) {
            #expect(page.contains("href=\"\(other)?period=2025-10\""), "\(other)")
        }
    }

    /// Also through the pages that show no period, and from the page of a transaction, by its list.
    @Test(arguments: [
        "/app/review?period=2025-10&compare=year", "/app/mails?period=2025-10&compare=year",
        "/app/accounts?period=2025-10&compare=year", "/app/payees?period=2025-10&compare=year",
        "/app/dues?period=2025-10&compare=year", "/app/export?period=2025-10&compare=year",
        "/app/tags?period=2025-10&compare=year",
        "/app/transactions/1?back=/app/transactions%3Fperiod%3D2025-10%26compare%3Dyear",
    ]) func thePeriodAndTheComparisonAreCarried(path: String) async throws {
        let page = try await Self.page(path)
        for other in ["/", "/app/statistics", "/app/transactions", "/app/budgets", "/app/review"] {
            #expect(page.contains("href=\"\(other)?period=2025-10&amp;compare=year\""), "\(other)")
        }
    }

    @Test(arguments: [
        ("/app/budgets", "Today"), ("/app/transactions", "Quarter"), ("/app/transactions", "Week"),
        ("/app/transactions", "FY"), ("/app/transactions", "Other days"), ("/app/tags", "Month"),
    ]) func thePeriodCanBeChosen(path: String, words: String) async throws {
        let page = try await Self.page(path + "?period=2025-09")
        #expect(page.contains("aria-label=\"Kind of period\"") && page.contains(words))
        #expect(try await Self.page(path).contains("aria-label=\"Kind of period\""))
    }

    @Test(arguments: [
        ("", "<strong>All days</strong>"),
        ("?since=2025-09-01&until=2025-10-31", "<strong>1 Sep to 31 Oct 2025</strong>"),
        ("?since=2025-09-01", "<strong>From 1 Sep 2025</strong>"),
        ("?until=2025-09-01", "<strong>Until 1 Sep 2025</strong>"),
    ]) func theListNamesItsDays(query: String, words: String) async throws {
        let page = try await Self.page("/app/transactions" + query)
        #expect(page.contains(words), "\(page)")
        // A chosen period replaces typed days.
        #expect(!page.contains(#/href="\/app\/transactions\?[^"]*since=[^"]*period=/#))
    }

    /// The navigation passes a period on to the export, which fills in its days.
    @Test func theExportOffersTheDaysOfThePeriod() async throws {
        let page = try await Self.page("/app/export?period=2025-10")
        #expect(page.contains("value=\"2025-10-01\"") && page.contains("value=\"2025-10-31\""))
        #expect(!page.contains("name=\"period\""))
    }

    /// Tags beyond the bars are not dropped.
    @Test func theOtherTagsAreOneSum() async throws {
        let site = try PageSite()
        for number in 1...17 as ClosedRange<UInt32> {
            let id = try site.record(number, merchant: "LAMPS", Int64(number) * 1000, on: "2025-10-05")
            var edit = TransactionEdit()
            edit.tags = ["t\(number)"]
            _ = try site.store.transactions.change(id, edit, by: .terminal)
        }
        let page = try await site.ask { try await $0.page("/app/statistics?part=groups&period=2025-10") }.words
        #expect(page.contains("2 other tags, added up: ₹30.00. A payment with several tags counts for each."))
    }

    @Test(arguments: ["/", "/app/statistics", "/app/transactions"])
    func thePeriodsBeforeAndAfterAreLinked(path: String) async throws {
        let page = try await Self.page(path + "?period=2025-10")
        for period in ["2025-09", "2025-11"] {
            #expect(page.contains("href=\"\(path)?period=\(period)\" data-key="), "\(period)")
        }
        #expect(page.contains(">Today</a>"))
    }

    @Test func aPeriodBeforeTheLedgerIsNotComparedWith() async throws {
        #expect(try await !Self.page("/?period=2023-01").contains("class=\"trend"))
        #expect(try await Self.page("/?period=2025-10").contains("class=\"than\">than ₹200.00 in Sep 2025<"))
    }

    @Test func everyMarkLeadsToItsRows() async throws {
        let site = try Self.site()
        let page = try await site.ask { try await $0.page("/app/statistics?period=2025") }.words
        let marks = page.matches(of: #/<a href="([^"]+)" tabindex="-1"><title>([^<]+)</#)
        #expect(marks.count > 4)
        let mark = try #require(marks.first { $0.2.hasPrefix("Oct 2025, Spent") })
        #expect(mark.2 == "Oct 2025, Spent: ₹300.00")
        let path = String(mark.1).replacing("&amp;", with: "&")
        let rows = try await site.ask { try await $0.page(path) }.words
        #expect(rows.contains("<strong>₹300.00 spent</strong>") && rows.contains("1 transaction"), "\(rows)")
        // The same as a table, by keyboard.
        #expect(
            page.contains(
                "<th scope=\"row\"><a href=\"/app/transactions?period=2025-10&amp;status=confirmed\">Oct 2025</a>"))
    }

    @Test(arguments: [
        ("part=days&period=2025-10", "5 Oct 2025: ₹300.00, 1 payment"), ("part=groups&period=2025", "By account"),
        ("part=worth", "Net worth at the end of each month"), ("period=2025&account=1", "Trend of "),
        ("period=2025&category=Uncategorized", "Trend of Uncategorized"), ("period=1970", "Nothing in this period"),
        ("period=1970-01-01..2199-12-31", "Income, spending and savings"),
    ]) func partsOfTheStatistics(query: String, words: String) async throws {
        let page = try await Self.page("/app/statistics?" + query)
        #expect(page.contains(words), "\(page)")
        #expect(page.utf8.count < 60_000)
    }

    /// Savings are of the household, and a sum without a row says nothing.
    @Test func aTrendHasNoSavings() async throws {
        let part = try await Self.page("/app/statistics?period=2025-09&category=Uncategorized")
        #expect(part.contains("Spent ₹200.00") && !part.contains("Received ₹0.00") && !part.contains("Saved "))
        #expect(try await Self.page("/app/statistics?period=2025-09").contains("Saved \u{2212}₹200.00."))
    }

    @Test func aPartOfAMonthHasTheNameOfTheMonth() {
        let days = DaySpan(days: 28, through: "2026-11-28")
        #expect(ChartStep(days, by: .month, today: "2026-11-28").label == "Nov 2026")
        #expect(ChartStep(DaySpan(days: 1, through: "2026-11-28"), by: .day, today: "2026-11-28").label == "28 Nov")
    }

    /// Before the first balance is known, it is not zero.
    @Test func netWorthBeginsWithTheFirstBalance() async throws {
        let site = try PageSite()
        var cash = UserAccountEdit()
        (cash.name, cash.type) = ("Wallet", .cash)
        (cash.initialBalance, cash.initialDate) = (1_234_500, .set("2025-09-10"))
        _ = try site.store.userAccounts.add(cash, by: .terminal)
        let page = try await site.ask { try await $0.page("/app/statistics?part=worth&period=2025") }.words
        #expect(page.contains("Sep 2025") && page.contains("Dec 2025") && !page.contains("Aug 2025"), "\(page)")
    }

    /// Twelve months with ten categories, and payments on every day.
    @Test(arguments: ["", "?part=days", "?part=groups", "?part=worth", "?category=C1"])
    func aFullPageWeighsLessThan60Kilobytes(query: String) async throws {
        let site = try PageSite()
        let today = site.store.today
        for uid in 1...365 as ClosedRange<UInt32> {
            try site.record(
                uid, merchant: "A SHOP WITH A LONG NAME \(uid)", 12_345_678 + Int64(uid),
                on: CalendarDate(daysSince1970: today.daysSince1970 - Int(uid)))
        }
        let names = (0..<10).map { "C\($0)" }
        try site.store.categories.seed(names.map { CategorySeed(name: $0) })
        for (index, name) in names.enumerated() {
            var edit = TransactionEdit()
            edit.category = name
            let ids = (1...365 as ClosedRange<Int64>).filter { $0 % 10 == Int64(index) }
            try site.store.write { store in
                for id in ids { try store.transactions.change(id, edit, by: Actor(.page, "asha")) }
            }
        }
        let page = try await site.ask { try await $0.page("/app/statistics" + query) }
        #expect(page.status == .ok && page.body.readableBytes < 60_000, "\(page.body.readableBytes)")
        if query.isEmpty { #expect(page.words.contains("Other (4 categories)")) }
    }

    /// The same words as on the pages; the days up to today end with `until`.
    @Test(arguments: [
        ("period=2025-10", "2025-10-01", "2025-10-31"), ("period=fy2025", "2025-04-01", "2026-03-31"),
        ("period=2025-W40", "2025-09-29", "2025-10-05"), ("period=week&until=2026-01-31", "2026-01-25", "2026-01-31"),
        ("until=2026-01-31", "2026-01-02", "2026-01-31"),
    ]) func theAPIReadsPeriods(query: String, since: String, until: String) async throws {
        let answer = try await Self.site().ask { try await $0.execute(uri: "/stats/summary?" + query, method: .get) }
        #expect(answer.status == .ok)
        #expect(answer.words.contains("\"since\":\"\(since)\",\"until\":\"\(until)\""), "\(answer.words)")
    }

    @Test func aStatementCycleIsOffered() async throws {
        let site = try Self.site()
        var notice = BankNotice(.bill)
        notice.amount = Money(minorUnits: 100, currency: .inr)
        notice.account = "4321"
        (notice.from, notice.to) = ("2025-09-08", "2025-10-07")
        var decision = Decision(.ignored, by: Decision.Source(profile: "example", isAuthentic: true))
        decision.notice = notice
        let entry = MailEntry(
            at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: 99), decision
        ) { $0.contentDigest = [99] }
        _ = try site.store.recording.record([entry])
        let page = try await site.ask { try await $0.page("/?period=2025-10") }.words
        #expect(page.contains("href=\"/?period=2025-10-08..2025-11-07\""), "\(page)")
    }

    /// An imported statement of a card names its cycle if it is for a whole month; one of other days does not.
    @Test(arguments: [("2025-10-14", true), ("2025-10-13", false)])
    func theCycleOfAStatementIsOffered(last: CalendarDate, isOffered: Bool) async throws {
        let site = try Self.site()
        var card = UserAccountEdit()
        (card.name, card.type, card.currency) = ("Card", .card, .inr)
        let account = try site.store.userAccounts.add(card, by: .terminal).id
        var statement = BankStatement(currency: .inr)
        (statement.period, statement.opening, statement.closing) = (DaySpan("2025-09-15", through: last), 0, 0)
        _ = try site.store.statements.add(
            statement, account: account, digest: String(repeating: "a", count: 64), file: nil)
        let page = try await site.ask { try await $0.page("/?period=2025-10") }.words
        #expect(page.contains("href=\"/?period=2025-10-15..2025-11-14\"") == isOffered)
    }

    /// The browser keeps the period for pages whose address has none, and a form leads back to it.
    @Test func thePeriodIsKeptBelowOtherPages() async throws {
        let site = try Self.site()
        let food = try #require(try site.store.categories.all().first { $0.name == "Food" })
        try await site.ask { client in
            func page(_ path: String, _ cookie: String?) async throws -> (text: String, cookie: String?) {
                let headers: HTTPFields = cookie.map { [.accept: "text/html", .cookie: $0] } ?? [.accept: "text/html"]
                let answer = try await client.execute(uri: path, method: .get, headers: headers)
                let set = answer.headers[values: .setCookie].first { $0.hasPrefix("period=") }
                return (answer.words, set)
            }
            let shown = try await page("/app/statistics?period=2025-10&compare=year", nil)
            let cookie = try #require(shown.cookie?.split(separator: ";").first.map(String.init))
            #expect(cookie == "period=period=2025-10&compare=year")
            #expect(shown.cookie?.contains("HttpOnly") == true && shown.cookie?.contains("Max-Age") == false)
            for path in ["/app/transactions/1", "/app/dues", "/app/categories", "/app/settings"] {
                let below = try await page(path, cookie)
                #expect(below.cookie == nil, "\(path)")
                #expect(below.text.contains("href=\"/app/budgets?period=2025-10&amp;compare=year\""), "\(path)")
            }
            // A page that shows a period has that of its address, which counts from then on.
            let bare = try await page("/", cookie)
            #expect(!bare.text.contains("href=\"/app/budgets?period=2025-10"))
            #expect(bare.cookie?.contains("Max-Age=0") == true)
            let wrong = try await page("/app/dues", "period=period=2025-13%3Cb%3E")
            #expect(!wrong.text.contains("2025-13"))
            let form = FormFields.encoded([
                ("category", "\(food.id)"), ("amount", "100"), ("currency", "INR"), ("period", "month"),
                ("start", "2025-10-01"),
            ])
            let saved = try await client.execute(
                uri: "/app/budgets", method: .post,
                headers: [.accept: "text/html", .contentType: "application/x-www-form-urlencoded", .cookie: cookie],
                body: ByteBuffer(string: form))
            #expect(saved.headers[.location]?.contains("period=2025-10&compare=year") == true, "\(saved.words)")
        }
    }
}
