import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Previews, applications and undo of a new mapping, and offers.
@Suite struct MappingPreviewTests {
    /// Five payments to LOTUS BOOKS, two of them by card, one with a person's category; and one to another merchant.
    private func fixture() throws -> Fixture {
        let f = try Fixture()
        try f.store.categories.seed([
            CategorySeed(name: "Shopping", keywords: ["books"], subcategories: [.init(name: "Gifts")]),
            CategorySeed(name: "Learning", subcategories: [.init(name: "Books")]),
        ])
        let rules = try f.store.categories.rules()
        func pay(_ uid: UInt32, _ minor: Int64, _ merchant: String, _ channel: Channel, _ account: String) throws {
            _ = try f.store.recording.record([
                mail(
                    uid,
                    decision(
                        .recorded,
                        draft(
                            minor, channel: channel, at: "10:00:0\(uid)", merchant: merchant, account: account,
                            reference: "60000000000\(uid)")
                    ).categorized(by: rules))
            ])
        }
        try pay(1, 50_000, "LOTUS BOOKS 0412 PUNE", .card, "6021")
        try pay(2, 2_500_000, "LOTUS BOOKS", .card, "6021")
        try pay(3, 2_500_000, "LOTUS BOOKS", .upi, "4410")
        try pay(4, 70_000, "LOTUS BOOKS", .upi, "4410")
        try pay(5, 90_000, "KITE TOYS", .upi, "4410")
        try choose(f, 4, "Shopping", "Gifts")
        return f
    }

    private func choose(_ f: Fixture, _ id: Int64, _ category: String, _ subcategory: String? = nil) throws {
        var edit = TransactionEdit()
        edit.category = category
        edit.subcategory = subcategory.map { .set($0) } ?? .clear
        try f.store.transactions.change(id, edit, by: .terminal)
    }

    private func categories(_ f: Fixture) throws -> [String] {
        try f.store.readDatabase {
            try String.fetchAll(
                $0,
                sql:
                    "SELECT category_name || '/' || coalesce(subcategory, '') || ':' || coalesce(category_by, '') FROM transactions ORDER BY id"
            )
        }
    }

    static let before = [
        "Shopping/:mapping", "Shopping/:mapping", "Shopping/:mapping", "Shopping/Gifts:person", "Uncategorized/:",
    ]

    @Test func previewListsChangedAndUnchangedRows() throws {
        let f = try fixture()
        #expect(try categories(f) == Self.before)
        let preview = try f.store.mappings.preview(
            keyword: "Lotus  BOOKS", category: "learning", subcategory: "books", limit: 2)
        #expect(
            (preview.keyword, preview.kind, preview.category, preview.subcategory) == (
                "lotus books", .keyword, "Learning", "Books"
            ))
        #expect((preview.count, preview.changes.count, preview.stayingCount, preview.sameCount) == (3, 2, 1, 0))
        #expect(preview.staying.map(\.id) == [4])
        #expect(preview.changes.first?.why == "your keyword \"lotus books\" -> Learning / Books")
        #expect(try categories(f) == Self.before, "a preview changes nothing")
        #expect(try f.store.mappings.all(userDefined: true) == [])
        #expect(throws: StoreError.self) { try f.store.mappings.preview(keyword: "lotus", category: "No such") }
    }

    /// Drafts change, too, but are not booked.
    @Test func waitingRowsAreCountedApart() throws {
        let f = try fixture()
        for uid in 6...7 as ClosedRange<UInt32> {
            _ = try f.store.recording.record([
                mail(uid, decision(.review, draft(80_000, merchant: "LOTUS BOOKS", reference: "61000000000\(uid)")))
            ])
        }
        let preview = try f.store.mappings.preview(keyword: "lotus books", category: "Learning", limit: 2)
        #expect((preview.count, preview.waitingCount) == (5, 2))
        try choose(f, 1, "Learning", "Books")
        let offer = try #require(try f.store.categories.offer(for: 1))
        #expect((offer.count, offer.waitingCount) == (4, 2))
    }

    @Test(arguments: [
        (MappingConditions(minimumMinor: 2_000_000), [2, 3] as [Int64]),
        (MappingConditions(minimumMinor: 2_000_000, account: "6021"), [2]), (MappingConditions(channel: .upi), [3]),
        (MappingConditions(type: .income), []),
    ]) func conditionsHold(_ conditions: MappingConditions, _ changed: [Int64]) throws {
        let f = try fixture()
        let preview = try f.store.mappings.preview(keyword: "lotus books", category: "Learning", conditions: conditions)
        #expect(preview.changes.map(\.row.id).sorted() == changed)
        let applied = try f.store.mappings.apply(
            keyword: "lotus books", category: "Learning", conditions: conditions, to: true, by: .terminal)
        #expect(applied.changed == changed.count)
        for id in changed {
            #expect(
                try f.store.transactions.find(id)?.categoryWhy
                    == "your keyword \"lotus books\" with \(conditions.sentence) -> Learning")
        }
    }

    @Test func applyingMatchesThePreviewAndIsUndoneTogether() throws {
        let f = try fixture()
        let applied = try f.store.mappings.apply(
            keyword: "lotus books", category: "Learning", subcategory: "Books", to: true, by: .terminal)
        #expect(applied.changed == 3)
        #expect(
            try categories(f) == [
                "Learning/Books:mapping", "Learning/Books:mapping", "Learning/Books:mapping", "Shopping/Gifts:person",
                "Uncategorized/:",
            ])
        #expect(try f.store.categories.rules().match("LOTUS BOOKS")?.mapping.category == "Learning")
        #expect(
            try f.count("transactions", where: "user_edited_at IS NOT NULL") == 1,
            "a change by a rule is not an edit by a person")
        #expect(try f.store.mappings.find(applied.mapping.id)?.matchCount == 3)
        let group = try #require(applied.group)
        try f.store.journal.undo(group: group)
        #expect(try categories(f) == Self.before)
        #expect(try f.store.mappings.all(userDefined: true) == [], "the mapping is undone with the rows")
        // Repeated.
        let redo = try #require(try f.store.journal.changes().first?.group)
        try f.store.journal.undo(group: redo)
        #expect(try categories(f).first == "Learning/Books:mapping")
        #expect(try f.store.mappings.all(userDefined: true).map(\.keyword) == ["lotus books"])
    }

    @Test func undoingAChangedMappingGivesItsOldCategory() throws {
        let f = try fixture()
        try f.store.mappings.add(
            NewMapping(keyword: "lotus books") {
                $0.category = "Shopping"
                $0.subcategory = "Gifts"
            }, by: .terminal)
        let applied = try f.store.mappings.apply(keyword: "lotus books", category: "Learning", to: false, by: .terminal)
        #expect(applied.changed == 0)
        #expect(try categories(f) == Self.before, "only later transactions")
        #expect(try f.store.mappings.all(userDefined: true).map(\.category) == ["Learning"])
        try f.store.journal.undo(group: try #require(applied.group))
        #expect(try f.store.mappings.all(userDefined: true).map(\.subcategory) == ["Gifts"])
        // Rows changed by hand since are not overwritten.
        let again = try f.store.mappings.apply(keyword: "lotus books", category: "Learning", to: false, by: .terminal)
        f.clock.advance(5)
        try f.store.mappings.update(
            again.mapping.id,
            NewMapping(keyword: "lotus books") {
                $0.category = "Shopping"
            }, by: .terminal)
        let group = try #require(again.group)
        #expect(throws: StoreError.self) { try f.store.journal.undo(group: group) }
    }

    @Test func moreSpecificMappingKeepsItsRows() throws {
        let f = try fixture()
        _ = try f.store.mappings.apply(
            keyword: "lotus books", category: "Learning", conditions: .init(minimumMinor: 2_000_000), to: true,
            by: .terminal)
        #expect(
            try f.store.mappings.preview(keyword: "lotus books", category: "Shopping", subcategory: "Gifts").changes
                .map(
                    \.row.id) == [1])
        #expect(try f.store.mappings.all(userDefined: true).count == 1)
        try f.store.mappings.add(
            NewMapping(keyword: "lotus books") {
                $0.category = "Shopping"
            }, by: .terminal)
        #expect(
            try f.store.mappings.all(userDefined: true).count == 2,
            "the same words with other conditions are another mapping")
        #expect(throws: StoreError.self) {
            try f.store.mappings.add(
                NewMapping(keyword: "LOTUS books") {
                    $0.category = "Shopping"
                }, by: .terminal)
        }
    }

    @Test func anOfferFollowsAChoiceAndStaysRefused() throws {
        let f = try fixture()
        #expect(try f.store.categories.offer(for: 1) == nil, "no person chose")
        try choose(f, 1, "Learning", "Books")
        let offer = try #require(try f.store.categories.offer(for: 1))
        #expect(
            (offer.keyword, offer.kind, offer.category, offer.subcategory, offer.count, offer.stayingCount) == (
                "lotus books", .keyword, "Learning", "Books", 2, 1
            ))
        #expect(try f.store.mappings.all(userDefined: true) == [], "nothing is learned behind anybody's back")
        try f.store.categories.refuse(offer)
        try f.store.categories.refuse(offer)
        #expect(try f.store.categories.offer(for: 1) == nil)
        try choose(f, 2, "Learning", "Books")
        #expect(try f.store.categories.offer(for: 2) == nil, "nor for another payment to this merchant")
        try choose(f, 2, "Shopping", "Gifts")
        #expect(try f.store.categories.offer(for: 2) != nil, "another category is another question")
        // A result that the rules give already is not offered.
        _ = try f.store.mappings.apply(
            try #require(try f.store.categories.offer(for: 2)).mapping, to: true, by: .terminal)
        #expect(try f.store.categories.offer(for: 2) == nil)
    }

    @Test func aCorrectedMerchantIsCategorizedAgainUnlessAPersonChose() throws {
        let f = try fixture()
        var edit = TransactionEdit()
        edit.merchant = .set("BOOKS OF KITE")
        let row = try f.store.transactions.change(5, edit, by: .terminal)
        #expect(
            (row.category, row.categoryBy, row.categoryWhy) == (
                "Shopping", .mapping, "shipped keyword \"books\" -> Shopping"
            ))
        edit.merchant = .set("NOBODY KNOWS")
        #expect(try f.store.transactions.change(5, edit, by: .terminal).category == CategoryRow.uncategorized)
        let chosen = try f.store.transactions.change(4, edit, by: .terminal)
        #expect((chosen.category, chosen.subcategory, chosen.categoryBy) == ("Shopping", "Gifts", .person))
        try f.store.journal.undo(change: try #require(try f.store.journal.changes().first?.id))
        edit = TransactionEdit()
        edit.notes = .set("x")
        #expect(try f.store.transactions.change(1, edit, by: .terminal).categoryBy == .mapping)
    }

    @Test func reasonIsStoredWithItsAuthor() throws {
        let f = try fixture()
        #expect(try f.store.transactions.find(1)?.categoryWhy == "shipped keyword \"books\" -> Shopping")
        #expect(try f.store.transactions.find(4)?.categoryWhy == "chosen by a person")
        #expect(try f.store.transactions.find(5)?.categoryWhy == nil)
        var edit = TransactionEdit()
        edit.category = "Learning"
        #expect(try f.store.transactions.change(5, edit, by: Actor(.page, "asha")).categoryWhy == "chosen by asha")
        // The reason was correct when the category was chosen, and stays.
        try f.store.categories.seed([CategorySeed(name: "Learning", keywords: ["lotus"])])
        #expect(try f.store.transactions.find(1)?.categoryWhy == "shipped keyword \"books\" -> Shopping")
    }

    @Test func aProfileFixIsOfferedForWhatWasCorrected() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            mail(1, decision(), raw: [1, 2, 3]), mail(2, decision(.recorded, draft(reference: "R2"))),
        ])
        #expect(try f.store.review.profileFix(for: 1) == nil)
        var edit = TransactionEdit()
        edit.merchant = .set("LOTUS")
        for id in [1, 2] as [Int64] { try f.store.transactions.change(id, edit, by: .terminal) }
        let fix = try #require(try f.store.review.profileFix(for: 1))
        #expect(fix.fields == [.merchant])
        #expect(fix.reviewID == "1" && fix.bank == "hdfc" && fix.template == "hdfc/upi-debit")
        #expect(try f.store.review.profileFix(for: 2) == nil, "its mail is not kept")
    }
}
