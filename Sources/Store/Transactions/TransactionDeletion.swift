internal import GRDB

extension TransactionRepository {
    /// Hides a transaction from every list. Its key stays, so that its mail does not create it again. A repetition is
    /// not an error.
    ///
    /// - Parameters:
    ///   - revision: the one that the caller has seen; `conflict` if the row has another by now.
    ///   - confirmsReconciled: true if the caller knows that the row is in a reconciled statement; otherwise `conflict`
    ///     for such a row.
    /// - Returns: true if it existed.
    @discardableResult
    public func delete(
        _ id: Int64, expecting revision: Int64? = nil, by actor: Actor = .terminal, group: String? = nil,
        confirmsReconciled: Bool = false
    ) throws(StoreError) -> Bool where Scope: WriteScope {
        let time = now()
        return try write { db in
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT source_email_id, revision, deleted_at FROM transactions WHERE id = ?",
                    arguments: [id])
            else {
                throw StoreError.notFound("transaction \(id)")
            }
            let (mail, current, deleted): (String?, Int64, String?) = (row[0], row[1], row[2])
            guard deleted == nil else { return false }
            if let revision, revision != current {
                throw StoreError.conflict(
                    "transaction \(id) was changed meanwhile: it has revision \(current), not \(revision)")
            }
            let journal = Journal(db, actor, time: time, group: group)
            try journal.askReconciled(id, isConfirmed: confirmsReconciled)
            if let row = try TransactionRow.current(db, id) { try journal.refuseSplit(row, "delete it") }
            let before = try journal.values(id, mail)
            try journal.cutTransfer(of: id)
            try journal.endLinks(of: id)
            try db.execute(
                sql:
                    "UPDATE main.transactions SET deleted_at = ?, updated_at = ?, revision = revision + 1 WHERE id = ?",
                arguments: [time, time, id])
            if let mail {
                try db.execute(
                    sql:
                        "UPDATE main.processed_emails SET reviewed_at = coalesce(reviewed_at, ?) WHERE id = ? AND status = 'review'",
                    arguments: [time, mail])
            }
            try journal.note(.deleted, id, mail, before: before)
            return true
        }
    }
}
