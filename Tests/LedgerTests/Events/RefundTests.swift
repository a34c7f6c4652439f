import Chronology
import Ledger
import Testing

/// Conditions for a link between a refund and its purchase, for a proposal, and for neither.
@Suite struct RefundTests {
    static func side(
        _ id: Int64, _ minor: Int64 = 64_000, day: Int = 0, at merchant: String? = "TOY BARN", account: String = "3307",
        bank: String = "hdfc", reference: String? = nil, payee: Int64? = nil, returned: Int64 = 0,
        currency: Currency = .inr
    ) -> RefundSide {
        var side = RefundSide(
            id: id, bank: bank, account: account, amount: Money(minorUnits: minor, currency: currency),
            date: CalendarDate(daysSince1970: 20_000 + day))
        side.merchant = merchant
        side.reference = reference
        side.payee = payee
        side.remaining = minor - returned
        return side
    }

    @Test(
        arguments: [
            ("hdfc/card-refund", .refund), ("sbicard/refund", .refund), ("dbs/sg-refund", .refund),
            ("axis/card-reversal", .reversal), ("_india/debit-reversed", .reversal), ("hdfc/card-spend", nil),
            ("generic", nil), ("refund/card-spend", nil), ("hdfc/refundable", nil), ("", nil), (nil, nil),
        ] as [(String?, ReturnKind?)]) func theTemplateNamesTheKind(name: String?, kind: ReturnKind?)
    {
        #expect(ReturnKind(template: name) == kind)
    }

    @Test(
        arguments: [
            ("whole", side(1), side(2, day: 3), .whole),
            ("on the same day", side(1), side(2), .whole),
            ("another spelling", side(1), side(2, day: 3, at: "Toy-Barn"), .whole),
            ("printed shorter", side(1), side(2, day: 3, account: "307"), .whole),
            ("one payee", side(1, payee: 7), side(2, day: 3, at: "TB ONLINE", payee: 7), .whole),
            ("partial", side(1), side(2, 20_000, day: 3), .partial),
            ("the rest", side(1, returned: 20_000), side(2, 44_000, day: 3), .partial),
            ("more than the rest", side(1, returned: 20_000), side(2, 44_001, day: 3), nil),
            ("more than the purchase", side(1), side(2, 64_001, day: 3), nil),
            ("the last day", side(1), side(2, day: 120), .whole),
            ("too late", side(1), side(2, day: 121), nil),
            ("before the purchase", side(1), side(2, day: -1), nil),
            ("another merchant", side(1), side(2, day: 3, at: "KITE SHOP"), nil),
            ("no merchant", side(1, at: nil), side(2, day: 3, at: nil), nil),
            ("a merchant without letters", side(1, at: "**"), side(2, day: 3, at: "--"), nil),
            ("another account", side(1), side(2, day: 3, account: "3308"), nil),
            ("no account", side(1, account: ""), side(2, day: 3, account: ""), nil),
            ("another bank", side(1), side(2, day: 3, bank: "sbi"), nil),
            ("another currency", side(1), side(2, day: 3, currency: Currency(code: "USD") ?? .inr), nil),
            ("nothing returned", side(1), side(2, 0, day: 3), nil),
            (
                "a reference, another bank and merchant", side(1, reference: "607812345999"),
                side(2, 100, day: 9, at: nil, bank: "sbi", reference: "6078-1234-5999"), .reference
            ),
            (
                "a short reference", side(1, at: "A", reference: "12345"), side(2, at: "B", reference: "12345"), nil
            ),
            (
                "a reference, more than the purchase", side(1, reference: "607812345999"),
                side(2, 64_001, reference: "607812345999"), nil
            ),
        ] as [(String, RefundSide, RefundSide, RefundEvidence?)])
    func evidence(name: String, purchase: RefundSide, refund: RefundSide, expected: RefundEvidence?) {
        #expect(RefundEvidence.between(purchase, refund) == expected, "\(name)")
    }

    struct Case: Sendable {
        var name: String
        var refund = side(9, day: 5)
        var purchases: [RefundSide]
        var rivals: [RefundSide] = []
        /// The number of the linked purchase, or the proposed ones in their order.
        var linked: Int64?
        var asked: [Int64] = []
    }

    static let shared = "607812345999"
    static let cases = [
        Case(name: "no purchase", purchases: []),
        Case(name: "nothing like it", purchases: [side(1, at: "KITE SHOP")]),
        Case(name: "the only purchase", purchases: [side(1)], linked: 1),
        Case(name: "two purchases, the nearest first", purchases: [side(1), side(2, day: 4)], asked: [2, 1]),
        Case(name: "whole before a part", purchases: [side(1, 70_000, day: 4), side(2)], asked: [2, 1]),
        Case(name: "a part", refund: side(9, 100, day: 5), purchases: [side(1)], asked: [1]),
        Case(name: "a rival", purchases: [side(1)], rivals: [side(8, day: 4)], asked: [1]),
        Case(name: "itself is no rival", purchases: [side(1)], rivals: [side(9, day: 5)], linked: 1),
        Case(
            name: "a rival for something else", purchases: [side(1)], rivals: [side(8, day: 5, at: "KITE SHOP")],
            linked: 1),
        Case(
            name: "one reference among several", refund: side(9, day: 5, reference: shared),
            purchases: [side(1, reference: shared), side(2)], rivals: [side(8)], linked: 1),
        Case(
            name: "one reference twice", refund: side(9, day: 5, reference: shared),
            purchases: [side(1, reference: shared), side(2, reference: shared), side(3)], asked: [1, 2, 3]),
        Case(name: "at most four", purchases: (1...6).map { side($0) }, asked: [1, 2, 3, 4]),
    ]

    @Test(arguments: cases.indices) func verdict(index: Int) {
        let item = Self.cases[index]
        switch RefundVerdict(item.refund, among: item.purchases, rivals: item.rivals) {
        case .none: #expect(item.linked == nil && item.asked.isEmpty, "\(item.name)")
        case .link(let partner): #expect(partner.id == item.linked && partner.confidence >= 0.9, "\(item.name)")
        case .ask(let partners):
            #expect(item.linked == nil && partners.map(\.id) == item.asked, "\(item.name)")
            #expect(partners.allSatisfy { (0...0.6).contains($0.confidence) }, "\(item.name)")
        }
    }
}
