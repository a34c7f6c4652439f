import Chronology
import ChronologyFixture
import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import Profiles

/// Each factor of a confidence, by its name, with a mail that brings it about.
@Suite struct ConfidenceTests {
    static let genuine = "Rs.5.00 spent at A on 05-01-26 at 17:58:01 card 1111"

    static let cases: [(String, String, [String])] = [
        ("nothing to say", genuine, []),
        ("an amount after it that no word explains", genuine + " of Rs.700.00", ["second_amount"]),
        ("an amount before it that no word explains", "From Rs.700.00, " + genuine, ["second_amount"]),
        ("a balance", genuine + ", Avl Bal Rs.9,000.00", []),
        ("a limit", genuine + ", available limit is Rs.90,000.00", []),
        ("a fee", genuine + ", with a fee of Rs.2.00", []),
        ("a reward", genuine + ", cashback of Rs.1.00", []),
        ("a tax", genuine + ", GST Rs.0.90", []),
        ("something due", genuine + ", total due Rs.900.00", []),
        ("the same amount again", genuine + " (INR 5.00)", []),
        ("what it was converted from", genuine + " (USD 0.06)", []),
        ("an offer in the next sentence", genuine + ". Win Rs.500.00 today", []),
        ("an amount in the merchant's name", "Rs.5.00 spent at X Rs.9,999.00 SHOP on 05-01-26 card 1111", []),
        (
            "a movement of money described in another sentence", genuine + ". INR 700.00 was credited to A/c XX1111.",
            ["second_transaction"]
        ),
        (
            "a second alert of the same form", genuine + ". Rs.7.00 spent at B on 05-01-26 card 1111",
            ["second_transaction"]
        ),
        (
            "a second alert of the same amount", genuine + ". Rs.5.00 spent at B on 05-01-26 card 1111",
            ["second_transaction"]
        ),
        ("the same alert twice", genuine + ". " + genuine, []),
        ("the same money in another sentence", genuine + ". INR 5.00 was debited from A/c XX1111.", []),
        ("money that would move", genuine + ". If Rs.700.00 is debited, call us.", []),
        ("a payment that was refused", genuine + ". The transaction was declined.", ["wording_doubtful"]),
        (
            "what happens to others",
            genuine
                + ". If a transaction is declined, or in case of any payment that was rejected, the amount comes back.",
            []
        ),
        ("a complaint answered", "With reference to your complaint, " + genuine, ["wording_doubtful"]),
        ("a date long past", "Rs.5 spent at A on 25-12-25 card 1111", ["date_distance"]),
        ("a date to come", "Rs.5 spent at A on 25-01-26 card 1111", ["date_in_future"]),
        ("no day of the calendar", "Rs.5 spent at A on 31-02-26 card 1111", ["date_impossible"]),
        ("no time of day", "Rs.5 spent at A on 05-01-26 at 27:99:00 card 1111", ["time_impossible"]),
        ("an amount of nothing", "Rs.0.00 spent at A on 05-01-26 card 1111", ["amount_zero"]),
        ("an amount that may be two", "Rs.1.234 spent at A on 05-01-26 card 1111", ["amount_unreadable"]),
        ("damage in a name", "Rs.5 spent at A\u{FFFD}B on 05-01-26 card 1111", ["merchant_damaged"]),
        ("no template", "Your card 1111 was charged Rs.70.00 on 05-01-26 at CORNER STORE.", ["generic_reader"]),
        (
            "no template, and nothing happened yet", "Rs.70.00 will be debited on 05-01-26 from A/c XX1111.",
            ["generic_reader", "wording_doubtful"]
        ),
    ]

    @Test(arguments: cases) func isLoweredByNamedFactors(name: String, body: String, factors: [String]) throws {
        let decision = try ProfileFolder.set().claim(mail(body)).decide(trusting: .unverified, receivedAt: nil)
        #expect(decision.reasons.filter { $0.weight < 1 }.map(\.name) == factors)
        #expect(decision.confidence == (decision.draft == nil ? 0 : decision.reasons.reduce(1) { $0 * $1.weight }))
        #expect(decision.outcome == (factors.isEmpty ? .recorded : .review))
        for reason in decision.reasons {
            #expect(!reason.note.isEmpty && !reason.note.contains("700") && !reason.note.contains("CORNER"))
        }
    }

    @Test(arguments: [
        ("a new address", "cards@bank.example", "Mon, 05 Jan 2026 18:00:00 +0530", ["new_sender"]),
        ("no Date", "alerts@bank.example", "soon", ["arrival_unknown", "damaged_mail"]),
    ]) func isLoweredByTheHeaders(name: String, from: String, date: String, factors: [String]) throws {
        let decision = try ProfileFolder.set().claim(mail(Self.genuine, from: from, date: date)).decide(
            trusting: .unverified, receivedAt: nil)
        #expect(decision.reasons.map(\.name) == factors)
    }

    @Test(arguments: [
        ("alerts@bank.example", "not_authentic"), ("alerts@bank.example, x@evil.example", "several_senders"),
    ])
    func isZeroIfTheSenderIsInDoubt(from: String, factor: String) throws {
        let decision = try ProfileFolder.set().claim(mail(Self.genuine, from: from)).decide(
            trusting: .pinned(authservID: "mx.example"), receivedAt: nil)
        #expect(
            decision.outcome == .quarantined && decision.confidence == 0 && decision.reasons.map(\.name) == [factor]
                && decision.draft == nil)
    }

    struct FixedFinding: SignatureChecker {
        let finding: SignatureFinding

        func finding(for message: Message, pinned: [PinnedKey], receivedAt: UnixTime?) -> SignatureFinding { finding }
    }

    /// The own check of signatures. `nil` in place of a factor means none.
    @Test(
        arguments: [
            (.pass, .recorded, nil), (.fail(reason: .bodyAltered), .quarantined, "not_authentic"),
            (.unsigned, .quarantined, "not_authentic"), (.undecided, .failed, nil),
            (.unverifiable(reason: .keyMissing), .review, "signature_unverified"),
        ] as [(SignatureFinding, Outcome, String?)])
    func ownCheckDecides(finding: SignatureFinding, outcome: Outcome, factor: String?) throws {
        let decision = try ProfileFolder.set().claim(mail(Self.genuine)).decide(
            trusting: .verified(authservID: nil), receivedAt: nil, signatures: FixedFinding(finding: finding))
        #expect(decision.outcome == outcome && decision.reasons.map(\.name) == (factor.map { [$0] } ?? []))
        #expect(decision.source?.isAuthentic == (finding == .pass))
        #expect(decision.failure.map { !$0.isPermanent } ?? (outcome != .failed))
    }

    @Test func disagreementHasItsOwnReason() throws {
        let bytes = Array(
            "Authentication-Results: mx.example; dmarc=pass\nFrom: alerts@bank.example\n\n\(Self.genuine)".utf8)
        let decision = try ProfileFolder.set().claim(Message(parsing: bytes)).decide(
            trusting: .verified(authservID: "mx.example"), receivedAt: nil,
            signatures: FixedFinding(finding: .fail(reason: .bodyAltered)))
        #expect(decision.outcome == .quarantined && decision.reasons.map(\.name) == ["verification_disagrees"])
    }

    @Test func isLoweredByFieldsThatATemplateDoesNotFind() throws {
        let bare =
            "template: bank/spend\nkind: transaction\nextract:\n  body_pattern: 'Rs\\.(?<amount>[\\d.]+) \\s spent'\n  type: expense\n  channel: card\n"
        let decision = try ProfileFolder.set(["bank/spend.yaml": bare]).claim(mail("Rs.5.00 spent")).decide(
            trusting: .unverified, receivedAt: nil)
        #expect(
            decision.reasons.map(\.name) == ["date_missing", "merchant_missing", "only_an_amount", "account_missing"])
    }

    /// `new_sender` is the only factor: the confidence is exactly 0.6.
    @Test(arguments: [(0.6, Outcome.recorded), (0.6.nextUp, .review)])
    func booksFromTheThresholdOn(threshold: Double, expected: Outcome) throws {
        let decision = try ProfileFolder.set().claim(mail(Self.genuine, from: "cards@bank.example")).decide(
            trusting: .unverified, receivedAt: nil, autoConfirmAt: threshold)
        #expect(decision.confidence == 0.6 && decision.outcome == expected)
    }

    /// The bank's own `auto_confirm_at` takes precedence, and is included as well.
    @Test(arguments: [(0.6, Outcome.recorded), (0.61, .review)])
    func booksFromTheBanksThresholdOn(threshold: Double, expected: Outcome) throws {
        let bank = ProfileFolder.bank + "auto_confirm_at: \(threshold)\n"
        let decision = try ProfileFolder.set(["bank/_bank.yaml": bank]).claim(
            mail(Self.genuine, from: "cards@bank.example")
        ).decide(trusting: .unverified, receivedAt: nil, autoConfirmAt: 1)
        #expect(decision.outcome == expected)
    }

    @Test func aTemplatesCurrencyTakesPrecedenceOverTheBanks() throws {
        let dollars = ProfileFolder.spend + "\n  currency: USD"
        let set = try ProfileFolder.set(["bank/spend.yaml": dollars])
        let draft = try #require(
            set.claim(mail(Self.genuine)).decide(trusting: .unverified, receivedAt: nil).draft)
        #expect(draft.amount.currency.code == "USD" && draft.amount.decimal == "5.00")
    }
}
