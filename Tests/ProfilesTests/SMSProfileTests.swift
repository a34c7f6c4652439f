import Chronology
import InternetMessage
import Ledger
import ProfileFixture
import Testing
import YAMLSource

@testable import Profiles

@Suite struct SMSProfileTests {
    static let bank = ProfileFolder.bank + "sms: [MEGHNA, MEGHNB]\n"
    static let spend = "sms: also\n" + ProfileFolder.spend
    static let text = "Rs.60.00 spent at LANTERN on 05-01-2026 at 09:00:00 card 4417"

    static func set(_ more: [String: String] = [:]) throws -> ProfileSet {
        try ProfileFolder.set(["bank/_bank.yaml": bank, "bank/spend.yaml": spend].merging(more) { $1 })
    }

    static func sms(_ text: String = text, from sender: String = "VM-MEGHNA") throws -> Message {
        let header = try #require(SMSHeader(sender))
        return Message(
            parsing: ShortMessage(from: header, text: text, receivedAt: .init(seconds: 1_767_585_600)).message(
                now: .now))
    }

    /// Who passed the message on, and the outcome of an SMS and of the same text as a mail.
    static let policies: [(AuthenticationPolicy, Outcome, Outcome)] = [
        (.phone(books: false), .review, .unclaimed), (.phone(books: true), .recorded, .unclaimed),
        (.unverified, .recorded, .recorded), (.trustDelivery, .unclaimed, .recorded),
        (.pinned(authservID: "mx.example.com"), .unclaimed, .quarantined), (.noTrustedServer, .unclaimed, .quarantined),
        (.verified(authservID: nil), .unclaimed, .quarantined),
    ]

    @Test(arguments: policies) func onlyAPhonePassesSMSOn(
        policy: AuthenticationPolicy, sms: Outcome, mail: Outcome
    ) throws {
        let set = try Self.set()
        #expect(try set.claim(Self.sms()).decide(trusting: policy, receivedAt: nil).outcome == sms)
        let decision = set.claim(ProfileFixture.mail(Self.text)).decide(trusting: policy, receivedAt: nil)
        #expect(decision.outcome == mail)
    }

    @Test func theReasonSaysThatTheSenderIsAClaim() throws {
        let decision = try Self.set().claim(Self.sms()).decide(trusting: .phone(books: false), receivedAt: nil)
        #expect(decision.reasons.map(\.factor) == [.smsSender] && decision.confidence == 1)
        #expect(decision.authentication.hasPrefix("phone: ") && decision.source?.isAuthentic == false)
        #expect(decision.draft?.merchant == "LANTERN" && decision.draft?.account == "4417")
    }

    /// `sms:` of a template, and whether it claims a mail and an SMS.
    static let media: [(String, mail: Bool, sms: Bool)] = [
        ("", true, false), ("sms: also\n", true, true), ("sms: only\n", false, true),
    ]

    @Test(arguments: media) func aTemplateNamesItsMedia(line: String, mail: Bool, sms: Bool) throws {
        let set = try Self.set(["bank/spend.yaml": line + ProfileFolder.spend])
        func template(_ message: Message) -> String? {
            set.claim(message).decide(trusting: .unverified, receivedAt: nil).template
        }
        #expect((template(ProfileFixture.mail(Self.text)) == "bank/spend") == mail)
        #expect(try (template(Self.sms()) == "bank/spend") == sms)
    }

    @Test func conditionsOnTheSubjectAreForMails() throws {
        let spend = Self.spend + "\nmatch: { subject_pattern: '^Alert$', from: [alerts@bank.example] }\n"
        let set = try Self.set(["bank/spend.yaml": spend])
        #expect(try set.claim(Self.sms()).decide(trusting: .unverified, receivedAt: nil).template == "bank/spend")
        let other = ProfileFixture.mail(Self.text, from: "other@bank.example")
        #expect(set.claim(other).decide(trusting: .unverified, receivedAt: nil).template != "bank/spend")
    }

    static let senders: [(String, String?)] = [
        ("VM-MEGHNA", "bank"), ("ad-meghnb-s", "bank"), ("MEGHNA", "bank"), ("VM-MEGHNC", nil), ("VM-BANK", nil),
    ]

    @Test(arguments: senders) func theHeaderNamesTheBank(sender: String, bank: String?) throws {
        #expect(try Self.set().claim(Self.sms(from: sender)).sender.bank?.key == bank)
    }

    @Test func advertisingIsNeverBooked() throws {
        let set = try Self.set()
        let booked = try set.claim(Self.sms(from: "VM-MEGHNA-P")).decide(trusting: .phone(books: true), receivedAt: nil)
        #expect(booked.outcome == .review && booked.reasons.contains { $0.factor == .promotionalSender })
        let loan = try Self.sms("Rs.500000.00 will be credited to your account today!", from: "VM-MEGHNA-P")
        let ignored = set.claim(loan).decide(trusting: .phone(books: true), receivedAt: nil)
        #expect(ignored.outcome == .ignored && ignored.draft == nil)
    }

    static let faults: [(String, [String: String], String)] = [
        ("prefix", ["bank/_bank.yaml": ProfileFolder.bank + "sms: [VM-MEGHNA]\n"], "Write it without prefix"),
        ("number", ["bank/_bank.yaml": ProfileFolder.bank + "sms: ['9812345678']\n"], "not the header"),
        ("twice", ["bank/_bank.yaml": ProfileFolder.bank + "sms: [MEGHNA, meghna]\n"], "listed twice"),
        ("two banks", ["other/_bank.yaml": "domains: [other.example]\nsms: MEGHNA\n"], "is also"),
        ("value", ["bank/spend.yaml": "sms: yes\n" + ProfileFolder.spend], "unknown value 'yes'"),
        (
            "no body",
            [
                "bank/otp.yaml":
                    "template: bank/otp\nkind: ignore\nreason: otp\nsms: also\nmatch: { subject_pattern: OTP }\n"
            ],
            "needs a body_pattern"
        ),
        (
            "sample of another",
            ["bank/spend.yaml": spend + "\nsamples:\n  - { name: x, sms: VM-OTHERS, text: y, expect: none }\n"],
            "is not among"
        ),
        (
            "sample with a subject",
            [
                "bank/spend.yaml": spend
                    + "\nsamples:\n  - { name: x, sms: VM-MEGHNA, subject: s, text: y, expect: none }\n"
            ], "an SMS has a text"
        ),
        (
            "sample of a person",
            ["bank/spend.yaml": spend + "\nsamples:\n  - { name: x, sms: '+919812345678', text: y, expect: none }\n"],
            "not the header"
        ),
    ]

    @Test(arguments: faults) func faultsAreNamed(name: String, files: [String: String], message: String) {
        #expect(performing: { try Self.set(files) }, throws: { "\($0)".contains(message) })
    }
}
