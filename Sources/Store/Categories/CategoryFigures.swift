public import Chronology
internal import GRDB

/// An archive whose import was begun or completed.
public struct ImportedArchive: Hashable, Sendable {
    /// Label of the import, see ``ImportState``.
    public var mailbox: String
    public var root: String
    public var isFinished: Bool
    /// ISO 8601 UTC.
    public var updatedAt: UnixTime
    /// Mails of this label from all archives.
    public var mails: Int
}

extension CategoryRepository {
    /// Colours of the categories that have one, `#RRGGBB`, by name.
    public func colors() throws(StoreError) -> [String: String] {
        try read { db in
            Dictionary(
                try Row.fetchAll(db.cachedStatement(sql: "SELECT name, color FROM categories WHERE color IS NOT NULL"))
                    .map { ($0[0] as String, $0[1] as String) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// Number of confirmed transactions of each category, by name. One pass over the index `transactions_by_date`.
    public func counts() throws(StoreError) -> [String: Int] {
        try read { db in
            Dictionary(
                try Row.fetchAll(
                    db.cachedStatement(
                        sql: db.planned(
                            """
                            SELECT category_name, count(*) FROM transactions INDEXED BY transactions_by_date
                            WHERE status = 'confirmed' AND deleted_at IS NULL GROUP BY category_name
                            """))
                ).map { ($0[0] as String, $0[1] as Int) }, uniquingKeysWith: +)
        }
    }

}

extension ImportRepository {
    /// Archives whose import was ever begun, the last first.
    public func all() throws(StoreError) -> [ImportedArchive] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT mailbox, root, finished_at IS NOT NULL, updated_at,
                      (SELECT coalesce(sum(mails), 0) FROM mail_counts c WHERE c.mailbox = i.mailbox) FROM imports i ORDER BY updated_at DESC, mailbox, root
                    """
            ).map { ImportedArchive(mailbox: $0[0], root: $0[1], isFinished: $0[2], updatedAt: $0[3], mails: $0[4]) }
        }
    }
}
