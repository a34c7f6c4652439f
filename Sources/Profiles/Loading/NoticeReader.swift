import Chronology
import Ledger
import PCRE2
import YAMLSource

extension TemplateReader {
    /// `extract:` of a notice template.
    func readNotice(_ kind: BankNotice.Kind, _ node: YAMLNode) throws(SourceError) -> NoticeExtraction {
        let names = BankNotice.Field.allCases.map(\.rawValue)
        let map = try node.mapping(allowing: ["body_pattern", "date_format"] + names.map { $0 + "_regex" })
        var bodies: [TextPattern] = []
        if let body = map["body_pattern"] {
            for item in body.isScalar ? [body] : try body.list() {
                bodies.append(try compiler.pattern(item, of: names))
            }
        }
        var fields: [(BankNotice.Field, TextPattern)] = []
        for field in BankNotice.Field.allCases {
            guard let node = map[field.rawValue + "_regex"] else { continue }
            let pattern = try compiler.pattern(node, of: names)
            guard compiler.isProven || pattern.pattern?.groups.contains(where: { $0.name == field.rawValue }) == true
            else { throw node.error("no group is named '\(field.rawValue)'", remedy: "Write (?<\(field.rawValue)>…).") }
            fields.append((field, pattern))
        }
        let orders = try map["date_format"].map { node throws(SourceError) in try readOrders(node) } ?? []
        let extraction = NoticeExtraction(
            kind, bodies: bodies, fields: fields, dateOrders: orders.isEmpty ? [.dayFirst] : orders)
        if !compiler.isProven {
            let read = Set((bodies + fields.map(\.1)).flatMap { $0.pattern?.groups.map(\.name) ?? [] })
            if let missing = kind.needed.first(where: { !read.contains($0.rawValue) }) {
                throw node.error(
                    "nothing here reads '\(missing.rawValue)', which a \(kind.rawValue) needs",
                    remedy: "Name a group (?<\(missing.rawValue)>…), or use kind: ignore.")
            }
        }
        return extraction
    }

    /// An expectation with the key `notice`, and its day; `nil` without that key.
    func readNoticeExpectation(_ node: YAMLNode) throws(SourceError) -> (Sample.Expectation, CalendarDate?)? {
        guard let kindNode = try node.mapping()["notice"] else { return nil }
        let map = try node.mapping(allowing: ["notice"] + BankNotice.Field.allCases.map(\.rawValue))
        guard let kind = BankNotice.Kind(rawValue: try kindNode.string()) else {
            throw kindNode.error(
                "unknown notice '\(try kindNode.string())'",
                remedy: "Use one of: \(BankNotice.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        var fields: [BankNotice.Field: String] = [:]
        for field in BankNotice.Field.allCases {
            if let value = map[field.rawValue] { fields[field] = try value.string() }
        }
        guard let text = fields[.date] else { return (.notice(kind, fields), nil) }
        guard let day = CalendarDate(iso: text) else {
            throw (map["date"] ?? node).error("'\(text)' is not a date", remedy: "Write yyyy-mm-dd.")
        }
        return (.notice(kind, fields), day)
    }
}
