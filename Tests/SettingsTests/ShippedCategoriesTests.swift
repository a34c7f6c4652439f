import Foundation
import Ledger
import Settings
import Testing
import YAMLSource

/// The shipped categories against merchants as alerts print them.
@Suite struct ShippedCategoriesTests {
    struct Merchant: CustomTestStringConvertible, Sendable {
        var line: Int
        var name: String
        var vpa: String
        var expected: String

        var testDescription: String { "line \(line): \(name) \(vpa)" }
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// `name;address;category / subcategory` a line.
    static let merchants: [Merchant] = {
        let text =
            (try? String(contentsOf: root.appending(path: "Tests/Merchants/merchants.txt"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            let parts = line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
            guard !line.hasPrefix("#"), parts.count == 3 else { return nil }
            return Merchant(line: index + 1, name: parts[0], vpa: parts[1], expected: parts[2])
        }
    }()

    static func mappings() throws -> [VendorMapping] {
        try CategoryFile(path: root.appending(path: "config/categories.yaml").path).categories.flatMap { category in
            ([(category.rules, nil)] + category.subcategories.map { ($0.rules, $0.name) }).flatMap {
                rules, subcategory in
                rules.map {
                    var mapping = VendorMapping(
                        id: 1, keyword: $0.keyword, categoryID: 1, category: category.name, kind: $0.kind)
                    mapping.subcategory = subcategory
                    mapping.conditions = $0.conditions
                    return mapping
                }
            }
        }
    }

    @Test func merchantsAsTheyArePrinted() throws {
        let rules = CategoryRules(try Self.mappings())
        for merchant in Self.merchants {
            let match = rules.match(
                CategoryFacts(
                    merchant: merchant.name.isEmpty ? nil : merchant.name,
                    vpa: merchant.vpa.isEmpty ? nil : merchant.vpa))
            #expect(
                match?.mapping.target ?? "" == merchant.expected,
                "\(merchant.testDescription): \(match?.why ?? "nothing")")
        }
        #expect(Self.merchants.filter { !$0.expected.isEmpty }.count >= 150)
        #expect(Self.merchants.filter(\.expected.isEmpty).count >= 40)
    }

    @Test(arguments: [
        ("5411", "Groceries / Supermarkets"), ("3022", "Travel / Flights"), ("3640", "Travel / Hotels"),
        ("5814", "Food & Dining / Fast Food"), ("4900", "Bills & Utilities"), ("1234", ""),
    ])
    func codes(_ code: String, _ expected: String) throws {
        let rules = CategoryRules(try Self.mappings())
        #expect(rules.match(CategoryFacts(merchant: "QXQX", mcc: code))?.mapping.target ?? "" == expected)
    }

    @Test(arguments: [
        ("keywords: [a, A]", "is in line 1 already"), ("upi: [abc]", "is not a UPI address"),
        ("mcc: ['54']", "is not a merchant category code"), ("keywords: ['-']", "is not a keyword"),
        ("keywords: [{ for: a, from: x }]", "is not an amount"),
        ("keywords: [{ for: a, account: '1' }]", "is not an account"),
        ("keywords: [{ for: a, channel: x }]", "unknown channel"),
        ("keywords: [{ for: a, type: x }]", "unknown type"),
        ("keywords: [{ for: a, currency: x }]", "is not a currency"), ("keywords: [{ from: 1 }]", "'for'"),
        ("people: ['a b']", "is not a provider"), ("keywords: [{ for: a, frm: 1 }]", "Did you mean 'from'"),
    ])
    func reportsTheFault(_ list: String, _ message: String) throws {
        let file = YAMLFile(path: "c.yaml", bytes: Array("categories: [{ name: X, \(list) }]".utf8))
        let error = #expect(throws: SourceError.self) { try CategoryFile(file) }
        #expect(error.map { "\($0)" }?.contains(message) ?? false, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func readsConditions() throws {
        let file = YAMLFile(
            path: "c.yaml",
            bytes: Array(
                "categories: [{ name: X, keywords: [tea, { for: tea, from: 20000, to: '30,000.50', account: '1234', channel: card, type: expense }] }]"
                    .utf8))
        let rules = try #require(try CategoryFile(file).categories.first).rules
        #expect(
            rules.map(\.conditions) == [
                .none,
                .init(
                    minimumMinor: 2_000_000, maximumMinor: 3_000_050, account: "1234", channel: .card, type: .expense),
            ])
    }

    /// A payee of merchants as gateways and UPI print them; none for other names that share a word.
    @Test(
        arguments: [
            ("RAZPBSEINDIACOM", nil, "BSE StAR MF"), ("BUNDL TECHNOLOGIES PVT LTD", nil, "Swiggy"),
            ("PYU*Swiggy Food", nil, "Swiggy"), ("AVENUE SUPERMARTS LTD", nil, "DMart"),
            ("AMAZON PAY INDIA", nil, "Amazon"),
            ("AMAZON PRIME", nil, "Amazon Prime"), (nil, "swiggy.stores@axb", "Swiggy"),
            ("Shop", "netflix@icici", "Netflix"),
            ("AIR INDIA EXPRESS", nil, "Air India Express"), ("INTERGLOBE AVIATION", nil, "IndiGo"),
            ("COLA WORLD", nil, nil), ("DESI BITES FAST FO", nil, nil), ("ASHA STORES", "asha@airtel", nil),
        ] as [(String?, String?, String?)])
    func payeesAsTheyArePrinted(merchant: String?, vpa: String?, payee: String?) throws {
        let file = try CategoryFile(path: Self.root.appending(path: "config/categories.yaml").path)
        #expect(file.payees.count >= 100)
        let rules = CategoryRules(
            file.payees.enumerated().flatMap { index, payee in
                payee.aliases.map {
                    var alias = VendorMapping(
                        id: 1, keyword: $0, categoryID: 0, category: "", kind: VendorMapping.Kind(of: $0))
                    alias.payee = PayeeName(id: Int64(index), name: payee.name)
                    return alias
                }
            })
        let found = rules.matches(CategoryFacts(merchant: merchant, vpa: vpa))
        #expect(found.payee?.name == payee && found.category == nil)
    }

    @Test(arguments: [
        ("{ name: a, aliases: [b] }, { name: A, aliases: [c] }", "the payee 'A' is in line 2 already"),
        ("{ name: a, aliases: [b] }, { name: c, aliases: [B] }", "the alias 'B' is in line 2 already"),
        ("{ name: a, aliases: ['-'] }", "is not a keyword"), ("{ name: a, aliases: ['@'] }", "is not a UPI address"),
        ("{ name: a }", "'aliases'"), ("{ aliases: [a] }", "'name'"),
    ])
    func faultsOfPayees(entries: String, message: String) throws {
        let text = "categories: []\npayees: [\(entries)]\n"
        let error = #expect(throws: SourceError.self) {
            try CategoryFile(YAMLFile(path: "c.yaml", bytes: Array(text.utf8)))
        }
        #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
    }
}
