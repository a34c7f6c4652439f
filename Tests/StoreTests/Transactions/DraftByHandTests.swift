import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

/// A mail in which nothing could be read, with values from a person.
@Suite struct DraftByHandTests {
    private func blank(_ uid: UInt32 = 1) -> MailEntry {
        var nothing = decision(.review, nil)
        nothing.reasons = [Reason(name: "no_amount", weight: 0, note: "no amount was found")]
        return mail(uid, nothing)
    }

    private func enteredValues(reference: String? = nil) -> TransactionEdit {
        var edit = TransactionEdit()
        (edit.amount, edit.type, edit.date) = (rupees(44_400), .expense, date("2026-01-05"))
        edit.merchant = .set("LAKE BAKERY")
        edit.accountDigits = .set("4410")
        edit.reference = reference.map { .set($0) } ?? .keep
        return edit
    }

    @Test func bookedTogetherAndUndoneTogether() throws {
        let f = try Fixture()
        let id = try #require(try f.store.recording.record([blank()]).first?.mailID)
        let group = LedgerChange.newGroup()
        #expect(try f.store.review.accept(.mail(id), enteredValues(), by: Actor(.page, "me"), group: group))
        let row = try #require(try f.store.review.item(.mail(id))?.transaction)
        #expect(
            row.status == .confirmed && row.vendor == "LAKE BAKERY" && row.date == "2026-01-05"
                && row.accountDigits == "4410" && row.mailID == id && row.channel == nil)
        #expect(row.occurredAt == "2026-01-05T06:30:00Z" && row.editedAt != nil && row.recorder == "Auto")
        #expect(try f.store.review.queue().isEmpty && f.store.mails.find(id)?.outcome == .recorded)
        #expect(try f.store.monitoring.status().transactions[.confirmed] == 1)
        #expect(try f.store.journal.changes(group: group).map(\.kind) == [.accepted, .added])
        #expect(try f.store.review.profileFix(for: row.id) == nil, "its mail is not kept")
        // A repetition changes nothing.
        #expect(try !f.store.review.accept(.mail(id)))
        #expect(try !f.store.review.accept(.mail(id), enteredValues()))

        try f.store.journal.undo(group: group)
        #expect(try f.store.review.queue().map(\.id) == [.mail(id)])
        #expect(try f.store.review.item(.mail(id))?.transaction == nil && f.store.transactions.find(row.id) == nil)
        #expect(try (f.store.monitoring.status().transactions[.confirmed] ?? 0) == 0)
        // The same event again is not a duplicate of an undone one.
        #expect(try f.store.review.accept(.mail(id), enteredValues()))
        #expect(try f.store.review.item(.mail(id))?.transaction?.id != row.id)
    }

    @Test func undoneEditCanBeRepeated() throws {
        let f = try Fixture()
        let id = try #require(try f.store.recording.record([blank()]).first?.mailID)
        #expect(try f.store.review.edit(draft: .mail(id), enteredValues(reference: "R1"), by: .terminal))
        let row = try #require(try f.store.review.queue().first?.transaction)
        #expect(row.status == .needsReview && row.confidence == 1 && row.reference == "R1")
        let change = try #require(try f.store.journal.changes().first)
        let undo = try #require(try f.store.journal.undo(change: change.id).first)
        #expect(try f.store.review.queue().map(\.id) == [.mail(id)])
        try f.store.journal.undo(change: undo.id)
        #expect(try f.store.review.queue().map(\.id) == [.transaction(row.id)])
        #expect(
            try f.store.transactions.find(row.id)?.mailID == id
                && f.store.transactions.find(row.id)?.idempotencyKey == row.idempotencyKey)
    }

    @Test func neededFieldsAreListed() throws {
        let f = try Fixture()
        let id = try #require(try f.store.recording.record([blank()]).first?.mailID)
        var edit = TransactionEdit()
        edit.merchant = .set("LAKE BAKERY")
        let error = #expect(throws: StoreError.self) { try f.store.review.accept(.mail(id), edit) }
        #expect(
            error?.kind == .invalid
                && error?.fields.map(\.field) == ["parsed_amount", "transaction_type", "parsed_date"])
        #expect(try f.count("transactions") == 0 && f.count("changes") == 0)
    }

    /// A later alert about the event with a template, and a later decision of the mail itself.
    @Test func secondAlertIsADuplicateAndChangesNothing() throws {
        let f = try Fixture()
        let id = try #require(try f.store.recording.record([blank()]).first?.mailID)
        var edit = enteredValues(reference: "R1")
        edit.channel = .set(.upi)
        try f.store.review.accept(.mail(id), edit)
        let row = try #require(try f.store.review.item(.mail(id))?.transaction)
        let again = try f.store.recording.record([
            mail(2, decision(.recorded, draft(44_400, account: "4410", reference: "R1")))
        ])
        #expect(again.first?.outcome == .duplicate && again.first?.transactionID == row.id)
        let look = try f.store.recording.record(
            [mail(1, decision(.recorded, draft(99_900)))], redeciding: Outcome.redecidable)
        #expect(look.first?.was == nil)
        #expect(try f.store.transactions.find(row.id) == row)
    }

    @Test func bookedEventIsNotBookedTwice() throws {
        let f = try Fixture()
        let first = try f.store.recording.record([
            mail(1, decision(.recorded, draft(44_400, account: "4410", reference: "R1")))
        ])
        let id = try #require(try f.store.recording.record([blank(2)]).first?.mailID)
        var edit = enteredValues(reference: "R1")
        edit.channel = .set(.upi)
        let error = #expect(throws: StoreError.self) { try f.store.review.accept(.mail(id), edit) }
        let booked = try #require(first.first?.transactionID)
        #expect(error?.kind == .conflict && error?.message.contains("transaction \(booked)") == true)
    }

    @Test func aCategoryAndNotesGoWithIt() throws {
        let f = try Fixture()
        try f.store.categories.seed([
            CategorySeed(name: "Food", subcategories: [.init(name: "Cafés", keywords: ["bakery"])]),
            CategorySeed(name: "Work"),
        ])
        let ids = try f.store.recording.record([blank(1), blank(2)]).map(\.mailID)
        try f.store.review.accept(.mail(ids[0]), enteredValues())
        #expect(try f.store.review.item(.mail(ids[0]))?.transaction?.category == "Food")
        var edit = enteredValues()
        (edit.category, edit.notes) = ("work", .set("for the team"))
        try f.store.review.accept(.mail(ids[1]), edit)
        let row = try #require(try f.store.review.item(.mail(ids[1]))?.transaction)
        #expect(row.category == "Work" && row.categoryBy == .person && row.notes == "for the team")
    }
}
