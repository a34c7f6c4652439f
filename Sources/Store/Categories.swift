internal import GRDB
public import Ledger

/// A shipped category with the words that stand for it.
public struct CategorySeed: Hashable, Sendable {
    public struct Subcategory: Hashable, Sendable {
        public var name: String
        public var icon: String?
        public var keywords: [String]

        public init(name: String, icon: String? = nil, keywords: [String] = []) {
            self.name = name
            self.icon = icon
            self.keywords = keywords
        }
    }

    public var name: String
    public var icon: String?
    /// `#RRGGBB`.
    public var color: String?
    public var keywords: [String]
    public var subcategories: [Subcategory]

    public init(name: String, icon: String? = nil, color: String? = nil, keywords: [String] = [], subcategories: [Subcategory] = []) {
        self.name = name
        self.icon = icon
        self.color = color
        self.keywords = keywords
        self.subcategories = subcategories
    }
}

extension Store {
    /// The category of what no keyword stands for.
    public static let uncategorized = "Uncategorized"

    /// Makes the shipped categories and keywords what `seeds` says. Rows that a person made are never touched, nor are categories that are
    /// shipped no longer, since transactions may name them; a keyword that is shipped no longer goes. A keyword counts where it stands first.
    public func seedCategories(_ seeds: [CategorySeed]) throws(StoreError) {
        let time = Instant.text(now())
        try write { db in
            var seen: Set<String> = []
            for seed in seeds {
                let category = try Self.upsertCategory(db, seed, time)
                try Self.upsertKeywords(db, seed.keywords, category, nil, &seen, time)
                for sub in seed.subcategories {
                    let id = try Self.upsertSubcategory(db, sub, of: category, time)
                    try Self.upsertKeywords(db, sub.keywords, category, id, &seen, time)
                }
            }
            for row in try Row.fetchAll(db, sql: "SELECT id, vendor_keyword FROM vendor_mappings WHERE is_user_defined = 0")
            where !seen.contains(CategoryRules.normalized(row[1])) {
                try db.execute(sql: "DELETE FROM vendor_mappings WHERE id = ?", arguments: [row[0] as Int64])
            }
        }
    }

    private static func upsertCategory(_ db: Database, _ seed: CategorySeed, _ time: String) throws -> Int64? {
        try db.execute(
            sql: """
                INSERT INTO categories (name, icon, color, is_system, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?)
                ON CONFLICT DO UPDATE SET icon = excluded.icon, color = excluded.color, updated_at = excluded.updated_at
                WHERE is_system AND (icon IS NOT excluded.icon OR color IS NOT excluded.color)
                """, arguments: [seed.name, seed.icon, seed.color, time, time])
        return try Int64.fetchOne(db, sql: "SELECT id FROM categories WHERE name = ?", arguments: [seed.name])
    }

    private static func upsertSubcategory(_ db: Database, _ seed: CategorySeed.Subcategory, of category: Int64?, _ time: String) throws
        -> Int64?
    {
        try db.execute(
            sql: """
                INSERT INTO subcategories (category_id, name, icon, is_system, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?)
                ON CONFLICT DO UPDATE SET icon = excluded.icon, updated_at = excluded.updated_at WHERE is_system AND icon IS NOT excluded.icon
                """, arguments: [category, seed.name, seed.icon, time, time])
        return try Int64.fetchOne(
            db, sql: "SELECT id FROM subcategories WHERE category_id = ? AND name = ?", arguments: [category, seed.name])
    }

    private static func upsertKeywords(
        _ db: Database, _ keywords: [String], _ category: Int64?, _ subcategory: Int64?, _ seen: inout Set<String>, _ time: String
    ) throws {
        for keyword in keywords {
            let key = CategoryRules.normalized(keyword)
            guard !key.isEmpty, seen.insert(key).inserted else { continue }
            try db.cachedStatement(
                sql: """
                    INSERT INTO vendor_mappings (vendor_keyword, category_id, subcategory_id, is_user_defined, created_at, updated_at) VALUES (?, ?, ?, 0, ?, ?)
                    ON CONFLICT DO UPDATE SET category_id = excluded.category_id, subcategory_id = excluded.subcategory_id, updated_at = excluded.updated_at
                    WHERE category_id <> excluded.category_id OR subcategory_id IS NOT excluded.subcategory_id
                    """
            ).execute(arguments: [key, category, subcategory, time, time])
        }
    }

    /// The mappings of the database, ready to match.
    public func categoryRules() throws(StoreError) -> CategoryRules {
        try read { db in
            try CategoryRules(
                Row.fetchAll(
                    db,
                    sql: """
                        SELECT m.id, m.vendor_keyword, m.category_id, c.name, m.subcategory_id, s.name, m.is_user_defined
                        FROM vendor_mappings m JOIN categories c ON c.id = m.category_id LEFT JOIN subcategories s ON s.id = m.subcategory_id
                        """
                ).map {
                    VendorMapping(
                        id: $0[0], keyword: $0[1], categoryID: $0[2], category: $0[3], subcategoryID: $0[4], subcategory: $0[5],
                        isUserDefined: $0[6])
                })
        }
    }
}
