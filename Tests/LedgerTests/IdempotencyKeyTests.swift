import Chronology
import ChronologyFixture
import Ledger
import Testing

@Suite struct IdempotencyKeyTests {
    static func draft(
        _ minor: Int64 = 25000, type: TransactionType = .expense, channel: Channel = .upi, day: String = "2026-01-05",
        time: String? = nil,
        merchant: String? = "Café Noir",
        vpa: String? = nil, account: String? = "XX4321", reference: String? = nil
    ) -> TransactionDraft {
        var draft = TransactionDraft(
            amount: Money(minorUnits: minor, currency: .inr), type: type, channel: channel,
            date: CalendarDate(iso: day) ?? CalendarDate(daysSince1970: 0), occurredAt: 0)
        draft.time = time.flatMap(TimeOfDay.init(iso:))
        draft.merchant = merchant
        draft.vpa = vpa
        draft.account = account
        draft.reference = reference
        return draft
    }

    static func key(_ draft: TransactionDraft, bank: String = "hdfc", mail: String = "m1") -> IdempotencyKey {
        IdempotencyKey(bank: bank, draft: draft, mailIdentity: mail)
    }

    @Test(arguments: [
        (draft(reference: "ab12"), "reference:hdfc|4321|out|upi|AB12"),
        (draft(time: "09:00"), "time:hdfc|4321|out|250.00|INR|2026-01-05|cafe noir|09:00:00"),
        (draft(), "mail:hdfc|4321|out|250.00|INR|2026-01-05|cafe noir|m1"),
        (draft(reference: ""), "mail:hdfc|4321|out|250.00|INR|2026-01-05|cafe noir|m1"),
        (draft(type: .income, reference: "1"), "reference:hdfc|4321|in|upi|1"),
        (draft(type: .transfer, reference: "1"), "reference:hdfc|4321|out|upi|1"),
        (draft(merchant: nil, vpa: "cafe@bank"), "mail:hdfc|4321|out|250.00|INR|2026-01-05|cafe bank|m1"),
        (draft(merchant: nil, account: nil), "mail:hdfc||out|250.00|INR|2026-01-05||m1"),
        (draft(account: "123456", reference: "1"), "reference:hdfc|3456|out|upi|1"),
        (draft(account: "321", reference: "1"), "reference:hdfc|321|out|upi|1"),
    ])
    func isReadable(_ draft: TransactionDraft, _ expected: String) { #expect(Self.key(draft).value == expected) }

    /// Each pair is two events.
    @Test(arguments: [
        (draft(reference: "1"), draft(reference: "2")),
        (draft(channel: .upi, reference: "1"), draft(channel: .imps, reference: "1")),
        (draft(account: "1111", reference: "1"), draft(account: "2222", reference: "1")),
        (draft(type: .income, reference: "1"), draft(reference: "1")),
        (draft(time: "09:00:00"), draft(time: "09:00:01")), (draft(1, time: "09:00"), draft(2, time: "09:00")),
        (draft(day: "2026-01-05", time: "09:00"), draft(day: "2026-01-06", time: "09:00")),
        (draft(time: "09:00", merchant: "a"), draft(time: "09:00", merchant: "b")),
    ])
    func distinguishesEvents(_ a: TransactionDraft, _ b: TransactionDraft) {
        #expect(Self.key(a).value != Self.key(b).value)
    }

    @Test func mailIdentityIsTheLastResort() {
        #expect(Self.key(Self.draft(), mail: "a").value != Self.key(Self.draft(), mail: "b").value)
        #expect(
            Self.key(Self.draft(time: "09:00"), mail: "a").value == Self.key(Self.draft(time: "09:00"), mail: "b").value
        )
        #expect(
            Self.key(Self.draft(reference: "1"), mail: "a").value
                == Self.key(Self.draft(reference: "1"), mail: "b").value)
        #expect(
            Self.key(Self.draft(reference: "1"), bank: "a").value
                != Self.key(Self.draft(reference: "1"), bank: "b").value)
    }

    /// No part can contain a boundary: different parts give different keys.
    @Test func boundaries() {
        let hostile = ["", "|", "%", "%7C", "%25", "a|b", "a%7Cb", "%257C", "||", "é|", "e\u{301}|\u{301}"]
        var seen: [String: [String]] = [:]
        for bank in hostile {
            for reference in hostile where !reference.isEmpty {
                let key = Self.key(Self.draft(reference: reference), bank: bank)
                #expect(key.value.utf8.filter { $0 == UInt8(ascii: "|") }.count == 4, "\(key)")
                #expect(seen.updateValue([bank, reference], forKey: key.value) == nil, "\(key)")
            }
        }
    }

    /// The text counts only where a time is printed and no reference.
    @Test(arguments: [
        (draft(time: "09:00"), "time:hdfc|4321|out|250.00|INR|2026-01-05|cafe noir|09:00:00|d1"),
        (draft(time: "09:00", reference: "1"), "reference:hdfc|4321|out|upi|1"),
        (draft(), "mail:hdfc|4321|out|250.00|INR|2026-01-05|cafe noir|m1"),
    ])
    func textDigest(_ draft: TransactionDraft, _ expected: String) {
        let key = IdempotencyKey(bank: "hdfc", draft: draft, mailIdentity: "m1", textDigest: "d1")
        #expect(key.value == expected)
        #expect(IdempotencyKey.needsText(draft) == (key.facts != nil))
        #expect(key.facts.map { $0 + "|d1" } ?? key.value == key.value)
    }

    @Test func basis() {
        #expect(Self.key(Self.draft(time: "09:00", reference: "1")).basis == .reference)
        #expect(Self.key(Self.draft(time: "09:00")).basis == .time)
        #expect(Self.key(Self.draft()).basis == .mail)
    }
}
