import Chronology
internal import GRDB
import Ledger

/// A shipped payee with its aliases.
public struct PayeeSeed: Hashable, Sendable {
    public var name: String
    public var aliases: [String]

    public init(name: String, aliases: [String]) {
        self.name = name
        self.aliases = aliases
    }
}

extension PayeeRepository {
    /// Updates the shipped payees and aliases to `seeds`, and finds the payees of transactions that have none. Names,
    /// categories and aliases of a person never change; payees that are no longer shipped stay, because transactions
    /// may have them. Nothing is recorded in the journal.
    public func seed(_ seeds: [PayeeSeed]) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            var kept: Set<Int64> = []
            let rows = try PayeeSeedRows(db, time)
            for seed in seeds {
                guard let id = try rows.payee(seed.name) else { continue }
                for alias in seed.aliases {
                    if let row = try rows.alias(NewAlias(alias), of: id) { kept.insert(row) }
                }
            }
            for id in try Int64.fetchAll(db, sql: "SELECT id FROM payee_aliases WHERE is_user_defined = 0")
            where !kept.contains(id) {
                try db.execute(sql: "DELETE FROM main.payee_aliases WHERE id = ?", arguments: [id])
            }
            try Self.findPayees(db)
        }
    }

    /// Gives transactions without a payee the one that the aliases find: one update for each pair of names.
    private static func findPayees(_ db: Database) throws {
        let rules = CategoryRules(try MappingRows.aliases(db))
        var found: [(merchant: String?, vpa: String?, payee: Int64)] = []
        try PreparedStatement(
            db,
            """
            SELECT DISTINCT parsed_vendor, vpa FROM transactions WHERE payee_id IS NULL AND deleted_at IS NULL
            """
        ).each { _ in
        } _: { row in
            let (merchant, vpa) = (row.optionalText(0), row.optionalText(1))
            if let payee = rules.matches(CategoryFacts(merchant: merchant, vpa: vpa)).payee {
                found.append((merchant, vpa, payee.id))
            }
            return true
        }
        guard !found.isEmpty else { return }
        try db.execute(sql: "CREATE TEMP TABLE found_payees (merchant TEXT, vpa TEXT, payee INTEGER)")
        defer { try? db.execute(sql: "DROP TABLE found_payees") }
        for entry in found {
            try db.cachedStatement(sql: "INSERT INTO found_payees VALUES (?, ?, ?)").execute(
                arguments: [entry.merchant, entry.vpa, entry.payee])
        }
        try db.execute(sql: "CREATE INDEX temp.found_payees_by_name ON found_payees (merchant, vpa)")
        try db.execute(
            sql: """
                UPDATE main.transactions SET payee_id = f.payee FROM found_payees f
                WHERE transactions.payee_id IS NULL AND transactions.deleted_at IS NULL
                  AND f.merchant IS transactions.parsed_vendor AND f.vpa IS transactions.vpa
                """)
    }
}

/// Writes shipped payees: several hundred rows in a new database, before the first mail is searched.
fileprivate struct PayeeSeedRows {
    private let db: Database
    private let time: UnixTime
    private let selectPayee: PreparedStatement
    private let adoptPayee: PreparedStatement
    private let insertPayee: PreparedStatement
    private let insertAlias: PreparedStatement
    private let selectAlias: PreparedStatement

    init(_ db: Database, _ time: UnixTime) throws {
        self.db = db
        self.time = time
        selectPayee = try PreparedStatement(
            db, "SELECT coalesce(merged_into, id) FROM payees WHERE shipped_name = ?")
        adoptPayee = try PreparedStatement(
            db,
            "UPDATE main.payees SET shipped_name = ?1 WHERE name = ?1 AND merged_into IS NULL AND shipped_name IS NULL")
        insertPayee = try PreparedStatement(
            db,
            """
            INSERT INTO main.payees (name, shipped_name, created_at, updated_at) VALUES (?1, ?1, ?2, ?2)
            ON CONFLICT DO NOTHING
            """)
        insertAlias = try PreparedStatement(
            db,
            """
            INSERT INTO main.payee_aliases (alias, kind, payee_id, is_user_defined, created_at) VALUES (?, ?, ?, 0, ?)
            ON CONFLICT (alias, kind, is_user_defined) DO NOTHING
            """)
        selectAlias = try PreparedStatement(
            db, "SELECT id FROM payee_aliases WHERE alias = ? AND kind = ? AND is_user_defined = 0")
    }

    /// The row of a shipped payee, or of the payee that it was merged into. A person's own payee of this name becomes
    /// the shipped one.
    func payee(_ name: String) throws -> Int64? {
        func known() throws -> Int64? { try selectPayee.first({ $0.bind(name) }, { $0.int(0) }) }
        if let id = try known() { return id }
        if try adoptPayee.change({ $0.bind(name) }) == 0 {
            try insertPayee.run {
                $0.bind(name)
                $0.bind(time)
            }
        }
        return try known()
    }

    /// The row of a shipped alias; `nil` for an alias that names nothing.
    func alias(_ alias: NewAlias, of payee: Int64) throws -> Int64? {
        guard let text = alias.normalized else { return nil }
        func bind(_ binder: inout Binder) {
            binder.bind(text)
            binder.bind(alias.kind.rawValue)
        }
        let added = try insertAlias.change {
            bind(&$0)
            $0.bind(payee)
            $0.bind(time)
        }
        return added == 1 ? db.lastInsertedRowID : try selectAlias.first(bind, { $0.int(0) })
    }
}
