import Chronology
import Foundation
import HTTPTypes
import HummingbirdTesting
import Ledger
import NIOCore
import Store
import Testing

@testable import Web

@Suite struct PageTests {
    /// Every page that needs no transaction, with its text for an empty ledger.
    static let pages = [
        ("/", "No transactions yet"), ("/?period=year", "No transactions yet"),
        ("/app/statistics", "Nothing in this period"), ("/app/statistics?part=days", "Nothing in this period"),
        ("/app/statistics?part=groups", "Nothing in this period"),
        ("/app/statistics?part=worth", "Nothing in this period"),
        ("/app/transactions", "No transactions yet"), ("/app/transactions/new", "New transaction"),
        ("/app/review", "Nothing waits"), ("/app/banks", "No mail of a bank yet"), ("/app/banks/test", "Paste a mail"),
        ("/app/categories", "None yet"),
        ("/app/mailboxes", "No mailbox is configured"), ("/app/export", "Nothing to export yet"),
        ("/app/history", "Nothing here"), ("/app/settings", "Logins, tokens and notifications"),
        ("/app/tags", "No tag yet"), ("/app/settings/sms", "No SMS has arrived yet"), ("/app/help", "Keys"),
    ]

    @Test(arguments: pages) func emptyLedgerShowsTheNextStep(path: String, words: String) async throws {
        let answer = try await PageSite().ask { try await $0.page(path) }
        #expect(answer.status == .ok && answer.words.contains(words), "\(answer.words)")
        #expect(
            answer.headers[.contentType] == "text/html; charset=utf-8" && answer.headers[.cacheControl] == "no-store")
        #expect(
            answer.words.contains("<html lang=\"en\">") && answer.words.contains("class=\"skip\"")
                && answer.words.contains("</html>"))
        // The content security policy forbids them.
        #expect(
            !answer.words.contains(" style=\"") && !answer.words.contains("<style")
                && !answer.words.contains(" onclick"))
        #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
    }

    @Test(arguments: [
        "/app/transactions/99", "/app/transactions/x", "/app/review/99", "/app/review/none", "/app/banks/none",
        "/app/transactions/bulk?category=1", "/app/dues/payment", "/app/dues/payment?due=notice%3A9",
        "/app/dues/recurring/99",
    ])
    func missingItemGetsAnErrorPage(path: String) async throws {
        let answer = try await PageSite().ask { try await $0.page(path) }
        #expect(
            [404, 422].contains(answer.status.code) && answer.words.contains("Back") && answer.words.contains("<nav"),
            "\(answer.status)")
    }

    /// The ledger may begin within the previous period.
    @Test func onlyAWholePeriodIsComparedWith() async throws {
        let site = try PageSite()
        let today = (Int(Date().timeIntervalSince1970) + 19_800) / 86400
        try site.record(1, merchant: "LAMPS", 20_000)
        try site.record(2, merchant: "LAMPS", 10_000, on: CalendarDate(daysSince1970: today - 35))
        #expect(try await !site.ask { try await $0.page("/") }.words.contains("class=\"trend"))
        try site.record(3, merchant: "LAMPS", 500, on: CalendarDate(daysSince1970: today - 70))
        #expect(try await site.ask { try await $0.page("/") }.words.contains("<span class=\"trend more\">100 % more<"))
    }

    @Test func resultsAreSummarized() async throws {
        let site = try PageSite()
        let today = CalendarDate(daysSince1970: (Int(Date().timeIntervalSince1970) + 19_800) / 86400)
        try site.record(1, merchant: "LAMPS", 25_000)
        try site.record(2, merchant: "LAMPS", 100_000, waits: true)
        try site.record(3, merchant: "LAMPS REFUND", 5_000, type: .income)
        try site.record(4, merchant: "LAMPS", 999, currency: Currency(code: "USD") ?? .inr)
        try site.record(5, merchant: "LAMPS", 70_000, on: CalendarDate(daysSince1970: today.daysSince1970 - 800))
        let found = try await site.ask { try await $0.page("/app/transactions?q=lamps") }.words
        #expect(
            found.contains("<strong>₹950.00 spent, ₹50.00 received</strong>")
                && found.contains("<strong>$9.99 spent</strong>"), "\(found)")
        // A search stays when the range of days changes.
        let days = try #require(found.firstMatch(of: #/<a href="([^"]*)">30 days</#)).1.replacing("&amp;", with: "&")
        let recent = try await site.ask { try await $0.page(String(days)) }.words
        #expect(
            recent.contains("<strong>₹250.00 spent, ₹50.00 received</strong>")
                && recent.contains("aria-current=\"true\">30 days<"))
        #expect(try await !site.ask { try await $0.page("/app/transactions") }.words.contains(" spent"))
    }

    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus=alert(1) autofocus='",
        "\"\u{301} onfocus=alert(1) x=\"", "<\u{301}script>alert(1)</script>",
        "{{frame.formToken}}{{{body}}}", "&lt;b&gt; & <b>", "javascript:alert(1)", "\u{202E}gnp.exe\u{2066}",
        "</textarea></title><script>alert(1)</script>",
    ]

    /// The sender of a mail chooses the merchant and the subject. No page may interpret them as markup.
    @Test(arguments: hostile) func hostileNamesAreEscaped(name: String) async throws {
        let site = try PageSite()
        let booked = try site.record(1, merchant: name, subject: name)
        let waiting = try site.record(2, merchant: name, waits: true, subject: name)
        try site.store.categories.add(name: "C" + name.filter { !CharacterCheck.isControl($0) })
        let query = FormFields.encoded([("q", name)])
        for path in [
            "/", "/app/transactions", "/app/transactions?\(query)", "/app/transactions/\(booked)", "/app/review",
            "/app/review/\(waiting)", "/app/categories?\(query)",
            "/app/transactions/bulk?id=\(booked)&category=1",
            "/app/mappings/new?category=1&\(FormFields.encoded([("keyword", name + "a")]))", "/app/mailboxes",
        ] {
            let answer = try await site.ask { try await $0.page(path) }
            // A keyword may have too many words.
            #expect(
                answer.status == .ok || path.hasPrefix("/app/mappings") && answer.status == .unprocessableContent,
                "\(path)")
            let page = answer.words
            for mark in [
                "<script>alert", "<img", "\"\u{301} onfocus", "\" onfocus", "' onfocus", "<\u{301}", "\u{202E}",
                "<b> &",
            ] {
                #expect(page.utf8.firstRange(of: mark.utf8) == nil, "\(path) holds \(mark)")
            }
        }
    }

    enum CharacterCheck {
        static func isControl(_ character: Character) -> Bool {
            character.unicodeScalars.contains(where: MarkupEscaping.isDropped)
        }
    }

    @Test(arguments: [
        ("<a href=\"x\">'&'", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;"), ("\"\u{301}", "&quot;\u{301}"),
        ("a\u{0}b\u{202E}c", "abc"), ("two\nlines", "two\nlines"), ("", ""), ("₹1 é 🙂", "₹1 é 🙂"),
    ]) func escapes(text: String, expected: String) { #expect(MarkupEscaping().escapeText(text) == expected) }

    @Test func programsStillGetTheirAnswerAtTheRoot() async throws {
        let answer = try await PageSite().ask { try await $0.execute(uri: "/", method: .get) }
        #expect(answer.status == .ok && answer.words.contains("\"name\":\"SpendWise\""))
    }

    @Test func assetsAreCachedForeverByContent() async throws {
        let site = try PageSite()
        let page = try await site.ask { try await $0.page("/") }.words
        let names = page.matches(of: #/(?:href|src)="(\/static\/[^"]+)"/#).map { String($0.1) }
        #expect(names.count == 4)
        for name in names {
            let answer = try await site.ask { try await $0.execute(uri: name, method: .get) }
            let tag = try #require(answer.headers[.eTag])
            #expect(answer.status == .ok && answer.headers[.cacheControl] == "public, max-age=31536000, immutable")
            let again = try await site.ask {
                try await $0.execute(uri: name, method: .get, headers: [.ifNoneMatch: tag])
            }
            #expect(again.status == .notModified && again.body.readableBytes == 0)
        }
        let other = try await site.ask { try await $0.execute(uri: "/static/style.0000.css", method: .get) }
        #expect(other.status == .notFound)
    }

    @Test func currenciesAreNeverAddedUp() async throws {
        let site = try PageSite()
        try site.record(1, merchant: "RUPEES", 12_345_678)
        try site.record(2, merchant: "RUPEES", 100)
        try site.record(3, merchant: "DOLLARS", 99_900, currency: try #require(Currency(code: "USD")))
        let page = try await site.ask { try await $0.page("/") }.words
        #expect(page.contains("₹1,23,457.78") && !page.contains("$999.00"))
        let other = try await site.ask { try await $0.page("/?currency=USD") }.words
        #expect(other.contains("$999.00") && !other.contains("1,23,457.78"))
    }
}
