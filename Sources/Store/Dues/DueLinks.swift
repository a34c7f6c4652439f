import Chronology
internal import GRDB
internal import Ledger

extension DueRepository {
    /// Declares that a transaction settles a due, or that it does not. Recorded in the journal.
    /// - Parameter id: the identifier of the due.
    /// - Throws: `notFound` for a due or transaction that does not exist; `conflict` for a transaction of another
    ///   currency or direction.
    public func link(
        _ id: String, to transaction: Int64, settles: Bool, by actor: Actor, group: String? = nil
    ) throws(StoreError) where Scope: WriteScope {
        let due = try existing(id)
        let time = now()
        try write { db in
            try Self.check(transaction, mayPay: due, db)
            let state = settles ? "linked" : "refused"
            let journal = Journal(db, actor, time: time, group: group)
            if let old = try Int64.fetchOne(
                db, sql: "SELECT id FROM due_links WHERE due_id = ? AND transaction_id = ?",
                arguments: [id, transaction])
            {
                return try journal.record(.changed, .dueLink, old) {
                    try db.execute(sql: "UPDATE main.due_links SET state = ? WHERE id = ?", arguments: [state, old])
                }
            }
            try db.execute(
                sql: "INSERT INTO main.due_links (due_id, transaction_id, state, created_at) VALUES (?, ?, ?, ?)",
                arguments: [id, transaction, state, time])
            _ = try journal.note(.added, .dueLink, db.lastInsertedRowID, before: JournaledTable.dueLink.absent)
        }
    }

    /// Declares that a due is paid though the ledger has no transaction of the payment, or takes that back. Recorded in
    /// the journal.
    /// - Throws: `notFound` for a due that does not exist; `conflict` for one that the program books itself.
    public func declareSettled(
        _ id: String, _ isSettled: Bool, by actor: Actor, group: String? = nil
    ) throws(StoreError) where Scope: WriteScope {
        let due = try existing(id)
        guard !due.isPosted || !isSettled else {
            throw StoreError(
                StoreError.conflict("the program books due \(id) itself: end or change its recurring item"), path: path)
        }
        let time = now()
        try write { db in
            let journal = Journal(db, actor, time: time, group: group)
            let old = try Int64.fetchOne(db, sql: "SELECT id FROM settled_dues WHERE due_id = ?", arguments: [id])
            if isSettled, old == nil {
                try db.execute(
                    sql: "INSERT INTO main.settled_dues (due_id, created_at) VALUES (?, ?)", arguments: [id, time])
                _ = try journal.note(
                    .added, .settledDue, db.lastInsertedRowID, before: JournaledTable.settledDue.absent)
            } else if let old, !isSettled {
                try journal.record(.deleted, .settledDue, old) {
                    try db.execute(sql: "DELETE FROM main.settled_dues WHERE id = ?", arguments: [old])
                }
            }
        }
    }

    /// - Throws: `notFound`.
    private func existing(_ id: String) throws(StoreError) -> Due {
        guard let row = try find(id) else { throw StoreError(StoreError.notFound("due \(id)"), path: path) }
        return row.item.due
    }

    /// The list of dues would silently leave out a payment in another currency, and count an income as a payment.
    private static func check(_ transaction: Int64, mayPay due: Due, _ db: Database) throws {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT currency, transaction_type FROM transactions WHERE id = ? AND status = 'confirmed' AND deleted_at IS NULL
                """, arguments: [transaction])
        guard let row else { throw StoreError.notFound("booked transaction \(transaction)") }
        let (currency, type): (String, String) = (row[0], row[1])
        guard currency == due.amount.currency.code else {
            throw StoreError.conflict(
                "transaction \(transaction) is in \(currency), and the due in \(due.amount.currency.code)")
        }
        // A card reports the payment of its bill as money that comes in.
        let wrong: TransactionType = due.isIncome ? .expense : .income
        guard due.kind == .bill || type != wrong.rawValue else {
            throw StoreError.conflict(
                "transaction \(transaction) is an \(wrong.rawValue), which is not the direction of the due")
        }
    }
}

/// The decisions of people about what settles a due.
enum DueLinks {
    static func read(into dues: inout [Due], _ db: Database) throws {
        var decisions: [String: (linked: Set<Int64>, refused: Set<Int64>)] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT due_id, transaction_id, state FROM due_links") {
            let transaction: Int64 = row[1]
            if row[2] as String == "linked" {
                decisions[row[0], default: ([], [])].linked.insert(transaction)
            } else {
                decisions[row[0], default: ([], [])].refused.insert(transaction)
            }
        }
        let settled = try Set(String.fetchCursor(db, sql: "SELECT due_id FROM settled_dues"))
        for index in dues.indices {
            dues[index].isDeclaredSettled = settled.contains(dues[index].id)
            guard let decision = decisions[dues[index].id] else { continue }
            (dues[index].linked, dues[index].refused) = decision
        }
    }
}
