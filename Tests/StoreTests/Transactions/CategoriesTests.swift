import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

@Suite struct CategoriesTests {
    static let seeds = [
        CategorySeed(
            name: "Food & Dining", icon: "fork.knife", color: "#FF9500", keywords: ["restaurant"],
            subcategories: [.init(name: "Delivery", icon: "bag", keywords: ["Swiggy", "café noir"])]),
        CategorySeed(name: "Transport", keywords: ["ola", "swiggy"]),
    ]

    @Test func seeds() throws {
        let f = try Fixture()
        try f.store.categories.seed(Self.seeds)
        let rules = try f.store.categories.rules()
        let match = try #require(rules.match("SWIGGY*ORDER 12"))
        #expect(
            (match.mapping.category, match.mapping.subcategory, match.mapping.isUserDefined) == (
                "Food & Dining", "Delivery", false
            ))
        #expect(rules.match("CAFÉ NOIR PUNE")?.mapping.subcategory == "Delivery")
        #expect(rules.match("Ola Cabs")?.mapping.category == "Transport")
        #expect(rules.match("Cola") == nil)
        #expect(try f.count("categories", where: "is_system") == 3)
        #expect(try f.count("categories", where: "name = 'Uncategorized'") == 1)
    }

    @Test func seedingAgainWritesNothing() throws {
        let f = try Fixture()
        try f.store.categories.seed(Self.seeds)
        func all() throws -> [String] {
            try f.store.readDatabase { db in
                try ["categories", "subcategories", "vendor_mappings"].flatMap {
                    try Row.fetchAll(db, sql: "SELECT * FROM \($0)").map(\.description)
                }
            }
        }
        let before = try all()
        f.clock.advance(100)
        try f.store.categories.seed(Self.seeds)
        #expect(try all() == before)
    }

    /// A person's name and colour of a shipped category stay, and its keywords choose it.
    @Test func anEditedShippedCategoryStaysAsItIs() throws {
        let f = try Fixture()
        try f.store.categories.seed(Self.seeds)
        let food = try #require(try f.store.categories.all().first { $0.name == "Food & Dining" })
        try f.store.categories.update(food.id, CategoryEdit(name: "Eating", color: .set("#112233")))
        try f.store.categories.seed(Self.seeds)
        let all = try f.store.categories.all()
        #expect(all.map(\.name) == ["Eating", "Transport", "Uncategorized"])
        #expect(all.first?.color == "#112233" && all.first?.subcategories.map(\.name) == ["Delivery"])
        #expect(try f.store.categories.rules().match("SWIGGY*ORDER 12")?.mapping.category == "Eating")
        // The name that it gave up may be a person's own by now; the keywords stay with the shipped one.
        try f.store.categories.add(name: "Food & Dining")
        try f.store.categories.seed(Self.seeds)
        #expect(try f.store.categories.rules().match("restaurant")?.mapping.category == "Eating")
        #expect(try f.store.categories.all().count == 4)
    }

    @Test(arguments: ["Uncategorized", "Income", "Transfers"]) func aCategoryWithARoleKeepsItsName(name: String) throws
    {
        let f = try Fixture()
        try f.store.categories.seed([CategorySeed(name: "Income"), CategorySeed(name: "Transfers")])
        let row = try #require(try f.store.categories.all().first { $0.name == name })
        #expect(row.hasFixedName)
        let error = #expect(throws: StoreError.self) {
            try f.store.categories.update(row.id, CategoryEdit(name: "Other"))
        }
        #expect(error?.fields.map(\.field) == ["name"])
        #expect(try f.store.categories.update(row.id, CategoryEdit(color: .set("#112233"))).color == "#112233")
    }

    @Test func newSeedsChangeShippedRowsOnly() throws {
        let f = try Fixture()
        try f.store.categories.seed(Self.seeds)
        try f.store.writeDatabase { db in
            try db.execute(
                sql: """
                    INSERT INTO categories (name, icon, is_system, created_at, updated_at) VALUES ('Pets', 'paw', 0, '', '');
                    INSERT INTO vendor_mappings (vendor_keyword, category_id, is_user_defined, match_count, created_at, updated_at)
                      VALUES ('swiggy', (SELECT id FROM categories WHERE name = 'Pets'), 1, 7, '', ''),
                        ('vet', (SELECT id FROM categories WHERE name = 'Pets'), 1, 7, '', '');
                    UPDATE vendor_mappings SET match_count = 3 WHERE vendor_keyword = 'ola';
                    """)
        }
        try f.store.categories.seed([
            CategorySeed(name: "food & dining", icon: "new", color: "#000000", keywords: ["ola"]),
            CategorySeed(name: "PETS", icon: "shipped", keywords: ["swiggy"]),
        ])
        let rules = try f.store.categories.rules()
        #expect(rules.match("swiggy")?.mapping.category == "Pets")
        #expect(rules.match("swiggy")?.mapping.isUserDefined == true)
        #expect(rules.match("vet")?.mapping.category == "Pets", "a person's keyword that is not shipped stays")
        #expect(rules.match("ola")?.mapping.category == "Food & Dining")
        #expect(rules.match("restaurant") == nil)
        #expect(try f.value("SELECT match_count FROM vendor_mappings WHERE vendor_keyword = 'ola'") == 3)
        #expect(try f.value("SELECT icon FROM categories WHERE name = 'Food & Dining'") == "new")
        #expect(try f.value("SELECT icon FROM categories WHERE name = 'Pets'") == "paw")
        #expect(try f.count("categories", where: "name = 'Transport'") == 1)
    }
}
