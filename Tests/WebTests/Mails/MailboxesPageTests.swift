import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// What the page of the mailboxes says about mails, and the keys of the sections.
@Suite struct MailboxesPageTests {
    @Test func outcomesLeadToTheirMails() async throws {
        let site = try PageSite()
        try site.record(1, merchant: "CAFE MOON", subject: "Coffee")
        try site.record(2, merchant: "CAFE MOON", subject: "Coffee again")
        let id = try MailPageTests().quarantined(3, in: site)
        try copy(4, in: site)
        let page = try await site.ask { try await $0.page("/app/mailboxes") }.words
        for words in [
            #"<a href="/app/mails?outcome=recorded">2 booked</a>"#,
            #"<a href="/app/mails?outcome=duplicate">1 copy</a>"#,
            #"<a href="/app/mails?outcome=quarantined">All quarantined mails</a>"#,
            #"<a href="/app/mails/\#(id)">Paid 3</a>"#,
        ] { #expect(page.contains(words), "\(words)\n\(page)") }
        #expect(!page.contains("Choice(") && !page.contains("1 copies"))
        try copy(5, in: site)
        #expect(try await site.ask { try await $0.page("/app/mailboxes") }.words.contains(">2 copies<"))
    }

    private func copy(_ uid: UInt32, in site: PageSite) throws {
        let decision = Decision(
            .copy,
            by: Decision.Source(
                profile: "example", bank: "Example Bank", version: "1", template: "example/paid",
                authentication: "pass: genuine by dmarc"))
        let entry = MailEntry(
            at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: uid), decision
        ) {
            $0.messageID = "<c\(uid)@bank.example>"
            $0.contentDigest = [UInt8(truncatingIfNeeded: uid), 7]
        }
        try site.store.recording.record([entry])
    }

    @Test func everySectionHasItsKeyInTheHelp() async throws {
        let keys = PageFrame.Section.allCases.map(\.key)
        #expect(Set(keys).count == keys.count)
        let page = try await PageSite().ask { try await $0.page("/app/help") }.words
        let row = try #require(page.firstMatch(of: #/<kbd>g<\/kbd>.*?<\/tr>/#.dotMatchesNewlines())).output
        for section in PageFrame.Section.allCases {
            #expect(row.contains("<kbd>\(section.key)</kbd> \(section.title)"), "\(section)")
        }
    }
}
