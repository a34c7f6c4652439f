import Codecs
import Ledger
import YAMLSource

/// The words of `_statement-words.yaml`, with the headings of a list of payments in place of those of statements.
struct StatementWords: Sendable {
    enum Role: String, CaseIterable {
        case date
        case valueDate = "value_date"
        case text, reference, debit, credit, amount, sign, balance, currency
        case account, status
        case opening, closing, outgoing, incoming
        case completed
        case outgoingText = "outgoing_text"
        case incomingText = "incoming_text"

        /// The roles of columns; the others are those of cells.
        static let columns: [Role] = [
            .date, .valueDate, .text, .reference, .debit, .credit, .amount, .sign, .balance, .currency, .account,
            .status,
        ]
        /// The roles of lists of payments. A file of words without them reads statements only.
        static let ofLists: Set<Role> = [.account, .status, .completed, .outgoingText, .incomingText]
    }

    /// The meaning of the rows of a list of payments beyond their words.
    struct ListForm: Hashable, Sendable {
        var dateOrder: PaymentColumns.DateOrder
        var unsigned: PaymentColumns.Unsigned
    }

    /// Words before a payee, such as `Paid to`.
    private static let mostWordsBeforePayee = 5

    private var words: [Role: Set<String>] = [:]
    /// `nil` for a statement.
    private(set) var list: ListForm?

    init(_ file: YAMLFile) throws(SourceError) {
        let map = try file.root().mapping(allowing: Role.allCases.map(\.rawValue))
        for role in Role.allCases {
            let node = Role.ofLists.contains(role) ? map[role.rawValue] : try map.require(role.rawValue)
            words[role] = Set(try node?.strings().map(Self.key) ?? [])
        }
    }

    /// The words as ``json`` gives them.
    init?(_ json: JSON) {
        for role in Role.allCases {
            guard case .array(let items)? = json[role.rawValue] else { return nil }
            words[role] = Set(items.compactMap { if case .string(let word) = $0 { Self.key(word) } else { nil } })
        }
        guard case .string(let order)? = json["date_order"], case .string(let unsigned)? = json["unsigned"] else {
            return
        }
        guard let order = PaymentColumns.DateOrder(rawValue: order),
            let unsigned = PaymentColumns.Unsigned(rawValue: unsigned)
        else { return nil }
        list = ListForm(dateOrder: order, unsigned: unsigned)
    }

    var json: JSON {
        var members: [(String, JSON)] = Role.allCases.map { role in
            (role.rawValue, .array((words[role] ?? []).sorted().map(JSON.string)))
        }
        members.append(("date_order", JSON(list?.dateOrder.rawValue)))
        members.append(("unsigned", JSON(list?.unsigned.rawValue)))
        return .object(members)
    }

    /// The words for a list of payments with these headings.
    func mapped(by mapping: PaymentColumns) -> StatementWords {
        var copy = self
        for role in Role.columns { copy.words[role] = [] }
        for (column, headings) in mapping.headings {
            guard let role = Role(rawValue: column.rawValue) else { continue }
            copy.words[role] = Set(headings.map(Self.key))
        }
        copy.list = ListForm(dateOrder: mapping.dateOrder, unsigned: mapping.unsigned)
        return copy
    }

    func isWord(_ cell: String, of role: Role) -> Bool {
        let key = Self.key(cell)
        return !key.isEmpty && words[role]?.contains(key) == true
    }

    /// One word of the role.
    func first(of role: Role) -> String? { words[role]?.min() }

    /// The direction that the beginning of a text names, and the payee behind it; `nil` for another text.
    func payment(_ text: String) -> (isOutgoing: Bool, payee: String)? {
        let parts = text.split(separator: " ")
        for count in (1...Self.mostWordsBeforePayee).reversed() where count < parts.count {
            let key = Self.key(parts[..<count].joined(separator: " "))
            for role in [Role.outgoingText, .incomingText] where words[role]?.contains(key) == true {
                return (role == .outgoingText, parts[count...].joined(separator: " "))
            }
        }
        return nil
    }

    /// Lower-case letters and digits, without a parenthesis at the end.
    private static func key(_ text: String) -> String {
        var whole = text[...].trimmingBlanks
        if whole.last == ")", let start = whole.lastIndex(of: "("), start > whole.startIndex { whole = whole[..<start] }
        return String(whole.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}
