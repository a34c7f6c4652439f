import Ledger
import Review
import Store
import Testing

/// One change of many transactions: previewed, applied and undone as one.
@Suite struct BulkChangeTests {
    private static let actor = Actor(.page, "asha")

    /// Six transactions of Tea House; the second is split, the third waits.
    private func ledger() throws -> (fixture: ReviewFixture, service: ReviewService<Store>) {
        let fixture = try ReviewFixture()
        for number in 1...6 {
            try fixture.store.transactions.add(
                NewTransaction(
                    amount: Money(minorUnits: Int64(100 * number), currency: .inr), type: .expense,
                    date: fixture.store.today
                ) {
                    $0.merchant = "Tea House"
                    $0.status = number == 3 ? .needsReview : .confirmed
                }, by: Self.actor)
        }
        return (fixture, ReviewService(fixture.store, by: Self.actor))
    }

    private static var all: BulkSelection { .query(TransactionQuery()) }

    private static func category(_ name: String) -> BulkAction {
        var edit = TransactionEdit()
        edit.category = name
        return .edit(edit)
    }

    @Test func aPreviewWritesNothingAndAgreesWithTheChange() throws {
        let (fixture, service) = try ledger()
        let preview = try service.preview(all: Self.all, Self.category("Tea"))
        #expect(preview.selected == [6, 5, 4, 3, 2, 1] && preview.changed == preview.selected)
        #expect(try fixture.store.journal.changes().count == 6, "the additions only")
        let result = try service.change(all: Self.all, Self.category("Tea"), expecting: 6)
        #expect(result.changed == preview.changed)
        #expect(try service.preview(all: Self.all, Self.category("Tea")).changed.isEmpty)
        #expect(try fixture.store.journal.undo(group: result.group).count == 6)
        #expect(try fixture.store.transactions.find(1)?.category == CategoryRow.uncategorized)
    }

    @Test func rowsThatCannotBeChangedStayWithAReason() throws {
        let (fixture, service) = try ledger()
        let parts = [SplitPart(category: "Food", minorUnits: 150), SplitPart(category: "Fun", minorUnits: 50)]
        try fixture.store.transactions.split(2, parts, by: Self.actor)
        let result = try service.change(all: Self.all, Self.category("Tea"), expecting: nil)
        #expect(result.changed == [6, 5, 4, 3, 1] && result.refused.map(\.id) == [2])
        #expect(result.refused.first?.reason.contains("split") == true, "\(result.refused)")
        #expect(try fixture.store.transactions.find(2)?.isSplit == true)
    }

    @Test func tagsAndDeletion() throws {
        let (fixture, service) = try ledger()
        #expect(try service.change(all: .ids([1, 2]), .addTag("goa"), expecting: 2).changed == [1, 2])
        #expect(try service.change(all: Self.all, .addTag("Goa"), expecting: 6).changed == [6, 5, 4, 3])
        #expect(try service.change(all: .ids([1, 6]), .removeTag("GOA"), expecting: nil).changed == [1, 6])
        #expect(try fixture.store.transactions.tags().map(\.transactions).reduce(0, +) == 4)
        let deleted = try service.change(all: Self.all, .delete, expecting: 6)
        #expect(deleted.changed.count == 6)
        #expect(try fixture.store.transactions.page(TransactionQuery()).total == 0)
        try fixture.store.journal.undo(group: deleted.group)
        #expect(try fixture.store.transactions.page(TransactionQuery()).total == 6)
    }

    @Test func aSelectionThatChangedIsRefused() throws {
        let (fixture, service) = try ledger()
        #expect(throws: BulkConflict.self) { try service.change(all: Self.all, .delete, expecting: 5) }
        #expect(try fixture.store.transactions.page(TransactionQuery()).total == 6)
        var edit = TransactionEdit()
        edit.status = .confirmed
        #expect(try service.change(all: Self.all, .edit(edit), expecting: 6).changed == [3])
    }
}
