import Ledger
import Profiles
import YAMLSource

/// The form of a bank's statements, where it differs from the shared words: `parsers/<bank>/_statement-<name>.yaml`.
///
/// It claims a table whose header has every column that it names. A wrong one does no harm: what is booked has been
/// proven by the statement's own balances.
struct StatementProfile: Sendable {
    /// `hdfc/_statement-card`: the path below the profile folder, without its ending.
    let name: String
    /// The headings of columns, in place of the shared ones.
    let columns: [StatementWords.Role: [String]]
    /// Words in cells, beside the shared ones.
    let words: [StatementWords.Role: [String]]
    let dateOrder: DateOrder
    /// The meaning of an amount without a sign, a column or a word for its direction; `nil` to see it by the others.
    let unsigned: PaymentColumns.Unsigned?

    private static let keys = ["columns", "words", "date_format", "unsigned", "samples"]
    private static let directions: [PaymentColumns.Unsigned] = [.outgoing, .incoming]

    init(_ name: String, _ file: YAMLFile) throws(SourceError) {
        let map = try file.root().mapping(allowing: Self.keys)
        self.name = name
        let node = try map.require("columns")
        columns = try Self.texts(node, StatementWords.Role.profileColumns)
        guard !columns.isEmpty else {
            throw node.error("at least one column is needed", remedy: "Name the headings by which it is recognised.")
        }
        words =
            try map["words"].map { node throws(SourceError) in
                try Self.texts(node, StatementWords.Role.profileWords)
            } ?? [:]
        dateOrder = try map["date_format"].map { node throws(SourceError) in try Self.order(node) } ?? .dayFirst
        unsigned = try map["unsigned"].map { node throws(SourceError) in
            guard let value = PaymentColumns.Unsigned(rawValue: try node.string()), Self.directions.contains(value)
            else {
                throw node.error(
                    "unknown value", remedy: "Write 'outgoing' for a card's purchases, or 'incoming'.")
            }
            return value
        }
    }

    private static func texts(
        _ node: YAMLNode, _ roles: [StatementWords.Role]
    ) throws(SourceError) -> [StatementWords.Role: [String]] {
        let map = try node.mapping(allowing: roles.map(\.rawValue))
        var texts: [StatementWords.Role: [String]] = [:]
        for role in roles {
            guard let node = map[role.rawValue] else { continue }
            let list = try node.strings()
            guard !list.isEmpty, list.allSatisfy({ $0.contains { $0.isLetter || $0.isNumber } }) else {
                throw node.error("words with letters or digits are expected here")
            }
            texts[role] = list
        }
        return texts
    }

    private static func order(_ node: YAMLNode) throws(SourceError) -> DateOrder {
        let format = try node.string()
        guard let order = DateText.order(ofFormat: format) else {
            throw node.error(
                "'\(format)' is not a date format",
                remedy: "Write day, month and year with d, M and y, such as dd-MM-yy.")
        }
        return order
    }
}
