import Chronology
import Testing

@testable import Ledger

/// Alerts of one bank: one payment by mail and SMS, perhaps one, or two.
@Suite struct AlertMatchTests {
    typealias Same = SameEventEvidenceTests

    static func alert(
        _ id: Int64, _ medium: AlertMedium?, _ minor: Int64 = 48_000, day: Int = 0, at seconds: Int64? = 11,
        to merchant: String? = "TOY BARN", account: String = "3307", bank: String = "hdfc", reference: String? = nil,
        type: TransactionType = .expense
    ) -> EventReport {
        var report = Same.report(
            id, minor, day: day, at: seconds, to: merchant, account: account, bank: bank, reference: reference,
            type: type)
        report.medium = medium
        return report
    }

    @Test(
        arguments: [
            ("the same time", alert(2, .sms), .same), ("the same time, another name", alert(2, .sms, to: "TB"), .same),
            ("the minute alone", alert(2, .sms, at: 0), .same), ("another minute", alert(2, .sms, at: 60), .near),
            ("another second", alert(2, .sms, at: 12), .near), ("three minutes", alert(2, .sms, at: 191), .near),
            ("more than three minutes", alert(2, .sms, at: 192), nil), ("no time", alert(2, .sms, at: nil), nil),
            ("two digits of the account", alert(2, .sms, account: "07"), .same),
            ("another account", alert(2, .sms, account: "3308"), nil), ("no account", alert(2, .sms, account: ""), nil),
            ("another amount", alert(2, .sms, 48_001), nil), ("another bank", alert(2, .sms, bank: "sbi"), nil),
            ("another direction", alert(2, .sms, type: .income), nil), ("a second mail", alert(2, .mail), nil),
            ("an entry of a person", alert(2, nil), nil),
            ("one reference of two", alert(2, .sms, reference: "A1"), .same),
        ] as [(String, EventReport, AlertMatch?)]
    ) func mailBesideSMS(name: String, sms: EventReport, found: AlertMatch?) {
        let mail = Self.alert(1, .mail)
        #expect(AlertMatch.ofTwoMedia(mail, sms) == found, "\(name)")
        #expect(AlertMatch.ofTwoMedia(sms, mail) == found, "\(name), the other way round")
    }

    @Test(
        arguments: [
            ("in another case", "abc1", "ABC1", 0, .same), ("days later", "ABC1", "ABC1", 3, .same),
            ("a month's", "ABC1", "ABC1", 4, nil), ("another, in the same second", "ABC1", "ABC2", 0, nil),
            ("within a text", "UPI/\(Same.rrn)/PAY", Same.rrn, 1, .same),
        ] as [(String, String, String, Int, AlertMatch?)]
    ) func references(name: String, mail: String, sms: String, day: Int, found: AlertMatch?) {
        let mail = Self.alert(1, .mail, reference: mail)
        let sms = Self.alert(2, .sms, day: day, account: "", reference: sms)
        #expect(AlertMatch.ofTwoMedia(mail, sms) == found, "\(name)")
    }

    /// A link is proposed for the same evidence by which an SMS is joined with a mail.
    @Test func linksUseTheSameEvidence() {
        let mail = Self.alert(1, .mail)
        #expect(SameEventEvidence.between(mail, Self.alert(2, .sms)) == .moment)
        #expect(SameEventEvidence.between(mail, Self.alert(2, .sms, at: 100)) == .payee)
        #expect(SameEventEvidence.between(mail, Self.alert(2, .sms, at: 100, to: "TB")) == .time)
        #expect(SameEventEvidence.between(mail, Self.alert(2, .mail)) == nil)
        #expect(SameEventVerdict(mail, among: [[Self.alert(2, .sms)]]) == .ask([.init(2, .moment, confidence: 0.9)]))
    }

    @Test(
        arguments: [
            ("the same second", alert(2, .mail), true), ("another second", alert(2, .mail, at: 12), false),
            ("minutes only", alert(2, .mail, at: 0), true), ("minutes only, the next", alert(2, .mail, at: 120), false),
            ("no time, the day before", alert(2, .mail, day: -1, at: nil), true),
            ("no time, two days", alert(2, .mail, day: 2, at: nil), false),
            ("no time and a reference", alert(2, .mail, at: nil, reference: "A1"), true),
            ("no time and a reference, the next day", alert(2, .mail, day: 1, at: nil, reference: "A1"), false),
            ("a reference within minutes", alert(2, .mail, at: 191, reference: "A1"), true),
            ("a reference, later", alert(2, .mail, at: 192, reference: "A1"), false),
            ("another merchant", alert(2, .mail, to: "KITE SHOP"), false),
            ("no merchant", alert(2, .mail, to: nil), true), ("an SMS", alert(2, .sms), true),
            ("no account", alert(2, .mail, account: ""), true),
            ("another account", alert(2, .mail, account: "08"), false),
            ("another bank", alert(2, .mail, bank: "sbi"), false), ("a credit", alert(2, .mail, type: .income), false),
        ] as [(String, EventReport, Bool)]
    ) func fewDetails(name: String, other: EventReport, isAlike: Bool) {
        let mail = Self.alert(1, .mail)
        #expect(AlertMatch.areIndistinguishable(mail, other) == isAlike, "\(name)")
        #expect(AlertMatch.areIndistinguishable(other, mail) == isAlike, "\(name), the other way round")
    }

    @Test func twoReferencesDistinguish() {
        let mail = Self.alert(1, .mail, reference: "A1")
        #expect(!AlertMatch.areIndistinguishable(mail, Self.alert(2, .mail, reference: "A2")))
        // Under another key, for instance because one names another channel: then the name does not count.
        #expect(AlertMatch.areIndistinguishable(mail, Self.alert(2, .mail, to: "KITE SHOP", reference: "a1")))
    }
}
