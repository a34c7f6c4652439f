import Codecs
import YAMLSource

/// The words of `_statement-words.yaml`.
struct StatementWords: Sendable {
    enum Role: String, CaseIterable {
        case date
        case valueDate = "value_date"
        case text, reference, debit, credit, amount, sign, balance, currency
        case opening, closing, outgoing, incoming

        /// The roles of columns; the others are those of cells.
        static let columns: [Role] = [
            .date, .valueDate, .text, .reference, .debit, .credit, .amount, .sign, .balance, .currency,
        ]
    }

    private let words: [Role: Set<String>]

    init(_ file: YAMLFile) throws(SourceError) {
        let map = try file.root().mapping(allowing: Role.allCases.map(\.rawValue))
        var words: [Role: Set<String>] = [:]
        for role in Role.allCases { words[role] = Set(try map.require(role.rawValue).strings().map(Self.key)) }
        self.words = words
    }

    /// The words as ``json`` gives them.
    init?(_ json: JSON) {
        var words: [Role: Set<String>] = [:]
        for role in Role.allCases {
            guard case .array(let items)? = json[role.rawValue] else { return nil }
            words[role] = Set(items.compactMap { if case .string(let word) = $0 { Self.key(word) } else { nil } })
        }
        self.words = words
    }

    var json: JSON {
        .object(
            Role.allCases.map { role in
                (role.rawValue, .array((words[role] ?? []).sorted().map(JSON.string)))
            })
    }

    func isWord(_ cell: String, of role: Role) -> Bool {
        let key = Self.key(cell)
        return !key.isEmpty && words[role]?.contains(key) == true
    }

    /// One word of the role.
    func first(of role: Role) -> String? { words[role]?.min() }

    /// Lower-case letters and digits, without a parenthesis at the end.
    private static func key(_ text: String) -> String {
        var whole = text[...].trimmingBlanks
        if whole.last == ")", let start = whole.lastIndex(of: "("), start > whole.startIndex { whole = whole[..<start] }
        return String(whole.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}
