import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

/// Two mails of one minute, amount and payee without a reference: their texts decide.
@Suite struct OtherTextTests {
    static func payment(_ uid: UInt32, text: String?, _ outcome: Outcome = .recorded) -> MailEntry {
        mail(uid, decision(outcome, draft(at: "09:00")), text: text)
    }

    @Test func anotherTextWaitsForAPerson() throws {
        let f = try Fixture()
        let first = try #require(try f.store.recording.record([Self.payment(1, text: "a")]).first)
        let second = try #require(try f.store.recording.record([Self.payment(2, text: "b")]).first)
        #expect(first.outcome == .recorded)
        #expect(second.outcome == .review)
        #expect(second.possibleDuplicateOf == first.transactionID)
        let item = try #require(try f.store.review.queue().first)
        #expect(item.reasons.map(\.name) == ["template", "possible_duplicate"])
        #expect(item.possibleDuplicate?.id == first.transactionID)
        // Copies of either are duplicates of that one.
        let copies = try f.store.recording.record([Self.payment(3, text: "b"), Self.payment(4, text: "a")])
        #expect(copies.map(\.outcome) == [.duplicate, .duplicate])
        #expect(copies.map(\.transactionID) == [second.transactionID, first.transactionID])
        #expect(try f.count("transactions") == 2)
    }

    @Test func oneTextIsOneEvent() throws {
        let f = try Fixture()
        let results = try f.store.recording.record([Self.payment(1, text: "a"), Self.payment(2, text: "a")])
        #expect(results.map(\.outcome) == [.recorded, .duplicate])
        #expect(results[1].duplicateOf == results[0].mailID)
    }

    /// Rows of earlier versions have no digest of their text: their copies stay duplicates.
    @Test func rowsOfEarlierVersions() throws {
        let f = try Fixture()
        let results = try f.store.recording.record([Self.payment(1, text: nil), Self.payment(2, text: "a")])
        #expect(results.map(\.outcome) == [.recorded, .duplicate])
    }

    /// A person's correction of the first does not hide it.
    @Test func editedFirst() throws {
        let f = try Fixture()
        let first = try #require(try f.store.recording.record([Self.payment(1, text: "a")]).first?.transactionID)
        var edit = TransactionEdit()
        edit.merchant = .set("Café")
        edit.amount = rupees(1)
        _ = try f.store.transactions.change(first, edit, by: .terminal)
        let second = try #require(try f.store.recording.record([Self.payment(2, text: "b")]).first)
        #expect(second.outcome == .review)
        #expect(second.possibleDuplicateOf == first)
    }

    /// Another decision about the earlier of two does not make it the later.
    @Test func linksPointToTheEarlier() throws {
        let f = try Fixture()
        let entries = [Self.payment(1, text: "a", .review), Self.payment(2, text: "b", .review)]
        let first = try f.store.recording.record(entries)
        #expect(first.map(\.possibleDuplicateOf) == [nil, first[0].transactionID])
        let again = try f.store.recording.record(
            [Self.payment(1, text: "a"), Self.payment(2, text: "b")], redeciding: Outcome.redecidable)
        #expect(again.map(\.outcome) == [.recorded, .review])
        #expect(
            try f.store.transactions.find(#require(first[0].transactionID))?.duplicateOf == nil)
        #expect(
            try f.store.transactions.find(#require(first[1].transactionID))?.duplicateOf == first[0].transactionID)
    }
}
