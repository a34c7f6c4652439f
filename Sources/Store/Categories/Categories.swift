internal import GRDB
public import Ledger

/// A shipped category with its keywords.
public struct CategorySeed: Hashable, Sendable {
    public struct Subcategory: Hashable, Sendable {
        public var name: String
        public var icon: String?
        public var rules: [Rule]

        public init(name: String, icon: String? = nil, keywords: [String] = [], rules: [Rule] = []) {
            self.name = name
            self.icon = icon
            self.rules = keywords.map { Rule($0) } + rules
        }
    }

    /// Rule that selects the category.
    public struct Rule: Hashable, Sendable {
        public var keyword: String
        public var kind: VendorMapping.Kind
        public var conditions: MappingConditions

        public init(_ keyword: String, kind: VendorMapping.Kind = .keyword, conditions: MappingConditions = .none) {
            self.keyword = keyword
            self.kind = kind
            self.conditions = conditions
        }
    }

    public var name: String
    public var icon: String?
    /// `#RRGGBB`.
    public var color: String?
    public var rules: [Rule]
    public var subcategories: [Subcategory]

    public init(
        name: String, icon: String? = nil, color: String? = nil, keywords: [String] = [], rules: [Rule] = [],
        subcategories: [Subcategory] = []
    ) {
        self.name = name
        self.icon = icon
        self.color = color
        self.rules = keywords.map { Rule($0) } + rules
        self.subcategories = subcategories
    }
}

extension CategoryRepository {
    /// Updates the shipped categories and keywords to `seeds`. Rows made by a person never change. Categories that are
    /// no longer shipped stay, because transactions may name them; such keywords are deleted. A repeated keyword
    /// belongs to its first category.
    public func seed(_ seeds: [CategorySeed]) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            var seen: Set<CategorySeed.Rule> = []
            let rows = try SeedRows(db, time: time)
            let isFirst = try Int64.fetchOne(db, sql: "SELECT 1 FROM vendor_mappings LIMIT 1") == nil
            for seed in seeds {
                let category = try rows.category(seed)
                try rows.rules(seed.rules, category, nil, &seen)
                for sub in seed.subcategories {
                    try rows.rules(sub.rules, category, try rows.subcategory(sub, of: category), &seen)
                }
            }
            if isFirst { return }
            for mapping in try MappingRows.all(db, where: "m.is_user_defined = 0")
            where !seen.contains(CategorySeed.Rule(mapping.keyword, kind: mapping.kind, conditions: mapping.conditions))
            {
                try db.execute(sql: "DELETE FROM vendor_mappings WHERE id = ?", arguments: [mapping.id])
            }
        }
    }

    /// Mappings of the database, ready to match.
    public func rules() throws(StoreError) -> CategoryRules { try read { try MappingRows.rules($0) } }
}

/// Queries of mappings for the category rules.
enum MappingRows {
    static func rules(_ db: Database) throws -> CategoryRules { CategoryRules(try all(db) + aliases(db)) }

    /// The aliases of payees. A payee has a category only by a person's choice, so that they count as a person's own.
    static func aliases(_ db: Database) throws -> [VendorMapping] {
        var mappings: [VendorMapping] = []
        try PreparedStatement(
            db,
            """
            SELECT a.id, a.alias, a.kind, a.is_user_defined, p.id, p.name, p.category_id, c.name, p.subcategory_id, s.name
            FROM payee_aliases a JOIN payees p ON p.id = a.payee_id LEFT JOIN categories c ON c.id = p.category_id
            LEFT JOIN subcategories s ON s.id = p.subcategory_id ORDER BY a.id
            """
        ).each { _ in
        } _: { row in
            var mapping = VendorMapping(
                id: -row.int(0), keyword: row.text(1), categoryID: row.optionalInt(6) ?? 0,
                category: row.optionalText(7) ?? "", isUserDefined: row.int(3) != 0 || row.optionalInt(6) != nil,
                kind: VendorMapping.Kind(rawValue: row.text(2)) ?? .keyword)
            mapping.subcategoryID = row.optionalInt(8)
            mapping.subcategory = row.optionalText(9)
            mapping.payee = PayeeName(id: row.int(4), name: row.text(5))
            mappings.append(mapping)
            return true
        }
        return mappings
    }

    /// Mappings in the order of their creation.
    /// - Parameter condition: SQL about `m`, a row of `vendor_mappings`.
    static func all(_ db: Database, where condition: String = "1") throws -> [VendorMapping] {
        let (categories, subcategories) = (try names(db, of: "categories"), try names(db, of: "subcategories"))
        var mappings: [VendorMapping] = []
        try PreparedStatement(
            db,
            """
            SELECT m.id, m.vendor_keyword, m.category_id, m.subcategory_id, m.is_user_defined, m.kind, m.minimum_minor, m.maximum_minor, m.currency,
              m.account_digits, m.channel, m.transaction_type
            FROM vendor_mappings m WHERE \(condition) ORDER BY m.id
            """
        ).each { _ in
        } _: { row in
            let conditions = MappingConditions(
                minimumMinor: row.optionalInt(6), maximumMinor: row.optionalInt(7),
                currency: row.optionalText(8).flatMap { Currency(code: $0) },
                account: row.optionalText(9), channel: row.optionalText(10).flatMap(Channel.init),
                type: row.optionalText(11).flatMap(TransactionType.init))
            var mapping = VendorMapping(
                id: row.int(0), keyword: row.text(1), categoryID: row.int(2), category: categories[row.int(2)] ?? "",
                isUserDefined: row.int(4) != 0, kind: VendorMapping.Kind(rawValue: row.text(5)) ?? .keyword)
            mapping.subcategoryID = row.optionalInt(3)
            mapping.subcategory = mapping.subcategoryID.flatMap { subcategories[$0] }
            mapping.conditions = conditions
            mappings.append(mapping)
            return true
        }
        return mappings
    }
    /// Names by id: thousands of mappings share some dozens of them.
    private static func names(_ db: Database, of table: String) throws -> [Int64: String] {
        var names: [Int64: String] = [:]
        try PreparedStatement(db, "SELECT id, name FROM \(table)").each { _ in
        } _: { row in
            names[row.int(0)] = row.text(1)
            return true
        }
        return names
    }
}
