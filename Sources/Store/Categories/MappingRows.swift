import Chronology
internal import GRDB
import Ledger

/// Result of merging a client's keyword.
public enum MappingMerge: String, Hashable, Sendable { case created, updated, unchanged, kept }

/// A keyword with its resolved category.
struct MappingPlace {
    var keyword: String
    var kind: VendorMapping.Kind
    var conditions: MappingConditions
    var category: Int64
    var subcategory: Int64?
}

extension MappingRepository {
    /// All mappings, a person's own first, then by keyword.
    public func all(userDefined: Bool? = nil) throws(StoreError) -> [MappingRow] {
        try read { db in
            try Row.fetchAll(
                db,
                sql:
                    "\(MappingRow.select) WHERE ?1 IS NULL OR m.is_user_defined = ?1 ORDER BY m.is_user_defined DESC, m.vendor_keyword",
                arguments: [userDefined]
            ).map(MappingRow.init)
        }
    }

    public func find(_ id: Int64) throws(StoreError) -> MappingRow? {
        try read { db in try MappingRow.current(db, id) }
    }

    /// Throws `conflict` if a person has this keyword already. Recorded in the journal.
    @discardableResult
    public func add(_ new: NewMapping, by actor: Actor) throws(StoreError) -> MappingRow where Scope: WriteScope {
        let time = now()
        return try write { db in
            let place = try MappingRow.place(new, "", db)
            if let other = try MappingRow.own(place, db)?.id {
                throw StoreError.conflict(
                    "mapping \(other) has this keyword", "vendor_keyword", "is taken by mapping \(other)")
            }
            return try MappingRow.write(place, Journal(db, actor, time: time)).row
        }
    }

    /// Throws `conflict` for a shipped one, or if the keyword is taken.
    @discardableResult
    public func update(
        _ id: Int64, _ new: NewMapping, expecting: ((MappingRow) -> Bool)? = nil, by actor: Actor
    ) throws(StoreError) -> MappingRow where Scope: WriteScope {
        let time = now()
        return try write { db in
            let old = try MappingRow.own(id, expecting, db)
            let place = try MappingRow.place(new, "", db)
            if let other = try MappingRow.own(place, db)?.id, other != id {
                throw StoreError.conflict(
                    "mapping \(other) has this keyword", "vendor_keyword", "is taken by mapping \(other)")
            }
            try Journal(db, actor, time: time).record(.mapped, .mapping, id) {
                try db.execute(
                    sql: """
                        UPDATE vendor_mappings SET vendor_keyword = ?, kind = ?, category_id = ?, subcategory_id = ?, minimum_minor = ?, maximum_minor = ?,
                          currency = ?, account_digits = ?, channel = ?, transaction_type = ?, updated_at = ? WHERE id = ?
                        """,
                    arguments: [place.keyword, place.kind.rawValue, place.category, place.subcategory]
                        + place.conditions.arguments + [time, id])
            }
            return try MappingRow.current(db, id) ?? old
        }
    }

    /// Deletes a mapping; transactions keep their category. Throws `conflict` for a shipped one. Recorded in the
    /// journal, so that it can be undone.
    public func delete(
        _ id: Int64, expecting: ((MappingRow) -> Bool)? = nil, by actor: Actor, group: String? = nil
    ) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            _ = try MappingRow.own(id, expecting, db)
            try Journal(db, actor, time: time, group: group).record(.mapped, .mapping, id) {
                try db.execute(sql: "DELETE FROM vendor_mappings WHERE id = ?", arguments: [id])
            }
        }
    }

    /// Merges a client's keywords with a person's own, in one transaction: the last change wins. Recorded in the
    /// journal as one group.
    public func sync(
        _ list: [NewMapping], by actor: Actor
    ) throws(StoreError) -> [MappingMerge] where Scope: WriteScope {
        let time = now()
        return try write { db in
            let journal = Journal(db, actor, time: time)
            var results: [MappingMerge] = []
            for (index, new) in list.enumerated() {
                let place = try MappingRow.place(new, "\(index).", db)
                let stamp = min(new.updatedAt ?? time, time)
                let old = try MappingRow.own(place, db)
                if let old {
                    if old.categoryID == place.category, old.subcategoryID == place.subcategory {
                        results.append(.unchanged)
                        continue
                    }
                    guard stamp > old.updatedAt else {
                        results.append(.kept)
                        continue
                    }
                }
                _ = try MappingRow.write(place, journal, changedAt: stamp)
                results.append(old == nil ? .created : .updated)
            }
            return results
        }
    }
}

extension MappingRow {
    /// Limit of the keywords of people and clients.
    public static let maximum = 20_000

    /// A person's mapping of these words under these conditions.
    static func own(_ place: MappingPlace, _ db: Database) throws -> MappingRow? {
        try Row.fetchOne(
            db,
            sql: """
                \(select) WHERE m.vendor_keyword = ? AND m.kind = ? AND m.is_user_defined = 1 AND m.minimum_minor IS ? AND m.maximum_minor IS ?
                  AND m.currency IS ? AND m.account_digits IS ? AND m.channel IS ? AND m.transaction_type IS ?
                """, arguments: [place.keyword, place.kind.rawValue] + place.conditions.arguments
        ).map(MappingRow.init)
    }

    /// - Parameter prefix: prepended to field names in errors.
    /// - Throws: `invalid`; `conflict` if the category does not exist.
    static func place(_ new: NewMapping, _ prefix: String, _ db: Database) throws -> MappingPlace {
        let problems = new.problems.map { $0.renamed(prefix + $0.field) }
        guard problems.isEmpty, let keyword = VendorMapping.normalized(new.keyword, as: new.effectiveKind) else {
            throw StoreError.invalid(problems)
        }
        guard
            let category = try Int64.fetchOne(
                db, sql: "SELECT id FROM categories WHERE (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR name = ?2)",
                arguments: [new.categoryID, new.category])
        else {
            throw StoreError.missing(
                prefix + (new.categoryID == nil ? "category_name" : "category_id"), "there is no such category")
        }
        var subcategory: Int64?
        if new.subcategoryID != nil || new.subcategory != nil {
            subcategory = try Int64.fetchOne(
                db,
                sql:
                    "SELECT id FROM subcategories WHERE category_id = ?1 AND (?2 IS NULL OR id = ?2) AND (?3 IS NULL OR name = ?3)",
                arguments: [category, new.subcategoryID, new.subcategory])
            if subcategory == nil {
                throw StoreError.missing(
                    prefix + (new.subcategoryID == nil ? "subcategory" : "subcategory_id"),
                    "the category has no such subcategory")
            }
        }
        return MappingPlace(
            keyword: keyword, kind: new.effectiveKind, conditions: new.conditions, category: category,
            subcategory: subcategory)
    }

    /// Creates or changes a person's keyword.
    ///
    /// - Parameter time: the instant of the change as a client states it; `nil` for that of the journal.
    /// - Returns: false if the keyword had the category already.
    static func write(
        _ place: MappingPlace, _ journal: Journal, changedAt time: UnixTime? = nil
    ) throws -> (row: MappingRow, isChanged: Bool) {
        let (db, time) = (journal.db, time ?? journal.time)
        let before = try own(place, db).map { try journal.values(.mapping, $0.id) } ?? JournaledTable.mapping.absent
        try db.execute(
            sql: """
                INSERT INTO vendor_mappings (vendor_keyword, kind, category_id, subcategory_id, is_user_defined, minimum_minor, maximum_minor, currency,
                  account_digits, channel, transaction_type, created_at, updated_at) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET category_id = excluded.category_id, subcategory_id = excluded.subcategory_id, updated_at = excluded.updated_at
                """,
            arguments: [place.keyword, place.kind.rawValue, place.category, place.subcategory]
                + place.conditions.arguments + [time, time])
        guard let row = try own(place, db)
        else { throw StoreError.notFound("mapping") }
        guard
            try Int.fetchOne(db, sql: "SELECT count(*) FROM vendor_mappings WHERE is_user_defined = 1") ?? 0
                <= maximum
        else {
            throw StoreError.conflict("there are \(maximum) keywords already: delete some first")
        }
        return (row, try journal.note(.mapped, .mapping, row.id, before: before) != nil)
    }

    static func own(_ id: Int64, _ expecting: ((MappingRow) -> Bool)?, _ db: Database) throws -> MappingRow {
        guard let old = try current(db, id) else { throw StoreError.notFound("mapping \(id)") }
        if let expecting, !expecting(old) { throw StoreError.conflict("mapping \(id) was changed meanwhile") }
        guard old.isUserDefined else {
            throw StoreError.conflict(
                "'\(old.keyword)' is a shipped keyword and stays as it is: one of your own comes first")
        }
        return old
    }

    static func current(_ db: Database, _ id: Int64) throws -> MappingRow? {
        try Row.fetchOne(db, sql: "\(select) WHERE m.id = ?", arguments: [id]).map(MappingRow.init)
    }

    static let select = """
        SELECT m.*, c.name AS category, s.name AS subcategory
        FROM vendor_mappings m JOIN categories c ON c.id = m.category_id LEFT JOIN subcategories s ON s.id = m.subcategory_id
        """
}
