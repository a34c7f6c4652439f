internal import Chronology
internal import GRDB
internal import Ledger

extension CategoryRepository {
    /// The rows that the deletion of a subcategory changes.
    public func uses(ofSubcategory id: Int64) throws(StoreError) -> CategoryUse {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM transactions t WHERE t.category_name = c.name AND t.subcategory = s.name
                        AND t.deleted_at IS NULL AND t.id NOT IN (SELECT transaction_id FROM split_transactions))
                      + (SELECT count(DISTINCT p.transaction_id) FROM split_parts p JOIN transactions t ON t.id = p.transaction_id
                        WHERE p.part_category = c.name AND p.part_subcategory = s.name AND t.deleted_at IS NULL),
                      (SELECT count(*) FROM vendor_mappings m WHERE m.subcategory_id = s.id),
                      (SELECT count(*) FROM budgets b WHERE b.subcategory_id = s.id),
                      (SELECT count(*) FROM payees p WHERE p.subcategory_id = s.id),
                      (SELECT count(*) FROM recurring_items r WHERE r.category_name = c.name AND r.subcategory = s.name)
                    FROM subcategories s JOIN categories c ON c.id = s.category_id WHERE s.id = ?
                    """, arguments: [id])
            guard let row else { throw StoreError.notFound("subcategory \(id)") }
            var use = CategoryUse()
            (use.transactions, use.mappings, use.budgets) = (row[0], row[1], row[2])
            (use.payees, use.recurringItems) = (row[3], row[4])
            return use
        }
    }

    /// Deletes a subcategory, an own or a shipped one, with its budgets. Its transactions, keywords, payees and
    /// recurring items keep the category. All of it is one group of the journal: an undo restores every row.
    ///
    /// - Throws: `notFound`; `conflict` for one of transactions that the user does not see.
    /// - Returns: number of changed transactions, and the group.
    @discardableResult
    public func deleteSubcategory(
        _ id: Int64, of category: Int64, by actor: Actor
    ) throws(StoreError) -> (changed: Int, group: String) where Scope: WriteScope {
        let time = now()
        return try write { db in
            guard let parent = try CategoryRow.current(db, category),
                let old = parent.subcategories.first(where: { $0.id == id })
            else { throw StoreError.notFound("subcategory \(id) of category \(category)") }
            guard try !LedgerView.hides(transactionsOf: parent.name, subcategory: old.name, db) else {
                throw StoreError.conflict(
                    "'\(old.name)' is also the subcategory of transactions that you cannot see, and cannot be deleted by you"
                )
            }
            let deletion = SubcategoryDeletion(
                category: parent.name, subcategory: old, journal: Journal(db, actor, time: time))
            return (try deletion.run(), deletion.journal.group)
        }
    }
}

/// The steps of a deletion, the subcategory last: an undo reverts the last one first.
fileprivate struct SubcategoryDeletion {
    let category: String
    let subcategory: CategoryRow.Subcategory
    let journal: Journal

    private var db: Database { journal.db }

    /// - Returns: number of changed transactions.
    func run() throws -> Int {
        let changed = try clearTransactions() + clearParts()
        let recurring = try Int64.fetchAll(
            db, sql: "SELECT id FROM recurring_items WHERE category_name = ? AND subcategory = ?",
            arguments: [category, subcategory.name])
        for id in recurring { try clear(.recurring, "subcategory", id) }
        for table in [JournaledTable.payee, .mapping] {
            for id in try uses(table) { try clear(table, "subcategory_id", id) }
        }
        for id in try uses(.budget) { try delete(.budget, id) }
        try delete(.subcategory, subcategory.id)
        return changed
    }

    private func uses(_ table: JournaledTable) throws -> [Int64] {
        try Int64.fetchAll(
            db, sql: "SELECT id FROM \(table.name) WHERE subcategory_id = ?", arguments: [subcategory.id])
    }

    private func clear(_ table: JournaledTable, _ column: String, _ id: Int64) throws {
        try journal.record(.changed, table, id) {
            try db.execute(
                sql: "UPDATE main.\(table.name) SET \(column) = NULL, updated_at = ? WHERE id = ?",
                arguments: [journal.time, id])
        }
    }

    private func delete(_ table: JournaledTable, _ id: Int64) throws {
        try journal.record(.deleted, table, id) {
            try db.execute(sql: "DELETE FROM main.\(table.name) WHERE id = ?", arguments: [id])
        }
    }

    /// The category stays, and who chose it.
    private func clearTransactions() throws -> Int {
        let used = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM transactions WHERE category_name = ? AND subcategory = ? AND deleted_at IS NULL
                  AND id NOT IN (SELECT transaction_id FROM split_transactions)
                """, arguments: [category, subcategory.name])
        for id in used {
            guard let row = try TransactionRow.current(db, id) else { continue }
            var edit = TransactionEdit()
            edit.subcategory = .clear
            (edit.categoryBy, edit.categoryWhy) = (row.categoryBy, row.categoryWhy)
            _ = try journal.change(id, edit, expecting: nil)
        }
        return used.count
    }

    private func clearParts() throws -> Int {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, source_email_id FROM transactions WHERE deleted_at IS NULL AND id IN
                  (SELECT transaction_id FROM split_parts WHERE part_category = ? AND part_subcategory = ?)
                """, arguments: [category, subcategory.name])
        for row in rows {
            let (id, mail): (Int64, String?) = (row[0], row[1])
            let before = try journal.values(id, mail)
            try db.execute(
                sql: """
                    UPDATE main.transaction_splits SET part_subcategory = NULL
                    WHERE transaction_id = ? AND part_category = ? AND part_subcategory = ?
                    """, arguments: [id, category, subcategory.name])
            try db.execute(
                sql: """
                    UPDATE main.transactions SET updated_at = ?1, revision = revision + 1,
                      subcategory = iif(category_name = ?2 AND subcategory = ?3, NULL, subcategory)
                    WHERE id = ?4
                    """, arguments: [journal.time, category, subcategory.name, id])
            try journal.note(.changed, id, mail, before: before)
        }
        return rows.count
    }
}
