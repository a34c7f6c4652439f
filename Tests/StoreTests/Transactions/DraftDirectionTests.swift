import Ledger
import Testing

@testable import Store

/// A draft of which no word of the mail gives the direction.
@Suite struct DraftDirectionTests {
    static func add(_ f: Fixture) throws -> Int64 {
        var untyped = draft(500, reference: "R1")
        untyped.type = nil
        var verdict = decision(.review, untyped)
        verdict.reasons = [Reason(.directionMissing, weight: 0.5, note: "no word")]
        return try #require(try f.store.recording.record([mail(1, verdict)]).first?.transactionID)
    }

    /// The placeholder may be right: giving the same type counts.
    @Test(arguments: [TransactionType.expense, .income]) func isAcceptedOnlyWithAType(type: TransactionType) throws {
        let f = try Fixture()
        let id = try Self.add(f)
        #expect(try f.store.review.item(.transaction(id))?.lacksDirection == true)
        let error = #expect(throws: StoreError.self) { try f.store.review.accept(.transaction(id)) }
        #expect(error.map { "\($0)".contains("transaction_type") } == true)
        #expect(try f.store.review.item(.transaction(id))?.transaction?.status == .needsReview)
        var edit = TransactionEdit()
        edit.type = type
        #expect(try f.store.review.edit(draft: .transaction(id), edit, by: .terminal))
        #expect(try f.store.review.item(.transaction(id))?.lacksDirection == false)
        #expect(try f.store.review.accept(.transaction(id)))
        let row = try #require(try f.store.review.item(.transaction(id))?.transaction)
        #expect(row.status == .confirmed && row.type == type)
    }

    @Test func isAcceptedWithATypeAtOnceAndRejectedWithoutOne() throws {
        let f = try Fixture()
        let id = try Self.add(f)
        #expect(try f.store.review.reject(.transaction(id)))
        let other = try Fixture()
        let second = try Self.add(other)
        var edit = TransactionEdit()
        edit.type = .expense
        #expect(try other.store.review.accept(.transaction(second), edit))
    }

    @Test func noStatusConfirmsIt() throws {
        let f = try Fixture()
        let id = try Self.add(f)
        var edit = TransactionEdit()
        edit.status = .confirmed
        #expect(throws: StoreError.self) { try f.store.review.edit(draft: .transaction(id), edit, by: .terminal) }
    }
}
