import Chronology
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// Signs that banks changed their mails: one line on the overview, which a person can hide.
@Suite struct AlarmPageTests {
    private static let fields = [("kind", "bank_silent"), ("bank", "example"), ("subject", ""), ("back", "/")]
    private static let sentence = "No Example Bank alert for 50 days, usually every day"

    /// One bank is silent for 50 days, and one template of another bank for 20.
    func site() throws -> PageSite {
        let site = try PageSite(parsers: [
            "example/_bank.yaml":
                "name: Example Bank\ndomains: [bank.example]\naddresses: [alerts@bank.example]\ntimezone: Asia/Kolkata\ncurrency: INR\n"
        ])
        var uid: UInt32 = 0
        for (template, last) in [("example/paid", 50), ("other/card", 20), ("other/upi", 0)] {
            for ago in last...150 {
                uid += 1
                try record(uid, template, ago: ago, in: site)
            }
        }
        return site
    }

    private func record(_ uid: UInt32, _ template: String, ago: Int, in site: PageSite) throws {
        let bank = String(template.prefix { $0 != "/" })
        var notice = Decision(
            .ignored,
            by: Decision.Source(
                profile: bank, bank: bank, version: "1", template: template, authentication: "pass: genuine by dmarc",
                isAuthentic: true), confidence: 1)
        notice.reasons = []
        let entry = MailEntry(
            at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: uid), notice
        ) {
            $0.messageID = "<\(uid)@bank.example>"
            $0.contentDigest = withUnsafeBytes(of: uid) { Array($0) }
            $0.receivedAt = UnixTime.now - Int64(ago) * 86_400
        }
        try site.store.recording.record([entry])
    }

    private func check(_ site: PageSite) throws {
        _ = try site.store.monitoring.recordAlarms(site.store.monitoring.drift()) { _ in "" }
    }

    @Test func theOverviewHasOneLineInTheWordsOfTheBank() async throws {
        let site = try site()
        let before = try await site.ask { try await $0.page("/") }.words
        #expect(before.contains(Self.sentence) && !before.contains("/app/banks/alarms"), "\(before)")
        try check(site)
        let page = try await site.ask { try await $0.page("/") }.words
        #expect(page.contains("<summary>\(Self.sentence) · and 1 more</summary>"), "\(page)")
        #expect(page.contains("The last one came on \(DayText.text(UnixTime.now.day().before(50)))"))
        #expect(!page.contains("Needs attention") && !page.contains("alert of the kind"))
        let banks = try await site.ask { try await $0.page("/app/banks") }.words
        #expect(banks.contains(Self.sentence) && banks.contains("No other alert of the kind card for 20 days"))
        let hindi = try await site.ask {
            try await $0.execute(uri: "/", method: .get, headers: [.accept: "text/html", .acceptLanguage: "hi"])
        }.words
        #expect(hindi.contains("Example Bank का 50 दिन से कोई अलर्ट नहीं आया"), "\(hindi)")
    }

    @Test func aPersonHidesASignAndShowsItAgain() async throws {
        let site = try site()
        try check(site)
        for (choice, words) in [
            ("7", "Not shown until \(DayText.text(site.store.today.before(-7)))"), ("end", "Not shown until it ends"),
        ] {
            let hidden = try await site.ask {
                try await $0.submit("/app/banks/alarms", Self.fields + [("hide", choice)])
            }
            #expect(hidden.status == .seeOther && hidden.headers[.location]?.hasPrefix("/?done=alarm-s") == true)
            let page = try await site.ask { try await $0.page("/") }.words
            #expect(!page.contains("Example Bank") && page.contains("<summary>No other alert of the kind card"))
            let banks = try await site.ask { try await $0.page("/app/banks") }.words
            #expect(banks.contains(Self.sentence) && banks.contains(words) && banks.contains("Show again"), "\(banks)")
            #expect(try await site.ask { try await $0.page("/app/banks/example") }.words.contains(words))
        }
        // Programs and notifications are told as before.
        let health = try await site.ask { try await $0.execute(uri: "/health", method: .get) }.words
        #expect(health.contains("no mail of example for 50 days"), "\(health)")
        let shown = try await site.ask { try await $0.submit("/app/banks/alarms", Self.fields + [("hide", "no")]) }
        #expect(shown.status == .seeOther)
        #expect(try await site.ask { try await $0.page("/") }.words.contains(Self.sentence))
    }

    @Test(arguments: [("hide", "5"), ("hide", ""), ("bank", "nobody"), ("kind", "lost"), ("subject", "x")])
    func onlyAPresentSignIsHidden(field: String, value: String) async throws {
        let site = try site()
        try check(site)
        let all = Self.fields + [("hide", "7")]
        let answer = try await site.ask {
            try await $0.submit("/app/banks/alarms", all.map { $0.0 == field ? (field, value) : $0 })
        }
        #expect(answer.status == .notFound)
        #expect(try site.store.monitoring.noted(site.store.monitoring.drift()).map(\.isShown) == [true, true])
    }
}

extension CalendarDate {
    fileprivate func before(_ days: Int) -> CalendarDate { CalendarDate(daysSince1970: daysSince1970 - days) }
}
