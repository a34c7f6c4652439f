public import Chronology
internal import GRDB

/// Edits that were made together and are undone together.
public struct ChangeGroup: Hashable, Sendable {
    public var group: String
    public var at: UnixTime
    public var actor: Actor
    /// The number of edits by kind.
    public var kinds: [LedgerChange.Kind: Int]
    /// The number of edits that were not undone.
    public var open: Int
    /// The last edits of the group and its first one, the newest first: the rule that was applied comes before its
    /// rows, a deleted category after them.
    public var sample: [LedgerChange]
    /// The last edit of the group.
    public var last: LedgerChange { sample[0] }
    /// True if the group undid other edits.
    public var isUndo: Bool { kinds[.undone] != nil }

    public var changes: Int { kinds.values.reduce(0, +) }
}

extension JournalRepository {
    /// The last groups of edits, the newest first.
    ///
    /// - Parameters:
    ///   - kind: only groups with an edit of this kind that was not undone.
    ///   - author: only groups with an edit of this author: the present name of a user, or the name of another author.
    ///   - before: only groups whose last edit is older than this one: `next` of the page before.
    ///   - group: only this group.
    ///   - sample: the largest number of edits that are read of each group.
    /// - Returns: the groups, and the number to continue with; `nil` at the end.
    public func groups(
        kind: LedgerChange.Kind? = nil, author: String? = nil, before: Int64? = nil, group only: String? = nil,
        limit: Int, sample: Int = 20
    ) throws(StoreError) -> (groups: [ChangeGroup], next: Int64?) {
        try read { db in
            // Edits of a group follow one another, so the last edits are those of the last groups.
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT id, group_id FROM (\(LedgerChange.authors))
                    WHERE id < ?1 AND (?2 IS NULL OR done = ?2 AND undone_by IS NULL)
                      AND (?3 IS NULL OR coalesce(user_name, actor_name) = ?3)
                      AND (?4 IS NULL OR group_id = ?4)
                    ORDER BY id DESC
                    """, arguments: [before ?? .max, kind?.rawValue, author, only])
            var names: [String] = []
            var (seen, last): (Set<String>, Int64) = ([], 0)
            while let row = try rows.next() {
                if seen.insert(row["group_id"]).inserted {
                    guard names.count < limit else { return (try names.map { try group($0, sample, db) }, last) }
                    names.append(row["group_id"])
                }
                last = row["id"]
            }
            return (try names.map { try group($0, sample, db) }, nil)
        }
    }

    /// The names of all authors, as ``groups(kind:author:before:limit:)`` takes them.
    public func authors() throws(StoreError) -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT coalesce(user_name, actor_name) FROM
                      (SELECT actor_name, user_name FROM (\(LedgerChange.authors)) WHERE actor_kind IN ('page', 'client'))
                    WHERE coalesce(user_name, actor_name) <> '' ORDER BY 1
                    """)
        }
    }

    private func group(_ name: String, _ size: Int, _ db: Database) throws -> ChangeGroup {
        var kinds: [LedgerChange.Kind: Int] = [:]
        var open = 0
        let counts = try Row.fetchCursor(
            db,
            sql: """
                SELECT done, count(*) AS edits, sum(undone_by IS NULL) AS open FROM changes WHERE group_id = ? GROUP BY done
                """, arguments: [name])
        while let row = try counts.next() {
            kinds[LedgerChange.Kind(rawValue: row["done"]) ?? .changed, default: 0] += row["edits"] as Int
            open += row["open"] as Int
        }
        let sample = try Row.fetchAll(
            db,
            sql: """
                \(LedgerChange.authors) WHERE c.group_id = ?1
                  AND (c.id IN (SELECT id FROM changes WHERE group_id = ?1 ORDER BY id DESC LIMIT ?2)
                    OR c.id = (SELECT min(id) FROM changes WHERE group_id = ?1))
                ORDER BY c.id DESC
                """, arguments: [name, size]
        ).map(LedgerChange.init)
        guard let last = sample.first else { throw StoreError.notFound("group \(name)") }
        return ChangeGroup(group: name, at: last.at, actor: last.actor, kinds: kinds, open: open, sample: sample)
    }
}
