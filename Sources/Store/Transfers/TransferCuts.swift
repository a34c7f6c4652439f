internal import GRDB

extension Journal {
    /// Unlinks the transfer of a row before the row is changed or deleted. The other side gets back its former type and
    /// category, in the same group of the journal.
    /// - Returns: true if there was one.
    @discardableResult
    func cutTransfer(of id: Int64) throws -> Bool {
        guard
            let row = try Row.fetchOne(
                db,
                sql:
                    "SELECT id, iif(debit_id IS ?1, credit_id, debit_id) FROM transfers WHERE state = 'linked' AND (debit_id = ?1 OR credit_id = ?1)",
                arguments: [id])
        else { return false }
        let (transfer, other): (Int64, Int64?) = (row[0], row[1])
        let before = try other.map { try values($0, nil) }
        try TransferRows(db).unlink(transfer, time)
        if let other, let before { try note(.changed, other, nil, before: before) }
        return true
    }

    /// Changes of the other side of a transfer by the same edit, which must be undone together with a changed type.
    func otherHalf(of change: LedgerChange) throws -> [LedgerChange] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT c.* FROM changes c JOIN transfers t ON (t.debit_id = ?1 AND t.credit_id = c.transaction_id) OR (t.credit_id = ?1 AND t.debit_id = c.transaction_id)
                WHERE c.group_id = ?2 AND c.id <> ?3 AND c.undone_by IS NULL
                  AND ?4 ->> '$.transaction.transaction_type' IS NOT ?5 ->> '$.transaction.transaction_type'
                  AND c.before ->> '$.transaction.transaction_type' IS NOT c.after ->> '$.transaction.transaction_type'
                GROUP BY c.id ORDER BY c.id DESC
                """, arguments: [change.transactionID, change.group, change.id, change.before, change.after]
        ).map(LedgerChange.init)
    }

    /// Links two rows again if the undone change had ended their transfer.
    func relink(_ change: LedgerChange) throws {
        guard
            let transfer = try Int64.fetchOne(
                db, sql: "SELECT ?1 ->> '$.transfer' WHERE ?2 ->> '$.transfer' IS NOT ?1 ->> '$.transfer'",
                arguments: [change.before, change.after])
        else { return }
        let isTaken = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM transfers a JOIN transfers b ON b.id <> a.id AND b.state = 'linked'
                    AND (b.debit_id IN (a.debit_id, a.credit_id) OR b.credit_id IN (a.debit_id, a.credit_id)) WHERE a.id = ?)
                """, arguments: [transfer])
        if isTaken == true {
            throw StoreError.conflict("one half of transfer \(transfer) is half of another one since: undo that first")
        }
        try db.execute(
            sql: "UPDATE main.transfers SET state = 'linked', updated_at = ? WHERE id = ? AND state = 'refused'",
            arguments: [time, transfer])
    }
}
