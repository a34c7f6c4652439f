internal import Chronology
internal import GRDB
import Ledger

/// A list of transactions that people open again.
public struct SavedSearch: Hashable, Sendable {
    public var id: Int64
    /// Unique in any case of letters.
    public var name: String
    /// The query of the list's address, such as `q=tag%3Agoa&type=expense`.
    public var query: String
}

extension SearchRepository {
    /// Limit of saved searches: all of them are links on one page.
    public static var limit: Int { 100 }
    /// Bytes of a query: that of a form with every filter set.
    static var queryBytes: Int { 2000 }

    /// All saved searches, by name.
    public func all() throws(StoreError) -> [SavedSearch] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT id, name, query FROM saved_searches ORDER BY name").map {
                SavedSearch(id: $0["id"], name: $0["name"], query: $0["query"])
            }
        }
    }

    /// Saves a search; one of the same name is replaced. Recorded in the journal.
    /// - Throws: `invalid`; `conflict` if there are ``limit`` searches.
    public func save(
        _ name: String, query: String, by actor: Actor, group: String? = nil
    ) throws(StoreError) where Scope: WriteScope {
        var check = FieldCheck()
        check.text("name", name, atMost: TextLimit.name)
        if query.isEmpty || query.utf8.count > Self.queryBytes {
            check.refuse("query", "is empty or longer than \(Self.queryBytes) bytes: choose fewer filters")
        }
        guard check.problems.isEmpty else { throw invalid(check.problems) }
        let time = now()
        try write { db in
            let journal = Journal(db, actor, time: time, group: group)
            let old = try Int64.fetchOne(db, sql: "SELECT id FROM saved_searches WHERE name = ?", arguments: [name])
            if let old {
                return try journal.record(.changed, .savedSearch, old) {
                    try db.execute(
                        sql: "UPDATE saved_searches SET name = ?, query = ? WHERE id = ?",
                        arguments: [name, query, old])
                }
            }
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM saved_searches") ?? 0
            guard count < Self.limit else {
                throw StoreError.conflict("there are \(count) saved searches: remove one first")
            }
            try db.execute(
                sql: "INSERT INTO saved_searches (name, query, created_at) VALUES (?, ?, ?)",
                arguments: [name, query, time])
            _ = try journal.note(
                .added, .savedSearch, db.lastInsertedRowID, before: JournaledTable.savedSearch.absent)
        }
    }

    /// Recorded in the journal.
    /// - Throws: `notFound`.
    public func delete(_ id: Int64, by actor: Actor, group: String? = nil) throws(StoreError)
    where Scope: WriteScope {
        let time = now()
        try write { db in
            try Journal(db, actor, time: time, group: group).record(.deleted, .savedSearch, id) {
                try db.execute(sql: "DELETE FROM saved_searches WHERE id = ?", arguments: [id])
                guard db.changesCount == 1 else { throw StoreError.notFound("search \(id)") }
            }
        }
    }
}
