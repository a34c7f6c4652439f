import Ledger
import Testing

@Suite struct FinalAmountEvidenceTests {
    typealias Same = SameEventEvidenceTests

    @Test(
        arguments: [
            (
                "a reference", Same.report(1, reference: Same.rrn, channel: .card),
                Same.report(2, 50_000, day: 2, reference: Same.rrn, channel: .card), false, .reference
            ),
            (
                "the same amount", Same.report(1, reference: Same.rrn, channel: .card),
                Same.report(2, day: 2, reference: Same.rrn, channel: .card), false, nil
            ),
            (
                "a card and no card", Same.report(1, reference: Same.rrn, channel: .card),
                Same.report(2, 50_000, day: 2, reference: Same.rrn), false, nil
            ),
            ("a line", Same.report(1), Same.report(2, 60_000, day: 2, bank: "", form: "Import:"), true, .statement),
            ("a confirmed payment", Same.report(1), Same.report(2, 60_000, day: 2), false, nil),
            ("much more", Same.report(1), Same.report(2, 63_000, day: 2), true, nil),
            ("before it", Same.report(1, day: 3), Same.report(2, 50_000, day: 2), true, nil),
            ("after 30 days", Same.report(1), Same.report(2, 50_000, day: 31), true, nil),
            ("another payee", Same.report(1), Same.report(2, 50_000, day: 1, to: "KITE SHOP"), true, nil),
            ("another card", Same.report(1), Same.report(2, 50_000, day: 1, account: "4410"), true, nil),
            ("no account", Same.report(1, account: ""), Same.report(2, 50_000, day: 1, account: ""), true, nil),
            (
                "another currency", Same.report(1),
                Same.report(2, 50_000, day: 1, currency: Currency(code: "USD") ?? .inr), true, nil
            ),
            ("an income", Same.report(1), Same.report(2, 50_000, day: 1, type: .income), true, nil),
        ] as [(String, EventReport, EventReport, Bool, FinalAmountEvidence?)]
    ) func evidence(name: String, held: EventReport, final: EventReport, isUnproven: Bool, found: FinalAmountEvidence?)
    {
        #expect(FinalAmountEvidence.between(held, final, isUnproven: isUnproven) == found, "\(name)")
    }

    @Test(
        arguments: [
            ("an instalment", Same.report(1), Same.report(2, 8_000, day: 30, form: "sbi/emi"), .payee),
            ("no template for instalments", Same.report(1), Same.report(2, 8_000, day: 30), nil),
            ("more than half", Same.report(1), Same.report(2, 24_001, day: 30, form: "sbi/emi"), nil),
            (
                "an instalment of an instalment", Same.report(1, form: "sbi/emi"),
                Same.report(2, 8_000, day: 30, form: "sbi/emi"), nil
            ),
            ("before the purchase", Same.report(1, day: 30), Same.report(2, 8_000, day: 30, form: "sbi/emi"), nil),
            ("another payee", Same.report(1), Same.report(2, 8_000, day: 30, to: "KITE SHOP", form: "sbi/emi"), nil),
        ] as [(String, EventReport, EventReport, InstalmentEvidence?)]
    ) func instalments(name: String, purchase: EventReport, part: EventReport, found: InstalmentEvidence?) {
        #expect(InstalmentEvidence.between(purchase, part) == found, "\(name)")
    }

    /// A bank's mail says that the purchase of 480.00 is paid in instalments of 80.00.
    @Test(
        arguments: [
            ("by a template", Same.report(2, 8_000, day: 30, to: "EMI", form: "sbi/emi"), .plan),
            ("a line of a statement", Same.report(2, 8_000, day: 30, to: "BARN EMI 02/06", form: "Import:"), .plan),
            ("another instalment", Same.report(2, 8_100, day: 30, to: "BARN EMI 02/06", form: "Import:"), nil),
            ("no instalment", Same.report(2, 8_000, day: 30, to: "KITE SHOP"), nil),
            ("a word that contains the other", Same.report(2, 8_000, day: 30, to: "PREMIER"), nil),
        ] as [(String, EventReport, InstalmentEvidence?)]
    ) func planned(name: String, part: EventReport, found: InstalmentEvidence?) {
        let plan = InstalmentPlan(amount: Same.report(1).amount, instalment: Same.report(2, 8_000).amount)
        #expect(InstalmentEvidence.between(Same.report(1), part, plans: [plan]) == found, "\(name)")
        let other = InstalmentPlan(amount: Same.report(1, 48_001).amount, instalment: plan.instalment)
        #expect(InstalmentEvidence.between(Same.report(1), part, plans: [other]) == nil, "\(name)")
    }

    /// USD 100.00, and lines of the statement in rupees; a dollar is 85 rupees.
    @Test(
        arguments: [
            ("with the bank's charge", Int64(880_000), true, .rate), ("far from it", 1_000_000, true, nil),
            ("no rate is known", 880_000, false, nil),
        ] as [(String, Int64, Bool, FinalAmountEvidence?)]
    ) func abroad(name: String, minor: Int64, hasRate: Bool, found: FinalAmountEvidence?) {
        let held = Same.report(1, 10_000, currency: Currency(code: "USD") ?? .inr)
        let price = hasRate ? Money(minorUnits: 850_000, currency: .inr) : nil
        let line = Same.report(2, minor, day: 2)
        #expect(FinalAmountEvidence.between(held, line, isUnproven: true, price: price) == found, "\(name)")
        #expect(FinalAmountEvidence.between(held, line, price: price) == nil, "a line confirms it")
    }

    @Test(
        arguments: [
            ("sbi/emi", true), ("_india/instalment-paid", true), ("_india/instalments", true), ("hdfc/card-emi", true),
            ("emi/card-spend", false), ("hdfc/premium", false), ("", false),
        ]) func theTemplateNamesInstalments(form: String, isInstalment: Bool)
    { #expect(InstalmentEvidence.isInstalment(form: form) == isInstalment) }
}
