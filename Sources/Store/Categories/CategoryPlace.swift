internal import GRDB

extension CategoryRow {
    /// The ids of a category and subcategory by name.
    /// - Throws: `conflict` if one does not exist.
    static func place(
        _ name: String, _ subcategory: String?, _ db: Database
    ) throws -> (category: Int64, subcategory: Int64?) {
        guard
            let category = try Int64.fetchOne(db, sql: "SELECT id FROM categories WHERE name = ?", arguments: [name])
        else { throw StoreError.missing("category_name", "there is no such category") }
        guard let subcategory else { return (category, nil) }
        guard
            let below = try Int64.fetchOne(
                db, sql: "SELECT id FROM subcategories WHERE category_id = ? AND name = ?",
                arguments: [category, subcategory])
        else { throw StoreError.missing("subcategory", "the category has no such subcategory") }
        return (category, below)
    }

    /// Does the same; without a name there is neither.
    static func place(
        optional name: String?, _ subcategory: String?, _ db: Database
    ) throws -> (category: Int64?, subcategory: Int64?) {
        guard let name else { return (nil, nil) }
        return try place(name, subcategory, db)
    }
}
