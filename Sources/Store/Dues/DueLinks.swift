import Chronology
internal import GRDB
internal import Ledger

extension DueRepository {
    /// Declares that a transaction settles a due, or that it does not. Recorded in the journal.
    /// - Parameter id: the identifier of the due.
    /// - Throws: `notFound` for a due or transaction that does not exist.
    public func link(
        _ id: String, to transaction: Int64, settles: Bool, by actor: Actor, group: String? = nil
    ) throws(StoreError) where Scope: WriteScope {
        guard try find(id) != nil else { throw StoreError(StoreError.notFound("due \(id)"), path: path) }
        let time = now()
        try write { db in
            let isBooked = try Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM transactions WHERE id = ? AND status = 'confirmed' AND deleted_at IS NULL)",
                arguments: [transaction])
            guard isBooked == true else { throw StoreError.notFound("booked transaction \(transaction)") }
            let state = settles ? "linked" : "refused"
            let journal = Journal(db, actor, time: time, group: group)
            if let old = try Int64.fetchOne(
                db, sql: "SELECT id FROM due_links WHERE due_id = ? AND transaction_id = ?",
                arguments: [id, transaction])
            {
                return try journal.record(.changed, .dueLink, old) {
                    try db.execute(sql: "UPDATE due_links SET state = ? WHERE id = ?", arguments: [state, old])
                }
            }
            try db.execute(
                sql: "INSERT INTO due_links (due_id, transaction_id, state, created_at) VALUES (?, ?, ?, ?)",
                arguments: [id, transaction, state, time])
            _ = try journal.note(.added, .dueLink, db.lastInsertedRowID, before: JournaledTable.dueLink.absent)
        }
    }
}

/// The decisions of people about the payments of dues.
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
