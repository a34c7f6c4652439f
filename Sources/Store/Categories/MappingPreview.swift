internal import GRDB
public import Ledger

/// The effect of a mapping on booked transactions and on drafts that wait for review.
public struct MappingPreview: Sendable {
    /// A row whose category would change.
    public struct Change: Hashable, Sendable {
        /// The current row.
        public var row: TransactionRow
        public var category: String
        public var subcategory: String?
        public var why: String
    }

    /// Keyword in its normalised form, with the ``VendorMapping/Kind`` derived from it.
    public var keyword: String
    public var kind: VendorMapping.Kind
    public var category: String
    public var subcategory: String?
    /// Number of rows that would change, and the newest of them.
    public var count: Int
    public var changes: [Change]
    /// Number of the rows in ``count`` that wait for review.
    public var waitingCount: Int
    /// Number of matching rows whose category a person or a transfer chose, and the newest of them.
    public var stayingCount: Int
    public var staying: [TransactionRow]
    /// Number of matching rows that have this category already.
    public var sameCount: Int
}

/// Result of ``MappingRepository/apply(_:to:by:)``.
public struct AppliedMapping: Sendable {
    public var mapping: MappingRow
    /// Number of rows with a new category.
    public var changed: Int
    /// Group for ``Store/undo(group:by:)``, which undoes the mapping and the rows together. `nil` if nothing changed.
    public var group: String?
}

extension MappingRepository {
    /// Rows that a mapping would change: those that it wins by the order of ``CategoryRules``, whose category differs
    /// and was chosen neither by a person nor by a transfer. Writes nothing.
    /// - Parameters:
    ///   - keyword: words of a merchant, or a UPI address; see ``VendorMapping/Kind``.
    ///   - limit: number of listed rows of each kind.
    public func preview(
        keyword: String, kind: VendorMapping.Kind? = nil, category: String, subcategory: String? = nil,
        conditions: MappingConditions = .none, limit: Int = 50
    ) throws(StoreError) -> MappingPreview {
        try preview(
            NewMapping(keyword: keyword) {
                $0.category = category
                $0.subcategory = subcategory
                $0.kind = kind
                $0.conditions = conditions
            },
            limit: limit)
    }

    public func preview(_ new: NewMapping, limit: Int = 50) throws(StoreError) -> MappingPreview {
        try read { db in
            let plan = try planned(new, db)
            let mapping = plan.mapping
            var preview = MappingPreview(
                keyword: mapping.keyword, kind: mapping.kind, category: mapping.category,
                subcategory: mapping.subcategory, count: 0, changes: [], waitingCount: 0, stayingCount: 0,
                staying: [], sameCount: 0)
            try plan.eachMatch(db) { found in
                if found.hasTarget {
                    preview.sameCount += 1
                } else if found.isCategoryChosen {
                    preview.stayingCount += 1
                    if preview.staying.count < limit { preview.staying.append(found.row) }
                } else {
                    preview.count += 1
                    if found.isWaiting { preview.waitingCount += 1 }
                    if preview.changes.count < limit {
                        preview.changes.append(
                            .init(
                                row: found.row, category: mapping.category, subcategory: mapping.subcategory,
                                why: found.match.why))
                    }
                }
            }
            return preview
        }
    }

    /// Creates or changes a person's mapping, and, if `past` is true, gives its category to the rows of
    /// ``mappingPreview(_:limit:)``. All of it is one group of the journal. The rows do not count as edited by a
    /// person.
    public func apply(
        keyword: String, category: String, subcategory: String? = nil,
        conditions: MappingConditions = .none, to past: Bool,
        by actor: Actor
    ) throws(StoreError) -> AppliedMapping where Scope: WriteScope {
        try apply(
            NewMapping(keyword: keyword) {
                $0.category = category
                $0.subcategory = subcategory
                $0.conditions = conditions
            },
            to: past, by: actor)
    }

    public func apply(_ new: NewMapping, to past: Bool, by actor: Actor) throws(StoreError) -> AppliedMapping
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let plan = try planned(new, db)
            let planned = plan.mapping
            // The author of these changes is the rule; the page and the terminal show who applied it.
            let journal = Journal(db, actor, time: time)
            let place = try MappingRow.place(new, "", db)
            let (row, isNew) = try MappingRow.write(place, journal)
            var edits: [(id: Int64, why: String)] = []
            if past {
                try plan.eachMatch(db) { found in
                    if !found.hasTarget, !found.isCategoryChosen { edits.append((found.id, found.match.why)) }
                }
            }
            let ruleJournal = Journal(db, Actor(.rule, actor.name, user: actor.user), time: time, group: journal.group)
            for (id, why) in edits {
                var edit = TransactionEdit()
                edit.category = planned.category
                edit.subcategory = planned.subcategory.map { .set($0) } ?? .clear
                edit.categoryBy = .mapping
                edit.categoryWhy = why
                _ = try ruleJournal.change(id, edit, expecting: nil)
            }
            try db.execute(
                sql: "UPDATE vendor_mappings SET match_count = match_count + ? WHERE id = ?",
                arguments: [edits.count, row.id])
            return AppliedMapping(
                mapping: row, changed: edits.count, group: isNew || !edits.isEmpty ? journal.group : nil)
        }
    }

    /// The planned mapping, and the rules that include it.
    private func planned(_ new: NewMapping, _ db: Database) throws -> PlannedMapping {
        let place = try MappingRow.place(new, "", db)
        let standing = try MappingRow.own(place, db)
        var list = try MappingRows.all(db) + MappingRows.aliases(db)
        let names = try Row.fetchOne(
            db, sql: "SELECT c.name, (SELECT name FROM subcategories WHERE id = ?) FROM categories c WHERE c.id = ?",
            arguments: [place.subcategory, place.category])
        var mapping = VendorMapping(
            id: standing?.id ?? .max, keyword: place.keyword, categoryID: place.category, category: names?[0] ?? "",
            isUserDefined: true, kind: place.kind)
        mapping.subcategoryID = place.subcategory
        mapping.subcategory = names?[1]
        mapping.conditions = place.conditions
        if let index = list.firstIndex(where: { $0.id == mapping.id }) {
            list[index] = mapping
        } else {
            list.append(mapping)
        }
        return PlannedMapping(mapping, among: list)
    }
}
