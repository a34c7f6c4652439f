import Codecs
public import Settings
public import Store
import YAMLSource

extension Store {
    /// Adds the shipped categories, keywords and payees of a file to the database; rows made by a person are
    /// unchanged. Does nothing if this program has done so with the same file before.
    ///
    /// - Throws: ``SourceError``, ``StoreError``.
    public func seed(from path: String) throws {
        let file = try YAMLFile(path: path)
        var digest = FNV1a()
        digest.combine(file.bytes)
        let mark = "\(digest.hexadecimal) \(Program.identity)"
        if try fileMarks.digest("categories") == mark { return }
        try seed(CategoryFile(file))
        try fileMarks.set("categories", mark)
    }

    /// Adds them without this check.
    public func seed(_ file: CategoryFile) throws(StoreError) {
        try payees.seed(file.payees.map { PayeeSeed(name: $0.name, aliases: $0.aliases) })
        try categories.seed(
            file.categories.map { category in
                CategorySeed(
                    name: category.name, icon: category.icon, color: category.color,
                    rules: category.rules.map(CategorySeed.Rule.init),
                    subcategories: category.subcategories.map {
                        .init(name: $0.name, icon: $0.icon, rules: $0.rules.map(CategorySeed.Rule.init))
                    })
            })
    }
}

extension CategorySeed.Rule {
    init(_ rule: CategoryFile.Rule) { self.init(rule.keyword, kind: rule.kind, conditions: rule.conditions) }
}
