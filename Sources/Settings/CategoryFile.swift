public import Ledger
public import YAMLSource

/// The shipped categories with the words that choose them, and the shipped payees (`categories.yaml`).
public struct CategoryFile: Sendable {
    public struct Category: Sendable {
        public var name: String
        /// SF Symbols name for the phone client.
        public var icon: String
        /// `#RRGGBB`.
        public var color: String
        public var rules: [Rule]
        public var subcategories: [Subcategory]
    }

    public struct Subcategory: Sendable {
        public var name: String
        public var icon: String
        public var rules: [Rule]
    }

    /// The kind of a rule: a keyword, a UPI address, a merchant category code, or UPI addresses of persons.
    public struct Rule: Hashable, Sendable {
        public var kind: VendorMapping.Kind
        public var keyword: String
        public var conditions: MappingConditions
    }

    /// A payee with the names and UPI addresses under which it is printed.
    public struct Payee: Sendable {
        public var name: String
        public var aliases: [String]
    }

    public var categories: [Category]
    public var payees: [Payee]

    public init(path: String) throws(SourceError) { try self.init(YAMLFile(path: path)) }

    public init(_ file: YAMLFile) throws(SourceError) {
        let map = try file.root().mapping(allowing: ["categories", "payees"])
        categories = []
        payees = try Self.payees(map["payees"])
        var owners: [Rule: Int] = [:]
        for node in try map.require("categories").list() {
            let entry = try node.mapping(allowing: ["name", "icon", "color", "subcategories"] + Self.lists.map(\.key))
            var subcategories: [Subcategory] = []
            for node in try entry["subcategories"]?.list() ?? [] {
                let entry = try node.mapping(allowing: ["name", "icon"] + Self.lists.map(\.key))
                subcategories.append(
                    Subcategory(
                        name: try entry.require("name").string(), icon: try entry["icon"]?.string() ?? "tag",
                        rules: try Self.rules(entry, &owners)))
            }
            categories.append(
                Category(
                    name: try entry.require("name").string(), icon: try entry["icon"]?.string() ?? "tag",
                    color: try entry["color"]?.string() ?? "#888888", rules: try Self.rules(entry, &owners),
                    subcategories: subcategories))
        }
    }

    private static func payees(_ list: YAMLNode?) throws(SourceError) -> [Payee] {
        var result: [Payee] = []
        var names: [String: Int] = [:]
        var owners: [String: Int] = [:]
        for node in try list?.list() ?? [] {
            let entry = try node.mapping(allowing: ["name", "aliases"])
            let name = try entry.require("name")
            let text = try name.string()
            if let line = names.updateValue(name.line, forKey: text.lowercased()) {
                throw name.error("the payee '\(text)' is in line \(line) already", remedy: "Keep one of them.")
            }
            var payee = Payee(name: text, aliases: [])
            for item in try entry.require("aliases").list() {
                let alias = try item.string()
                let kind = VendorMapping.Kind(of: alias)
                guard let key = VendorMapping.normalized(alias, as: kind) else {
                    throw item.error("'\(alias)' \(wants(kind))")
                }
                if let line = owners.updateValue(item.line, forKey: key) {
                    throw item.error("the alias '\(alias)' is in line \(line) already", remedy: "Keep one of them.")
                }
                payee.aliases.append(alias)
            }
            result.append(payee)
        }
        return result
    }

    private static let lists: [(key: String, kind: VendorMapping.Kind)] = [
        ("keywords", .keyword), ("upi", .vpa), ("mcc", .mcc), ("people", .person),
    ]

    private static func rules(_ entry: YAMLMapping, _ owners: inout [Rule: Int]) throws(SourceError) -> [Rule] {
        var result: [Rule] = []
        for (key, kind) in lists {
            for item in try entry[key]?.list() ?? [] {
                let rule = try self.rule(item, kind)
                var same = rule
                same.keyword = VendorMapping.normalized(rule.keyword, as: kind) ?? ""
                guard !same.keyword.isEmpty else { throw item.error("'\(rule.keyword)' \(Self.wants(kind))") }
                if let line = owners.updateValue(item.line, forKey: same) {
                    throw item.error(
                        "the \(kind == .keyword ? "keyword" : "entry") '\(rule.keyword)' is in line \(line) already",
                        remedy: "Keep one of them.")
                }
                result.append(rule)
            }
        }
        return result
    }

    /// A text, or a mapping that adds conditions: `{ for: amazon, from: 20000, account: '1234' }`.
    private static func rule(_ item: YAMLNode, _ kind: VendorMapping.Kind) throws(SourceError) -> Rule {
        guard item.isMapping else { return Rule(kind: kind, keyword: try item.string(), conditions: .none) }
        let map = try item.mapping(allowing: ["for", "from", "to", "currency", "account", "channel", "type"])
        var conditions = MappingConditions()
        if let node = map["currency"] {
            conditions.currency = Currency(code: try node.string())
            if conditions.currency == nil {
                throw node.error(
                    "'\(try node.string())' is not a currency", remedy: "Write three letters, such as INR.")
            }
        }
        func amount(_ node: YAMLNode) throws(SourceError) -> Int64 {
            guard let money = Money(typed: try node.string(), currency: conditions.currency ?? .inr) else {
                throw node.error(
                    "'\(try node.string())' is not an amount for certain",
                    remedy: "Write it as 20000 or 20000.00; commas only group, as in 1,23,456.78.")
            }
            return money.minorUnits
        }
        if let node = map["from"] { conditions.minimumMinor = try amount(node) }
        if let node = map["to"] { conditions.maximumMinor = try amount(node) }
        if let node = map["account"] {
            let digits = try node.string()
            guard (3...18).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw node.error(
                    "'\(digits)' is not an account", remedy: "Write its last digits in quotes, such as '1234'.")
            }
            conditions.account = digits
        }
        if let node = map["channel"] {
            conditions.channel = Channel(rawValue: try node.string())
            if conditions.channel == nil {
                throw node.error(
                    "unknown channel '\(try node.string())'",
                    remedy: "Known: \(Channel.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
        }
        if let node = map["type"] {
            conditions.type = TransactionType(rawValue: try node.string())
            if conditions.type == nil {
                throw node.error(
                    "unknown type '\(try node.string())'",
                    remedy: "Known: \(TransactionType.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
        }
        return Rule(kind: kind, keyword: try map.require("for").string(), conditions: conditions)
    }

    private static func wants(_ kind: VendorMapping.Kind) -> String {
        switch kind {
        case .keyword: "is not a keyword: it needs a letter or digit, and at most \(CategoryRules.maximumWords) words"
        case .vpa: "is not a UPI address: write name@provider, with * for any characters"
        case .mcc: "is not a merchant category code: write four digits, or two of them with - between"
        case .person: "is not a provider of UPI addresses: write it as after the @, or '*' for any"
        }
    }
}
