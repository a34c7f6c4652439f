import Chronology
import Ledger
import Testing

/// Conditions under which two reports are about one payment, may be, or are not.
@Suite struct SameEventEvidenceTests {
    static func report(
        _ id: Int64, _ minor: Int64 = 48_000, day: Int = 0, at seconds: Int64? = 0, to merchant: String? = "TOY BARN",
        vpa: String? = nil, account: String = "3307", bank: String = "hdfc", form: String? = nil,
        reference: String? = nil, type: TransactionType = .expense, channel: Channel = .upi, currency: Currency = .inr
    ) -> EventReport {
        var report = EventReport(
            id: id, bank: bank, form: form ?? "\(bank)/upi", type: type,
            amount: Money(minorUnits: minor, currency: currency), date: CalendarDate(daysSince1970: 20_000 + day))
        (report.account, report.channel) = (account, channel)
        report.instant = UnixTime(seconds: Int64(20_000 + day) * 86_400 + 43_200 + (seconds ?? 0))
        report.hasTime = seconds != nil
        (report.merchant, report.vpa, report.reference) = (merchant, vpa, reference)
        return report
    }

    static let rrn = "607812345999"

    @Test(
        arguments: [
            (
                "one reference", report(1, reference: rrn), report(2, account: "", bank: "bhim", reference: rrn),
                .reference
            ),
            (
                "a reference within a text", report(1, reference: "UPI/\(rrn)/PAY"),
                report(2, account: "", bank: "bhim", reference: rrn), .reference
            ),
            (
                "a reference, another name and day", report(1, reference: rrn),
                report(2, day: 3, to: "TB ONLINE", account: "", bank: "bhim", reference: rrn), .reference
            ),
            (
                "a reference, a card and its account", report(1, account: "3307", form: "hdfc/card", reference: rrn),
                report(2, account: "4410", reference: rrn), .reference
            ),
            (
                "a reference, accounts of two banks", report(1, reference: rrn),
                report(2, account: "4410", bank: "sbi", reference: rrn), nil
            ),
            (
                "a reference of a mandate, a month later", report(1, reference: rrn),
                report(2, day: 30, account: "", bank: "bhim", reference: rrn), nil
            ),
            (
                "one reference and form", report(1, reference: rrn), report(2, at: 5, account: "307", reference: rrn),
                .reference
            ),
            (
                "two references", report(1, reference: rrn),
                report(2, account: "", bank: "bhim", reference: "607812346000"), nil
            ),
            (
                "a short reference", report(1, to: "A", reference: "12345"),
                report(2, at: 300, to: "B", account: "", bank: "bhim", reference: "12345"), nil
            ),
            (
                "the same payee within minutes", report(1),
                report(2, at: 599, to: "Toy Barn.", account: "", bank: "bhim"), .payee
            ),
            ("the digits of the bank in the app", report(1), report(2, at: 20, bank: "bhim"), .payee),
            ("the same payee, later", report(1), report(2, at: 601, account: "", bank: "bhim"), nil),
            (
                "the same address", report(1, to: "A", vpa: "toys@ybl"),
                report(2, at: 60, to: "B", vpa: "TOYS@ybl", account: "", bank: "bhim"), .payee
            ),
            (
                "another payee within seconds", report(1),
                report(2, at: 90, to: "T B RETAIL", account: "", bank: "bhim"), .time
            ),
            ("one bank, two payees", report(1, form: "hdfc/card"), report(2, at: 90, to: "KITE SHOP"), nil),
            ("one bank, one payee", report(1, form: "hdfc/card"), report(2, at: 90, to: nil), .time),
            ("another payee, later", report(1), report(2, at: 181, to: "T B RETAIL", account: "", bank: "bhim"), nil),
            ("no time, one day", report(1, at: nil), report(2, at: 600, account: "", bank: "bhim"), .payee),
            ("no time, another payee", report(1, at: nil), report(2, to: "T B RETAIL", account: "", bank: "bhim"), nil),
            ("no time, another day", report(1, at: nil), report(2, day: 1, account: "", bank: "bhim"), nil),
            ("no payees", report(1, at: nil, to: nil), report(2, to: nil, account: "", bank: "bhim"), nil),
            (
                "a merchant's wallet", report(1), report(2, at: 30, account: "9911", bank: "paytm", channel: .wallet),
                .payee
            ),
            ("two coffees", report(1), report(2, at: 30), nil),
            ("two coffees without account", report(1, account: ""), report(2, at: 30, account: ""), nil),
            ("two cards", report(1), report(2, at: 30, account: "4410", bank: "sbi"), nil),
            ("a payment and its return", report(1, reference: rrn), report(2, type: .income, channel: .card), nil),
            (
                "another amount", report(1, reference: rrn),
                report(2, 48_001, account: "", bank: "bhim", reference: rrn), nil
            ),
            (
                "another currency", report(1, reference: rrn),
                report(2, bank: "bhim", reference: rrn, currency: Currency(code: "USD") ?? .inr), nil
            ),
            ("nothing", report(1, 0, reference: rrn), report(2, 0, bank: "bhim", reference: rrn), nil),
            ("itself", report(1, reference: rrn), report(1, bank: "bhim", reference: rrn), nil),
        ] as [(String, EventReport, EventReport, SameEventEvidence?)]
    ) func evidence(name: String, a: EventReport, b: EventReport, found: SameEventEvidence?) {
        #expect(SameEventEvidence.between(a, b) == found, "\(name)")
        #expect(SameEventEvidence.between(b, a) == found, "\(name), the other way round")
    }

    @Test func onlyOneSharedReferenceIsCertain() {
        let card = Self.report(1, reference: Self.rrn)
        let app = Self.report(2, account: "", bank: "bhim", reference: Self.rrn)
        #expect(
            SameEventVerdict(app, among: [[card], [Self.report(3)]])
                == .link(.init(1, .reference, confidence: 0.98)))
        let wallet = Self.report(3, account: "", bank: "paytm", reference: Self.rrn)
        #expect(SameEventVerdict(app, among: [[wallet], [card]]) == .link(.init(1, .reference, confidence: 0.98)))
        let other = Self.report(4, account: "4410", bank: "sbi", reference: Self.rrn)
        #expect(
            SameEventVerdict(app, among: [[card], [other]])
                == .ask([.init(1, .reference, confidence: 0.49), .init(4, .reference, confidence: 0.49)]))
        #expect(SameEventVerdict(app, among: []) == .none)
    }

    /// Two coffees within a minute, each reported by the card and the app: the nearer pair is proposed first, and an
    /// event that has a report of the app takes no second one.
    @Test func eachReportOfAFormIsAnotherPayment() {
        let cards = [Self.report(1, form: "hdfc/card"), Self.report(2, at: 60, form: "hdfc/card")]
        let apps = [3, 4].map { Self.report($0, at: $0 == 3 ? 5 : 65, account: "", bank: "bhim") }
        #expect(
            SameEventVerdict(apps[1], among: cards.map { [$0] })
                == .ask([.init(2, .payee, confidence: 0.4), .init(1, .payee, confidence: 0.4)]))
        #expect(
            SameEventVerdict(apps[1], among: [[cards[0], apps[0]], [cards[1]]])
                == .ask([.init(2, .payee, confidence: 0.8)]))
        #expect(SameEventVerdict(cards[1], among: [[cards[0]]]) == .none)
    }

    /// A third report need not resemble the first one.
    @Test func reportsOfAnEventAreComparedTogether() {
        let card = Self.report(1, at: nil, to: nil, form: "hdfc/card")
        let bank = Self.report(2, account: "", bank: "bhim", reference: Self.rrn)
        let wallet = Self.report(3, account: "9911", bank: "paytm", reference: Self.rrn, channel: .wallet)
        #expect(SameEventVerdict(wallet, among: [[card, bank]]) == .link(.init(1, .reference, confidence: 0.98)))
        let other = Self.report(4, at: 3, account: "", bank: "paytm", reference: "607812346000")
        #expect(SameEventVerdict(other, among: [[card, bank]]) == .none)
    }

    @Test func theReportOfTheAccountCounts() {
        let app = Self.report(1, account: "", bank: "bhim")
        let wallet = Self.report(2, account: "9911", bank: "paytm", channel: .wallet)
        let bank = Self.report(3)
        #expect(bank.counts(before: app) && !app.counts(before: bank))
        #expect(bank.counts(before: wallet) && app.counts(before: wallet))
        #expect(Self.report(1).counts(before: Self.report(2)))
        var printed = Self.report(4)
        printed.hasBalance = true
        #expect(printed.counts(before: bank))
    }

    @Test func aDraftIsAReport() {
        var draft = TransactionDraft(
            amount: Money(minorUnits: 48_000, currency: .inr), type: .expense, channel: .upi,
            date: CalendarDate(daysSince1970: 20_000), occurredAt: .epoch)
        (draft.account, draft.reference) = ("3307", Self.rrn)
        let sms = EventReport(draft, bank: "hdfc", form: "hdfc/upi", in: .sms)
        #expect(SameEventEvidence.between(sms, Self.report(1, reference: Self.rrn)) == .reference)
        #expect(sms.medium == .sms && !sms.isCredit)
        draft.type = nil
        #expect(EventReport(draft, bank: "hdfc", form: "hdfc/upi", in: .sms).type == .expense)
        draft.type = .income
        #expect(EventReport(draft, bank: "hdfc", form: "hdfc/upi", in: .sms).isCredit)
    }
}
