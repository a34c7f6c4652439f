import Chronology
internal import GRDB
import Ledger

/// Number of the transactions of a payee.
public struct PayeeFigures: Hashable, Sendable {
    /// Confirmed ones and drafts.
    public var transactions = 0
    public var uncategorized = 0

    public init() {}
}

/// A payee with the number of its transactions.
public struct CountedPayee: Hashable, Sendable {
    public var row: PayeeRow
    public var figures: PayeeFigures

    public init(row: PayeeRow, figures: PayeeFigures = PayeeFigures()) {
        self.row = row
        self.figures = figures
    }
}

/// Result of a change of payees or aliases.
public struct PayeeChange: Hashable, Sendable {
    public var row: PayeeRow
    /// Number of changed transactions.
    public var changed: Int
    /// The group of the journal; `nil` if nothing changed.
    public var group: String?

    public init(row: PayeeRow, changed: Int = 0, group: String? = nil) {
        self.row = row
        self.changed = changed
        self.group = group
    }
}

extension PayeeRepository {
    /// All payees with their aliases, by name.
    public func all() throws(StoreError) -> [PayeeRow] {
        try read { db in
            var aliases: [Int64: [PayeeAlias]] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT * FROM payee_aliases ORDER BY id") {
                aliases[row["payee_id"], default: []].append(PayeeAlias(row))
            }
            return try Row.fetchAll(db, sql: "\(PayeeRow.select) WHERE p.merged_into IS NULL ORDER BY p.name, p.id")
                .map { PayeeRow($0, aliases[$0["id"]] ?? []) }
        }
    }

    public func find(_ id: Int64) throws(StoreError) -> PayeeRow? {
        try read { db in try PayeeRow.current(db, id) }
    }

    /// - Parameter name: in any case of ASCII letters.
    public func find(named name: String) throws(StoreError) -> PayeeRow? {
        try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT id FROM payees WHERE name = ? AND merged_into IS NULL", arguments: [name]
            ).flatMap { try PayeeRow.current(db, $0) }
        }
    }

    /// The numbers of transactions, by `payees.id`; payees without any are left out.
    public func figures() throws(StoreError) -> [Int64: PayeeFigures] {
        try read { db in
            var figures: [Int64: PayeeFigures] = [:]
            try PreparedStatement(
                db,
                """
                SELECT payee_id, count(*), count(*) FILTER (WHERE category_name = '\(CategoryRow.uncategorized)')
                FROM transactions INDEXED BY transactions_by_payee
                WHERE payee_id IS NOT NULL AND deleted_at IS NULL AND status <> 'rejected' GROUP BY payee_id
                """
            ).each { _ in
            } _: { row in
                var entry = PayeeFigures()
                (entry.transactions, entry.uncategorized) = (Int(row.int(1)), Int(row.int(2)))
                figures[row.int(0)] = entry
                return true
            }
            return figures
        }
    }

    /// The payees with transactions: first those with uncategorized ones, then by name.
    public func counted() throws(StoreError) -> [CountedPayee] {
        let counts = try figures()
        let found = try all().compactMap { row in counts[row.id].map { CountedPayee(row: row, figures: $0) } }
        return found.filter { $0.figures.uncategorized > 0 } + found.filter { $0.figures.uncategorized == 0 }
    }

    /// Makes a payee and finds its transactions. Recorded in the journal as one group.
    /// - Throws: `invalid`; `conflict` if the name or an alias is taken, or the category does not exist.
    @discardableResult
    public func add(_ new: NewPayee, by actor: Actor, group: String? = nil) throws(StoreError) -> PayeeChange
    where Scope: WriteScope {
        let time = now()
        guard new.problems.isEmpty else { throw invalid(new.problems) }
        return try write { db in
            let journal = Journal(db, actor, time: time, group: group)
            let id = try journal.add(payee: new)
            var changed = 0
            for alias in new.aliases { changed += try journal.add(alias: NewAlias(alias), to: id, "aliases") }
            return PayeeChange(
                row: try PayeeRow.expected(id, nil, db), changed: try changed + journal.addName(of: id, new.name),
                group: journal.group)
        }
    }

    /// The payee of this name, which is made if there is none.
    ///
    /// - Throws: as ``add(_:by:group:)``.
    public func named(_ name: String, by actor: Actor, group: String) throws(StoreError) -> PayeeRow
    where Scope: WriteScope {
        if let known = try find(named: name) { return known }
        return try add(NewPayee(name: name), by: actor, group: group).row
    }

    /// Renames a payee, or changes its category for the transactions to come; ``assign(_:category:subcategory:by:)``
    /// also changes booked ones. Recorded in the journal.
    @discardableResult
    public func update(
        _ id: Int64, _ edit: PayeeEdit, expecting: ((PayeeRow) -> Bool)? = nil, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> PayeeRow where Scope: WriteScope {
        let time = now()
        let problems = edit.problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            let old = try PayeeRow.expected(id, expecting, db)
            if let name = edit.name { try PayeeRow.refuseTaken(name, besides: id, db) }
            let place =
                try edit.category.isKeep
                ? (category: old.categoryID, subcategory: old.subcategoryID)
                : CategoryRow.place(optional: edit.category.new, edit.subcategory, db)
            let wanted = edit.name ?? old.name
            guard
                wanted != old.name || place.category != old.categoryID || place.subcategory != old.subcategoryID
            else { return old }
            let journal = Journal(db, actor, time: time, group: group)
            try journal.write(payee: id, wanted, place.category, place.subcategory)
            return try PayeeRow.expected(id, nil, db)
        }
    }

    /// Chooses the category of a payee, and gives it to its uncategorized transactions: one group of the journal.
    @discardableResult
    public func assign(
        _ id: Int64, category: String, subcategory: String? = nil, by actor: Actor
    ) throws(StoreError) -> PayeeChange where Scope: WriteScope {
        let time = now()
        let problems = NewPayee(name: "-", category: category, subcategory: subcategory).problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            let old = try PayeeRow.expected(id, nil, db)
            let place = try CategoryRow.place(category, subcategory, db)
            let journal = Journal(db, actor, time: time)
            let isNew = place.category != old.categoryID || place.subcategory != old.subcategoryID
            if isNew { try journal.write(payee: id, old.name, place.category, place.subcategory) }
            let row = try PayeeRow.expected(id, nil, db)
            let changed = try journal.categorizeTransactions(of: row)
            return PayeeChange(row: row, changed: changed, group: isNew || changed > 0 ? journal.group : nil)
        }
    }
}

extension Journal {
    /// Inserts a payee without aliases.
    func add(payee new: NewPayee) throws -> Int64 {
        try PayeeRow.refuseTaken(new.name, db)
        let place = try CategoryRow.place(optional: new.category, new.subcategory, db)
        try db.execute(
            sql: """
                INSERT INTO main.payees (name, category_id, subcategory_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
                """, arguments: [new.name, place.category, place.subcategory, time, time])
        let id = db.lastInsertedRowID
        _ = try note(.added, .payee, id, before: JournaledTable.payee.absent)
        return id
    }

    fileprivate func write(payee id: Int64, _ name: String, _ category: Int64?, _ subcategory: Int64?) throws {
        try record(.changed, .payee, id) {
            try db.execute(
                sql:
                    "UPDATE main.payees SET name = ?, category_id = ?, subcategory_id = ?, updated_at = ? WHERE id = ?",
                arguments: [name, category, subcategory, time, id])
        }
    }

    /// Gives the category of a payee to its uncategorized transactions, except those whose category a person chose.
    func categorizeTransactions(of payee: PayeeRow) throws -> Int {
        guard let category = payee.category else { return 0 }
        let rows = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM transactions WHERE payee_id = ? AND deleted_at IS NULL AND status <> 'rejected'
                  AND category_name = ? AND category_by IS NULL AND transaction_type <> 'transfer'
                """, arguments: [payee.id, CategoryRow.uncategorized])
        var edit = TransactionEdit()
        edit.category = category
        edit.subcategory = payee.subcategory.map { .set($0) } ?? .clear
        edit.categoryBy = .mapping
        edit.categoryWhy = CategorySentences.payee(
            payee.name, target: CategorySentences.target(category, payee.subcategory))
        for id in rows { _ = try asRule.change(id, edit, expecting: nil) }
        return rows.count
    }

    /// The journal of changes that a rule makes in this group: the rows do not count as edited by a person.
    var asRule: Journal { Journal(db, Actor(.rule, actor.name, user: actor.user), time: time, group: group) }
}
