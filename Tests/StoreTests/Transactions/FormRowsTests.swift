import Chronology
import Ledger
import Testing

@testable import Store

/// Forms of mails without a template, and a person's decisions about them.
@Suite struct FormRowsTests {
    private static let clerk = UserAccountTests.clerk
    private static let id = "hdfc/000000000000002a"

    private static func entry(_ uid: UInt32, booked: Bool = false) -> MailEntry {
        let payment = draft(Int64(uid) * 100, reference: "R\(uid)")
        var decision = decision(booked ? .recorded : .review, payment)
        decision.source?.template = TemplateName.generic
        decision.shape = MailShape(digest: 7, words: "* was charged", form: 42)
        return mail(uid, decision)
    }

    @Test func aFormIsLearnedAfterThreeAcceptedMailsAndEndsWithACorrection() throws {
        let f = try Fixture()
        let ids = try f.store.recording.record((1...4).map { Self.entry($0) }).compactMap(\.transactionID)
        for id in ids.prefix(2) { _ = try f.store.review.accept(.transaction(id)) }
        #expect(throws: StoreError.self) { try f.store.review.learn(Self.id, by: Self.clerk) }
        _ = try f.store.review.accept(.transaction(ids[2]))
        let form = try #require(try f.store.review.forms().first)
        #expect(form.id == Self.id)
        #expect([form.accepted, form.corrected, form.rejected, form.waiting, form.booked] == [3, 0, 0, 1, 0])
        #expect(form.isReliable && !form.isLearned)

        let learned = try f.store.review.learn(Self.id, by: Self.clerk)
        #expect(learned.form.isLearned)
        var decision = Self.entry(9).decision
        decision.source?.isAuthentic = true
        decision.reasons = [Reason(.genericReader, weight: 0.4, note: "no template")]
        var draft = try #require(decision.draft)
        draft.spans[.date] = 0..<1
        decision.disposition = .review(draft)
        #expect(decision.booked(by: try f.store.review.learnedForms()).outcome == .recorded)

        // A booked mail does not count as accepted, and its correction ends the booking.
        let booked = try #require(try f.store.recording.record([Self.entry(5, booked: true)]).first?.transactionID)
        #expect(try f.store.review.forms().first?.booked == 1)
        var edit = TransactionEdit()
        edit.amount = rupees(1)
        _ = try f.store.transactions.change(booked, edit, by: Self.clerk)
        #expect(try f.store.review.forms().first?.corrected == 1)
        #expect(decision.booked(by: try f.store.review.learnedForms()).outcome == .review)
    }

    @Test func learningAndForgettingAreUndone() throws {
        let f = try Fixture()
        for id in try f.store.recording.record((1...3).map { Self.entry($0) }).compactMap(\.transactionID) {
            _ = try f.store.review.accept(.transaction(id))
        }
        func isLearned() throws -> Bool? { try f.store.review.forms().first?.isLearned }
        let group = try f.store.review.learn(Self.id, by: Self.clerk).group
        #expect(try isLearned() == true)
        _ = try f.store.journal.undo(group: group, by: Self.clerk)
        #expect(try isLearned() == false)
        _ = try f.store.review.learn(Self.id, by: Self.clerk)
        let end = try f.store.review.forget(Self.id, by: Self.clerk).group
        #expect(try isLearned() == false)
        _ = try f.store.journal.undo(group: end, by: Self.clerk)
        #expect(try isLearned() == true)
        #expect(try f.store.integrityDefects() == [])
    }

    @Test(arguments: ["", "hdfc", "hdfc/zz", "hdfc/000000000000002b", "other/000000000000002a", "a/b/c"])
    func anUnknownFormIsNotFound(id: String) throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.entry(1)])
        #expect(throws: StoreError.self) { try f.store.review.learn(id, by: Self.clerk) }
        #expect(throws: StoreError.self) { try f.store.review.forget(id, by: Self.clerk) }
    }
}
