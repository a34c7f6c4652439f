import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct EditingTests {
    static let page = Actor(.page, "person")

    /// A booked transaction with its mail.
    func booked(_ outcome: Outcome = .recorded) throws -> (Fixture, Int64) {
        let f = try Fixture()
        return (
            f,
            try #require(
                try f.store.recording.record([mail(1, decision(outcome, draft(reference: "R1")))])[0].transactionID)
        )
    }

    static let edits: [(String, @Sendable (inout TransactionEdit) -> Void, @Sendable (TransactionRow) -> Bool)] = [
        ("amount", { $0.amount = rupees(9) }, { $0.amount == rupees(9) }),
        ("type", { $0.type = .transfer }, { $0.type == .transfer }),
        (
            "date moves the instant", { $0.date = date("2026-01-06") },
            { $0.date == "2026-01-06" && $0.occurredAt == "2026-01-06T08:00:00Z" }
        ),
        (
            "time", { $0.time = .set(TimeOfDay(iso: "13:00:00")!) },
            { $0.time == "13:00:00" && $0.occurredAt == "2026-01-05T09:00:00Z" }
        ),
        ("merchant", { $0.merchant = .clear }, { $0.vendor == nil }),
        ("notes", { $0.notes = .set("a\nb") }, { $0.notes == "a\nb" }),
        ("a category in any case", { $0.category = "uncategorized" }, { $0.category == "Uncategorized" }),
        (
            "another category clears the subcategory",
            {
                $0.category = "Mine"
                $0.subcategory = .keep
            }, { $0.category == "Mine" && $0.subcategory == nil }
        ),
        ("channel", { $0.channel = .set(.card) }, { $0.channel == .card }),
        ("status", { $0.status = .rejected }, { $0.status == .rejected }),
    ]

    @Test(arguments: edits) func editSurvivesANewDecisionOfItsMail(
        name: String, make: @Sendable (inout TransactionEdit) -> Void, holds: @Sendable (TransactionRow) -> Bool
    ) throws {
        let (f, id) = try booked()
        try f.store.transactions.change(
            id,
            made {
                $0.category = "Other"
                $0.subcategory = .set("Sub")
            }, by: Self.page)
        var edit = TransactionEdit()
        make(&edit)
        f.clock.advance(5)
        let before = try #require(try f.store.transactions.find(id))
        let row = try f.store.transactions.change(id, edit, expecting: before.revision, by: Self.page)
        if name != "a category in any case" { #expect(row.revision > before.revision) }
        #expect(holds(row), "\(name): \(row)")
        // The same mail again, in another folder, with all outcomes.
        _ = try f.store.recording.record(
            [mail(9, decision(.recorded, draft(reference: "R1")), folder: "Archive")], redeciding: Outcome.redecidable)
        _ = try f.store.recording.record(
            [mail(1, decision(.recorded, draft(reference: "R1")))], redeciding: Outcome.redecidable)
        #expect(try f.store.transactions.find(id) == row)
        #expect(try f.count("transactions") == 1)
        // Undone.
        let change = try #require(try f.store.journal.changes(ofTransaction: id).first)
        #expect(change.actor == Self.page && change.kind == .changed)
        try f.store.journal.undo(change: change.id, by: Self.page)
        var undone = try #require(try f.store.transactions.find(id))
        (undone.revision, undone.updatedAt) = (before.revision, before.updatedAt)
        #expect(undone == before, "\(name)")
    }

    @Test func secondOfTwoEditorsGetsAConflict() throws {
        let (f, id) = try booked()
        let seen = try #require(try f.store.transactions.find(id)).revision
        try f.store.transactions.change(id, made { $0.notes = .set("first") }, expecting: seen, by: Self.page)
        let error = #expect(throws: StoreError.self) {
            try f.store.transactions.change(id, made { $0.notes = .set("second") }, expecting: seen, by: Self.page)
        }
        #expect(error?.kind == .conflict)
        #expect(try f.store.transactions.find(id)?.notes == "first")
        #expect(throws: StoreError.self) { try f.store.transactions.delete(id, expecting: seen) }
        #expect(try f.store.transactions.delete(id, expecting: seen + 1, by: Self.page))
        #expect(throws: StoreError.self) {
            try f.store.transactions.change(id, made { $0.notes = .clear }, by: Self.page)
        }
    }

    static let wrong: [(String, @Sendable (inout TransactionEdit) -> Void)] = [
        ("parsed_amount", { $0.amount = rupees(-1) }),
        ("parsed_amount", { $0.amount = rupees(Money.maximumMinorUnits + 1) }),
        ("parsed_vendor", { $0.merchant = .set("a\u{202E}b") }),
        ("parsed_vendor", { $0.merchant = .set(" ") }),
        ("notes", { $0.notes = .set(String(repeating: "x", count: 2001)) }), ("notes", { $0.notes = .set("\u{0}") }),
        ("category_name", { $0.category = "" }), ("account_digits", { $0.accountDigits = .set("12 34") }),
        ("account_id", { $0.accountID = .set("x") }),
    ]

    @Test(arguments: wrong) func invalidValuesAreRefused(
        field: String, make: @Sendable (inout TransactionEdit) -> Void
    ) throws {
        let (f, id) = try booked()
        let before = try f.store.transactions.find(id)
        let error = #expect(throws: StoreError.self) { try f.store.transactions.change(id, made(make), by: Self.page) }
        #expect(error?.kind == (field == "account_id" ? .conflict : .invalid) && error?.fields.map(\.field) == [field])
        #expect(try f.store.transactions.find(id) == before)
        #expect(try f.count("changes") == 0)
    }

    @Test func aDeletionOutlivesItsMailAndIsUndone() throws {
        let (f, id) = try booked(.review)
        let before = try #require(try f.store.transactions.find(id))
        #expect(try f.store.transactions.delete(id, by: Self.page))
        #expect(try !f.store.transactions.delete(id, by: Self.page))
        _ = try f.store.recording.record(
            [
                mail(1, decision(.recorded, draft(reference: "R1"))),
                mail(2, decision(.recorded, draft(reference: "R1"))),
            ], redeciding: Outcome.redecidable)
        #expect(try f.store.transactions.find(id) == nil)
        #expect(try f.count("transactions") == 1)
        #expect(try f.store.review.queue().isEmpty)
        let change = try #require(try f.store.journal.changes().first)
        #expect(change.kind == .deleted)
        let undone = try f.store.journal.undo(change: change.id)
        #expect(undone.map(\.kind) == [.undone] && undone[0].undoes == change.id)
        #expect(try f.store.transactions.find(id)?.status == before.status)
        #expect(try f.store.review.queue().count == 1, "it waits as before")
        // A second undo is a conflict; undoing the undo deletes it again.
        #expect(throws: StoreError.self) { try f.store.journal.undo(change: change.id) }
        try f.store.journal.undo(change: undone[0].id)
        #expect(try f.store.transactions.find(id) == nil)
        try f.store.journal.undo(change: change.id)
        #expect(try f.store.transactions.find(id) != nil)
    }

    @Test(arguments: [true, false]) func aDecisionIsUndone(accepting: Bool) throws {
        let (f, id) = try booked(.review)
        _ = try f.store.recording.record([mail(5, decision(.review, nil))])
        let unread = try #require(try f.store.review.queue().first { $0.transaction == nil }?.mail?.id)
        for item in [ReviewID.transaction(id), .mail(unread)] {
            _ = accepting ? try f.store.review.accept(item) : try f.store.review.reject(item)
        }
        #expect(try f.store.review.queue().isEmpty)
        let changes = try f.store.journal.changes()
        #expect(changes.map(\.kind) == [LedgerChange.Kind](repeating: accepting ? .accepted : .rejected, count: 2))
        for change in changes { try f.store.journal.undo(change: change.id) }
        #expect(try Set(f.store.review.queue().map(\.id)) == [.transaction(id), .mail(unread)])
        #expect(try f.count("processed_emails", where: "reviewed_at IS NOT NULL") == 0)
        #expect(try f.count("transactions", where: "reviewed_at IS NOT NULL OR corrected IS NOT NULL") == 0)
        try expectCountsOfTheRows(f.store)
    }

    @Test func changedRowsAreNotUndone() throws {
        let (f, id) = try booked()
        try f.store.transactions.change(id, made { $0.notes = .set("1") }, by: Self.page)
        try f.store.transactions.change(id, made { $0.notes = .set("2") }, by: Self.page)
        let changes = try f.store.journal.changes()
        let error = #expect(throws: StoreError.self) { try f.store.journal.undo(change: changes[1].id) }
        #expect(error?.kind == .conflict)
        // The last one first: then the values of the first one are in force.
        try f.store.journal.undo(change: changes[0].id)
        try f.store.journal.undo(change: changes[1].id)
        #expect(try f.store.transactions.find(id)?.notes == nil)
        #expect(try f.count("transactions", where: "user_edited_at IS NOT NULL") == 0)
    }

    @Test func deletedAccountIsNotRestored() throws {
        let (f, id) = try booked()
        let account = try f.store.accounts.add(
            AccountRow(name: "Card") {
                $0.id = AccountRowsTests.id
            })
        try f.store.transactions.change(id, made { $0.accountID = .set(account.id) }, by: Self.page)
        try f.store.transactions.change(
            id,
            made {
                $0.accountID = .clear
                $0.notes = .set("n")
            }, by: Self.page)
        try f.store.accounts.delete(account.id)
        try f.store.journal.undo(change: try #require(try f.store.journal.changes().first).id)
        let row = try #require(try f.store.transactions.find(id))
        #expect(row.accountID == nil && row.notes == nil)
    }

    @Test func manyEventsBecomeOneMessage() throws {
        let f = try Fixture()
        let ids = try f.store.recording.record(
            (1...3).map { mail($0, decision(.recorded, draft(Int64($0), reference: "R\($0)"))) }
        ).compactMap(\.transactionID)
        var edit = TransactionEdit()
        edit.category = "Coffee"
        let group = LedgerChange.newGroup()
        try f.store.write { store in
            for id in ids { try store.transactions.change(id, edit, by: Self.page, group: group) }
        }
        #expect(throws: StoreError.self) {
            try f.store.write { store in
                for id in ids + [77] {
                    try store.transactions.change(id, made { $0.category = "Tea" }, by: Self.page)
                }
            }
        }
        #expect(try f.count("transactions", where: "category_name = 'Coffee'") == 3, "all or nothing")
        try f.store.transactions.change(ids[0], made { $0.category = "Tea" }, by: Self.page)
        #expect(throws: StoreError.self) { try f.store.journal.undo(group: group) }
        #expect(try f.count("transactions", where: "category_name = 'Coffee'") == 2, "all or nothing")
        try f.store.journal.undo(change: try #require(try f.store.journal.changes().first).id)
        #expect(try f.store.journal.undo(group: group).count == 3)
        #expect(try f.count("transactions", where: "category_name = 'Uncategorized'") == 3)
    }

    @Test func newOnesAndTheirKeys() throws {
        let f = try Fixture()
        var new = NewTransaction(amount: rupees(5), type: .income, date: date("2026-01-05")) {
            $0.time = TimeOfDay(iso: "00:30")
            $0.idempotencyKey = "phone-1"
        }
        let row = try f.store.transactions.add(new, by: Self.page)
        #expect(
            row.recorder == "Manual" && row.status == .confirmed && row.occurredAt == "2026-01-04T19:00:00Z"
                && row.category == "Uncategorized")
        let error = #expect(throws: StoreError.self) { try f.store.transactions.add(new, by: Self.page) }
        #expect(error?.kind == .conflict)
        new.idempotencyKey = "reference:hdfc|4321|out|upi|R1"
        #expect(throws: StoreError.self) { try f.store.transactions.add(new, by: Self.page) }
        new.idempotencyKey = nil
        var wrong = new
        wrong.amount = rupees(-1)
        let list = #expect(throws: StoreError.self) { try f.store.transactions.add([new, wrong, new], by: Self.page) }
        #expect(list?.fields.map(\.field) == ["1.parsed_amount"])
        #expect(try f.count("transactions") == 1)
        try f.store.journal.undo(change: try #require(try f.store.journal.changes().first).id)
        #expect(try f.store.transactions.find(row.id) == nil)
        try expectCountsOfTheRows(f.store)
    }
}

fileprivate func made(_ make: (inout TransactionEdit) -> Void) -> TransactionEdit {
    var edit = TransactionEdit()
    make(&edit)
    return edit
}
