import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

@Suite struct ReviewTests {
    /// A waiting draft, a waiting mail without a draft, and other mail.
    func queue() throws -> (Fixture, draft: Int64, mail: String) {
        let f = try Fixture()
        let results = try f.store.recording.record([
            mail(1, decision(.recorded, draft(1))), mail(2, decision(.review, draft(2))),
            mail(3, decision(.ignored, nil)),
        ])
        f.clock.advance(1)
        var contested = decision(.review, nil)
        contested.reasons = [Reason(.contested, weight: 0, note: "two templates claim it")]
        let second = try f.store.recording.record([mail(4, contested)])
        return (f, try #require(results[1].transactionID), second[0].mailID)
    }

    @Test func listsWaitingItems() throws {
        let (f, draft, mail) = try queue()
        let items = try f.store.review.queue()
        #expect(items.map(\.id) == [.transaction(draft), .mail(mail)])
        #expect(items[0].transaction?.amount == rupees(2))
        #expect(items[0].mail?.uid == 2)
        #expect(items[0].confidence == 0.9)
        #expect(items[1].transaction == nil)
        #expect(items[1].reasons == [Reason(.contested, weight: 0, note: "two templates claim it")])
        #expect(items[1].mail?.reason == "two templates claim it")
        #expect(try f.store.review.queue(limit: 1).count == 1)
        #expect(try f.store.monitoring.status().waiting == 2)
    }

    @Test(arguments: [true, false]) func decidesOnce(accepting: Bool) throws {
        let (f, draft, mail) = try queue()
        func decide(_ id: ReviewID) throws -> Bool {
            accepting ? try f.store.review.accept(id) : try f.store.review.reject(id)
        }
        #expect(try decide(.transaction(draft)))
        #expect(try !decide(.transaction(draft)))
        #expect(try f.store.transactions.find(draft)?.status == (accepting ? .confirmed : .rejected))
        #expect(try f.store.transactions.find(draft)?.revision == 2)
        #expect(try f.value("SELECT status FROM processed_emails WHERE uid = 2") == (accepting ? "recorded" : "review"))
        #expect(try decide(.mail(mail)))
        #expect(try !decide(.mail(mail)))
        #expect(try f.value("SELECT status FROM processed_emails WHERE uid = 4") == "review")
        #expect(try f.store.review.queue().isEmpty)
        #expect(try f.count("transactions") == 2)
    }

    @Test func decisionCanBeReversed() throws {
        let (f, draft, _) = try queue()
        let mailID = try #require(try f.store.transactions.find(draft)?.mailID)
        #expect(try f.store.review.accept(.mail(mailID)))
        #expect(try f.store.transactions.find(draft)?.status == .confirmed)
        #expect(try f.store.review.reject(.mail(mailID)))
        #expect(try f.store.transactions.find(draft)?.status == .rejected)
        #expect(try f.store.review.queue().map(\.transaction) == [nil], "only the mail without a draft")
        #expect(try f.store.review.accept(.transaction(draft)))
        #expect(try f.store.transactions.find(draft)?.status == .confirmed)
        #expect(try f.value("SELECT status FROM processed_emails WHERE uid = 2") == "recorded")
    }

    @Test func bookedTransactionMayBeRejected() throws {
        let (f, _, _) = try queue()
        #expect(try f.store.review.reject(.transaction(1)))
        #expect(try f.store.transactions.find(1)?.status == .rejected)
        #expect(try f.store.review.queue().count == 2)
    }

    @Test(arguments: ["77", "no-such-mail"]) func unknown(_ id: String) throws {
        let (f, _, _) = try queue()
        let error = #expect(throws: StoreError.self) { try f.store.review.accept(ReviewID(id)) }
        #expect(error?.kind == .notFound)
        #expect(try f.store.review.item(ReviewID(id)) == nil)
    }

    @Test func ignoredMailIsNotAnItem() throws {
        let (f, _, _) = try queue()
        let id = try #require(try f.store.mails.latest([.ignored]).first?.id)
        #expect(throws: StoreError.self) { try f.store.review.reject(.mail(id)) }
    }

    @Test func deletedLeavesTheQueue() throws {
        let (f, draft, _) = try queue()
        try f.store.transactions.delete(draft)
        try f.store.transactions.delete(draft)
        #expect(try f.store.review.queue().count == 1)
        #expect(try f.store.transactions.find(draft) == nil)
        #expect(throws: StoreError.self) { try f.store.transactions.delete(77) }
        #expect(throws: StoreError.self) { try f.store.review.accept(.transaction(draft)) }
    }

    @Test func identifiers() {
        #expect(ReviewID("12") == .transaction(12))
        #expect(ReviewID("0198C0DE-1") == .mail("0198c0de-1"))
    }
}
