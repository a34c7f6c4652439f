import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

/// Two mails that may be about one event.
@Suite struct SameEventTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var first: TransactionDraft
        var second: TransactionDraft
        /// Outcome of the second mail.
        var outcome: Outcome
        var reason: String?
        var secondBank = "hdfc"

        init(
            _ name: String, _ first: TransactionDraft, _ second: TransactionDraft, _ outcome: Outcome,
            reason: String? = nil,
            secondBank: String = "hdfc"
        ) {
            (testDescription, self.outcome, self.reason, self.secondBank) = (name, outcome, reason, secondBank)
            (self.first, self.second) = (Self.dated(first), Self.dated(second))
        }

        /// With the instant of its printed time, by which alerts are compared.
        private static func dated(_ draft: TransactionDraft) -> TransactionDraft {
            var draft = draft
            if let time = draft.time { draft.occurredAt = IANATimeZone.kolkata.instant(draft.date, time) }
            return draft
        }
    }

    static let cases = [
        // Both print a reference
        Case("same reference", draft(reference: "R1"), draft(reference: "r1"), .duplicate),
        Case(
            "same reference, other wording", draft(merchant: "CAFE", reference: "R1"),
            draft(merchant: "Cafe Noir", reference: "R1"),
            .duplicate),
        Case("two references", draft(reference: "R1"), draft(reference: "R2"), .recorded),
        Case(
            "a reversal has the same reference", draft(reference: "R1"), draft(type: .income, reference: "R1"),
            .recorded),
        Case(
            "a mandate's number is not a reference", draft(on: "2026-01-05", reference: "M"),
            draft(on: "2026-02-05", reference: "M"), .review,
            reason: "reference_reused"),
        Case(
            "a customer's number is not a reference", draft(1, reference: "M"), draft(2, reference: "M"), .review,
            reason: "reference_reused"),
        Case(
            "same reference, another channel named", draft(channel: .upi, reference: "R1"),
            draft(channel: .imps, reference: "R1"), .review,
            reason: "possible_duplicate"),
        Case(
            "same reference, no account named", draft(reference: "R1"), draft(account: nil, reference: "R1"), .review,
            reason: "possible_duplicate"),
        // Both print a time
        Case("two coffees", draft(at: "09:00:10"), draft(at: "09:00:11"), .recorded),
        Case("same second, same place", draft(at: "09:00:00"), draft(at: "09:00:00"), .duplicate),
        Case(
            "same second, spelt otherwise", draft(at: "09:00:00", merchant: "CAFÉ  NOIR"),
            draft(at: "09:00:00", merchant: "cafe noir"),
            .duplicate),
        Case(
            "same second, no merchant", draft(at: "09:00:00"), draft(at: "09:00:00", merchant: nil), .review,
            reason: "possible_duplicate"),
        Case("same second, another place", draft(at: "09:00:00"), draft(at: "09:00:00", merchant: "TEA"), .recorded),
        Case(
            "minutes only in one, merchant missing", draft(at: "09:00:41"), draft(at: "09:00", merchant: nil), .review,
            reason: "possible_duplicate"),
        Case("minutes only in one", draft(at: "09:00:41"), draft(at: "09:00"), .review, reason: "possible_duplicate"),
        Case("minutes only, another minute", draft(at: "09:01:41"), draft(at: "09:00"), .recorded),
        Case(
            "another day", draft(on: "2026-01-05", at: "09:00:00"), draft(on: "2026-01-06", at: "09:00:00"), .recorded),
        // Neither
        Case("nothing distinguishes them", draft(), draft(), .review, reason: "possible_duplicate"),
        Case(
            "nothing distinguishes them, next day", draft(on: "2026-01-05"), draft(on: "2026-01-06"), .review,
            reason: "possible_duplicate"),
        Case(
            "nothing distinguishes them, day before and end of the year", draft(on: "2026-01-01"),
            draft(on: "2025-12-31"), .review,
            reason: "possible_duplicate"),
        Case("two days on", draft(on: "2026-01-05"), draft(on: "2026-01-07"), .recorded),
        Case("another amount", draft(1), draft(2), .recorded),
        Case("another currency", draft(), draft(currency: Currency(code: "USD") ?? .inr), .recorded),
        Case("another account", draft(), draft(account: "9999"), .recorded),
        Case(
            "same account, fewer digits", draft(account: "4321"), draft(account: "321"), .review,
            reason: "possible_duplicate"),
        Case("another direction", draft(), draft(type: .income), .recorded),
        Case("another merchant", draft(), draft(merchant: "TEA"), .recorded),
        Case("another bank", draft(), draft(), .recorded, secondBank: "icici"),
        // One prints more than the other
        Case("reference and none, same day", draft(reference: "R1"), draft(), .review, reason: "possible_duplicate"),
        Case("none and reference, same day", draft(), draft(reference: "R1"), .review, reason: "possible_duplicate"),
        Case(
            "none and reference, next day", draft(on: "2026-01-05"), draft(on: "2026-01-06", reference: "R1"), .recorded
        ),
        Case(
            "reference, times near", draft(at: "09:00:00", reference: "R1"), draft(at: "09:02:30"), .review,
            reason: "possible_duplicate"),
        Case(
            "reference, times near across midnight", draft(on: "2026-01-05", at: "23:59:30", reference: "R1"),
            draft(on: "2026-01-06", at: "00:00:30"), .review, reason: "possible_duplicate"),
        Case("reference, times far", draft(at: "09:00:00", reference: "R1"), draft(at: "09:05:00"), .recorded),
        Case("time and none", draft(at: "09:00:00"), draft(), .review, reason: "possible_duplicate"),
    ]

    @Test(arguments: cases) func second(_ test: Case) throws {
        let f = try Fixture()
        let first = try #require(try f.store.recording.record([mail(1, decision(.recorded, test.first))]).first)
        let second = try #require(
            try f.store.recording.record([mail(2, decision(.recorded, test.second, bank: test.secondBank))]).first)
        #expect(first.outcome == .recorded)
        #expect(second.outcome == test.outcome)
        #expect(try f.count("transactions") == (test.outcome == .duplicate ? 1 : 2))
        #expect(second.duplicateOf == (test.outcome == .duplicate ? first.mailID : nil))
        #expect(second.possibleDuplicateOf == (test.outcome == .review ? first.transactionID : nil))
        #expect(
            try f.value("SELECT provenance ->> '$.reasons[#-1].factor' FROM transactions WHERE status = 'needs_review'")
                == test.reason)
        if test.outcome == .review {
            let item = try #require(try f.store.review.queue().first)
            #expect(item.confidence == 0.45)
            #expect(item.possibleDuplicate?.id == first.transactionID)
            #expect(item.reasons.map(\.name) == ["template", test.reason])
        }
        // A third copy changes nothing.
        let before = try f.count("transactions")
        let again = try f.store.recording.record([
            mail(
                11, decision(.recorded, test.first), id: "<1@bank.example>",
                digest: [UInt8](repeating: 1, count: 31) + [0]),
            mail(
                12, decision(.recorded, test.second, bank: test.secondBank), id: "<2@bank.example>",
                digest: [UInt8](repeating: 2, count: 31) + [0]),
        ])
        #expect(again.map(\.outcome) == [.duplicate, .duplicate])
        #expect(try f.count("transactions") == before)
    }

    @Test(arguments: cases) func inOneBatchTheFirstWins(_ test: Case) throws {
        let f = try Fixture()
        let results = try f.store.recording.record([
            mail(9, decision(.recorded, test.first)), mail(2, decision(.recorded, test.second, bank: test.secondBank)),
        ])
        #expect(results.map(\.uid) == [9, 2])
        #expect(results.map(\.outcome) == [.recorded, test.outcome])
    }

    /// Without digest and Message-ID the event is still found by its key, or sent to review.
    @Test(arguments: cases) func withoutMailIdentity(_ test: Case) throws {
        let f = try Fixture()
        let entries = [
            mail(1, decision(.recorded, test.first), id: .some(nil), digest: .some(nil)),
            mail(2, decision(.recorded, test.second, bank: test.secondBank), id: .some(nil), digest: .some(nil)),
        ]
        #expect(try f.store.recording.record(entries).map(\.outcome) == [.recorded, test.outcome])
        let before = try f.dump()
        _ = try f.store.recording.record(entries)
        #expect(try f.dump() == before)
    }

    @Test func equalAlertsWithoutReferenceAreSeparate() throws {
        let f = try Fixture()
        let results = try f.store.recording.record((1...3).map { mail($0, decision()) })
        #expect(results.map(\.outcome) == [.recorded, .review, .review])
        #expect(results.map(\.possibleDuplicateOf) == [nil, results[0].transactionID, results[0].transactionID])
    }

    @Test func duplicateOfARejectedOneStaysRejected() throws {
        let f = try Fixture()
        let id = try #require(
            try f.store.recording.record([mail(1, decision(.review, draft(reference: "R")))]).first?.transactionID)
        try f.store.review.reject(.transaction(id))
        #expect(
            try f.store.recording.record([mail(2, decision(.recorded, draft(reference: "R")))]).first?.outcome
                == .duplicate)
        #expect(try f.store.transactions.find(id)?.status == .rejected)
        #expect(try f.store.review.queue().isEmpty)
    }
}
