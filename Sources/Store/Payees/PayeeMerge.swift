internal import GRDB
import Ledger

extension PayeeRepository {
    /// Deletes a payee with its aliases; its transactions lose it. Recorded in the journal as one group.
    /// - Throws: `conflict` for a shipped one.
    public func delete(
        _ id: Int64, expecting: ((PayeeRow) -> Bool)? = nil, by actor: Actor, group: String? = nil
    ) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            let old = try PayeeRow.expected(id, expecting, db)
            guard !old.isShipped else {
                throw StoreError.conflict("'\(old.name)' is a shipped payee and stays: merge it into another")
            }
            let hasMerged = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM payees WHERE merged_into = ?)", arguments: [id])
            guard hasMerged != true else {
                throw StoreError.conflict(
                    "other payees were merged into '\(old.name)': undo that first, or merge it into another one")
            }
            let journal = Journal(db, actor, time: time, group: group)
            for alias in old.aliases {
                try journal.record(.deleted, .alias, alias.id) {
                    try db.execute(sql: "DELETE FROM main.payee_aliases WHERE id = ?", arguments: [alias.id])
                }
            }
            _ = try journal.move(transactionsOf: id, to: nil)
            try journal.record(.deleted, .payee, id) {
                try db.execute(sql: "DELETE FROM main.payees WHERE id = ?", arguments: [id])
            }
        }
    }

    /// Gives the aliases and transactions of a payee to another one, which keeps its name and category. One group of
    /// the journal.
    @discardableResult
    public func merge(
        _ id: Int64, into other: Int64, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> PayeeChange where Scope: WriteScope {
        let time = now()
        return try write { db in
            let old = try PayeeRow.expected(id, nil, db)
            guard id != other else {
                throw StoreError.invalid([FieldProblem("into", "must be another payee")])
            }
            guard try PayeeRow.current(db, other) != nil else {
                throw StoreError.missing("into", "there is no such payee")
            }
            let journal = Journal(db, actor, time: time, group: group)
            for alias in old.aliases {
                try journal.record(.changed, .alias, alias.id) {
                    try db.execute(
                        sql: "UPDATE main.payee_aliases SET payee_id = ? WHERE id = ?", arguments: [other, alias.id])
                }
            }
            let changed = try journal.move(transactionsOf: id, to: other)
            try db.execute(
                sql: "UPDATE main.payees SET merged_into = ?1 WHERE merged_into = ?2", arguments: [other, id])
            try journal.record(.changed, .payee, id) {
                try db.execute(
                    sql: "UPDATE main.payees SET merged_into = ?, updated_at = ? WHERE id = ?",
                    arguments: [other, time, id])
            }
            return PayeeChange(row: try PayeeRow.expected(other, nil, db), changed: changed, group: journal.group)
        }
    }
}

extension Journal {
    /// - Parameter other: `nil` removes the payee.
    fileprivate func move(transactionsOf id: Int64, to other: Int64?) throws -> Int {
        let rows = try Int64.fetchAll(
            db, sql: "SELECT id FROM transactions WHERE payee_id = ? AND deleted_at IS NULL", arguments: [id])
        var edit = TransactionEdit()
        edit.payeeID = other.map { .set($0) } ?? .clear
        for row in rows { _ = try asRule.change(row, edit, expecting: nil) }
        return rows.count
    }
}
