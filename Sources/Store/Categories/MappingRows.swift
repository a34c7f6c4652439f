internal import GRDB
import Ledger

extension Store {
    /// A keyword that people and clients made is never more than these.
    public static let maximumMappings = 20_000

    /// A person's own first, then by keyword.
    public func mappings(userDefined: Bool? = nil) throws(StoreError) -> [MappingRow] {
        try read { db in
            try Row.fetchAll(
                db,
                sql:
                    "\(Self.mappingRows) WHERE ?1 IS NULL OR m.is_user_defined = ?1 ORDER BY m.is_user_defined DESC, m.vendor_keyword",
                arguments: [userDefined]
            ).map(MappingRow.init)
        }
    }

    public func mapping(_ id: Int64) throws(StoreError) -> MappingRow? {
        try read { db in try Self.mapping(db, id) }
    }

    /// `conflict` where a person has this keyword already.
    @discardableResult
    public func addMapping(_ new: NewMapping) throws(StoreError) -> MappingRow {
        let time = Instant.text(now())
        return try write { db in
            let place = try place(new, "", db)
            if let other = try Self.own(place, db)?.id {
                throw StoreError(
                    kind: .conflict, path: path, message: "mapping \(other) has this keyword",
                    fields: [FieldProblem("vendor_keyword", "is taken by mapping \(other)")])
            }
            return try put(place, time: time, db)
        }
    }

    /// `conflict` for a shipped one, or where the keyword is taken.
    @discardableResult
    public func updateMapping(
        _ id: Int64, _ new: NewMapping, expecting: ((MappingRow) -> Bool)? = nil
    ) throws(StoreError) -> MappingRow {
        let time = Instant.text(now())
        return try write { db in
            let old = try own(id, expecting, db)
            let place = try place(new, "", db)
            if let other = try Self.own(place, db)?.id, other != id {
                throw StoreError(
                    kind: .conflict, path: path, message: "mapping \(other) has this keyword",
                    fields: [FieldProblem("vendor_keyword", "is taken by mapping \(other)")])
            }
            try db.execute(
                sql: """
                    UPDATE vendor_mappings SET vendor_keyword = ?, kind = ?, category_id = ?, subcategory_id = ?, minimum_minor = ?, maximum_minor = ?,
                      currency = ?, account_digits = ?, channel = ?, transaction_type = ?, updated_at = ? WHERE id = ?
                    """,
                arguments: [place.keyword, place.kind.rawValue, place.category, place.subcategory]
                    + place.conditions.arguments + [time, id])
            return try Self.mapping(db, id) ?? old
        }
    }

    /// The transactions keep their category. `conflict` for a shipped one.
    public func deleteMapping(_ id: Int64, expecting: ((MappingRow) -> Bool)? = nil) throws(StoreError) {
        try write { db in
            _ = try own(id, expecting, db)
            try db.execute(sql: "DELETE FROM vendor_mappings WHERE id = ?", arguments: [id])
        }
    }

    /// What became of a keyword that a client sent.
    public enum MappingMerge: String, Hashable, Sendable { case created, updated, unchanged, kept }

    /// Merges a client's keywords with a person's own: the one that was changed last wins. All of them, or none.
    public func syncMappings(_ list: [NewMapping]) throws(StoreError) -> [MappingMerge] {
        let time = Instant.text(now())
        return try write { db in
            var results: [MappingMerge] = []
            for (index, new) in list.enumerated() {
                let place = try place(new, "\(index).", db)
                let stamp = min(new.updatedAt.isEmpty ? time : new.updatedAt, time)
                let old = try Self.own(place, db)
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
                _ = try put(place, time: stamp, db)
                results.append(old == nil ? .created : .updated)
            }
            return results
        }
    }

    /// A keyword whose category was found.
    struct MappingPlace {
        var keyword: String
        var kind: VendorMapping.Kind
        var conditions: MappingConditions
        var category: Int64
        var subcategory: Int64?
    }

    /// A person's mapping of these words under these conditions.
    static func own(_ place: MappingPlace, _ db: Database) throws -> MappingRow? {
        try Row.fetchOne(
            db,
            sql: """
                \(mappingRows) WHERE m.vendor_keyword = ? AND m.kind = ? AND m.is_user_defined = 1 AND m.minimum_minor IS ? AND m.maximum_minor IS ?
                  AND m.currency IS ? AND m.account_digits IS ? AND m.channel IS ? AND m.transaction_type IS ?
                """, arguments: [place.keyword, place.kind.rawValue] + place.conditions.arguments
        ).map(MappingRow.init)
    }

    /// - Parameter prefix: of the fields' names in errors.
    /// - Throws: `invalid`; `conflict` where there is no such category.
    func place(_ new: NewMapping, _ prefix: String, _ db: Database) throws -> MappingPlace {
        let problems = new.problems.map { FieldProblem(prefix + $0.field, $0.detail) }
        guard problems.isEmpty, let keyword = VendorMapping.normalized(new.keyword, as: new.effectiveKind) else {
            throw invalid(problems)
        }
        guard
            let category = try Int64.fetchOne(
                db, sql: "SELECT id FROM categories WHERE (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR name = ?2)",
                arguments: [new.categoryID, new.category])
        else {
            throw missing(
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
                throw missing(
                    prefix + (new.subcategoryID == nil ? "subcategory" : "subcategory_id"),
                    "the category has no such subcategory")
            }
        }
        return MappingPlace(
            keyword: keyword, kind: new.effectiveKind, conditions: new.conditions, category: category,
            subcategory: subcategory)
    }

    /// Within a write: makes a person's keyword, or changes what it stands for.
    func put(_ place: MappingPlace, time: String, _ db: Database) throws -> MappingRow {
        try db.execute(
            sql: """
                INSERT INTO vendor_mappings (vendor_keyword, kind, category_id, subcategory_id, is_user_defined, minimum_minor, maximum_minor, currency,
                  account_digits, channel, transaction_type, created_at, updated_at) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET category_id = excluded.category_id, subcategory_id = excluded.subcategory_id, updated_at = excluded.updated_at
                """,
            arguments: [place.keyword, place.kind.rawValue, place.category, place.subcategory]
                + place.conditions.arguments + [time, time])
        guard let row = try Self.own(place, db)
        else { throw notFound("mapping") }
        guard
            try Int.fetchOne(db, sql: "SELECT count(*) FROM vendor_mappings WHERE is_user_defined = 1") ?? 0
                <= Self.maximumMappings
        else {
            throw conflict("there are \(Self.maximumMappings) keywords already: delete some first")
        }
        return row
    }

    private func own(_ id: Int64, _ expecting: ((MappingRow) -> Bool)?, _ db: Database) throws -> MappingRow {
        guard let old = try Self.mapping(db, id) else { throw notFound("mapping \(id)") }
        if let expecting, !expecting(old) { throw conflict("mapping \(id) was changed meanwhile") }
        guard old.isUserDefined else {
            throw conflict("'\(old.keyword)' is a shipped keyword and stays as it is: one of your own comes first")
        }
        return old
    }

    private static func mapping(_ db: Database, _ id: Int64) throws -> MappingRow? {
        try Row.fetchOne(db, sql: "\(mappingRows) WHERE m.id = ?", arguments: [id]).map(MappingRow.init)
    }

    private static let mappingRows = """
        SELECT m.*, c.name AS category, s.name AS subcategory
        FROM vendor_mappings m JOIN categories c ON c.id = m.category_id LEFT JOIN subcategories s ON s.id = m.subcategory_id
        """
}
