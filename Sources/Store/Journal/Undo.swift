internal import GRDB
internal import Ledger

extension JournalRepository {
    /// Undoes one edit if the row still has the values of that edit. Undoing an undo repeats the edit.
    ///
    /// - Throws: `conflict` if the row was changed since, or the edit was undone already.
    @discardableResult
    public func undo(change id: Int64, by actor: Actor = .terminal) throws(StoreError) -> [LedgerChange]
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            guard
                let change = try Row.fetchOne(db, sql: "SELECT * FROM changes WHERE id = ?", arguments: [id]).map(
                    LedgerChange.init)
            else {
                throw StoreError.notFound("change \(id)")
            }
            let journal = Journal(db, actor, time: time)
            return try journal.revert(journal.otherHalf(of: change) + [change] + journal.endedLinks(with: change))
        }
    }

    /// Undoes the remaining edits of a group in one transaction, the last one first.
    ///
    /// - Throws: `conflict` if one of the rows was changed since.
    @discardableResult
    public func undo(group: String, by actor: Actor = .terminal) throws(StoreError) -> [LedgerChange]
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let all = try Row.fetchAll(
                db, sql: "SELECT * FROM changes WHERE group_id = ? ORDER BY id DESC", arguments: [group]
            ).map(LedgerChange.init)
            guard !all.isEmpty else { throw StoreError.notFound("group \(group)") }
            let open = all.filter { !$0.isUndone }
            guard !open.isEmpty else { throw StoreError.conflict("this was undone already") }
            return try Journal(db, actor, time: time).revert(open)
        }
    }
}

extension Journal {
    func revert(_ changes: [LedgerChange]) throws -> [LedgerChange] {
        var made: [LedgerChange] = []
        for change in changes {
            guard !change.isUndone else { throw StoreError.conflict("change \(change.id) was undone already") }
            if let row = try change.row(db) {
                made += try revert(change, of: row)
                continue
            }
            if let id = try change.userAccount(db) {
                made += try revert(change, ofAccount: id)
                continue
            }
            let now = try values(change.transactionID, change.mailID)
            guard try Journal.isSame(now, change.after, db) else {
                throw StoreError.conflict("what change \(change.id) did was changed again since: undo that first")
            }
            if try Self.isTaken(db, change.transactionID) {
                throw StoreError.conflict("the same event was booked since, from another mail or statement")
            }
            if let transaction = change.transactionID {
                try removeParts(of: transaction)
                try restore(transaction, change)
            }
            try relink(change)
            try retag(change)
            try resplit(change)
            if let mail = change.mailID {
                try db.execute(
                    sql: """
                        UPDATE main.processed_emails SET status = ?1 ->> '$.mail.status', reviewed_at = ?1 ->> '$.mail.reviewed_at'
                        WHERE id = ?2 AND ?1 ->> '$.mail.status' IS NOT NULL
                        """, arguments: [change.before, mail])
            }
            guard
                let id = try note(.undone, change.transactionID, change.mailID, before: now, undoing: change.id)
            else { continue }
            made += try link(id, undoing: change)
        }
        return made
    }

    /// Marks a change as undone by change `id`. The change that it had undone in turn is in force again, and
    /// may be undone again.
    func link(_ id: Int64, undoing change: LedgerChange) throws -> [LedgerChange] {
        try db.execute(sql: "UPDATE main.changes SET undone_by = ? WHERE id = ?", arguments: [id, change.id])
        if let first = change.undoes {
            try db.execute(sql: "UPDATE main.changes SET undone_by = NULL WHERE id = ?", arguments: [first])
        }
        return try Row.fetchAll(db, sql: "SELECT * FROM changes WHERE id = ?", arguments: [id]).map(LedgerChange.init)
    }

    /// Prefix of the key of an undone transaction that a mail or a statement had made.
    static let undoneKey = "undone:"

    /// True if another transaction has taken the key of an undone one.
    private static func isTaken(_ db: Database, _ id: Int64?) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM transactions a JOIN transactions b ON b.idempotency_key = substr(a.idempotency_key, \(Self.undoneKey.utf8.count + 1))
                  WHERE a.id = ? AND a.idempotency_key LIKE '\(Self.undoneKey)%')
                """, arguments: [id]) ?? false
    }

    private func restore(_ id: Int64, _ change: LedgerChange) throws {
        let before = change.before
        guard try String.fetchOne(db, sql: "SELECT json_type(?, '$.transaction')", arguments: [before]) == "object"
        else {
            // The row did not exist before: it is hidden from every list, but kept so that its number is not reused. It
            // releases its key, so that a forged mail that was released by mistake does not block the genuine one. A
            // mail that waits again has no draft.
            return try db.execute(
                sql: """
                    UPDATE main.transactions SET deleted_at = ?1, updated_at = ?1, revision = revision + 1,
                      source_email_id = iif(?3 ->> '$.mail.status' = 'review', NULL, source_email_id),
                      idempotency_key = iif(recorder IN \(AlertRecorder.all) OR idempotency_key LIKE '\(StatementKeys.prefix)%', '\(Self.undoneKey)' || idempotency_key, idempotency_key)
                    WHERE id = ?2
                    """, arguments: [time, id, before])
        }
        let values = Journal.columns.filter { $0 != "corrected" }.map { column in
            // An account may have been deleted or merged since, and older changes do not name it.
            switch column {
            case "account_id": "account_id = (SELECT id FROM accounts WHERE id = ?1 ->> '$.transaction.account_id')"
            case "user_account_id":
                """
                user_account_id = iif(json_type(?1, '$.transaction.user_account_id') IS NULL, user_account_id,
                  (SELECT coalesce(merged_into, id) FROM user_accounts WHERE id = ?1 ->> '$.transaction.user_account_id'))
                """
            case "payee_id":
                """
                payee_id = iif(json_type(?1, '$.transaction.payee_id') IS NULL, payee_id,
                  (SELECT coalesce(merged_into, id) FROM payees WHERE id = ?1 ->> '$.transaction.payee_id'))
                """
            default: "\(column) = ?1 ->> '$.transaction.\(column)'"
            }
        }
        try db.execute(
            sql: """
                UPDATE main.transactions SET \(values.joined(separator: ", ")),
                  updated_at = ?2, revision = revision + 1, source_email_id = iif(idempotency_key LIKE '\(Self.undoneKey)%', coalesce(source_email_id, ?4), source_email_id),
                  idempotency_key = iif(idempotency_key LIKE '\(Self.undoneKey)%', substr(idempotency_key, \(Self.undoneKey.utf8.count + 1)), idempotency_key)
                WHERE id = ?3
                """, arguments: [before, time, id, change.mailID])
        // A separate statement: otherwise the trigger on corrections would count one more.
        try db.execute(
            sql: "UPDATE main.transactions SET corrected = ?1 ->> '$.transaction.corrected' WHERE id = ?2",
            arguments: [before, id])
    }
}
