import ChronologyFixture
import Codecs
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct CategoryDeletionTests {
    private static let asha = Actor(.page, "asha")

    /// A category with everything that can refer to one.
    private func ledger() throws -> (Fixture, pets: Int64) {
        let f = try Fixture()
        let pets = try f.store.categories.add(name: "Pets", icon: "paw", color: "#0B6E5F")
        try f.store.categories.add(name: "Home")
        try f.store.categories.addSubcategory(of: pets.id, name: "Vet")
        _ = try f.store.recording.record(
            (1...3).map {
                mail($0, decision(.recorded, draft(Int64($0) * 1_000, on: "2026-01-05", reference: "R\($0)")))
            })
        for id: Int64 in 1...2 {
            var edit = TransactionEdit()
            edit.category = "Pets"
            _ = try f.store.transactions.change(id, edit, by: Self.asha)
        }
        try f.store.transactions.split(
            3, [SplitPart(category: "Pets", minorUnits: 2_000), SplitPart(category: "Home", minorUnits: 1_000)],
            by: Self.asha)
        _ = try f.store.mappings.add(
            NewMapping(keyword: "vet clinic") { ($0.category, $0.subcategory) = ("Pets", "Vet") }, by: Self.asha)
        try f.store.budgets.add(BudgetRowsTests.new(50_000, category: "Pets"), by: Self.asha)
        var item = try RecurringPostingTests.item("FREQ=MONTHLY;BYMONTHDAY=7", mode: .expected, name: "Kennel")
        item.category = "Pets"
        try f.store.recurring.add(item, by: Self.asha)
        return (f, pets.id)
    }

    /// The values that a deletion changes.
    private func state(_ f: Fixture) throws -> [String] {
        try [
            "SELECT id || name || ifnull(icon, '') || ifnull(color, '') FROM categories WHERE NOT is_system ORDER BY 1",
            "SELECT id || category_id || name FROM subcategories WHERE NOT is_system ORDER BY 1",
            "SELECT id || ' ' || category_name FROM transactions ORDER BY id",
            "SELECT transaction_id || ' ' || part_category FROM split_parts ORDER BY 1",
            "SELECT vendor_keyword || category_id || subcategory_id FROM vendor_mappings ORDER BY 1",
            "SELECT id || ' ' || category_id || amount_minor FROM budgets ORDER BY 1",
            "SELECT name || category_name FROM recurring_items ORDER BY 1",
        ].flatMap { sql in try f.store.readDatabase { try String.fetchAll($0, sql: sql) } }
    }

    @Test func anUndoRestoresEverything() throws {
        let (f, pets) = try ledger()
        let before = try state(f)
        let use = try #require(try f.store.categories.uses()[pets])
        #expect(
            (use.transactions, use.mappings, use.budgets, use.payees, use.recurringItems) == (3, 1, 1, 0, 1))
        let (changed, group) = try f.store.categories.delete(pets, replacement: "home", by: Self.asha)
        #expect(changed == 3)
        #expect(
            try state(f).filter { !$0.hasPrefix("1 ") && !$0.hasPrefix("2 ") && !$0.hasPrefix("3 ") }
                .contains { $0.contains("Pets") || $0.contains("vet") } == false)
        #expect(try f.store.transactions.find(1)?.category == "Home")
        #expect(try f.value("SELECT category_name FROM recurring_items") == "Home")
        try f.store.journal.undo(group: group, by: Self.asha)
        #expect(try state(f) == before)
    }

    @Test func anUndoIsRefusedWhileTheNameIsTaken() throws {
        let (f, pets) = try ledger()
        let group = try f.store.categories.delete(pets, by: Self.asha).group
        try f.store.categories.add(name: "pets")
        let after = try state(f)
        let error = #expect(throws: StoreError.self) { try f.store.journal.undo(group: group, by: Self.asha) }
        #expect(error?.message.contains("another category has its name") == true)
        #expect(try state(f) == after, "nothing is half restored")
    }

    @Test(arguments: ["Pets", "pets", "Nowhere", ""]) func aReplacementIsAnotherCategory(name: String) throws {
        let (f, pets) = try ledger()
        let before = try state(f)
        let error = #expect(throws: StoreError.self) {
            try f.store.categories.delete(pets, replacement: name, by: Self.asha)
        }
        #expect(error?.fields.map(\.field) == ["replacement"])
        #expect(try state(f) == before)
    }

    /// Each change has its author and an undo; a rename also renames what stores the name.
    @Test func changesOfCategoriesAreRecordedAndUndone() throws {
        let (f, pets) = try ledger()
        let before = try state(f)
        let vet = try #require(try f.store.categories.find(pets)?.subcategories.first)
        func undone(_ change: (String) throws -> Void) throws {
            let group = LedgerChange.newGroup()
            try change(group)
            #expect(try state(f) != before)
            let made = try f.store.journal.changes(group: group)
            #expect(made.map(\.actor.name) == ["asha"])
            try f.store.journal.undo(group: group, by: Self.asha)
            #expect(try state(f) == before)
        }
        try undone { try f.store.categories.add(name: "Garden", by: Self.asha, group: $0) }
        try undone { try f.store.categories.addSubcategory(of: pets, name: "Food", by: Self.asha, group: $0) }
        try undone {
            try f.store.categories.update(pets, CategoryEdit(name: "Animals"), by: Self.asha, group: $0)
            #expect(try f.store.transactions.find(1)?.category == "Animals")
        }
        try undone {
            try f.store.categories.update(pets, CategoryEdit(color: .set("#FF0000")), by: Self.asha, group: $0)
        }
        try undone {
            try f.store.categories.updateSubcategory(
                vet.id, of: pets, CategoryEdit(name: "Doctor"), by: Self.asha, group: $0)
        }
    }

    @Test func anUndoKeepsACategoryThatIsInUse() throws {
        let f = try Fixture()
        let group = LedgerChange.newGroup()
        let garden = try f.store.categories.add(name: "Garden", by: Self.asha, group: group)
        let below = LedgerChange.newGroup()
        try f.store.categories.addSubcategory(of: garden.id, name: "Seeds", by: Self.asha, group: below)
        var new = NewTransaction(amount: rupees(500), type: .expense, date: date("2026-01-05"))
        (new.category, new.subcategory) = ("Garden", "Seeds")
        try f.store.transactions.add(new, by: Self.asha)
        for group in [below, group] {
            let error = #expect(throws: StoreError.self) { try f.store.journal.undo(group: group, by: Self.asha) }
            #expect(error?.message.contains("in use") == true)
        }
        #expect(try f.store.categories.find(garden.id)?.subcategories.map(\.name) == ["Seeds"])
    }

    /// A shipped subcategory stays deleted when the shipped ones are updated, and comes back with an undo.
    @Test func aDeletedSubcategoryLeavesItsRowsInTheCategory() throws {
        let f = try Fixture()
        let seeds = [CategorySeed(name: "Food", subcategories: [.init(name: "Cafes", keywords: ["cafe"])])]
        try f.store.categories.seed(seeds)
        try f.store.categories.add(name: "Home")
        let food = try #require(try f.store.categories.all().first { $0.name == "Food" })
        let cafes = try #require(food.subcategories.first)
        func add() throws -> Int64 {
            var new = NewTransaction(amount: rupees(500), type: .expense, date: date("2026-01-05"))
            (new.category, new.subcategory) = ("Food", "Cafes")
            return try f.store.transactions.add(new, by: Self.asha).id
        }
        let (whole, split) = (try add(), try add())
        let parts = [
            SplitPart(category: "Food", subcategory: "Cafes", minorUnits: 300),
            SplitPart(category: "Home", minorUnits: 200),
        ]
        try f.store.transactions.split(split, parts, by: Self.asha)
        var item = try RecurringPostingTests.item("FREQ=DAILY", mode: .expected, name: "Coffee")
        (item.category, item.subcategory) = ("Food", "Cafes")
        try f.store.recurring.add(item, by: Self.asha)
        func state() throws -> [String?] {
            try [
                f.store.transactions.find(whole).map { "\($0.category)/\($0.subcategory ?? "-")" },
                f.store.transactions.parts(of: split).map { "\($0.category)/\($0.subcategory ?? "-")" }.joined(),
                f.store.recurring.all().first?.item.subcategory,
                f.value("SELECT count(*) || '' FROM vendor_mappings WHERE subcategory_id IS NOT NULL"),
                f.store.categories.find(food.id)?.subcategories.map(\.name).joined(),
            ]
        }
        let before = try state()
        let use = try f.store.categories.uses(ofSubcategory: cafes.id)
        #expect((use.transactions, use.mappings, use.recurringItems) == (2, 1, 1))
        let (changed, group) = try f.store.categories.deleteSubcategory(cafes.id, of: food.id, by: Self.asha)
        #expect(changed == 2)
        try f.store.categories.seed(seeds)
        #expect(try state() == ["Food/-", "Food/-Home/-", nil, "0", ""])
        #expect(try f.store.categories.rules().match("CORNER CAFE")?.mapping.category == "Food")
        // A ledger that is made of the portable rows knows the deletion, too.
        var rows: [UInt8] = []
        try f.store.writePortableRows { rows += $0 }
        let copy = f.folder.path + "/copy.db"
        try PortableRows.makeLedger(of: JSON(parsing: rows), migrations: f.store.migrations(), at: copy)
        let restored = try Store(path: copy)
        try restored.categories.seed(seeds)
        #expect(try restored.categories.find(food.id)?.subcategories == [])
        try f.store.journal.undo(group: group, by: Self.asha)
        #expect(try state() == before)
        try f.store.categories.seed(seeds)
        #expect(try state() == before)
    }

    @Test func aRenamedCategoryKeepsItsRecurringItems() throws {
        let (f, pets) = try ledger()
        try f.store.categories.update(pets, CategoryEdit(name: "Animals"))
        #expect(try f.value("SELECT category_name FROM recurring_items") == "Animals")
    }

    @Test func aRenamedSubcategoryIsRenamedEverywhere() throws {
        let f = try Fixture()
        let food = try f.store.categories.add(name: "Food")
        let other = try f.store.categories.add(name: "Other")
        let fruit = try f.store.categories.addSubcategory(of: food.id, name: "Fruit")
        try f.store.categories.addSubcategory(of: food.id, name: "Bread")
        try f.store.categories.addSubcategory(of: other.id, name: "Fruit")
        func add(_ category: String) throws -> Int64 {
            var new = NewTransaction(amount: rupees(500), type: .expense, date: date("2026-01-05"))
            (new.category, new.subcategory) = (category, "Fruit")
            return try f.store.transactions.add(new, by: Self.asha).id
        }
        let (own, foreign, split) = (try add("Food"), try add("Other"), try add("Food"))
        let parts = [
            SplitPart(category: "Food", subcategory: "Fruit", minorUnits: 300),
            SplitPart(category: "Other", subcategory: "Fruit", minorUnits: 200),
        ]
        try f.store.transactions.split(split, parts, by: Self.asha)
        var item = try RecurringPostingTests.item("FREQ=DAILY", mode: .expected, name: "Fruit man")
        (item.category, item.subcategory) = ("Food", "Fruit")
        try f.store.recurring.add(item, by: Self.asha)
        let row = try f.store.categories.updateSubcategory(fruit.id, of: food.id, CategoryEdit(name: "Obst"))
        #expect(row.name == "Obst")
        #expect(try f.store.transactions.find(own)?.subcategory == "Obst")
        #expect(try f.store.transactions.find(foreign)?.subcategory == "Fruit")
        #expect(try f.store.transactions.parts(of: split).map(\.subcategory) == ["Obst", "Fruit"])
        #expect(try f.store.recurring.all().map(\.item.subcategory) == ["Obst"])
        for name in ["bread", "", "\u{200B}", " x"] {
            #expect(throws: StoreError.self) {
                try f.store.categories.updateSubcategory(fruit.id, of: food.id, CategoryEdit(name: name))
            }
        }
        #expect(throws: StoreError.self) {
            try f.store.categories.updateSubcategory(fruit.id, of: other.id, CategoryEdit(name: "x"))
        }
    }
}
