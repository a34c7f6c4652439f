public import Chronology
internal import GRDB

/// An edit that a person or client made: a row of the journal `changes`.
public struct LedgerChange: Hashable, Sendable {
    /// The action.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case added, changed, deleted, accepted, rejected, released, undone, mapped
    }

    public var id: Int64
    public var at: UnixTime
    public var actor: Actor
    public var kind: Kind
    public var transactionID: Int64?
    public var mailID: String?
    /// Editable values as JSON: `{"transaction":{column:value,…},"mail":{…}}`; null for a row that did not exist.
    public var before: String
    public var after: String
    /// Edits with the same group were made together and are undone together.
    public var group: String
    /// The edit that this one undid.
    public var undoes: Int64?
    public var isUndone: Bool

    init(_ row: Row) {
        id = row["id"]
        at = row["at"]
        let author = Actor.Kind(rawValue: row["actor_kind"]) ?? .client
        // Only queries with ``authors`` have the present name of a user.
        actor = Actor(author, row["user_name"] ?? row["actor_name"], user: row["user_id"])
        kind = Kind(rawValue: row["done"]) ?? .changed
        transactionID = row["transaction_id"]
        mailID = row["mail_id"]
        before = row["before"]
        after = row["after"]
        group = row["group_id"]
        undoes = row["undoes"]
        isUndone = (row["undone_by"] as Int64?) != nil
    }
}

extension LedgerChange {
    /// A new group, for edits that are undone together.
    public static func newGroup() -> String { MailID.make() }

    /// The journal with the present names of users: one who was renamed is the same author.
    static let authors = """
        SELECT c.*, iif(c.actor_kind = 'page', (SELECT name FROM users u WHERE u.id = c.user_id), NULL) AS user_name
        FROM changes c
        """
}

extension JournalRepository {
    /// The last edits, newest first.
    /// - Parameters:
    ///   - transaction: only edits of this transaction.
    ///   - mail: only edits of this mail.
    ///   - group: only edits of this group.
    public func changes(
        ofTransaction transaction: Int64? = nil, mail: String? = nil, group: String? = nil, limit: Int = 100
    ) throws(StoreError) -> [LedgerChange] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    \(LedgerChange.authors) WHERE (?1 IS NULL OR transaction_id = ?1) AND (?2 IS NULL OR mail_id = ?2) AND (?3 IS NULL OR group_id = ?3)
                    ORDER BY id DESC LIMIT ?4
                    """, arguments: [transaction, mail, group, limit]
            ).map(LedgerChange.init)
        }
    }

    public func find(_ id: Int64) throws(StoreError) -> LedgerChange? {
        try read { db in
            try Row.fetchOne(db, sql: "\(LedgerChange.authors) WHERE c.id = ?", arguments: [id]).map(LedgerChange.init)
        }
    }
}

/// Writer of the journal, for edits that are made together within one write.
struct Journal {
    let db: Database
    let time: UnixTime
    let actor: Actor
    let group: String

    init(_ db: Database, _ actor: Actor, time: UnixTime, group: String? = nil) {
        self.db = db
        self.time = time
        self.actor = actor
        self.group = group ?? LedgerChange.newGroup()
    }

    /// Columns that an edit may change, in the order of their names in the JSON.
    static let columns = [
        "ledger", "category_name", "subcategory", "currency", "amount_minor", "account_name", "account_id",
        "account_digits", "parsed_date", "parsed_time",
        "parsed_vendor", "notes", "transaction_type", "status", "channel", "reference", "vpa", "occurred_at",
        "duplicate_of", "user_edited_at", "reviewed_at",
        "deleted_at", "corrected", "category_why", "category_by", "user_account_id",
        "payee_id",
    ]

    /// The snapshot of a linked row also names its transfer, that of a tagged one its tags, that of a split one its
    /// parts.
    private static let snapshot = """
        SELECT json_patch(json_patch(json_patch(json_object(
          'transaction', json((SELECT json_object(\(columns.map { "'\($0)', \($0)" }.joined(separator: ", "))) FROM transactions WHERE id = ?1)),
          'mail', json((SELECT json_object('status', status, 'reviewed_at', reviewed_at) FROM processed_emails WHERE id = ?2))),
          coalesce((SELECT json_object('transfer', id) FROM transfers WHERE state = 'linked' AND (debit_id = ?1 OR credit_id = ?1)), '{}')),
          coalesce((SELECT json_object('tags', json_group_array(name)) FROM (SELECT name FROM tags WHERE transaction_id = ?1 ORDER BY name)
            HAVING count(*) > 0), '{}')),
          coalesce((SELECT json_object('parts', json_group_array(json_object('category', part_category, 'subcategory', part_subcategory,
              'minor', part_minor)))
            FROM (SELECT * FROM split_parts WHERE transaction_id = ?1 ORDER BY position) HAVING count(*) > 0), '{}'))
        """

    /// True if two snapshots have the same values. Not compared are the transfer that a row belongs to, and its account
    /// and payee: merging changes them, and older changes do not name them.
    static func isSame(_ a: String, _ b: String, _ db: Database) throws -> Bool {
        if a == b { return true }
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT json_remove(?1, '$.transfer', '$.transaction.user_account_id', '$.transaction.payee_id')
                  = json_remove(?2, '$.transfer', '$.transaction.user_account_id', '$.transaction.payee_id')
                """, arguments: [a, b]) ?? false
    }

    /// Current values.
    func values(_ transaction: Int64?, _ mail: String?) throws -> String {
        try String.fetchOne(db.cachedStatement(sql: Self.snapshot), arguments: [transaction, mail]) ?? ""
    }

    /// Current values of a row of another table.
    func values(_ table: JournaledTable, _ id: Int64) throws -> String {
        let columns = table.columns.map { "'\($0)', \($0)" }.joined(separator: ", ")
        return try String.fetchOne(
            db,
            sql:
                "SELECT json_object('\(table.rawValue)', json((SELECT json_object(\(columns)) FROM \(table.name) WHERE id = ?)))",
            arguments: [id]) ?? ""
    }

    /// Changes or deletes a row of another table, and records it.
    func record(
        _ kind: LedgerChange.Kind, _ table: JournaledTable, _ id: Int64, change: () throws -> Void
    ) throws {
        let before = try values(table, id)
        try change()
        _ = try note(kind, table, id, before: before)
    }

    /// Records that a row of another table has just been created, changed or deleted.
    /// - Returns: the number of the edit; `nil` if nothing changed.
    func note(
        _ kind: LedgerChange.Kind, _ table: JournaledTable, _ id: Int64, before: String, undoing: Int64? = nil
    ) throws -> Int64? {
        let after = try values(table, id)
        guard after != before else { return nil }
        return try append(kind, before: before, after: after, undoing: undoing)
    }

    /// Appends a change that is about neither a transaction nor a mail.
    /// - Returns: its number.
    func append(
        _ kind: LedgerChange.Kind, before: String, after: String, undoing: Int64?
    ) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO main.changes (at, actor_kind, actor_name, done, before, after, group_id, undoes, user_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                time, actor.kind.rawValue, actor.name, kind.rawValue, before, after, group, undoing, actor.user,
            ])
        return db.lastInsertedRowID
    }

    /// Records an edit that has just been made.
    /// - Returns: its number; `nil` if nothing changed.
    @discardableResult
    func note(
        _ kind: LedgerChange.Kind, _ transaction: Int64?, _ mail: String?, before: String, undoing: Int64? = nil
    ) throws -> Int64? {
        let after = try values(transaction, mail)
        guard after != before else { return nil }
        try db.cachedStatement(
            sql: """
                INSERT INTO main.changes (at, actor_kind, actor_name, done, transaction_id, mail_id, before, after, group_id, undoes, user_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            time, actor.kind.rawValue, actor.name, kind.rawValue, transaction, mail, before, after, group, undoing,
            actor.user,
        ])
        return db.lastInsertedRowID
    }
}
