public import Chronology
internal import GRDB
public import Ledger

/// A name or UPI address under which a payee is printed: a row of `payee_aliases`.
public struct PayeeAlias: Hashable, Sendable {
    public var id: Int64
    /// Normalized as the keyword of a ``VendorMapping``.
    public var alias: String
    /// `keyword` or `vpa`.
    public var kind: VendorMapping.Kind
    /// False for a shipped alias, which stays as it is.
    public var isUserDefined: Bool

    init(_ row: Row) {
        id = row["id"]
        alias = row["alias"]
        kind = VendorMapping.Kind(rawValue: row["kind"]) ?? .keyword
        isUserDefined = row["is_user_defined"]
    }
}

/// A payee with its aliases: a row of `payees` that was not merged into another.
public struct PayeeRow: Hashable, Sendable {
    public var id: Int64
    public var name: String
    public var categoryID: Int64?
    /// The category of its transactions, chosen by a person.
    public var category: String?
    public var subcategoryID: Int64?
    public var subcategory: String?
    /// True if the program's file has it.
    public var isShipped: Bool
    public var createdAt: UnixTime
    public var updatedAt: UnixTime
    /// In the order of their creation.
    public var aliases: [PayeeAlias]

    static let select = """
        SELECT p.*, c.name AS category, s.name AS subcategory FROM payees p
        LEFT JOIN categories c ON c.id = p.category_id LEFT JOIN subcategories s ON s.id = p.subcategory_id
        """

    init(_ row: Row, _ aliases: [PayeeAlias]) {
        id = row["id"]
        name = row["name"]
        categoryID = row["category_id"]
        category = row["category"]
        subcategoryID = row["subcategory_id"]
        subcategory = row["subcategory"]
        isShipped = (row["shipped_name"] as String?) != nil
        createdAt = row["created_at"]
        updatedAt = row["updated_at"]
        self.aliases = aliases
    }

    static func current(_ db: Database, _ id: Int64) throws -> PayeeRow? {
        try Row.fetchOne(db, sql: "\(select) WHERE p.id = ? AND p.merged_into IS NULL", arguments: [id]).map {
            PayeeRow(
                $0,
                try Row.fetchAll(db, sql: "SELECT * FROM payee_aliases WHERE payee_id = ? ORDER BY id", arguments: [id])
                    .map(PayeeAlias.init))
        }
    }

    /// - Throws: `notFound`; `conflict` if `expecting` refuses the row as it is.
    static func expected(
        _ id: Int64, _ expecting: ((PayeeRow) -> Bool)? = nil, _ db: Database
    ) throws -> PayeeRow {
        guard let row = try current(db, id) else { throw StoreError.notFound("payee \(id)") }
        if let expecting, !expecting(row) { throw StoreError.conflict("payee \(id) was changed meanwhile") }
        return row
    }

    /// - Throws: `conflict` if a transaction cannot have the payee.
    static func checkUse(_ id: Int64, _ field: String, _ db: Database) throws {
        guard try current(db, id) != nil else { throw StoreError.missing(field, "there is no such payee") }
    }

    static func refuseTaken(_ name: String, besides id: Int64? = nil, _ db: Database) throws {
        let other = try Int64.fetchOne(
            db, sql: "SELECT id FROM payees WHERE name = ? AND merged_into IS NULL", arguments: [name])
        guard let other, other != id else { return }
        throw StoreError.conflict("payee \(other) has this name", "name", "is taken by payee \(other)")
    }
}

/// A payee to be written.
public struct NewPayee: Hashable, Sendable {
    public var name: String
    public var category: String?
    public var subcategory: String?
    /// Besides the name, which is an alias if no other payee has it.
    public var aliases: [String]

    public init(name: String, category: String? = nil, subcategory: String? = nil, aliases: [String] = []) {
        self.name = name
        self.category = category
        self.subcategory = subcategory
        self.aliases = aliases
    }

    /// Limit of the aliases of one payee.
    public static let mostAliases = 200

    /// Faults of the values, by the API's names; empty if there are none.
    public var problems: [FieldProblem] {
        var check = FieldCheck()
        check.trimmedName(name)
        check.text("category_name", category, atMost: TextLimit.name)
        check.text("subcategory", subcategory, atMost: TextLimit.name)
        if subcategory != nil, category == nil { check.refuse("subcategory", .needsCategory) }
        if aliases.count > Self.mostAliases { check.refuse("aliases", .tooMany(Self.mostAliases)) }
        return check.problems + aliases.enumerated().flatMap { NewAlias($1).problems("aliases.\($0)") }
    }
}

/// An alias to be written; an `@` makes it a UPI address.
struct NewAlias {
    let text: String
    let kind: VendorMapping.Kind

    init(_ text: String) {
        self.text = text
        kind = VendorMapping.Kind(of: text)
    }

    /// The stored form; `nil` if it can never match.
    var normalized: String? { VendorMapping.normalized(text, as: kind) }

    func problems(_ field: String) -> [FieldProblem] {
        var check = FieldCheck()
        check.text(field, text, atMost: TextLimit.keyword)
        if check.problems.isEmpty, normalized == nil {
            check.refuse(
                field,
                kind == .vpa ? FieldFault.upiAddress : .alias(words: CategoryRules.maximumWords))
        }
        return check.problems
    }
}

/// Changes to a payee; values that are not given remain.
public struct PayeeEdit: Hashable, Sendable {
    public var name: String?
    /// `clear` also clears the subcategory.
    public var category: Change<String>
    /// The subcategory of the new category; `nil` for none.
    public var subcategory: String?

    public init(name: String? = nil, category: Change<String> = .keep, subcategory: String? = nil) {
        self.name = name
        self.category = category
        self.subcategory = subcategory
    }

    /// Faults of the values, by the API's names; empty if there are none.
    public var problems: [FieldProblem] {
        NewPayee(name: name ?? "-", category: category.new, subcategory: subcategory).problems
    }
}
