import Chronology
import ChronologyFixture
import InternetMessage
import Ledger
import Settings
import Store
import Testing

@testable import Ingest

/// Mails that a person uploads: the web role records them, the mail reader decides.
@Suite struct UploadIntakeTests {
    /// A check with a fixed result.
    private struct Fixed: SignatureChecker {
        let found: SignatureFinding

        func finding(for message: Message, pinned: [PinnedKey], receivedAt: UnixTime?) -> SignatureFinding { found }

        func finding(for message: Message, vouchedBy forwarders: [String], receivedAt: UnixTime?) -> ARCFinding {
            .notChecked
        }
    }

    private static func mail(
        _ number: Int, from sender: String = "alerts@bank.example", _ text: String? = nil
    ) -> String {
        """
        Authentication-Results: mx.google.com; dmarc=pass header.from=bank.example
        From: Bank <\(sender)>
        Message-ID: <\(number)@bank.example>
        Subject: Alert
        Date: Mon, 5 Jan 2026 09:3\(number % 10):00 +0530

        \(text ?? PhoneSite.text("\(100 + number).00", ref: "REF00000\(number)"))

        """
    }

    private static func mbox(_ mails: [String]) -> [UInt8] {
        Array(mails.map { "From - Mon Jan  5 09:30:00 2026\n\($0)\n" }.joined().utf8)
    }

    private func upload(_ file: [UInt8], to site: PhoneSite) throws -> UploadedMails {
        try UploadIntake(
            store: site.book.store, profiles: { [profiles = site.profiles] in profiles }, decisions: site.decisions
        )
        .record(file, named: "mails.mbox")
    }

    private func decide(_ site: PhoneSite, _ finding: SignatureFinding) throws {
        let store = site.book.store
        var intake = Intake(
            profiles: site.profiles, rules: .none, authentication: .noTrustedServer, decisions: site.decisions)
        intake.signatures = Fixed(found: finding)
        let mails = RetainedMails(store: store, intake: intake, policies: try RetainedMails.policies(nil, store))
        let due = try store.mailboxes.dueRetries(ofMailbox: MailLocation.upload)
        _ = try mails.decideAgain([.failed], of: .init(ids: due, mailbox: MailLocation.upload))
    }

    private func outcomes(_ site: PhoneSite) throws -> [Outcome] {
        try site.book.store.mails.page(MailQuery()).rows.map(\.outcome)
    }

    /// What the mail itself says of its sender never counts.
    @Test(
        arguments: [
            (.pass, .recorded), (.unsigned, .review), (.unverifiable(reason: .keyMissing), .review),
            (.fail(reason: .expired), .review), (.fail(reason: .bodyAltered), .quarantined), (.undecided, .failed),
        ] as [(SignatureFinding, Outcome)])
    func onlyTheOwnCheckCounts(finding: SignatureFinding, outcome: Outcome) throws {
        let site = try PhoneSite()
        let summary = try upload(Array(Self.mail(1).utf8), to: site)
        #expect(summary == .init(mails: 1, fromBanks: 1, known: 0))
        #expect(try outcomes(site) == [.failed] && site.rows().isEmpty, "the web role decides nothing")
        try decide(site, finding)
        #expect(try outcomes(site) == [outcome])
        #expect(
            try site.rows().map(\.status)
                == (outcome == .recorded ? [.confirmed] : outcome == .review ? [.needsReview] : []))
        #expect(
            try site.book.store.mailboxes.dueRetries(ofMailbox: MailLocation.upload) == [], "no check at once again")
    }

    @Test func anMboxFileIsReadOnce() throws {
        let site = try PhoneSite()
        let file = Self.mbox([
            Self.mail(1), Self.mail(2), Self.mail(3, from: "friend@home.example", "Lunch?"),
            Self.mail(4, PhoneSite.text(ref: "REF000004") + "\n>From here on it is quoted."),
        ])
        #expect(try upload(file, to: site) == .init(mails: 4, fromBanks: 3, known: 0))
        try decide(site, .pass)
        #expect(try outcomes(site) == [.recorded, .recorded, .recorded])
        #expect(try upload(file, to: site) == .init(mails: 4, fromBanks: 3, known: 3))
        #expect(try site.rows().count == 3)
    }

    /// A mail that the mailbox has brought already.
    @Test func aMailOfAMailboxIsNoSecondPayment() throws {
        let site = try PhoneSite()
        let bytes = Array(Self.mail(1).utf8)
        let intake = Intake(
            profiles: site.profiles, rules: .none, authentication: .trustDelivery, decisions: site.decisions)
        let place = MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: 1)
        _ = try site.book.store.recording.record([intake.entry(for: bytes, at: place, receivedAt: nil)])
        _ = try upload(bytes, to: site)
        try decide(site, .pass)
        #expect(try site.rows().count == 1)
        #expect(try Set(outcomes(site)) == [.recorded, .duplicate])
    }

    @Test(arguments: [[], Array("no mail".utf8), [UInt8](repeating: 0, count: 5000)] as [[UInt8]]) func whatIsNoMail(
        file: [UInt8]
    ) throws {
        let site = try PhoneSite()
        #expect(try upload(file, to: site).mails == 0)
        #expect(try outcomes(site) == [])
    }
}
