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
        guard let due = try find(id)?.item.due else { throw StoreError(StoreError.notFound("due \(id)"), path: path) }
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

/// The decisions of people about which payment settles a due.
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
        for index in dues.indices {
            guard let decision = decisions[dues[index].id] else { continue }
            (dues[index].linked, dues[index].refused) = decision
        }
    }
}
