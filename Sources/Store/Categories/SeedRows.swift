import Chronology
import GRDB
import Ledger

/// Writes the shipped categories and keywords: several thousand rows in a new database, before the first mail is
/// searched.
struct SeedRows {
    private let time: UnixTime
    private let insertCategory: PreparedStatement
    private let selectCategory: PreparedStatement
    private let insertSubcategory: PreparedStatement
    private let selectSubcategory: PreparedStatement
    private let selectDeletion: PreparedStatement
    private let insertRule: PreparedStatement
    private let updateRule: PreparedStatement

    init(_ db: Database, time: UnixTime) throws {
        self.time = time
        insertCategory = try PreparedStatement(
            db,
            """
            INSERT INTO categories (name, icon, color, is_system, created_at, updated_at, shipped_name)
            VALUES (?1, ?2, ?3, 1, ?4, ?4, ?1)
            ON CONFLICT (shipped_name) WHERE shipped_name IS NOT NULL
              DO UPDATE SET icon = excluded.icon, color = excluded.color, updated_at = excluded.updated_at
              WHERE NOT is_edited AND (icon IS NOT excluded.icon OR color IS NOT excluded.color)
            ON CONFLICT (name) DO NOTHING
            """)
        // If a person's own category has the name, the shipped keywords choose that category.
        selectCategory = try PreparedStatement(
            db, "SELECT id FROM categories WHERE shipped_name = ?1 OR name = ?1 ORDER BY shipped_name IS NULL LIMIT 1")
        insertSubcategory = try PreparedStatement(
            db,
            """
            INSERT INTO subcategories (category_id, name, icon, is_system, created_at, updated_at, shipped_name)
            VALUES (?1, ?2, ?3, 1, ?4, ?4, ?2)
            ON CONFLICT (category_id, shipped_name) WHERE shipped_name IS NOT NULL
              DO UPDATE SET icon = excluded.icon, updated_at = excluded.updated_at WHERE icon IS NOT excluded.icon
            ON CONFLICT (category_id, name) DO NOTHING
            """)
        selectSubcategory = try PreparedStatement(
            db,
            """
            SELECT id FROM subcategories WHERE category_id = ?1 AND (shipped_name = ?2 OR name = ?2)
            ORDER BY shipped_name IS NULL LIMIT 1
            """)
        // Members of a deleted row in the journal; a deletion that was undone does not count.
        selectDeletion = try PreparedStatement(
            db,
            """
            SELECT 1 FROM changes WHERE transaction_id IS NULL AND mail_id IS NULL AND done = 'deleted' AND undone_by IS NULL
              AND before ->> '$.subcategory.category_id' = ?1 AND before ->> '$.subcategory.shipped_name' = ?2 LIMIT 1
            """)
        // Two statements: one that may do both costs SQLite a copy of each page that it writes.
        insertRule = try PreparedStatement(
            db,
            """
            INSERT INTO vendor_mappings (category_id, subcategory_id, updated_at, vendor_keyword, kind, minimum_minor, maximum_minor, currency,
              account_digits, channel, transaction_type, is_user_defined, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0, ?3)
            ON CONFLICT DO NOTHING
            """)
        updateRule = try PreparedStatement(
            db,
            """
            UPDATE vendor_mappings SET category_id = ?1, subcategory_id = ?2, updated_at = ?3
            WHERE vendor_keyword = ?4 AND kind = ?5 AND is_user_defined = 0 AND coalesce(minimum_minor, '') = coalesce(?6, '')
              AND coalesce(maximum_minor, '') = coalesce(?7, '') AND coalesce(currency, '') = coalesce(?8, '')
              AND coalesce(account_digits, '') = coalesce(?9, '') AND coalesce(channel, '') = coalesce(?10, '')
              AND coalesce(transaction_type, '') = coalesce(?11, '') AND (category_id <> ?1 OR subcategory_id IS NOT ?2)
            """)
    }

    /// Returns the id.
    func category(_ seed: CategorySeed) throws -> Int64? {
        try insertCategory.run {
            $0.bind(seed.name)
            $0.bind(seed.icon)
            $0.bind(seed.color)
            $0.bind(time)
        }
        return try selectCategory.first({ $0.bind(seed.name) }, { $0.int(0) })
    }

    /// Returns the id; `nil` if a person deleted it: its keywords then choose the category.
    func subcategory(_ seed: CategorySeed.Subcategory, of category: Int64?) throws -> Int64? {
        func bind(_ binder: inout Binder) {
            binder.bind(category)
            binder.bind(seed.name)
        }
        if try selectSubcategory.first({ bind(&$0) }, { $0.int(0) }) == nil,
            try selectDeletion.first({ bind(&$0) }, { $0.int(0) }) != nil
        {
            return nil
        }
        try insertSubcategory.run {
            $0.bind(category)
            $0.bind(seed.name)
            $0.bind(seed.icon)
            $0.bind(time)
        }
        return try selectSubcategory.first({ bind(&$0) }, { $0.int(0) })
    }

    /// - Parameter seen: of two rules with the same keyword, kind and conditions, the first counts.
    func rules(
        _ rules: [CategorySeed.Rule], _ category: Int64?, _ subcategory: Int64?, _ seen: inout Set<CategorySeed.Rule>
    ) throws {
        for var rule in rules {
            guard let key = VendorMapping.normalized(rule.keyword, as: rule.kind) else { continue }
            rule.keyword = key
            guard seen.insert(rule).inserted else { continue }
            func bind(_ binder: inout Binder) {
                binder.bind(category)
                binder.bind(subcategory)
                binder.bind(time)
                binder.bind(key)
                binder.bind(rule.kind.rawValue)
                binder.bind(rule.conditions.minimumMinor)
                binder.bind(rule.conditions.maximumMinor)
                binder.bind(rule.conditions.currency?.code)
                binder.bind(rule.conditions.account)
                binder.bind(rule.conditions.channel?.rawValue)
                binder.bind(rule.conditions.type?.rawValue)
            }
            if try insertRule.change(bind) == 0 { try updateRule.run(bind) }
        }
    }
}
