internal import GRDB
public import Ledger

extension TransactionRepository {
    /// The parts of a split payment in order; empty if it is not split.
    public func parts(of id: Int64) throws(StoreError) -> [SplitPart] {
        try read { db in try SplitPart.all(of: id, db) }
    }

    /// Splits a payment over categories, or replaces its parts. Without parts, the payment is whole again. Recorded in
    /// the journal.
    ///
    /// The payment gets the category of its largest part, which lists show.
    /// - Parameter revision: the one that the caller has seen; `conflict` if the row has another by now.
    /// - Throws: `notFound`; `invalid` if the sum of the parts is not the amount; `conflict` for a transfer.
    @discardableResult
    public func split(
        _ id: Int64, _ parts: [SplitPart], expecting revision: Int64? = nil, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> TransactionRow where Scope: WriteScope {
        let time = now()
        return try write { db in
            try Journal(db, actor, time: time, group: group).split(id, parts, expecting: revision)
        }
    }
}

extension SplitPart {
    static func all(of id: Int64, _ db: Database) throws -> [SplitPart] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT part_category, part_subcategory, part_minor FROM split_parts WHERE transaction_id = ?
                ORDER BY position
                """, arguments: [id]
        ).map { SplitPart(category: $0[0], subcategory: $0[1], minorUnits: $0[2]) }
    }
}

extension Journal {
    /// Splits within the caller's write transaction; see ``TransactionRepository/split(_:_:expecting:by:group:)``.
    func split(_ id: Int64, _ parts: [SplitPart], expecting revision: Int64?) throws -> TransactionRow {
        guard let old = try TransactionRow.current(db, id) else { throw StoreError.notFound("transaction \(id)") }
        if let revision, revision != old.revision {
            throw StoreError.conflict(
                "transaction \(id) was changed meanwhile: it has revision \(old.revision), not \(revision)")
        }
        let problems = SplitPart.problems(parts, of: old.amount)
        guard problems.isEmpty else { throw StoreError.invalid(problems) }
        guard parts.isEmpty || old.type != .transfer else {
            throw StoreError.conflict("transaction \(id) is a transfer, which has no categories to split over")
        }
        let spelled = try parts.map { part in
            let category = try CategoryRow.spelling(ofCategory: part.category, db)
            return SplitPart(
                category: category,
                subcategory: try part.subcategory.map { try CategoryRow.spelling(ofSubcategory: $0, in: category, db) },
                minorUnits: part.minorUnits)
        }
        guard try SplitPart.all(of: id, db) != spelled else { return old }
        let before = try values(id, old.mailID)
        try removeParts(of: id)
        try insert(spelled, of: id)
        try db.execute(
            sql:
                "UPDATE main.transactions SET user_edited_at = ?1, updated_at = ?1, revision = revision + 1 WHERE id = ?2",
            arguments: [time, id])
        if let largest = spelled.max(by: { $0.minorUnits < $1.minorUnits }) {
            try db.execute(
                sql: """
                    UPDATE main.transactions SET category_name = ?, subcategory = ?, category_by = 'person', category_why = ?
                    WHERE id = ?
                    """,
                arguments: [
                    largest.category, largest.subcategory, CategorySentences.largest(ofParts: spelled.count),
                    id,
                ])
        }
        try note(.changed, id, old.mailID, before: before)
        return try TransactionRow.current(db, id) ?? old
    }

    /// Refuses a change that the parts of a split payment do not allow.
    func refuseSplit(_ row: TransactionRow, _ action: String) throws {
        guard row.isSplit else { return }
        throw StoreError.conflict(
            "transaction \(row.id) is split over several categories: join its parts before you \(action)")
    }

    func removeParts(of id: Int64) throws {
        try db.execute(sql: "DELETE FROM main.split_transactions WHERE transaction_id = ?", arguments: [id])
        try db.execute(sql: "DELETE FROM main.transaction_splits WHERE transaction_id = ?", arguments: [id])
    }

    /// Inserts the parts of a payment that has none, then the row of `split_transactions` that fixes them
    /// (``Schema/splits``).
    private func insert(_ parts: [SplitPart], of id: Int64) throws {
        guard !parts.isEmpty else { return }
        for (index, part) in parts.enumerated() {
            try db.execute(
                sql: """
                    INSERT INTO main.transaction_splits (transaction_id, position, part_category, part_subcategory, part_minor)
                    VALUES (?, ?, ?, ?, ?)
                    """, arguments: [id, index + 1, part.category, part.subcategory, part.minorUnits])
        }
        try db.execute(sql: "INSERT INTO main.split_transactions (transaction_id) VALUES (?)", arguments: [id])
    }

    /// Restores the parts that a transaction had before a change. Its parts are removed already.
    func resplit(_ change: LedgerChange) throws {
        guard let id = change.transactionID else { return }
        let parts = try Row.fetchAll(
            db,
            sql: """
                SELECT value ->> '$.category', value ->> '$.subcategory', value ->> '$.minor'
                FROM json_each(?, '$.parts') ORDER BY key
                """, arguments: [change.before]
        ).map { SplitPart(category: $0[0], subcategory: $0[1], minorUnits: $0[2]) }
        try insert(parts, of: id)
    }

    /// Replaces a category that is deleted in the split payments that name it.
    /// - Returns: the number of changed payments.
    func recategorizeParts(_ old: String, _ replacement: String) throws -> Int {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, source_email_id FROM transactions WHERE deleted_at IS NULL AND id IN
                  (SELECT transaction_id FROM split_parts WHERE part_category = ?)
                """, arguments: [old])
        for row in rows {
            let (id, mail): (Int64, String?) = (row[0], row[1])
            let before = try values(id, mail)
            try db.execute(
                sql: """
                    UPDATE main.transaction_splits SET part_category = ?, part_subcategory = NULL
                    WHERE transaction_id = ? AND part_category = ?
                    """, arguments: [replacement, id, old])
            try db.execute(
                sql: """
                    UPDATE main.transactions SET category_name = iif(category_name = ?1, ?2, category_name),
                      subcategory = iif(category_name = ?1, NULL, subcategory), updated_at = ?3, revision = revision + 1
                    WHERE id = ?4
                    """, arguments: [old, replacement, time, id])
            try note(.changed, id, mail, before: before)
        }
        return rows.count
    }
}
