import Chronology
internal import GRDB
import Ledger

extension BudgetRepository {
    /// All budgets, by category and subcategory, the whole category first.
    public func all() throws(StoreError) -> [BudgetRow] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    \(BudgetRow.select)
                    ORDER BY c.name COLLATE NOCASE, s.name IS NOT NULL, s.name COLLATE NOCASE, b.currency, b.id
                    """
            ).map(BudgetRow.init)
        }
    }

    public func find(_ id: Int64) throws(StoreError) -> BudgetRow? {
        try read { db in try BudgetRow.current(db, id) }
    }

    /// The budget of the same category, currency and period.
    public func find(like new: NewBudget) throws(StoreError) -> BudgetRow? {
        try read { db in try BudgetPlace(new, db).row(db) }
    }

    /// Recorded in the journal.
    /// - Throws: `invalid`; `conflict` if the category does not exist or has a budget of this period and currency.
    @discardableResult
    public func add(_ new: NewBudget, by actor: Actor, group: String? = nil) throws(StoreError) -> BudgetRow
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let place = try BudgetPlace(new, db)
            try place.refuseTaken(besides: nil, db)
            try db.execute(
                sql: """
                    INSERT INTO budgets (category_id, subcategory_id, period, currency, amount_minor, rolls_over, starts_on,
                      created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """, arguments: place.arguments + [time, time])
            let id = db.lastInsertedRowID
            let journal = Journal(db, actor, time: time, group: group)
            _ = try journal.note(.added, .budget, id, before: JournaledTable.budget.absent)
            guard let row = try BudgetRow.current(db, id) else { throw StoreError.notFound("budget \(id)") }
            return row
        }
    }

    /// Recorded in the journal.
    /// - Throws: as ``add(_:by:group:)``; `conflict` if `expecting` refuses the row as it is.
    @discardableResult
    public func update(
        _ id: Int64, _ new: NewBudget, expecting: ((BudgetRow) -> Bool)? = nil, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> BudgetRow where Scope: WriteScope {
        let time = now()
        return try write { db in
            let old = try Self.expected(id, expecting, db)
            let place = try BudgetPlace(new, db)
            try place.refuseTaken(besides: id, db)
            guard
                old.budget != new.budget || old.categoryID != place.category || old.subcategoryID != place.subcategory
            else { return old }
            try Journal(db, actor, time: time, group: group).record(.changed, .budget, id) {
                try db.execute(
                    sql: """
                        UPDATE budgets SET category_id = ?, subcategory_id = ?, period = ?, currency = ?, amount_minor = ?,
                          rolls_over = ?, starts_on = ?, updated_at = ? WHERE id = ?
                        """, arguments: place.arguments + [time, id])
            }
            return try BudgetRow.current(db, id) ?? old
        }
    }

    /// Recorded in the journal. The expenses stay as they are.
    public func delete(
        _ id: Int64, expecting: ((BudgetRow) -> Bool)? = nil, by actor: Actor, group: String? = nil
    ) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            _ = try Self.expected(id, expecting, db)
            try Journal(db, actor, time: time, group: group).record(.deleted, .budget, id) {
                try db.execute(sql: "DELETE FROM budgets WHERE id = ?", arguments: [id])
            }
        }
    }

    private static func expected(
        _ id: Int64, _ expecting: ((BudgetRow) -> Bool)?, _ db: Database
    ) throws -> BudgetRow {
        guard let old = try BudgetRow.current(db, id) else { throw StoreError.notFound("budget \(id)") }
        if let expecting, !expecting(old) { throw StoreError.conflict("budget \(id) was changed meanwhile") }
        return old
    }
}

/// Checked values of a budget, with its category resolved.
fileprivate struct BudgetPlace {
    var category: Int64
    var subcategory: Int64?
    var budget: Budget

    /// - Throws: `invalid`; `conflict` if the category or subcategory does not exist.
    init(_ new: NewBudget, _ db: Database) throws {
        let problems = new.budget.problems
        guard problems.isEmpty else { throw StoreError.invalid(problems) }
        let place = try CategoryRow.place(new.category, new.subcategory, db)
        (category, subcategory) = (place.category, place.subcategory)
        budget = new.budget
    }

    /// Values of the columns from `category_id` to `starts_on`.
    var arguments: StatementArguments {
        [
            category, subcategory, budget.period.rawValue, budget.amount.currency.code, budget.amount.minorUnits,
            budget.rollsOver, budget.start,
        ]
    }

    /// The budget that these values would be a second one of.
    func row(_ db: Database) throws -> BudgetRow? {
        try Row.fetchOne(
            db,
            sql: """
                \(BudgetRow.select) WHERE b.category_id = ? AND b.subcategory_id IS ? AND b.currency = ? AND b.period = ?
                """, arguments: [category, subcategory, budget.amount.currency.code, budget.period.rawValue]
        ).map(BudgetRow.init)
    }

    func refuseTaken(besides id: Int64?, _ db: Database) throws {
        guard let other = try row(db)?.id, other != id else { return }
        throw StoreError.conflict(
            "budget \(other) is of this category, period and currency", "category_name",
            "has budget \(other) of this period and currency")
    }
}
