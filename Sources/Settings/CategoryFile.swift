public import YAMLSource

/// The shipped categories with their keywords (`categories.yaml`).
public struct CategoryFile: Sendable {
    public struct Category: Sendable {
        public var name: String
        /// An SF Symbols name; the phone client shows it.
        public var icon: String
        /// `#RRGGBB`.
        public var color: String
        public var keywords: [String]
        public var subcategories: [Subcategory]
    }

    public struct Subcategory: Sendable {
        public var name: String
        public var icon: String
        public var keywords: [String]
    }

    public var categories: [Category]

    public init(path: String) throws(SourceError) { try self.init(YAMLFile(path: path)) }

    public init(_ file: YAMLFile) throws(SourceError) {
        let map = try file.root().mapping(allowing: ["categories"])
        categories = []
        var owners: [String: Int] = [:]
        func keywords(_ node: YAMLNode?) throws(SourceError) -> [String] {
            var result: [String] = []
            for item in try node?.list() ?? [] {
                let word = try item.string()
                guard word.contains(where: { $0.isLetter || $0.isNumber }) else { throw item.error("a keyword needs a letter or digit") }
                if let line = owners.updateValue(item.line, forKey: word) { throw item.error("the keyword '\(word)' stands in line \(line) already", remedy: "Keep one of them.") }
                result.append(word)
            }
            return result
        }
        for node in try map.require("categories").list() {
            let entry = try node.mapping(allowing: ["name", "icon", "color", "keywords", "subcategories"])
            var subcategories: [Subcategory] = []
            for node in try entry["subcategories"]?.list() ?? [] {
                let entry = try node.mapping(allowing: ["name", "icon", "keywords"])
                subcategories.append(
                    Subcategory(name: try entry.require("name").string(), icon: try entry["icon"]?.string() ?? "tag", keywords: try keywords(entry["keywords"])))
            }
            categories.append(
                Category(
                    name: try entry.require("name").string(), icon: try entry["icon"]?.string() ?? "tag",
                    color: try entry["color"]?.string() ?? "#888888", keywords: try keywords(entry["keywords"]), subcategories: subcategories))
        }
    }
}
