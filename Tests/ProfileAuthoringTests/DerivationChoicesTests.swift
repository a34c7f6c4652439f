import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import ProfileAuthoring
@testable import Profiles

fileprivate func alert(_ text: String, from: String, date: String = "Mon, 05 Jan 2026 18:00:00 +0530") -> [UInt8] {
    Array(
        "From: \(from)\r\nSubject: Alert\r\nDate: \(date)\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(text)\r\n"
            .utf8)
}

/// Mails of another kind that a template of the bank claims.
@Suite struct TemplateExceptionTests {
    static let good = "Rs.500.00 spent at HILL COFFEE on 05-01-26 card 1234\nOutcome Done"
    static let declined = "Rs.500.00 spent at HILL COFFEE on 05-01-26 card 1234\nOutcome Declined by issuer"

    static let unguarded = ProfileFolder.spend
    static let guarded = ProfileFolder.spend.replacing(
        "extract:", with: "match:\n  unless_pattern: |-\n    \\b never \\b\nextract:")
    static let inline = ProfileFolder.spend.replacing(
        "extract:", with: "match: { unless_pattern: '\\b never \\b' }\nextract:")

    @Test(arguments: [unguarded, guarded, inline])
    func theTemplateThatClaimsAnIgnoredMailExceptsIt(template: String) throws {
        var files = ["bank/_bank.yaml": ProfileFolder.bank, "bank/spend.yaml": template]
        let folder = try ProfileFolder(files)
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let sender = "alerts@bank.example"
        let mail = ExampleMail(name: "declined", bytes: alert(Self.declined, from: sender), values: [:])
        let claimants = try folder.load().claim(Message(parsing: mail.bytes)).claimants()
        #expect(claimants == ["bank/spend"])
        var derivation = try Derivation(
            folders: [folder.path], target: Derivation.Target(bank: "bank", name: "declined"), mails: [mail],
            options: DraftOptions(ignore: .declined))
        let result = try derivation.run(keepValues: false)
        #expect(result.changed.map(\.template) == ["bank/spend"])
        let change = try #require(result.changed.first)
        #expect(change.old == template && change.yaml.contains("expect: none"))
        #expect(!template.contains("never") || change.yaml.contains("never"))
        files["bank/declined.yaml"] = result.yaml
        files["bank/spend.yaml"] = change.yaml
        let after = try ProfileFolder(files)
        defer { try? FileManager.default.removeItem(atPath: after.path) }
        let set = try after.load()
        func outcome(_ text: String) -> Outcome {
            set.claim(Message(parsing: alert(text, from: sender))).decide(trusting: .unverified, receivedAt: nil)
                .outcome
        }
        #expect(outcome(Self.declined) == .ignored)
        #expect(outcome(Self.good) == .recorded)
        #expect(!set.checkSamples().contains { !$0.holds })
    }
}

/// Mails that differ from transactions in their subject only.
@Suite struct SubjectExceptionTests {
    static let text = "Rs.500.00 spent at HILL COFFEE on 05-01-26 card 1234"

    private static func mail(_ subject: String, _ sender: String = "alerts@bank.example") -> [UInt8] {
        Array(
            String(decoding: alert(text, from: sender), as: UTF8.self).replacing(
                "Subject: Alert", with: "Subject: \(subject)"
            ).utf8)
    }

    static func derivation(_ subject: String, in folder: ProfileFolder) throws -> Derivation {
        try Derivation(
            folders: [folder.path], target: Derivation.Target(bank: "bank", name: "declined"),
            mails: [ExampleMail(name: "declined", bytes: mail(subject), values: [:])],
            options: DraftOptions(ignore: .declined))
    }

    @Test func theSubjectIsExcepted() throws {
        var files = ["bank/_bank.yaml": ProfileFolder.bank, "bank/spend.yaml": ProfileFolder.spend]
        let folder = try ProfileFolder(files)
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        var derivation = try Self.derivation("Transaction declined", in: folder)
        let result = try derivation.run(keepValues: false)
        let change = try #require(result.changed.first)
        #expect(change.yaml.contains("unless_subject_pattern:"))
        files["bank/declined.yaml"] = result.yaml
        files["bank/spend.yaml"] = change.yaml
        let after = try ProfileFolder(files)
        defer { try? FileManager.default.removeItem(atPath: after.path) }
        let set = try after.load()
        func claimants(_ subject: String) -> [String] {
            set.claim(Message(parsing: Self.mail(subject))).claimants()
        }
        #expect(claimants("Transaction declined") == ["bank/declined"])
        #expect(claimants("Transaction alert") == ["bank/spend"])
        #expect(!set.checkSamples().contains { !$0.holds })
        let step = set.claim(Message(parsing: Self.mail("Transaction declined"))).explain().nearest.first {
            $0.template == "bank/spend"
        }
        #expect(step?.step == .unlessSubject && step?.matched == "Transaction declined" && step?.line ?? 0 > 0)
    }

    /// Such a subject may be that of the transactions.
    @Test func aSubjectWithoutAWordOfTheReasonIsNotExcepted() throws {
        let sample = """

            samples:
              - name: spent
                subject: Transaction alert
                text: \(Self.text)
                expect: { amount: '500.00' }
            """
        let folder = try ProfileFolder([
            "bank/_bank.yaml": ProfileFolder.bank, "bank/spend.yaml": ProfileFolder.spend + sample,
        ])
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        var derivation = try Self.derivation("Transaction alert", in: folder)
        #expect(throws: DerivationError.self) { try derivation.run(keepValues: false) }
    }
}

/// What a new bank's mails show of their bank.
@Suite struct NewBankTests {
    static func derivation(_ text: String, _ values: [Field: String], date: String) throws -> Derivation {
        try Derivation(
            folders: [ShippedProfiles.folder.path], target: Derivation.Target(bank: "meghna", name: "card"),
            mails: [
                ExampleMail(name: "mail", bytes: alert(text, from: "alerts@meghna.example", date: date), values: values)
            ], options: DraftOptions())
    }

    @Test(arguments: [
        (
            "AED 54.20 was charged to your card 7788 at 10:30 on 12 Nov 2026", "AED 54.20",
            "Thu, 12 Nov 2026 06:32:00 +0000", "Etc/GMT-4", "AED"
        ),
        (
            "54.20 EUR was charged to your card 7788 at 10:30 on 12 Nov 2026", "54.20",
            "Thu, 12 Nov 2026 09:30:20 +0000", "Etc/GMT-1", "EUR"
        ),
        (
            "Rs. 54.20 was charged to your card 7788 at 10:30 on 12 Nov 2026", "54.20",
            "Thu, 12 Nov 2026 05:03:00 +0000", "Asia/Kolkata", "INR"
        ),
    ])
    func currencyAndTimeZoneComeFromTheMails(
        text: String, amount: String, date: String, zone: String, currency: String
    ) throws {
        let message = Message(parsing: alert(text, from: "alerts@meghna.example", date: date))
        let mail = ExampleMail(
            name: "mail", bytes: [], values: [.amount: amount, .date: "2026-11-12", .time: "10:30"])
        let locale = ExampleLocale([mail], [message], try PrintedForms())
        #expect(locale.timeZone == zone && locale.currency.code == currency, "\(locale)")
    }

    static let spend =
        "Dear Customer,\nRs. 1,250.50 has been spent on your Meghna Bank card XX4471 at BLUE LOTUS CAFE on 06-Jan-2026 at 19:41:33."
    static let values: [Field: String] = [
        .amount: "1250.50", .account: "4471", .merchant: "BLUE LOTUS CAFE", .date: "2026-01-06",
    ]

    @Test func sharedTemplatesThatReadTheMailsAreNamed() throws {
        let date = "Tue, 06 Jan 2026 19:42:10 +0530"
        let found = try Self.derivation(Self.spend, Self.values, date: date).bankOfSharedTemplates()
        #expect(found?.folder == "_india")
        #expect(found?.bankYAML.contains("shared: [_india]") ?? false)
        let other = Self.values.merging([.merchant: "LOTUS CAFE"]) { $1 }
        let none = try Self.derivation(Self.spend, other, date: date).bankOfSharedTemplates()
        #expect(none?.folder == nil)
    }

    @Test(arguments: [("Rs. 54.20", "_india"), ("COP 54.20", "_spanish"), ("AED 54.20", "_english")])
    func sharedTemplatesOfTheCountryAreTriedFirst(amount: String, folder: String) throws {
        let text = "\(amount) was charged to your card 7788 at 10:30 on 12 Nov 2026"
        let derivation = try Self.derivation(
            text, [.amount: amount, .date: "2026-11-12"], date: "Thu, 12 Nov 2026 06:32:00 +0000")
        #expect(derivation.sharedFolders().first == folder)
        #expect(Set(derivation.sharedFolders()) == Set(derivation.base.shared.map(\.key)))
    }

    /// A counterparty that was not given is neither in the pattern nor in the sample.
    @Test func aMerchantThatWasNotGivenStaysOutOfTheTemplate() throws {
        let text =
            "Dear Customer,\nYour card ending 7788 was charged USD 54.20 at Sharma Lotus Stores on 12 Nov 2026.\nThank you."
        var derivation = try Self.derivation(
            text, [.amount: "USD 54.20", .account: "7788", .date: "2026-11-12"],
            date: "Thu, 12 Nov 2026 22:32:00 +0000")
        let yaml = try derivation.run(keepValues: false).yaml.lowercased()
        for word in ["sharma", "lotus", "stores"] { #expect(!yaml.contains(word), "\(yaml)") }
    }
}
