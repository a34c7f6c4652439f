import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import Profiles

/// Variants of the shipped samples: the results of a template must not depend on the layout of its author's mail.
@Suite struct VariationTests {
    struct Outcome {
        var tried = 0
        var recorded = 0
        var wrong: [String] = []
    }

    static func vary(
        _ variations: [Variation],
        _ check: (ShippedProfiles.Item, Variation, TransactionDraft, Decision, inout Outcome) -> Void
    ) throws -> Outcome {
        let profiles = try ShippedProfiles.all.get()
        var outcome = Outcome()
        for item in try ShippedProfiles.items() {
            // An SMS has no layout.
            guard case .fields = item.sample.expectation, item.sample.smsHeader == nil else { continue }
            let message = Message(parsing: item.sample.message())
            let decision = profiles.claim(message).decide(trusting: .unverified, receivedAt: nil)
            guard let draft = decision.draft, decision.outcome == .recorded else { continue }
            let text = String(decoding: message.text.bytes, as: UTF8.self)
            for variation in variations {
                guard let varied = variation.apply(text, draft.account) else { continue }
                var sample = item.sample
                sample = Sample(
                    name: sample.name, from: sample.from, date: sample.date, subject: sample.subject,
                    body: varied.hasPrefix("<html>") ? .html(varied) : .text(varied),
                    expectation: sample.expectation, line: sample.line)
                let got = profiles.claim(Message(parsing: sample.message())).decide(
                    trusting: .unverified, receivedAt: nil)
                outcome.tried += 1
                if got.outcome == .recorded { outcome.recorded += 1 }
                check(item, variation, draft, got, &outcome)
            }
        }
        return outcome
    }

    @Test func equivalentFormsAreReadAlike() throws {
        let outcome = try Self.vary(Variation.faithful) { item, variation, expected, got, outcome in
            if got.outcome == .ignored || got.outcome == .unclaimed || got.outcome == .failed {
                outcome.wrong.append("\(item.template.name) '\(item.sample.name)', \(variation): \(got.outcome)")
            }
            guard got.outcome == .recorded, let draft = got.draft else { return }
            let same =
                draft.amount == expected.amount && draft.type == expected.type && draft.account == expected.account
                && draft.date == expected.date
            if !same {
                outcome.wrong.append(
                    "\(item.template.name) '\(item.sample.name)', \(variation): \(draft.amount) \(draft.type.map { "\($0)" } ?? "-") \(draft.account ?? "-") \(draft.date)"
                )
            }
        }
        #expect(outcome.wrong == [])
        // A few names cannot be distinguished from the following words in a folded mail; they wait for a person.
        #expect(
            Double(outcome.recorded) >= 0.98 * Double(outcome.tried), "\(outcome.recorded) of \(outcome.tried) recorded"
        )
        #expect(outcome.tried > 1000)
    }

    @Test func failedAndFuturePaymentsAreNeverBooked() throws {
        let outcome = try Self.vary(Variation.unfaithful) { item, variation, _, got, outcome in
            if got.outcome == .recorded {
                outcome.wrong.append("\(item.template.name) '\(item.sample.name)', \(variation)")
            }
        }
        #expect(outcome.wrong == [])
        #expect(outcome.tried > 300)
    }
}
