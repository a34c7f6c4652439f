import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import ProfileAuthoring
@testable import Profiles

@Suite struct MutationProofTests {
    /// Every shipped template, with every sample.
    @Test func noShippedTemplateBooksWhatDidNotHappen() throws {
        let set = try ShippedProfiles.all.get().proving()
        let proof = MutationProof(of: set.banks.flatMap(\.templates), in: set)
        #expect(proof.tried > 10_000)
        print("mutations tried: \(proof.tried), booked: \(proof.booked.count)")
        for booking in proof.booked.prefix(40) {
            Issue.record("\(booking.path):\(booking.line) '\(booking.sample)': \(booking.change)")
        }
        #expect(proof.booked.isEmpty, "\(proof.booked.count) of \(proof.tried)")
    }

    /// A template that reads a refused payment, by a pattern that demands its own negative words.
    @Test func aTemplateThatBooksAMutationIsFound() throws {
        let blind = #"""
            template: bank/blind
            kind: transaction
            extract:
              body_pattern: 'Amount \s Rs\.(?<amount>[\d,.]*\d) \s Outcome \s (?: Done | Declined ) \s Card \s (?<account>\d{4}) \s On \s (?<date>\S{8}) \s At \s (?<merchant>[A-Z ]+) $'
              type: expense
              channel: card
            samples:
              - name: done
                text: |-
                  Amount Rs.500.00
                  Outcome Done
                  Card 1234
                  On 05-01-26
                  At HILL COFFEE
                expect: { amount: '500.00', account: '1234', date: 2026-01-05, merchant: HILL COFFEE }
            """#
        let set = try ProfileFolder.set(["bank/blind.yaml": blind])
        let found = set.lint(["bank/blind"], attacks: true).filter { $0.message.contains("says otherwise") }
        #expect(found.count == 1)
        #expect(found.first?.message.contains("'Declined'") ?? false)
        #expect(set.lint(["bank/spend"], attacks: true).allSatisfy { !$0.message.contains("says otherwise") })
    }
}
