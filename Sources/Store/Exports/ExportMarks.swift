public import Chronology
internal import GRDB
import Ledger

/// The last export of a name.
public struct ExportMark: Hashable, Sendable {
    public var name: String
    public var format: String
    public var exportedAt: UnixTime
    /// The number of transactions that the exports of this name have contained.
    public var transactions: Int
}

extension ExportRepository {
    /// The exports with a name, by name.
    public func all() throws(StoreError) -> [ExportMark] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT name, format, exported_at, (SELECT count(*) FROM exported_transactions WHERE export = name)
                    FROM exports ORDER BY name
                    """
            ).map { ExportMark(name: $0[0], format: $0[1], exportedAt: $0[2], transactions: $0[3]) }
        }
    }

    /// Accounts of the user of which an export of this name has contained transactions.
    public func accounts(of name: String) throws(StoreError) -> Set<Int64> {
        try read { db in
            try Set(
                Int64.fetchAll(
                    db,
                    sql: """
                        SELECT DISTINCT user_account_id FROM transactions
                        WHERE user_account_id IS NOT NULL AND id IN (SELECT transaction_id FROM exported_transactions WHERE export = ?)
                        """, arguments: [name]))
        }
    }

    /// Refuses a name that ``mark(_:format:_:)`` cannot store.
    ///
    /// - Throws: `invalid` for a name without a visible character or one that is too long.
    public func check(name: String) throws(StoreError) {
        var check = FieldCheck()
        check.text("name", name, atMost: TextLimit.name)
        guard check.problems.isEmpty else { throw invalid(check.problems) }
    }

    /// Records that an export of this name contained these transactions; the next one leaves them out.
    ///
    /// - Throws: `invalid`, as ``check(name:)``.
    public func mark(_ name: String, format: String, _ transactions: [Int64]) throws(StoreError)
    where Scope: WriteScope {
        try check(name: name)
        let time = now()
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO exports (name, format, exported_at) VALUES (?1, ?2, ?3)
                    ON CONFLICT DO UPDATE SET format = ?2, exported_at = ?3
                    """, arguments: [name, format, time])
            let insert = try PreparedStatement(
                db, "INSERT OR IGNORE INTO main.exported_transactions (export, transaction_id) VALUES (?, ?)")
            for id in transactions {
                try insert.run {
                    $0.bind(name)
                    $0.bind(id)
                }
            }
        }
    }

    /// Forgets what the exports of a name contained: the next one contains everything.
    /// - Throws: `notFound`.
    public func forget(_ name: String) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(sql: "DELETE FROM exports WHERE name = ?", arguments: [name])
            guard db.changesCount > 0 else { throw StoreError.notFound("export '\(name)'") }
        }
    }
}
