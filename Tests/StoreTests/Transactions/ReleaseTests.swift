import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

/// A released item is decided again without its objection, and the release can be undone.
@Suite struct ReleaseTests {
    /// Two coffees that nothing printed distinguishes: the second waits.
    private func coffees(_ confidence: Double = 0.9) throws -> (Fixture, waiting: Int64) {
        let f = try Fixture()
        var second = decision()
        second.confidence = confidence
        second.reasons = [Reason(name: "template", weight: confidence, note: "")]
        let results = try f.store.recording.record([mail(1, decision()), mail(2, second)])
        let id = try #require(results[1].transactionID)
        #expect(try f.store.transactions.find(id)?.status == .needsReview)
        return (f, id)
    }

    @Test func releasedDuplicateIsBookedWithoutOtherFactors() throws {
        let (f, id) = try coffees()
        let revision = try #require(try f.store.transactions.find(id)?.revision)
        let row = try f.store.review.release(
            transaction: id, expecting: revision, autoConfirmAt: { $0 == "hdfc" ? 0.85 : 1 })
        #expect(row.status == .confirmed && row.duplicateOf == nil)
        #expect(try f.value("SELECT status FROM processed_emails WHERE uid = 2") == "recorded")
        let change = try #require(try f.store.journal.changes(ofTransaction: id).first)
        #expect(change.kind == .released)
        try f.store.journal.undo(change: change.id)
        let back = try #require(try f.store.transactions.find(id))
        #expect(back.status == .needsReview && back.duplicateOf != nil)
        #expect(try f.store.review.queue().count == 1)
    }

    @Test func draftWithOtherFactorsKeepsWaiting() throws {
        let (f, id) = try coffees(0.7)
        let row = try f.store.review.release(transaction: id, autoConfirmAt: { _ in 0.85 })
        #expect(row.status == .needsReview && row.duplicateOf == nil)
        // A later decision of its mail does not make it a possible duplicate again.
        _ = try f.store.recording.record([mail(2, decision())], redeciding: Outcome.redecidable)
        #expect(try f.store.transactions.find(id)?.duplicateOf == nil)
    }

    @Test(arguments: [(0.9, TransactionStatus.confirmed), (0.91, .needsReview)])
    func releasedDuplicateIsBookedFromTheThresholdOn(threshold: Double, status: TransactionStatus) throws {
        let (f, id) = try coffees(0.9)
        #expect(try f.store.review.release(transaction: id, autoConfirmAt: { _ in threshold }).status == status)
    }

    @Test func releasesOnlyUnchangedPossibleDuplicates() throws {
        let (f, id) = try coffees()
        #expect(throws: StoreError.self) {
            try f.store.review.release(transaction: id, expecting: 99, autoConfirmAt: { _ in 0 })
        }
        #expect(throws: StoreError.self) { try f.store.review.release(transaction: 1, autoConfirmAt: { _ in 0 }) }
        #expect(try f.store.transactions.find(id)?.status == .needsReview)
    }

    private func quarantined() throws -> (Fixture, mail: String) {
        let f = try Fixture()
        var refused = decision(.quarantined, nil)
        refused.source?.authentication = "fail (dmarc)"
        return (f, try f.store.recording.record([mail(1, refused)])[0].mailID)
    }

    @Test func quarantinedMailIsBookedAndUndone() throws {
        let (f, id) = try quarantined()
        let recorded = try #require(
            try f.store.review.release(mail: id, as: mail(1, decision(.recorded, draft(reference: "R1")))))
        #expect(recorded.outcome == .recorded)
        let transaction = try #require(recorded.transactionID)
        #expect(try f.store.transactions.find(transaction)?.status == .confirmed)
        #expect(throws: StoreError.self) { try f.store.review.release(mail: id, as: mail(1, decision())) }

        try f.store.journal.undo(change: try #require(try f.store.journal.changes().first).id)
        #expect(try f.store.transactions.find(transaction) == nil)
        #expect(try f.store.mails.find(id)?.outcome == .quarantined)

        // It does not block the bank's own mail about the same event.
        let genuine = try f.store.recording.record([mail(2, decision(.recorded, draft(reference: "R1")))])[0]
        #expect(genuine.outcome == .recorded)
        let undone = try #require(try f.store.journal.changes().first)
        #expect(throws: StoreError.self, "the event is booked") { try f.store.journal.undo(change: undone.id) }
    }

    @Test func undoCanBeUndone() throws {
        let (f, id) = try quarantined()
        let recorded = try #require(
            try f.store.review.release(mail: id, as: mail(1, decision(.recorded, draft(reference: "R1")))))
        let transaction = try #require(recorded.transactionID)
        let key = try #require(try f.store.transactions.find(transaction)?.idempotencyKey)
        try f.store.journal.undo(change: try #require(try f.store.journal.changes().first).id)
        try f.store.journal.undo(change: try #require(try f.store.journal.changes().first).id)
        #expect(try f.store.transactions.find(transaction)?.idempotencyKey == key)
        #expect(try f.store.mails.find(id)?.outcome == .recorded)
        #expect(
            try f.store.recording.record([mail(2, decision(.recorded, draft(reference: "R1")))])[0].outcome
                == .duplicate)
    }

    @Test func decisionWithoutImprovementChangesNothing() throws {
        let (f, id) = try quarantined()
        #expect(try f.store.review.release(mail: id, as: mail(1, decision(.unclaimed, nil))) == nil)
        #expect(try f.store.mails.find(id)?.outcome == .quarantined)
        #expect(try f.store.journal.changes().isEmpty)
    }

    @Test func aDraftThatChangedMeanwhileIsNotAccepted() throws {
        let f = try Fixture()
        let id = try #require(try f.store.recording.record([mail(1, decision(.review))])[0].transactionID)
        var edit = TransactionEdit()
        edit.amount = rupees(1)
        try f.store.transactions.change(id, edit, by: Actor(.client))
        #expect(throws: StoreError.self) { try f.store.review.accept(.transaction(id), expecting: 1) }
        #expect(throws: StoreError.self) { try f.store.review.reject(.transaction(id), expecting: 1) }
        #expect(try f.store.review.accept(.transaction(id), expecting: 2))
    }

    /// Both booked and waiting mails keep their bytes: booked rows can be opened and decided again later.
    @Test func bookedAndWaitingMailsKeepTheirBytes() throws {
        let f = try Fixture()
        for uid: UInt32 in 1...2 {
            let recorded = try f.store.recording.record([mail(uid, decision(), raw: [65])])[0]
            #expect(recorded.outcome == (uid == 1 ? .recorded : .review))
            #expect(try f.store.mails.raw(ofMail: recorded.mailID) == [65])
        }
        #expect(try f.count("raw_messages") == 2)
    }

    @Test func linesSummarizeTheQueue() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            mail(1, decision(.review)), mail(2, decision(.recorded, draft(7))), mail(3, decision(.review, nil)),
        ])
        let (lines, total) = try f.store.review.lines()
        let queue = try f.store.review.queue().compactMap(\.id)
        #expect(total == 2)
        #expect(Set(lines.map(\.id)) == Set(queue))
        #expect(lines.contains { $0.merchant == "CAFÉ NOIR" && $0.amount == rupees(25000) && $0.date == "2026-01-05" })
        let (first, all) = try f.store.review.lines(limit: 1)
        #expect(first.count == 1 && all == 2)
    }

    /// A batch has one instant, and the identifiers of its mails are random.
    @Test func batchIsCommittedInTheOrderOfItsMails() throws {
        let f = try Fixture()
        let batch = try f.store.recording.record(
            (1...12).map { mail($0, decision(.review, $0 % 3 == 0 ? nil : draft(Int64($0)))) })
        let ids = batch.map { $0.transactionID.map(ReviewID.transaction) ?? .mail($0.mailID) }
        #expect(try f.store.review.queue().compactMap(\.id) == ids)
        #expect(try f.store.review.lines().lines.map(\.id) == ids)
    }

    @Test func spansAreReadFromTheProvenance() throws {
        let f = try Fixture()
        let id = try #require(try f.store.recording.record([mail(1, decision(.review))])[0].transactionID)
        let provenance = try f.store.transactions.find(id)?.provenance
        #expect(try f.store.review.spans(in: provenance) == [.amount: 3..<10, .merchant: 20..<29])
        #expect(try f.store.review.spans(in: nil) == [:])
        #expect(try f.store.review.spans(in: #"{"spans":{"amount":[9,3],"colour":[1,2],"date":[-1,4]}}"#) == [:])
    }
}
