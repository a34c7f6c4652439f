import Chronology
import ChronologyFixture
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InternetMessage
import Ledger
import ProfileAuthoring
import Profiles
import Store
import Testing

@testable import Web

/// Templates drafted on the page, proven, and read back from the offered download.
@Suite struct TemplatePageTests {
    static let common = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "parsers/_common.yaml")
    static let text = "CORNER SHOP on 05-01-2026 by UPI. Thank you for banking with us."

    static func site() throws -> PageSite {
        try PageSite(parsers: [
            "_common.yaml": try String(contentsOf: Self.common, encoding: .utf8),
            "example/_bank.yaml":
                "name: Example Bank\ndomains: [bank.example]\naddresses: [alerts@bank.example]\ntimezone: Asia/Kolkata\ncurrency: INR\n",
            // It reads the first word of the merchant only.
            "example/paid.yaml": """
            template: example/paid
            kind: transaction
            extract:
              # the first word
              body_pattern: '^Rs\\. \\s (?<amount>(?&number)) \\s was \\s paid \\s to \\s (?<merchant>\\w{1,40})'
              type: expense
              channel: upi
            samples:
            - name: one word
              date: Mon, 05 Jan 2026 10:12:00 +0530
              subject: Paid
              text: Rs. 5.00 was paid to LAMP today
              expect: { amount: '5.00', merchant: LAMP }
            - name: nothing was paid
              subject: Paid
              text: Rs. 5.00 could not be paid to LAMP today
              expect: none

            """,
        ])
    }

    /// The file that the page offers to download.
    private func file(_ page: String) throws -> String {
        let address = try #require(page.firstMatch(of: #/href="data:text\/yaml;charset=utf-8,([^"]*)"/#)).1
        return try #require(String(address).removingPercentEncoding)
    }

    private func decide(_ site: PageSite, _ path: String, _ yaml: String) throws -> Decision {
        let file = URL(filePath: site.folder + "/own/" + path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(yaml.utf8).write(to: file)
        let set = try ProfileSet(directories: [site.folder + "/parsers", site.folder + "/own"])
        #expect(set.checkSamples().allSatisfy { $0.holds })
        return set.claim(Message(parsing: Array((PageSite.mail + Self.text).utf8))).decide(
            trusting: .unverified, receivedAt: nil)
    }

    /// The form of the transaction with the whole name of the merchant.
    private func correction(_ id: Int64, in site: PageSite) throws -> [(String, String)] {
        let row = try #require(try site.store.transactions.find(id))
        return [
            ("amount", "250.00"), ("currency", "INR"), ("type", "expense"), ("date", "\(row.date)"),
            ("time", row.time?.description ?? ""), ("account", "4321"), ("reference", "R1"),
            ("merchant", "CORNER SHOP"),
        ]
    }

    /// What the mended template would change is shown before it takes effect.
    @Test func theDifferenceIsShownBeforeItTakesEffect() async throws {
        let site = try Self.site()
        let id = try site.record(1, merchant: "CORNER", text: Self.text)
        let form = try correction(id, in: site)
        var services = site.services
        services.previewReplay = { bank, files in
            #expect(bank == "example" && files.keys.sorted() == ["example/paid.yaml"])
            #expect(files["example/paid.yaml"]?.contains("template: example/paid") == true)
            let row = ReplayPreview.Row(
                transaction: id, date: CalendarDate(daysSince1970: 20_000),
                amount: Money(minorUnits: 25_000, currency: .inr), merchant: "<b>CORNER", outcome: .recorded,
                changes: [.init(field: .merchant, before: "<b>CORNER", after: "CORNER SHOP")])
            return ReplayPreview(mails: 7, rows: [row], settled: 2, isComplete: false)
        }
        let application = Application(router: WebApplication.router(services), logger: services.logger)
        try await application.test(.router) { client in
            _ = try await client.submit("/app/transactions/\(id)", form)
            let page = try await client.submit("/app/review/\(id)/template", [("want", "read")])
            #expect(page.words.contains("What it would change") && page.words.contains("1 of 7 booked mails"))
            #expect(page.words.contains("merchant: &lt;b&gt;CORNER → CORNER SHOP"), "\(page.words)")
            #expect(page.words.contains("2 more would be") && page.words.contains("no time for the rest"))
        }
    }

    @Test func aCorrectionMendsTheTemplate() async throws {
        let site = try Self.site()
        let id = try site.record(1, merchant: "CORNER", text: Self.text)
        #expect(try await !site.ask { try await $0.page("/app/transactions/\(id)") }.words.contains("Mend"))
        let form = try correction(id, in: site)
        let saved = try await site.ask { try await $0.submit("/app/transactions/\(id)", form) }
        let next = try #require(saved.headers[.location])
        let offered = try await site.ask { try await $0.page(next) }.words
        #expect(
            offered.contains("The template example/paid read merchant differently")
                && offered.contains("/app/review/\(id)/template"))
        let page = try await site.ask { try await $0.submit("/app/review/\(id)/template", [("want", "read")]) }
        #expect(
            page.status == .ok && page.words.contains("example/paid, mended") && page.words.contains("l-added")
                && page.words.contains("/parsers/example/paid.yaml"), "\(page.words)")
        let yaml = try file(page.words)
        #expect(
            yaml.contains("name: one word") && yaml.contains("as corrected by a person") && !yaml.contains("CORNER"),
            "redacted: \(yaml)")
        let decision = try decide(site, "example/paid.yaml", yaml)
        #expect(decision.template == "example/paid" && decision.draft?.merchant == "CORNER SHOP")
        // A value that the mail does not print is no fault of a template.
        _ = try await site.ask {
            try await $0.submit(
                "/app/transactions/\(id)", form.map { $0.0 == "merchant" ? ($0.0, "My own name for it") : $0 })
        }
        #expect(try await !site.ask { try await $0.page("/app/transactions/\(id)") }.words.contains("Mend"))
    }

    @Test func unclaimedMailGetsANewTemplate() async throws {
        let site = try Self.site()
        try FileManager.default.removeItem(atPath: site.folder + "/parsers/example/paid.yaml")
        let id = try site.record(1, merchant: "CORNER SHOP", waits: true, template: "generic", text: Self.text)
        let shown = try await site.ask { try await $0.page("/app/review/\(id)") }.words
        #expect(shown.contains("Make a template for such mails") && shown.contains("Ignore this kind of mail"))
        let form = try await site.ask { try await $0.page("/app/review/\(id)/template") }.words
        #expect(
            form.contains("name=\"amount\" value=\"250.00\"") && form.contains("name=\"time\" value=\"\""),
            "only what is printed")
        let page = try await site.ask {
            try await $0.submit(
                "/app/review/\(id)/template",
                [
                    ("want", "read"), ("name", "upi-paid"), ("amount", "250"), ("merchant", "corner shop"),
                    ("date", "2026-01-05"),
                ])
        }
        #expect(page.words.contains("example/upi-paid, new"), "\(page.words)")
        let decision = try decide(site, "example/upi-paid.yaml", file(page.words))
        #expect(
            decision.template == "example/upi-paid" && decision.draft?.merchant == "CORNER SHOP"
                && decision.draft?.date.description == "2026-01-05")
    }

    @Test func ignoreTemplateIsDerived() async throws {
        let site = try Self.site()
        try FileManager.default.removeItem(atPath: site.folder + "/parsers/example/paid.yaml")
        let id = try site.record(1, merchant: "CORNER SHOP", waits: true, template: nil, text: Self.text)
        let page = try await site.ask {
            try await $0.submit(
                "/app/review/\(id)/template", [("want", "ignore"), ("reason", "advert"), ("name", "thanks")])
        }
        #expect(page.words.contains("example/thanks, new") && page.words.contains("reason: advert"), "\(page.words)")
        #expect(try decide(site, "example/thanks.yaml", file(page.words)).outcome == .ignored)
    }

    @Test func ignoringAMailThatATemplateReadsAddsAnException() async throws {
        let site = try Self.site()
        let id = try site.record(1, merchant: "CORNER", text: Self.text)
        let page = try await site.ask {
            try await $0.submit(
                "/app/review/\(id)/template", [("want", "ignore"), ("reason", "advert"), ("name", "thanks")])
        }
        #expect(page.status == .ok, "\(page.words)")
        #expect(page.words.contains("example/thanks, new") && page.words.contains("paid.yaml"), "\(page.words)")
        #expect(page.words.contains("unless"), "\(page.words)")
    }

    @Test(arguments: [
        ([("want", "read"), ("amount", "999")], "is not in the mail"),
        ([("want", "read"), ("amount", "250.00"), ("merchant", "CORNER")], "there is nothing to mend"),
        ([("want", "ignore"), ("reason", "nonsense")], "Choose why"),
        ([("want", "ignore"), ("reason", "advert"), ("name", "../../x")], "Name: use lower-case"),
    ]) func failureHasAReason(fields: [(String, String)], words: String) async throws {
        let site = try Self.site()
        let id = try site.record(1, merchant: "CORNER", text: Self.text)
        let page = try await site.ask { try await $0.submit("/app/review/\(id)/template", fields) }
        #expect(page.status == .unprocessableContent && page.words.contains(words), "\(page.words)")
    }

    @Test(arguments: ["/app/review/99/template", "/app/review/none/template"]) func missingRowsAreReported(
        path: String
    ) async throws {
        #expect(try await PageSite().ask { try await $0.page(path) }.status == .notFound)
    }

    @Test(arguments: [
        ("a\nb\nc\n", "a\nb\nc\n", " a b c"), ("a\nb\n", "a\nx\nb\n", " a+x b"), ("a\nb\nc", "a\nc", " a-b c"),
        ("a", "b", "-a+b"), ("", "a\n", "+a"), ("a\r\nb\r\n", "a\nb\n", " a b"),
    ]) func differencesByLine(old: String, new: String, expected: String) {
        let text = LineDifference(from: old, to: new).lines.map {
            ($0.kind == .same ? " " : $0.kind == .added ? "+" : "-") + $0.text
        }.joined()
        #expect(text == expected)
    }
}
