internal import GRDB
import Ledger

/// A tag with the number of its transactions.
public struct TagCount: Hashable, Sendable {
    /// The spelling that the most transactions have.
    public var name: String
    public var transactions: Int
}

extension TransactionRepository {
    /// All tags by name. Deleted transactions do not count.
    public func tags() throws(StoreError) -> [TagCount] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT g.name, count(*) AS count FROM tags g JOIN transactions t ON t.id = g.transaction_id
                    WHERE t.deleted_at IS NULL GROUP BY g.name ORDER BY g.name
                    """
            ).map { TagCount(name: $0["name"], transactions: $0["count"]) }
        }
    }
}

extension Journal {
    /// Replaces the tags of a transaction. A known tag keeps its spelling.
    func tag(_ id: Int64, _ tags: [String]) throws {
        let known = try tags.map { tag in
            try String.fetchOne(
                db,
                sql: """
                    SELECT g.name FROM tags g JOIN transactions t ON t.id = g.transaction_id
                    WHERE g.name = ? AND t.id <> ? AND t.deleted_at IS NULL LIMIT 1
                    """, arguments: [tag, id]) ?? tag
        }
        try db.execute(sql: "DELETE FROM main.tags WHERE transaction_id = ?", arguments: [id])
        for name in known {
            try db.execute(sql: "INSERT INTO main.tags (transaction_id, name) VALUES (?, ?)", arguments: [id, name])
        }
    }

    /// Restores the tags that a transaction had before a change.
    func retag(_ change: LedgerChange) throws {
        guard let id = change.transactionID else { return }
        try db.execute(sql: "DELETE FROM main.tags WHERE transaction_id = ?", arguments: [id])
        try db.execute(
            sql: "INSERT INTO main.tags (transaction_id, name) SELECT ?1, value FROM json_each(?2, '$.tags')",
            arguments: [id, change.before])
    }
}
