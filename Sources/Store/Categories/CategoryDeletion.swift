internal import Chronology
internal import GRDB
internal import Ledger

/// The numbers of rows that the deletion of a category changes.
public struct CategoryUse: Hashable, Sendable {
    /// Transactions, including those with a part in the category.
    public var transactions = 0
    public var mappings = 0
    public var budgets = 0
    public var payees = 0
    public var recurringItems = 0

    public init() {}
}

extension CategoryRepository {
    /// The uses of each category that a person made, by id.
    public func uses() throws(StoreError) -> [Int64: CategoryUse] {
        try read { db in
            var uses: [Int64: CategoryUse] = [:]
            for row in try Row.fetchAll(
                db,
                sql: """
                    SELECT c.id,
                      (SELECT count(*) FROM transactions t WHERE t.category_name = c.name AND t.deleted_at IS NULL
                        AND t.id NOT IN (SELECT transaction_id FROM split_transactions))
                      + (SELECT count(DISTINCT p.transaction_id) FROM split_parts p JOIN transactions t ON t.id = p.transaction_id
                        WHERE p.part_category = c.name AND t.deleted_at IS NULL),
                      (SELECT count(*) FROM vendor_mappings m WHERE m.category_id = c.id),
                      (SELECT count(*) FROM budgets b WHERE b.category_id = c.id),
                      (SELECT count(*) FROM payees p WHERE p.category_id = c.id),
                      (SELECT count(*) FROM recurring_items r WHERE r.category_name = c.name)
                    FROM categories c WHERE NOT c.is_system
                    """)
            {
                var use = CategoryUse()
                (use.transactions, use.mappings, use.budgets) = (row[1], row[2], row[3])
                (use.payees, use.recurringItems) = (row[4], row[5])
                uses[row[0]] = use
            }
            return uses
        }
    }

    /// Deletes a category with its subcategories, keywords and budgets. Its transactions and recurring items get
    /// `replacement`, otherwise ``CategoryRow/uncategorized``; its payees lose their category. All of it is one group
    /// of the journal: an undo restores every row.
    ///
    /// - Throws: `conflict` for a shipped one, and for one of transactions that the user does not see; `invalid` if the
    ///   replacement is no other category.
    /// - Returns: number of transactions with a new category, and the group.
    @discardableResult
    public func delete(
        _ id: Int64, replacement: String? = nil, expecting: ((CategoryRow) -> Bool)? = nil, by actor: Actor
    ) throws(StoreError) -> (changed: Int, group: String) where Scope: WriteScope {
        let time = now()
        return try write { db in
            guard let old = try CategoryRow.current(db, id) else { throw StoreError.notFound("category \(id)") }
            if let expecting, !expecting(old) { throw StoreError.conflict("category \(id) was changed meanwhile") }
            guard !old.isSystem else {
                throw StoreError.conflict("'\(old.name)' is a shipped category and cannot be deleted")
            }
            guard try !LedgerView.hides(transactionsOf: old.name, db) else {
                throw StoreError.conflict(
                    "'\(old.name)' is also the category of transactions that you cannot see, and cannot be deleted by you"
                )
            }
            let other = try String.fetchOne(
                db, sql: "SELECT name FROM categories WHERE name = ? AND id <> ?",
                arguments: [replacement ?? CategoryRow.uncategorized, id])
            guard let other else { throw StoreError.missing("replacement", "there is no such other category") }
            let deletion = CategoryDeletion(
                category: old, replacement: other, journal: Journal(db, actor, time: time))
            return (try deletion.run(), deletion.journal.group)
        }
    }
}

/// The steps of a deletion. An undo reverts the last one first. So the category is deleted last: it exists again before
/// the rows that refer to it are restored.
fileprivate struct CategoryDeletion {
    let category: CategoryRow
    let replacement: String
    let journal: Journal

    private var db: Database { journal.db }

    /// - Returns: number of transactions with a new category.
    func run() throws -> Int {
        let changed = try moveTransactions()
        try each("SELECT id FROM recurring_items WHERE category_name = ?", category.name, .changed, .recurring) {
            try db.execute(
                sql:
                    "UPDATE main.recurring_items SET category_name = ?, subcategory = NULL, updated_at = ? WHERE id = ?",
                arguments: [replacement, journal.time, $0])
        }
        try each("SELECT id FROM payees WHERE category_id = ?", category.id, .changed, .payee) {
            try db.execute(
                sql: "UPDATE main.payees SET category_id = NULL, subcategory_id = NULL, updated_at = ? WHERE id = ?",
                arguments: [journal.time, $0])
        }
        for table in [JournaledTable.mapping, .budget, .subcategory] {
            try each("SELECT id FROM \(table.name) WHERE category_id = ?", category.id, .deleted, table) {
                try db.execute(sql: "DELETE FROM main.\(table.name) WHERE id = ?", arguments: [$0])
            }
        }
        try journal.record(.deleted, .category, category.id) {
            try db.execute(sql: "DELETE FROM categories WHERE id = ?", arguments: [category.id])
        }
        return changed
    }

    private func moveTransactions() throws -> Int {
        var edit = TransactionEdit()
        edit.category = replacement
        let used = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM transactions WHERE category_name = ? AND deleted_at IS NULL
                  AND id NOT IN (SELECT transaction_id FROM split_transactions)
                """, arguments: [category.name])
        for transaction in used { _ = try journal.change(transaction, edit, expecting: nil) }
        return used.count + (try journal.recategorizeParts(category.name, replacement))
    }

    private func each(
        _ query: String, _ key: some DatabaseValueConvertible, _ kind: LedgerChange.Kind, _ table: JournaledTable,
        _ change: (Int64) throws -> Void
    ) throws {
        for id in try Int64.fetchAll(db, sql: query, arguments: [key]) {
            try journal.record(kind, table, id) { try change(id) }
        }
    }
}
