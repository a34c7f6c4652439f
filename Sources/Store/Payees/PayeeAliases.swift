import Chronology
internal import GRDB
import Ledger

extension PayeeRepository {
    /// Adds an alias and finds its transactions: those without a payee, or with the one that the aliases had found.
    /// Recorded in the journal as one group. A repetition is not an error.
    /// - Parameter alias: words of the printed name, or a UPI address with `*` for any characters.
    /// - Throws: `invalid`; `conflict` if another payee has it.
    @discardableResult
    public func add(
        alias: String, to id: Int64, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> PayeeChange where Scope: WriteScope {
        let time = now()
        let new = NewAlias(alias)
        let problems = new.problems("alias")
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            let old = try PayeeRow.expected(id, nil, db)
            let journal = Journal(db, actor, time: time, group: group)
            let changed = try journal.add(alias: new, to: id, "alias")
            let row = try PayeeRow.expected(id, nil, db)
            return PayeeChange(row: row, changed: changed, group: row != old || changed > 0 ? journal.group : nil)
        }
    }

    /// Removes an alias. Transactions that it found get the payee that the other aliases find, if any. Recorded in the
    /// journal as one group.
    /// - Throws: `conflict` for a shipped one.
    @discardableResult
    public func remove(
        alias: Int64, of id: Int64, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> PayeeChange where Scope: WriteScope {
        let time = now()
        return try write { db in
            let old = try PayeeRow.expected(id, nil, db)
            guard let entry = old.aliases.first(where: { $0.id == alias }) else {
                throw StoreError.notFound("alias \(alias) of payee \(id)")
            }
            guard entry.isUserDefined else {
                throw StoreError.conflict("'\(entry.alias)' is a shipped alias and stays: one of your own comes first")
            }
            let journal = Journal(db, actor, time: time, group: group)
            let before = try MappingRows.rules(db)
            try journal.record(.deleted, .alias, alias) {
                try db.execute(sql: "DELETE FROM main.payee_aliases WHERE id = ?", arguments: [alias])
            }
            let changed = try journal.findPayees(PayeeSearch(entry.alias, entry.kind, before: before, db))
            return PayeeChange(row: try PayeeRow.expected(id, nil, db), changed: changed, group: journal.group)
        }
    }
}

extension Journal {
    /// - Parameter field: the name of the alias in errors.
    /// - Returns: number of changed transactions.
    func add(alias new: NewAlias, to id: Int64, _ field: String) throws -> Int {
        guard let alias = new.normalized else { throw StoreError.invalid(new.problems(field)) }
        if let other = try Self.owner(of: alias, new.kind, db) {
            guard other != id else { return 0 }
            throw StoreError.conflict("payee \(other) has this alias", field, "is taken by payee \(other)")
        }
        let count = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM payee_aliases WHERE payee_id = ?", arguments: [id])
        guard count ?? 0 < NewPayee.mostAliases else {
            throw StoreError.conflict("payee \(id) has \(NewPayee.mostAliases) aliases already: remove some first")
        }
        let before = try MappingRows.rules(db)
        try db.execute(
            sql: """
                INSERT INTO main.payee_aliases (payee_id, alias, kind, is_user_defined, created_at) VALUES (?, ?, ?, 1, ?)
                """, arguments: [id, alias, new.kind.rawValue, time])
        _ = try note(.added, .alias, db.lastInsertedRowID, before: JournaledTable.alias.absent)
        return try findPayees(PayeeSearch(alias, new.kind, before: before, db))
    }

    /// Makes the name an alias, unless another payee has it or it can never match.
    func addName(of id: Int64, _ name: String) throws -> Int {
        let new = NewAlias(name)
        guard let alias = new.normalized, try Self.owner(of: alias, new.kind, db) == nil else { return 0 }
        return try add(alias: new, to: id, "name")
    }

    /// The payee that has this alias by a person's choice.
    private static func owner(of alias: String, _ kind: VendorMapping.Kind, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT payee_id FROM payee_aliases WHERE alias = ? AND kind = ? AND is_user_defined = 1",
            arguments: [alias, kind.rawValue])
    }

    /// Gives the transactions of a search their payees. An uncategorized one also gets the category of the rules.
    /// - Returns: number of changed transactions.
    func findPayees(_ search: PayeeSearch) throws -> Int {
        var edits: [(id: Int64, edit: TransactionEdit)] = []
        try search.each(db) { row, found in
            var edit = TransactionEdit()
            edit.payeeID = found.payee.map { .set($0.id) } ?? .clear
            if !row.isCategoryChosen, row.category == CategoryRow.uncategorized, let match = found.category {
                edit.category = match.mapping.category
                edit.subcategory = match.mapping.subcategory.map { .set($0) } ?? .clear
                edit.categoryBy = .mapping
                edit.categoryWhy = match.why
            }
            edits.append((row.id, edit))
        }
        for (id, edit) in edits { _ = try asRule.change(id, edit, expecting: nil) }
        return edits.count
    }
}

/// The transactions whose payee an alias changes.
struct PayeeSearch {
    private let prefilter: MappingPrefilter
    private let before: CategoryRules
    private let after: CategoryRules

    /// - Parameters:
    ///   - before: the rules without the change.
    ///   - after: the rules with it; those of the database by default.
    init(
        _ alias: String, _ kind: VendorMapping.Kind, before: CategoryRules, after: CategoryRules? = nil, _ db: Database
    ) throws {
        prefilter = MappingPrefilter(VendorMapping(id: 0, keyword: alias, categoryID: 0, category: "", kind: kind))
        self.before = before
        self.after = try after ?? MappingRows.rules(db)
    }

    /// Calls `body` with each row that has no payee or the one of the rules before, and would get another.
    func each(_ db: Database, _ body: (TransactionRow, RuleMatches) throws -> Void) throws {
        struct Names: Hashable {
            var merchant: String?
            var vpa: String?
        }
        // Many rows have the same names, and no alias has a condition.
        var known: [Names: (before: Int64?, after: Int64?)] = [:]
        try PreparedStatement(
            db,
            """
            SELECT \(TransactionRow.listColumns) FROM transactions WHERE deleted_at IS NULL AND status <> 'rejected'\(prefilter.sql)
            """
        ).each {
            for text in prefilter.texts { $0.bind(text) }
        } _: { columns in
            let names = Names(merchant: columns.optionalText(12), vpa: columns.optionalText(19))
            let payees: (before: Int64?, after: Int64?)
            if let found = known[names] {
                payees = found
            } else {
                let facts = CategoryFacts(merchant: names.merchant, vpa: names.vpa)
                payees = (before.matches(facts).payee?.id, after.matches(facts).payee?.id)
                known[names] = payees
            }
            guard payees.before != payees.after else { return true }
            let row = TransactionRow(columns)
            guard row.payeeID == nil || row.payeeID == payees.before, row.payeeID != payees.after else { return true }
            try body(row, after.matches(CategoryFacts(row)))
            return true
        }
    }
}
