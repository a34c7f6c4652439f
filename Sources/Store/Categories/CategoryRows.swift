public import Chronology
import Codecs
internal import GRDB
public import Ledger

/// A category with its subcategories: a row of `categories`.
public struct CategoryRow: Hashable, Sendable {
    public struct Subcategory: Hashable, Sendable {
        public var id: Int64
        public var categoryID: Int64
        public var name: String
        public var icon: String?
        public var isSystem: Bool
        public var createdAt: UnixTime
        public var updatedAt: UnixTime
    }

    public var id: Int64
    public var name: String
    public var icon: String?
    /// `#RRGGBB`.
    public var color: String?
    /// Shipped: defined by the program's file. It may be renamed and recoloured, but not deleted.
    public var isSystem: Bool
    /// True for a shipped category that the program finds by its name: it cannot be renamed.
    public var hasFixedName: Bool
    public var createdAt: UnixTime
    public var updatedAt: UnixTime
    /// Sorted by name.
    public var subcategories: [Subcategory]
}

/// Editable values of a person's own category or subcategory.
public struct CategoryEdit: Hashable, Sendable {
    public var name: String?
    public var icon: Change<String>
    public var color: Change<String>

    public init(name: String? = nil, icon: Change<String> = .keep, color: Change<String> = .keep) {
        self.name = name
        self.icon = icon
        self.color = color
    }

    public var problems: [FieldProblem] {
        var check = FieldCheck()
        if let name { check.trimmedName(name) }
        check.text("icon", icon.new, atMost: TextLimit.name)
        check.color("color", color.new)
        return check.problems
    }
}

extension FieldCheck {
    /// A name that people see in lists.
    mutating func trimmedName(_ name: String) {
        text("name", name, atMost: TextLimit.name)
        if [name.unicodeScalars.first, name.unicodeScalars.last].contains(where: {
            $0?.properties.isWhitespace ?? false
        }) {
            refuse("name", "must not begin or end with a blank")
        }
    }

    mutating func color(_ field: String, _ value: String?) {
        guard let value else { return }
        if value.utf8.count != 7 || value.utf8.first != UInt8(ascii: "#") || Hexadecimal.bytes(value.dropFirst()) == nil
        {
            refuse(field, "must be #RRGGBB")
        }
    }
}

extension CategoryRepository {
    /// All categories with their subcategories, by name.
    public func all() throws(StoreError) -> [CategoryRow] {
        try read { db in
            var below: [Int64: [CategoryRow.Subcategory]] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT * FROM subcategories ORDER BY name COLLATE NOCASE") {
                below[row["category_id"], default: []].append(CategoryRow.Subcategory(row))
            }
            return try Row.fetchAll(db, sql: "SELECT * FROM categories ORDER BY name COLLATE NOCASE").map {
                CategoryRow($0, below[$0["id"]] ?? [])
            }
        }
    }

    public func find(_ id: Int64) throws(StoreError) -> CategoryRow? {
        try read { db in try CategoryRow.current(db, id) }
    }

    /// Recorded in the journal.
    /// - Throws: `conflict` if the name exists in any case.
    @discardableResult
    public func add(
        name: String, icon: String? = nil, color: String? = nil, by actor: Actor = .terminal, group: String? = nil
    ) throws(StoreError) -> CategoryRow where Scope: WriteScope {
        let time = now()
        let problems = CategoryEdit(
            name: name, icon: icon.map { .set($0) } ?? .keep, color: color.map { .set($0) } ?? .keep
        ).problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            try CategoryRow.refuseTaken(name, besides: nil, db)
            try db.execute(
                sql:
                    "INSERT INTO categories (name, icon, color, is_system, created_at, updated_at) VALUES (?, ?, ?, 0, ?, ?)",
                arguments: [name, icon, color, time, time])
            let id = db.lastInsertedRowID
            _ = try Journal(db, actor, time: time, group: group).note(
                .added, .category, id, before: JournaledTable.category.absent)
            guard let row = try CategoryRow.current(db, id) else { throw StoreError.notFound("category \(id)") }
            return row
        }
    }

    /// Renames also in the transactions and recurring items of this category. Recorded in the journal.
    /// - Throws: `conflict` if the name is taken, or the category must keep its name.
    @discardableResult
    public func update(
        _ id: Int64, _ edit: CategoryEdit, expecting: ((CategoryRow) -> Bool)? = nil, by actor: Actor = .terminal,
        group: String? = nil
    ) throws(StoreError) -> CategoryRow where Scope: WriteScope {
        let time = now()
        let problems = edit.problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            guard let old = try CategoryRow.current(db, id) else { throw StoreError.notFound("category \(id)") }
            if let expecting, !expecting(old) { throw StoreError.conflict("category \(id) was changed meanwhile") }
            var new = old
            if let name = edit.name { new.name = name }
            new.icon = edit.icon.applied(to: old.icon)
            new.color = edit.color.applied(to: old.color)
            guard new != old else { return old }
            if new.name != old.name {
                guard !old.hasFixedName else {
                    throw StoreError.conflict(
                        "'\(old.name)' keeps its name, because transfers and exports go by it: make one of your own",
                        "name", "cannot be changed")
                }
                try CategoryRow.refuseTaken(new.name, besides: id, db)
                try CategoryNames.rename(old.name, to: new.name, time, db)
            }
            try Journal(db, actor, time: time, group: group).record(.changed, .category, id) {
                try db.execute(
                    sql:
                        "UPDATE categories SET name = ?, icon = ?, color = ?, updated_at = ?, is_edited = is_system WHERE id = ?",
                    arguments: [new.name, new.icon, new.color, time, id])
            }
            return try CategoryRow.current(db, id) ?? new
        }
    }

    /// Recorded in the journal.
    /// - Throws: `conflict` if the category has a subcategory of this name.
    @discardableResult
    public func addSubcategory(
        of id: Int64, name: String, icon: String? = nil, by actor: Actor = .terminal, group: String? = nil
    ) throws(StoreError) -> CategoryRow.Subcategory where Scope: WriteScope {
        let time = now()
        let problems = CategoryEdit(name: name, icon: icon.map { .set($0) } ?? .keep).problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            guard let category = try CategoryRow.current(db, id) else { throw StoreError.notFound("category \(id)") }
            if category.subcategories.contains(where: { $0.name.lowercased() == name.lowercased() }) {
                throw StoreError.conflict(
                    "'\(category.name)' has a subcategory of this name", "name", "is taken")
            }
            try db.execute(
                sql:
                    "INSERT INTO subcategories (category_id, name, icon, is_system, created_at, updated_at) VALUES (?, ?, ?, 0, ?, ?)",
                arguments: [id, name, icon, time, time])
            let number = db.lastInsertedRowID
            _ = try Journal(db, actor, time: time, group: group).note(
                .added, .subcategory, number, before: JournaledTable.subcategory.absent)
            return CategoryRow.Subcategory(
                id: number, categoryID: id, name: name, icon: icon, isSystem: false, createdAt: time,
                updatedAt: time)
        }
    }

}

extension CategoryRow {
    /// Category of transactions without a matching keyword.
    public static let uncategorized = "Uncategorized"

    /// Category of money that came in, for exports in double entry.
    public static let income = "Income"

    /// Shipped categories that the program finds by name.
    fileprivate static let fixed = TransferRows.between.union([uncategorized, income])

    static func current(_ db: Database, _ id: Int64) throws -> CategoryRow? {
        try Row.fetchOne(db, sql: "SELECT * FROM categories WHERE id = ?", arguments: [id]).map {
            CategoryRow(
                $0,
                try Row.fetchAll(
                    db, sql: "SELECT * FROM subcategories WHERE category_id = ? ORDER BY name COLLATE NOCASE",
                    arguments: [id]
                ).map(
                    CategoryRow.Subcategory.init))
        }
    }

    fileprivate static func refuseTaken(_ name: String, besides id: Int64?, _ db: Database) throws {
        guard let other = try Int64.fetchOne(db, sql: "SELECT id FROM categories WHERE name = ?", arguments: [name]),
            other != id
        else { return }
        throw StoreError.conflict(
            "there is a category of this name, number \(other)", "name", "is taken by category \(other)")
    }

    init(_ row: Row, _ subcategories: [Subcategory]) {
        self.init(
            id: row["id"], name: row["name"], icon: row["icon"], color: row["color"], isSystem: row["is_system"],
            hasFixedName: row["is_system"] && Self.fixed.contains(row["name"]), createdAt: row["created_at"],
            updatedAt: row["updated_at"], subcategories: subcategories)
    }
}

extension CategoryRow.Subcategory {
    init(_ row: Row) {
        self.init(
            id: row["id"], categoryID: row["category_id"], name: row["name"], icon: row["icon"],
            isSystem: row["is_system"], createdAt: row["created_at"],
            updatedAt: row["updated_at"])
    }
}
