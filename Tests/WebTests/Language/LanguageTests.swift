import Chronology
import ChronologyFixture
import HTTPTypes
import HummingbirdTesting
import Ledger
import NIOCore
import Store
import Testing

@testable import Web

/// The page in Hindi, and the choice of its language.
@Suite struct LanguageTests {
    @Test(
        arguments: [
            ("hi-IN,hi;q=0.9,en-US;q=0.8,en;q=0.7", .hindi), ("en-IN,en;q=0.9,hi;q=0.8", .english), ("hi", .hindi),
            ("ta,hi;q=0.3", .hindi), ("ta", .english), ("", .english), ("*", .english), ("hi;q=0", .english),
            ("hindi", .english), ("HI-in", .hindi),
        ] as [(String, PageLanguage)]) func theBrowserPrefers(header: String, language: PageLanguage)
    { #expect(PageLanguage(accepted: HeaderChoice([header])) == language) }

    static func page(_ site: PageSite, _ path: String, _ headers: HTTPFields) async throws -> TestResponse {
        try await site.ask { try await $0.execute(uri: path, method: .get, headers: headers) }
    }

    static let hindi: HTTPFields = [.accept: "text/html", .acceptLanguage: "hi-IN,hi;q=0.9,en;q=0.8"]

    /// A ledger with rows of several kinds.
    static func filled() throws -> PageSite {
        let site = try PageSite()
        try site.record(1, merchant: "LAMPS", 20_000)
        try site.record(2, merchant: "COFFEE", 1_234_567, waits: true)
        try site.record(3, merchant: "SALARY", 9_000_000, type: .income)
        return site
    }

    static let paths =
        PageTests.pages.map(\.0) + [
            "/app/accounts", "/app/budgets", "/app/dues", "/app/payees", "/app/mails", "/app/transfers",
            "/app/questions", "/app/searches", "/app/statements", "/app/columns", "/app/mappings/new",
            "/app/transactions/1", "/app/review/2", "/app/accounts/1", "/app/accounts/1/statements", "/login",
            "/app/nothing", "/app/transactions/99", "/?period=2026-10&compare=year", "/?period=nothing",
        ]

    @Test(arguments: paths) func everyPageIsInBothLanguages(path: String) async throws {
        let site = try Self.filled()
        for (headers, tag) in [(Self.hindi, "hi"), ([.accept: "text/html"], "en")] {
            let answer = try await Self.page(site, path, headers)
            guard answer.status != .seeOther else { continue }
            #expect(answer.words.contains("<html lang=\"\(tag)\">"), "\(answer.status)")
            #expect(answer.headers[.contentLanguage] == tag)
            #expect(answer.headers[.vary]?.contains("Accept-Language") == true)
            #expect(!answer.words.contains("[["))
            // A text without its value, or the key of one that is missing. The catalogue has all groups.
            let visible = answer.words.replacing(#/<[^>]*>/#, with: "\n")
            #expect(!visible.contains(#/\{[a-z]+\}/#), "\(visible)")
            let text = visible.replacing(PageLanguage.hindi.name, with: "")
            #expect(text.contains(#/[\u{900}-\u{97F}]/#) == (tag == "hi"))
        }
    }

    @Test func programsGetEnglish() async throws {
        let site = try Self.filled()
        let answer = try await Self.page(site, "/transactions/99", [.acceptLanguage: "hi"])
        #expect(answer.status == .notFound && !answer.words.contains(#/[\u{900}-\u{97F}]/#))
        #expect(answer.headers[.contentLanguage] == nil)
    }

    @Test func theChoiceIsKeptInACookie() async throws {
        let site = try Self.filled()
        let chosen = try await site.ask {
            try await $0.submit("/app/language", [("language", "hi"), ("back", "/app/dues")])
        }
        #expect(chosen.status == .seeOther && chosen.headers[.location] == "/app/dues")
        let cookie = try #require(chosen.headers[.setCookie])
        #expect(
            cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.contains("Max-Age=34560000"))
        let value = String(cookie.prefix { $0 != ";" })
        // The choice precedes the browser's languages.
        let page = try await Self.page(site, "/", [.accept: "text/html", .cookie: value, .acceptLanguage: "en"])
        #expect(page.words.contains("<html lang=\"hi\">") && page.words.contains(">English</button>"))
        for (language, status) in [("ta", HTTPResponse.Status.notFound), ("", .notFound)] {
            let answer = try await site.ask { try await $0.submit("/app/language", [("language", language)]) }
            #expect(answer.status == status && answer.headers[.setCookie] == nil)
        }
        let foreign = try await Self.page(site, "/", [.accept: "text/html", .cookie: "spendwise-language=../x"])
        #expect(foreign.words.contains("<html lang=\"en\">"))
    }

    /// What people typed, and what mails hold, is never translated.
    @Test func namesStay() async throws {
        let site = try PageSite()
        try site.record(1, merchant: "Saved. {count} [[page.dues]]")
        let page = try await Self.page(site, "/app/transactions", Self.hindi)
        #expect(page.words.contains("Saved. {count} [[page.dues]]"))
    }

    @Test(
        arguments: [
            (0, "0 पंक्ति", "0 lines"), (1, "1 पंक्ति", "1 line"), (2, "2 पंक्तियाँ", "2 lines"),
            (123_456, "1,23,456 पंक्तियाँ", "1,23,456 lines"),
        ] as [(Int, String, String)]) func plurals(number: Int, hindi: String, english: String)
    {
        #expect(PageText.count(number, "line") == english)
        #expect(PageLanguage.$current.withValue(.hindi) { PageText.count(number, "line") } == hindi)
    }

    @Test func datesAndAmounts() throws {
        let day = try #require(CalendarDate(iso: "2026-10-05"))
        let month = try #require(ReportingPeriod("2026-10", today: day))
        let week = try #require(ReportingPeriod("2026-W43", today: day))
        PageLanguage.$current.withValue(.hindi) {
            #expect(DayText.text(day) == "5 अक्टू॰ 2026" && DayText.short(day) == "5 अक्टू॰")
            #expect(PeriodText.title(month) == "अक्टू॰ 2026")
            #expect(PeriodText.title(week) == "सप्ताह 43, 19 से 25 अक्टू॰ 2026")
            #expect(MoneyText.text(Money(minorUnits: 12_345_678, currency: .inr)) == "₹1,23,456.78")
            #expect(MoneyText.short(Money(minorUnits: 1_500_000_000, currency: .inr)) == "₹1.5 करोड़")
            #expect(DayText.weekdays == ["सोम", "मंगल", "बुध", "गुरु", "शुक्र", "शनि", "रवि"])
        }
        #expect(DayText.weekdays == WeekdayName.abbreviations)
        for month in 1...12 {
            let first = try #require(CalendarDate(iso: "2026-\(month < 10 ? "0" : "")\(month)-01"))
            #expect(DayText.short(first) == "1 " + MonthName.abbreviation(month))
        }
    }

    @Test(
        arguments: [
            ("[[test.plain]]", "A &amp; B"),
            (#"<p>[[test.link|a=<a href="/x">|n={{n}}]]</p>"#, #"<p>See <a href="/x">{{n}} more</a>.</p>"#),
            ("[[test.none]]", nil), ("[[test.link]]", nil), ("[[test.link|a]]", nil), ("no text", "no text"),
            ("[[test.plain", "[[test.plain"),
        ] as [(String, String?)]) func textsOfTemplates(template: String, result: String?)
    {
        let catalogue = TextCatalogue(
            .english, Array(#"{"test": {"plain": "A & B", "link": "See {a}{n} more{/a}."}}"#.utf8))
        #expect((try? TemplateTexts.put(catalogue, into: template)) == result)
    }
}
