import GRDB
import Ledger
import Review
import Testing

@testable import Store

@Suite struct ReviewServiceTests {
    enum Change: CaseIterable { case accept, reject, correct }

    private func perform(
        _ change: Change, _ id: ReviewID, _ seen: SeenDraft, _ service: ReviewService<Store>,
        edit: ReviewService<Store>.EditMaker = { _ in ReviewFixture.booking }
    ) throws -> ReviewResult {
        switch change {
        case .accept: try service.accept(id, seen: seen, edit: edit)
        case .reject: try service.reject(id, seen: seen)
        case .correct: try service.correct(id, seen: seen, edit: edit)
        }
    }

    @Test(arguments: Change.allCases) func refusesDraftChangedSinceItWasSeen(change: Change) throws {
        let f = try ReviewFixture()
        let id = try f.recordDraft(1)
        let seen = SeenDraft(try #require(try f.service.item(id)))
        try f.changeAmount(of: id, to: 99_900)
        #expect(throws: ReviewConflict.self) { try perform(change, id, seen, f.service) }
        let row = try #require(try f.row(id))
        #expect(row.status == .needsReview && row.amount.minorUnits == 99_900)
        // With the current revision the same change is made.
        let now = SeenDraft(try #require(try f.service.item(id)))
        #expect(try perform(change, id, now, f.service).changed)
    }

    @Test(arguments: Change.allCases) func refusesMailThatGotADraftSinceItWasSeen(change: Change) throws {
        let f = try ReviewFixture()
        let id = try f.recordBlank(1)
        try f.service.correct(id, seen: .noDraft) { _ in ReviewFixture.booking }
        #expect(throws: ReviewConflict.self) { try perform(change, id, .noDraft, f.service) }
        #expect(try f.row(id)?.status == .needsReview)
    }

    /// The edit is made within the transaction: another process cannot write between the check and the change.
    @Test(arguments: [Change.accept, .correct]) func checksAndChangesInOneTransaction(change: Change) throws {
        let f = try ReviewFixture()
        let id = try f.recordDraft(1)
        let seen = SeenDraft(try #require(try f.service.item(id)))
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        let other = try DatabaseQueue(path: f.path, configuration: configuration)
        var refusal: ResultCode?
        _ = try perform(change, id, seen, f.service) { item in
            do {
                try other.write { try $0.execute(sql: "UPDATE transactions SET amount_minor = 1, revision = 99") }
            } catch let error as DatabaseError { refusal = error.resultCode }
            #expect(item.transaction?.amount.minorUnits == 100)
            return ReviewFixture.booking
        }
        #expect(refusal == .SQLITE_BUSY)
        #expect(try f.row(id)?.amount.minorUnits == 123_450)
    }

    @Test func failedEditWritesNothing() throws {
        struct Invalid: Error {}
        let f = try ReviewFixture()
        let id = try f.recordDraft(1)
        #expect(throws: Invalid.self) { try f.service.accept(id, seen: .anything) { _ in throw Invalid() } }
        #expect(try f.row(id)?.status == .needsReview && f.store.journal.changes(limit: 10).isEmpty)
    }

    @Test func repeatedRejectionIsNotAConflict() throws {
        let f = try ReviewFixture()
        let id = try f.recordDraft(1)
        let seen = SeenDraft(try #require(try f.service.item(id)))
        #expect(try f.service.reject(id, seen: seen).changed)
        #expect(try !f.service.reject(id, seen: seen).changed)
    }

    /// An item that is rejected already causes no conflict; one undo reverts all acceptances.
    @Test func severalItemsAreDecidedAsOne() throws {
        let f = try ReviewFixture()
        let ids = try [f.recordDraft(1), f.recordDraft(2), f.recordDraft(3)]
        let seen = try ids.map { (id: $0, seen: SeenDraft(try #require(try f.service.item($0)))) }
        try f.service.reject(ids[2], seen: .anything)
        #expect(try f.service.resolve(Array(seen.suffix(1)), accepting: false).changed == 0)
        #expect(throws: ReviewConflict.self) { try f.service.resolve(seen, accepting: true) }
        #expect(try f.row(ids[0])?.status == .needsReview, "one conflict, and nothing is written")
        let made = try f.service.resolve(Array(seen.prefix(2)), accepting: true)
        #expect(try made.changed == 2 && f.row(ids[1])?.status == .confirmed)
        try f.service.undo(group: made.group)
        #expect(try ids.prefix(2).allSatisfy { try f.row($0)?.status == .needsReview })
    }

    /// A mail of a household elsewhere that could not be read: a typed number is in the home currency.
    @Test func amountsWithoutACurrencyAreInTheHomeCurrency() throws {
        let f = try ReviewFixture()
        let (blank, draft) = try (f.recordBlank(1), f.recordDraft(2))
        let baht = try #require(Currency(code: "THB"))
        let service = ReviewService(try Store(path: f.path, homeCurrency: baht))
        let content = try #require(try service.content(blank))
        #expect(try content.currency == baht && service.content(draft)?.currency == .inr)
        let answers = FieldAnswers(text: nil, arrival: nil, currency: content.currency)
        #expect(try answers.read("1200", as: .amount) == .amount(Money(minorUnits: 120_000, currency: baht)))
    }

    @Test func undoesTheLastChangeOfAnItem() throws {
        let f = try ReviewFixture()
        let id = try f.recordDraft(1)
        try f.changeAmount(of: id, to: 99_900)
        try f.service.accept(id, seen: .anything)
        try f.service.undo(id)
        #expect(try f.row(id)?.status == .needsReview && f.row(id)?.amount.minorUnits == 99_900)
        try f.service.undo(id)
        #expect(try f.row(id)?.amount.minorUnits == 100)
        #expect(throws: StoreError.self) { try f.service.undo(id) }
        #expect(try f.service.undoLast() == nil, "nothing was changed at the terminal but undone")
    }

    @Test func givesTheNextItemInTheQueue() throws {
        let f = try ReviewFixture()
        let ids = try (1...3).map { try f.recordDraft($0) }
        #expect(try f.service.next(after: ids[0]) == ids[1])
        #expect(try f.service.next(after: ids[2]) == nil)
        try f.service.accept(ids[1], seen: .anything)
        #expect(try f.service.next(after: ids[1]) == ids[0], "a decided item is followed by the first")
    }

    @Test func contentHasTheTextAndTheWordsOfEachField() throws {
        let f = try ReviewFixture()
        let content = try #require(try f.service.content(try f.recordDraft(7)))
        let text = try #require(content.text)
        #expect(content.spans[.amount].map(text.string) == "7")
        #expect(content.isWaiting && content.reasons.map(\.factor) == [.newSender])
        #expect(try f.service.content(.transaction(999)) == nil)
    }

    @Test func offersAreReadableSentences() {
        let offer = CategoryOffer(
            transactionID: 1, keyword: "lotus books", kind: .keyword, category: "Learning", subcategory: "Books",
            count: 2, stayingCount: 1)
        #expect(offer.sentence == "always Learning / Books for \"lotus books\"? (2 transactions booked so far change)")
    }

    @Test(arguments: [
        (0, 0, "nothing booked so far changes"), (1, 0, "one transaction booked so far changes"),
        (13, 13, "13 transactions waiting for review change"),
        (3, 1, "2 transactions booked so far change, one transaction waiting for review changes"),
    ]) func offersNameWaitingTransactionsApart(count: Int, waiting: Int, words: String) {
        let offer = CategoryOffer(
            transactionID: 1, keyword: "lotus", kind: .keyword, category: "Learning", subcategory: nil,
            count: count, stayingCount: 0, waitingCount: waiting)
        #expect(offer.sentence == "always Learning for \"lotus\"? (\(words))")
    }
}
