import Ledger
import Testing

@testable import Store

/// The numbers of rows that a list leaves out.
@Suite struct RemainingRowsTests {
    @Test func countsAgreeWithTheLists() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            mail(1, decision(.recorded, draft(reference: "R1"))), mail(2, decision(.recorded, draft(reference: "R2"))),
            mail(3, decision(.review, draft(reference: "R3"))), mail(4, decision(.review, nil)),
            mail(5, decision(.ignored)), mail(6, decision(.quarantined)),
        ])
        var filter = TransactionFilter()
        #expect(try f.store.transactions.count(filter) == 3)
        filter.statuses = [.needsReview]
        #expect(try f.store.transactions.count(filter) == 1)
        filter.since = date("2027-01-01")
        #expect(try f.store.transactions.count(filter) == 0)
        #expect(try f.store.mails.count([.ignored, .quarantined]) == 2)
        #expect(try f.store.mails.count([]) == 0)
        #expect(try f.store.review.count() == f.store.review.queue().count)
        #expect(try f.store.review.count() == 2)
        #expect(try f.store.review.count(shape: "0000000000000001") == 0)
        #expect(try f.store.transfers.count(Set(TransferRow.State.allCases)) == 0)
    }

    @Test(arguments: ["<2@bank.example>", "2@bank.example"]) func mailsByMessageID(name: String) throws {
        let f = try Fixture()
        _ = try f.store.recording.record([mail(1, decision()), mail(2, decision(.ignored))])
        #expect(try f.store.mails.find(messageID: name).map(\.uid) == [2])
        #expect(try f.store.mails.find(messageID: "3@bank.example").isEmpty)
    }
}
