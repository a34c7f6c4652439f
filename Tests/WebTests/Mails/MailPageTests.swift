import Chronology
import ChronologyFixture
import Foundation
import HTTPTypes
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// The list of mails and one mail, with the decisions that a person can make there.
@Suite struct MailPageTests {
    /// Records a mail without a draft; returns its identifier.
    func quarantined(_ uid: UInt32, in site: PageSite, server: String = "mx.other.example") throws -> String {
        var decision = Decision(
            .quarantined,
            by: Decision.Source(
                profile: "example", bank: "Example Bank", version: "1", authentication: "missing: none"),
            reasons: [Reason(.notAuthentic, weight: 0, note: "no trusted server vouches for it")])
        decision.confidence = 0
        let entry = MailEntry(
            at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: uid), decision
        ) {
            $0.messageID = "<q\(uid)@bank.example>"
            $0.contentDigest = [UInt8(truncatingIfNeeded: uid), 9]
            $0.fromAddress = "alerts@bank.example"
            $0.subject = "Paid \(uid)"
            $0.receivedAt = .now
            $0.raw = Array(("Authentication-Results: \(server); dkim=pass\r\n" + PageSite.mail + "Cafe").utf8)
        }
        try site.store.recording.record([entry])
        return try #require(try site.store.mails.latest([.quarantined]).first { $0.subject == "Paid \(uid)" }).id
    }

    @Test func everyMailIsListedFilteredAndOpened() async throws {
        let site = try PageSite()
        try site.record(1, merchant: "Corner Shop", subject: "Shopping")
        let id = try quarantined(2, in: site)
        let all = try await site.ask { try await $0.page("/app/mails") }
        #expect(all.status == .ok && all.words.contains("Shopping") && all.words.contains("Paid 2"))
        for (filter, shows, hides) in [
            ("outcome=quarantined", "Paid 2", "Shopping"), ("outcome=recorded", "Shopping", "Paid 2"),
            ("q=shop", "Shopping", "Paid 2"), ("q=alerts%40bank", "Shopping", "nothing-of-the-kind"),
            ("since=2020-01-01", "Paid 2", "nothing-of-the-kind"), ("bank=example", "Paid 2", "nothing-of-the-kind"),
        ] {
            let page = try await site.ask { try await $0.page("/app/mails?" + filter) }
            #expect(page.words.contains(shows) && !page.words.contains(">\(hides)"), "\(filter)")
        }
        let none = try await site.ask { try await $0.page("/app/mails?until=2020-01-01") }
        #expect(!none.words.contains("Paid 2") && !none.words.contains("Shopping"))
        let wrong = try await site.ask { try await $0.page("/app/mails?outcome=lost&since=x") }
        #expect(wrong.words.contains("lost") && wrong.words.contains("yyyy-mm-dd"))
        let mail = try await site.ask { try await $0.page("/app/mails/\(id)") }
        #expect(mail.status == .ok && mail.words.contains("no trusted server vouches for it"))
        #expect(mail.words.contains("Rs. 250.00 was paid to Cafe") && mail.words.contains("mx.other.example"))
        for missing in ["00000000-0000-4000-8000-000000000000", "x", "%00"] {
            #expect(try await site.ask { try await $0.page("/app/mails/\(missing)") }.status == .notFound)
        }
    }

    @Test(arguments: IgnoreReason.allCases) func whyAMailIsIgnoredIsTranslated(reason: IgnoreReason) {
        #expect(ReasonText.outcome(reason.sentence) == reason.sentence)
        let hindi = PageLanguage.$current.withValue(.hindi) { ReasonText.outcome(reason.sentence) }
        #expect(hindi != reason.sentence)
    }

    /// The daemon makes the decisions; a page without it says so and changes nothing.
    @Test func withoutTheDaemonNothingIsDecided() async throws {
        let site = try PageSite()
        let id = try quarantined(1, in: site)
        for action in ["release", "again"] {
            let answer = try await site.ask { try await $0.submit("/app/mails/\(id)/\(action)", []) }
            #expect(answer.status == .serviceUnavailable)
        }
        #expect(try site.store.mails.find(id)?.outcome == .quarantined)
    }

    @Test func runOfQuarantinedMailIsReportedWithItsRemedy() async throws {
        let site = try PageSite()
        for uid in 1...4 { _ = try quarantined(UInt32(uid), in: site) }
        #expect(try await !site.ask { try await $0.page("/") }.words.contains("authserv_id"))
        _ = try quarantined(5, in: site)
        for path in ["/", "/app/mails"] {
            let page = try await site.ask { try await $0.page(path) }.words
            #expect(page.contains("authserv_id: mx.other.example") && page.contains("parserctl rescan"), "\(path)")
        }
        // One mail that was accepted ends the run.
        try site.record(9, merchant: "Corner Shop")
        #expect(try await !site.ask { try await $0.page("/") }.words.contains("authserv_id"))
    }

    /// One that was added on the page is not in the configuration file.
    @Test func theRemedyOfAMailboxOfThePageIsOnThePage() async throws {
        let site = try PageSite()
        for uid in 1...5 { _ = try quarantined(UInt32(uid), in: site) }
        try site.store.mailboxSetups.setAdded([
            AddedMailbox(
                name: "personal", host: "imap.bank.example", user: "u", folders: ["INBOX"], sinceDays: 90,
                authservID: "mx.wrong.example", verifies: false)
        ])
        for path in ["/", "/app/mails", "/app/mailboxes"] {
            let page = try await site.ask { try await $0.page(path) }.words
            #expect(page.contains("add it again with the same name") && page.contains("choose mx.other.example"))
            #expect(!page.contains("spendwise.yaml"), "\(path)")
            let hindi = try await site.ask {
                try await $0.execute(uri: path, method: .get, headers: [.accept: "text/html", .acceptLanguage: "hi"])
            }.words
            #expect(hindi.contains("इसी नाम से फिर जोड़ें") && !hindi.contains("quarantined:"), "\(path)")
        }
    }

    @Test func programsReadMailsPageByPage() async throws {
        let site = try PageSite()
        for uid in 1...5 { _ = try quarantined(UInt32(uid), in: site) }
        let first = try await site.ask { try await $0.execute(uri: "/mails?limit=3", method: .get) }
        let before = try #require(first.headers[.nextBefore])
        let second = try await site.ask { try await $0.execute(uri: "/mails?limit=3&before=\(before)", method: .get) }
        func subjects(_ answer: TestResponse) throws -> [String] {
            let list = try JSONSerialization.jsonObject(with: Data(answer.words.utf8)) as? [[String: Any]]
            return try #require(list).compactMap { $0["subject"] as? String }
        }
        #expect(try subjects(first) + subjects(second) == (1...5).reversed().map { "Paid \($0)" })
        #expect(second.headers[.nextBefore] == nil)
        for wrong in [
            "limit=0", "limit=1001", "status=lost", "since=yesterday", "before=-1", "unknown=1", "bank=", "mailbox=%20",
            "template=",
            "q=",
        ] {
            let answer = try await site.ask { try await $0.execute(uri: "/mails?" + wrong, method: .get) }
            #expect(answer.status == .unprocessableContent, "\(wrong)")
        }
    }
}
