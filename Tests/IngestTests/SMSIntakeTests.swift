import Chronology
import ChronologyFixture
import Foundation
import InternetMessage
import Ledger
import Profiles
import Randomness
import Settings
import Store
import Testing

@testable import Ingest

/// A bank that sends mails and SMS, and a phone that passes the SMS on.
final class PhoneSite {
    static let arrival = UnixTime(seconds: 1_767_585_600)  // 2026-01-05 04:00:00 UTC
    let book: Book
    let profiles: ProfileSet
    let decisions: DecisionSettings
    private var mails: UInt32 = 0

    /// Loaded once, which is slow in a debug build.
    private static let profiles: Result<ProfileSet, any Error> = Result {
        let folder = NSTemporaryDirectory() + "sms-tests-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/test", withIntermediateDirectories: true)
        let fields = """
            (?<!\\w)Rs\\.(?<amount>\\d+\\.\\d\\d)\\sspent\\son\\scard\\s(?<account>\\d{4})\\sat\\s(?<merchant>[A-Z\\x20]{1,40}?)\\son\\s(?<date>\\d\\d-\\d\\d-\\d{4})(?:\\sat\\s(?<time>\\d\\d:\\d\\d:\\d\\d))?(?:\\sRef\\s(?<reference>[A-Z0-9]{6,20}))?\\.
            """
        let files = [
            "_bank.yaml": "name: Test Bank\ndomains: [bank.example]\nsms: [MEGHNA, MEGHNB]\n",
            "card.yaml":
                "template: test/card\nkind: transaction\nsms: also\nextract:\n  body_pattern: '\(fields)'\n  type: expense\n  channel: card\n",
            "mail.yaml":
                "template: test/mail\nkind: transaction\nextract:\n  body_pattern: '^MAILONLY\\s\(fields)'\n  type: expense\n  channel: card\n",
            "otp.yaml":
                "template: test/otp\nkind: ignore\nreason: otp\nsms: only\nmatch:\n  body_pattern: '\\bOTP\\sis\\s\\d{6}'\n",
        ]
        for (name, text) in files {
            try text.write(toFile: folder + "/test/" + name, atomically: true, encoding: .utf8)
        }
        return try ProfileSet(directories: [folder], samples: false)
    }

    init(books: Bool = false) throws {
        book = try Book()
        profiles = try Self.profiles.get()
        decisions = DecisionSettings(autoConfirmAt: 0.5, keepsRaw: true, keepsSettled: .text, booksSMS: books)
    }

    static func text(
        _ amount: String = "250.00", at time: String? = "09:00:00", ref: String? = nil, shop: String = "R TRADERS"
    ) -> String {
        "Rs.\(amount) spent on card 4321 at \(shop) on 05-01-2026\(time.map { " at " + $0 } ?? "")\(ref.map { " Ref " + $0 } ?? "")."
    }

    @discardableResult
    func sms(_ text: String, from sender: String = "VM-MEGHNA", at seconds: Int64? = 0) throws -> RecordedMail {
        let header = try #require(SMSHeader(sender))
        let intake = SMSIntake(store: book.store, profiles: { [profiles] in profiles }, decisions: decisions)
        return try intake.record(
            ShortMessage(from: header, text: text, receivedAt: seconds.map { Self.arrival + $0 }),
            now: Self.arrival + 3600)
    }

    @discardableResult
    func mail(_ text: String, from sender: String = "alerts@bank.example") throws -> RecordedMail {
        mails += 1
        let bytes = """
            From: Bank <\(sender)>
            Message-ID: <\(mails)@bank.example>
            Subject: Alert
            Date: Mon, 5 Jan 2026 09:3\(mails % 10):00 +0530

            \(text)
            """
        let intake = Intake(
            profiles: profiles, rules: .none, authentication: .trustDelivery, decisions: decisions)
        let place = MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: mails)
        let entry = intake.entry(for: Array(bytes.utf8), at: place, receivedAt: nil)
        return try #require(try book.store.recording.record([entry]).first)
    }

    func rows() throws -> [TransactionRow] {
        try book.store.transactions.page(TransactionQuery()).rows.sorted { $0.id < $1.id }
    }
}

@Suite struct SMSIntakeTests {
    /// Sender, text, outcome, and the template.
    static let outcomes: [(String, String, Outcome, String?)] = [
        ("VM-MEGHNA", PhoneSite.text(), .review, "test/card"),
        ("AD-MEGHNB-S", PhoneSite.text(), .review, "test/card"),
        ("VM-MEGHNA", "Your OTP is 123456 for Rs.250.00", .ignored, "test/otp"),
        ("VM-MEGHNA", "Dear customer, visit our branch.", .ignored, TemplateName.generic),
        // A template for mails alone is not tried.
        ("VM-MEGHNA", "MAILONLY " + PhoneSite.text(), .review, "test/card"),
        // Advertising.
        ("VM-MEGHNA-P", "Loan of Rs.250000.00 credited to your account in minutes!", .ignored, nil),
        ("VM-MEGHNA-P", PhoneSite.text(), .review, "test/card"),
        ("VM-OTHERS", PhoneSite.text(), .unclaimed, nil), ("VM-MEGHNAX", PhoneSite.text(), .unclaimed, nil),
    ]

    @Test(arguments: outcomes) func outcome(
        sender: String, text: String, outcome: Outcome, template: String?
    ) throws {
        let site = try PhoneSite()
        let recorded = try site.sms(text, from: sender)
        let mail = try #require(try site.book.store.mails.find(recorded.mailID))
        #expect(recorded.outcome == outcome && mail.outcome == outcome)
        if let template { #expect(mail.template == template) }
        // Only a bank's text is kept.
        #expect((try site.book.store.mails.raw(ofMail: mail.id) != nil) == (outcome != .unclaimed))
        #expect(mail.subject == (outcome == .unclaimed ? nil : "SMS from \(mail.folder)"))
        let rows = try site.rows()
        #expect(rows.allSatisfy { $0.recorder == "SMS" && $0.status == .needsReview })
        #expect(try site.book.transactions() == rows.count)
        // The same again is one SMS.
        let again = try site.sms(text, from: sender)
        #expect(!again.isNew && again.mailID == recorded.mailID && again.outcome == outcome)
        #expect(try site.rows().count == rows.count)
    }

    @Test func theOptionBooks() throws {
        let site = try PhoneSite(books: true)
        #expect(try site.sms(PhoneSite.text()).outcome == .recorded)
        #expect(try site.sms(PhoneSite.text("9.00", at: "10:00:00"), from: "VM-MEGHNA-P", at: 60).outcome == .review)
        #expect(try site.sms("Your payment of Rs.7.00 at X was declined.", at: 61).outcome != .recorded)
        #expect(try site.sms(PhoneSite.text(), from: "VM-OTHERS").outcome == .unclaimed)
        #expect(try site.rows().map(\.status) == [.confirmed, .needsReview] || site.rows().count == 3)
        #expect(try site.rows()[0].recorder == "SMS")
    }

    /// A mail cannot pretend to be an SMS, under any policy of a mailbox.
    @Test func aMailIsNoSMS() throws {
        let site = try PhoneSite(books: true)
        #expect(try site.mail(PhoneSite.text(), from: "meghna@sms.invalid").outcome == .unclaimed)
        #expect(try site.rows().isEmpty)
    }

    /// Rescans decide an SMS by the policy of the phone.
    @Test func aRescanKeepsItWaiting() throws {
        let site = try PhoneSite()
        let recorded = try site.sms(PhoneSite.text())
        let intake = Intake(
            profiles: site.profiles, rules: .none, authentication: .noTrustedServer, decisions: site.decisions)
        for (books, expected) in [(false, Outcome.review), (true, .recorded)] {
            let mails = RetainedMails(
                store: site.book.store, intake: intake, policies: [MailLocation.phone: .phone(books: books)])
            _ = try mails.decideAgain([.review])
            #expect(try site.book.store.mails.find(recorded.mailID)?.outcome == expected)
        }
        #expect(try RetainedMails.policies(nil, site.book.store)[MailLocation.phone] == .phone(books: false))
    }

    enum Alert: Sendable {
        case mail(String)
        case sms(String, at: Int64 = 0)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var alerts: [Alert]
        /// The outcomes, and the number of transactions.
        var outcomes: [Outcome]
        var transactions: Int

        init(_ name: String, _ alerts: [Alert], _ outcomes: [Outcome], _ transactions: Int) {
            (testDescription, self.alerts, self.outcomes, self.transactions) = (name, alerts, outcomes, transactions)
        }
    }

    private static func text(
        _ amount: String = "250.00", at time: String? = "09:00:00", ref: String? = nil, shop: String = "R TRADERS"
    ) -> String { PhoneSite.text(amount, at: time, ref: ref, shop: shop) }

    static let cases = [
        Case("mail, then SMS", [.mail(text()), .sms(text(shop: "RTRADERS"))], [.recorded, .duplicate], 1),
        Case("SMS, then mail", [.sms(text(shop: "RTRADERS")), .mail(text())], [.review, .recorded], 1),
        Case(
            "the same reference", [.mail(text(ref: "ABC123")), .sms(text(at: nil, ref: "abc123"))],
            [.recorded, .duplicate], 1),
        Case(
            "the same reference, SMS first", [.sms(text(at: nil, ref: "ABC123")), .mail(text(ref: "ABC123"))],
            [.review, .recorded], 1),
        Case(
            "another reference in the same minute", [.mail(text(ref: "ABC123")), .sms(text(ref: "ABC124"))],
            [.recorded, .review], 2),
        Case("another minute", [.mail(text()), .sms(text(at: "09:01:00"))], [.recorded, .review], 2),
        Case("the minute alone", [.mail(text(at: "09:00:41")), .sms(text())], [.recorded, .duplicate], 1),
        Case("another second", [.mail(text(at: "09:00:11")), .sms(text(at: "09:00:41"))], [.recorded, .review], 2),
        Case(
            "another second, SMS first", [.sms(text(at: "09:00:41")), .mail(text(at: "09:00:11"))],
            [.review, .recorded], 2),
        Case("another amount", [.mail(text()), .sms(text("250.01"))], [.recorded, .review], 2),
        Case("no time: a person decides", [.mail(text()), .sms(text(at: nil))], [.recorded, .review], 2),
        Case(
            "two equal payments in one minute, mails first",
            [
                .mail(text(at: "09:00:05")), .mail(text(at: "09:00:30")), .sms(text(at: "09:00:30"), at: 1),
                .sms(text(at: "09:00:05")),
            ],
            [.recorded, .recorded, .duplicate, .duplicate], 2),
        Case(
            "two equal payments in one minute, one mail lost",
            [.mail(text(at: "09:00:05")), .sms(text(at: "09:00:05")), .sms(text(at: "09:00:31"), at: 1)],
            [.recorded, .duplicate, .review], 2),
        Case(
            "two equal payments in one minute, SMS first",
            [
                .sms(text(at: "09:00:05")), .sms(text(at: "09:00:30"), at: 1), .mail(text(at: "09:00:30")),
                .mail(text(at: "09:00:05")),
            ],
            [.review, .review, .recorded, .recorded], 2),
        Case(
            "two SMS and one mail",
            [.sms(text(at: "09:00:02")), .mail(text(at: "09:00:02")), .sms(text(at: "09:00:31"), at: 1)],
            [.review, .recorded, .review], 2),
        Case(
            "a resend after the mail", [.sms(text()), .mail(text()), .sms(text())], [.review, .recorded, .duplicate], 1),
    ]

    @Test(arguments: cases) func oneEventIsOneTransaction(_ item: Case) throws {
        let site = try PhoneSite()
        var outcomes: [Outcome] = []
        for alert in item.alerts {
            switch alert {
            case .mail(let text): outcomes.append(try site.mail(text).outcome)
            case .sms(let text, let seconds): outcomes.append(try site.sms(text, at: seconds).outcome)
            }
        }
        #expect(outcomes == item.outcomes)
        #expect(try site.rows().count == item.transactions)
        #expect(try site.book.transactions() == item.transactions)
    }

    /// The mail takes the draft of the SMS over; both stay as evidence.
    @Test func theMailTakesTheDraftOver() throws {
        let site = try PhoneSite()
        let sms = try site.sms(PhoneSite.text(shop: "RTRADERS"))
        let mail = try site.mail(PhoneSite.text())
        #expect(mail.transactionID == sms.transactionID && mail.isNew)
        let row = try #require(try site.rows().first)
        #expect(row.recorder == "Auto" && row.status == .confirmed && row.vendor == "R TRADERS")
        #expect(row.mailID == mail.mailID)
        let kept = try #require(try site.book.store.mails.find(sms.mailID))
        #expect(kept.outcome == .duplicate && kept.duplicateOf == mail.mailID && kept.template == "test/card")
        #expect(try site.book.store.mails.raw(ofMail: sms.mailID) != nil)
        let status = try site.book.store.monitoring.status()
        #expect(status.waiting == 0 && status.transactions == [.confirmed: 1])
    }

    /// What a person decided about the SMS stays.
    @Test(arguments: [true, false]) func aPersonsDecisionStays(accepts: Bool) throws {
        let site = try PhoneSite()
        let id = try #require(try site.sms(PhoneSite.text()).transactionID)
        if accepts {
            try site.book.store.review.accept(ReviewID.transaction(id))
        } else {
            try site.book.store.review.reject(ReviewID.transaction(id))
        }
        #expect(try site.mail(PhoneSite.text()).outcome == .duplicate)
        let row = try #require(try site.rows().first)
        #expect(row.recorder == "SMS" && row.status == (accepts ? .confirmed : .rejected))
    }

    /// Payments of few amounts and minutes, each with a mail and an SMS, of which some are lost or sent again, in any
    /// order: as many transactions as payments that anything reported.
    @Test(arguments: 0..<60) func noPaymentIsMergedOrDoubled(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        let site = try PhoneSite()
        var alerts: [Alert] = []
        var paid: Set<Int> = []
        let count = Int.random(in: 1...8, using: &random)
        for payment in 0..<count {
            let amount = Bool.random(using: &random) ? "250.00" : "80.00"
            let time = "09:0\(Int.random(in: 0...1, using: &random)):\(10 + 6 * payment)"
            let ref = Bool.random(using: &random) ? "REF10\(payment)" : nil
            let text = PhoneSite.text(amount, at: time, ref: ref)
            if Int.random(in: 0..<4, using: &random) > 0 {
                alerts.append(.mail(text))
                paid.insert(payment)
            }
            if Int.random(in: 0..<4, using: &random) > 0 {
                alerts.append(.sms(text, at: Int64(payment)))
                if Bool.random(using: &random) { alerts.append(.sms(text, at: Int64(payment))) }
                paid.insert(payment)
            }
        }
        alerts.shuffle(using: &random)
        for alert in alerts {
            switch alert {
            case .mail(let text): try site.mail(text)
            case .sms(let text, let seconds): try site.sms(text, at: seconds)
            }
        }
        #expect(try site.rows().count == paid.count)
    }
}
