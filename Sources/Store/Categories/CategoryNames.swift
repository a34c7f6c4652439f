import Chronology
internal import GRDB

/// The rows that store a category or a subcategory by its name.
enum CategoryNames {
    /// Renames a category where it is stored by its name.
    static func rename(_ old: String, to new: String, _ time: UnixTime, _ db: Database) throws {
        try db.execute(
            sql:
                "UPDATE main.transactions SET category_name = ?, updated_at = ?, revision = revision + 1 WHERE category_name = ?",
            arguments: [new, time, old])
        try db.execute(
            sql: "UPDATE main.transaction_splits SET part_category = ? WHERE part_category = ?",
            arguments: [new, old])
        try db.execute(
            sql: "UPDATE main.recurring_items SET category_name = ?, updated_at = ? WHERE category_name = ?",
            arguments: [new, time, old])
    }

    /// Renames a subcategory where it is stored by its name.
    static func rename(
        _ old: String, to new: String, in category: String, _ time: UnixTime, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE main.transactions SET subcategory = ?1, updated_at = ?4, revision = revision + 1
                WHERE category_name = ?2 AND subcategory = ?3
                """, arguments: [new, category, old, time])
        try db.execute(
            sql:
                "UPDATE main.transaction_splits SET part_subcategory = ? WHERE part_category = ? AND part_subcategory = ?",
            arguments: [new, category, old])
        try db.execute(
            sql: """
                UPDATE main.recurring_items SET subcategory = ?1, updated_at = ?4 WHERE category_name = ?2 AND subcategory = ?3
                """, arguments: [new, category, old, time])
    }
}

extension JournaledRow {
    /// Gives the rows that store the name of a category or subcategory the one that an undo restores.
    func renameUses(to values: String, _ time: UnixTime, _ db: Database) throws {
        let new = try String.fetchOne(db, sql: "SELECT ? ->> '$.\(table.rawValue).name'", arguments: [values])
        guard let new, let names = try names(db), names.own != new else { return }
        if let category = names.category {
            try CategoryNames.rename(names.own, to: new, in: category, time, db)
        } else {
            try CategoryNames.rename(names.own, to: new, time, db)
        }
    }

    /// - Throws: `conflict` if rows would keep the name of a category or subcategory that an undo deletes.
    func refuseUse(_ db: Database) throws {
        guard let names = try names(db) else { return }
        let isUsed =
            try names.category.map { try Self.isUsed(subcategory: id, names.own, in: $0, db) }
            ?? Self.isUsed(category: id, names.own, db)
        if isUsed { throw StoreError.conflict("'\(names.own)' is in use by now: delete it on the page of categories") }
    }

    /// The name, and for a subcategory that of its category; `nil` for other tables and without a row.
    private func names(_ db: Database) throws -> (own: String, category: String?)? {
        switch table {
        case .category:
            try String.fetchOne(db, sql: "SELECT name FROM categories WHERE id = ?", arguments: [id]).map { ($0, nil) }
        case .subcategory:
            try Row.fetchOne(
                db,
                sql:
                    "SELECT s.name, c.name FROM subcategories s JOIN categories c ON c.id = s.category_id WHERE s.id = ?",
                arguments: [id]
            ).map { ($0[0], $0[1]) }
        default: nil
        }
    }

    private static func isUsed(category id: Int64, _ name: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM main.transactions WHERE category_name = ?1 AND deleted_at IS NULL)
                  OR EXISTS (SELECT 1 FROM main.transaction_splits WHERE part_category = ?1)
                  OR EXISTS (SELECT 1 FROM main.recurring_items WHERE category_name = ?1)
                  OR EXISTS (SELECT 1 FROM main.payees WHERE category_id = ?2)
                  OR EXISTS (SELECT 1 FROM vendor_mappings WHERE category_id = ?2)
                  OR EXISTS (SELECT 1 FROM budgets WHERE category_id = ?2)
                  OR EXISTS (SELECT 1 FROM subcategories WHERE category_id = ?2)
                """, arguments: [name, id]) ?? false
    }

    private static func isUsed(
        subcategory id: Int64, _ name: String, in category: String, _ db: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM main.transactions
                    WHERE category_name = ?3 AND subcategory = ?1 AND deleted_at IS NULL)
                  OR EXISTS (SELECT 1 FROM main.transaction_splits WHERE part_category = ?3 AND part_subcategory = ?1)
                  OR EXISTS (SELECT 1 FROM main.recurring_items WHERE category_name = ?3 AND subcategory = ?1)
                  OR EXISTS (SELECT 1 FROM main.payees WHERE subcategory_id = ?2)
                  OR EXISTS (SELECT 1 FROM vendor_mappings WHERE subcategory_id = ?2)
                  OR EXISTS (SELECT 1 FROM budgets WHERE subcategory_id = ?2)
                """, arguments: [name, id, category]) ?? false
    }
}
