import Chronology
import ChronologyFixture
import Ledger
import Testing

/// Conditions for a link, for a proposal, and for neither.
@Suite struct TransferTests {
    static func leg(
        _ id: Int64, _ bank: String, _ account: String, _ type: TransactionType, _ minor: Int64 = 500_000,
        minute: Int64 = 0, day: Int = 20_000, hasTime: Bool = true,
        to counterparty: String = "", reference: String? = nil, other: Bool = false
    ) -> TransferLeg {
        var leg = TransferLeg(
            id: id, bank: bank, account: account, type: type, amount: Money(minorUnits: minor, currency: .inr),
            date: CalendarDate(daysSince1970: day))
        leg.instant = UnixTime(leg.date) + minute * 60
        leg.hasTime = hasTime
        leg.counterparty = counterparty
        leg.reference = reference
        leg.isSomethingElse = other
        return leg
    }

    static let out = leg(1, "hdfc", "4410", .expense, to: "ASHA RAO")

    @Test(
        arguments: [
            (
                "the same reference", leg(1, "hdfc", "4410", .expense, reference: "607812345999"),
                leg(2, "sbi", "4417", .income, day: 20_002, reference: "607812345999"), .reference
            ),
            (
                "the same reference in a shop's category",
                leg(1, "hdfc", "4410", .expense, reference: "N123456789", other: true),
                leg(2, "sbi", "4417", .income, reference: "n-123456789"), .reference
            ),
            (
                "a short reference", leg(1, "hdfc", "4410", .expense, reference: "1234567"),
                leg(2, "sbi", "4417", .income, day: 20_002, reference: "1234567"), nil
            ),
            (
                "a refund of the same account", leg(1, "hdfc", "4410", .expense, reference: "607812345999"),
                leg(2, "hdfc", "4410", .income, reference: "607812345999"), nil
            ),
            (
                "a refund of the same account, printed shorter", leg(1, "hdfc", "4410", .expense),
                leg(2, "hdfc", "410", .income), nil
            ),
            (
                "another amount", leg(1, "hdfc", "4410", .expense, reference: "607812345999"),
                leg(2, "sbi", "4417", .income, 500_001, reference: "607812345999"), nil
            ),
            (
                "the same direction", leg(1, "hdfc", "4410", .expense, reference: "607812345999"),
                leg(2, "sbi", "4417", .expense, reference: "607812345999"), nil
            ),
            (
                "too late", leg(1, "hdfc", "4410", .expense, reference: "607812345999"),
                leg(2, "sbi", "4417", .income, day: 20_004, reference: "607812345999"), nil
            ),
            (
                "the debit names the account", leg(1, "hdfc", "4410", .expense, to: "A/c XX4417"),
                leg(2, "sbi", "4417", .income, day: 20_001), .account
            ),
            (
                "the credit names the account", out,
                leg(2, "sbi", "4417", .income, day: 20_001, to: "Account ending 004410"), .account
            ),
            (
                "another account is named", leg(1, "hdfc", "4410", .expense, to: "A/c XX9999"),
                leg(2, "sbi", "4417", .income), nil
            ),
            (
                "a number that is not an account", leg(1, "hdfc", "4410", .expense, to: "SHOP 4417"),
                leg(2, "sbi", "4417", .income, day: 20_001), nil
            ),
            (
                "a card's bill", leg(1, "hdfc", "4410", .expense, to: "CRED Club"),
                leg(2, "icici", "6021", .transfer, day: 20_003), .cardBill
            ),
            (
                "a payment that a card received, and a shop", leg(1, "hdfc", "4410", .expense, to: "LOTUS BOOKS"),
                leg(2, "icici", "6021", .transfer, day: 20_001), nil
            ),
            ("minutes apart", out, leg(2, "sbi", "4417", .income, minute: 15), .amount),
            ("an hour apart", out, leg(2, "sbi", "4417", .income, minute: 60), nil),
            (
                "a day without a clock", leg(1, "hdfc", "4410", .expense, hasTime: false),
                leg(2, "sbi", "4417", .income, minute: 600), .amount
            ),
            (
                "a shop's category", leg(1, "hdfc", "4410", .expense, to: "SWIGGY", other: true),
                leg(2, "sbi", "4417", .income), nil
            ),
            ("a salary", out, leg(2, "sbi", "4417", .income, to: "SALARY", other: true), nil),
            ("no account", out, leg(2, "sbi", "", .income, reference: nil), nil),
        ] as [(String, TransferLeg, TransferLeg, TransferEvidence?)])
    func evidence(_ name: String, _ a: TransferLeg, _ b: TransferLeg, _ expected: TransferEvidence?) {
        #expect(TransferEvidence.between(a, b) == expected)
        #expect(TransferEvidence.between(b, a) == expected, "whichever comes first")
    }

    static func verdict(_ legs: [TransferLeg], linked: Set<Int64> = []) -> TransferVerdict {
        TransferVerdict(legs[0], among: Array(legs.dropFirst()), linked: linked)
    }

    static let named = leg(1, "hdfc", "4410", .expense, to: "A/c XX4417")
    static let back = leg(2, "sbi", "4417", .income)
    static let joined = (
        leg(1, "hdfc", "4410", .expense, reference: "607812345999"),
        leg(2, "sbi", "4417", .income, reference: "607812345999")
    )

    @Test func onlyCertainPairsAreLinked() {
        #expect(Self.verdict([Self.named, Self.back]) == .link(.init(2, .account)))
        #expect(Self.verdict([Self.back, Self.named]) == .link(.init(1, .account)))
        #expect(Self.verdict([Self.joined.0, Self.joined.1]) == .link(.init(2, .reference)))
        // The amount alone leads to a proposal.
        #expect(Self.verdict([Self.out, Self.back]) == .ask([.init(2, .amount)]))
        #expect(Self.verdict([Self.out]) == .none)
    }

    @Test func ambiguousPairsAreProposed() {
        let second = Self.leg(3, "sbi", "4417", .income, minute: 2)
        #expect(Self.verdict([Self.named, Self.back, second]) == .ask([.init(2, .account), .init(3, .account)]))
        // Another possible debit.
        let rival = Self.leg(4, "icici", "0317", .expense, minute: 3)
        #expect(Self.verdict([Self.back, Self.named, rival]) == .ask([.init(1, .account), .init(4, .amount)]))
        #expect(Self.verdict([Self.named, Self.back, rival]) == .ask([.init(2, .account)]))
        // A shared reference decides, whatever else has that amount; if two share it, both are proposed.
        #expect(Self.verdict([Self.joined.0, Self.joined.1, second, rival]) == .link(.init(2, .reference)))
        let copy = Self.leg(5, "axis", "7001", .income, reference: "607812345999")
        #expect(
            Self.verdict([Self.joined.0, Self.joined.1, copy]) == .ask([.init(2, .reference), .init(5, .reference)]))
    }

    @Test func linkedSidesStayLinked() {
        #expect(Self.verdict([Self.named, Self.back], linked: [2]) == .none)
        #expect(Self.verdict([Self.joined.0, Self.joined.1], linked: [2]) == .none)
        // It still belongs to another pair: the second pair of equal amounts is proposed.
        let second = Self.leg(3, "sbi", "4417", .income, minute: 2)
        #expect(Self.verdict([Self.named, Self.back, second], linked: [2]) == .ask([.init(3, .account)]))
    }
}
