import Codecs
import Ledger
import YAMLSource

/// The words by which a table is read: those of `_statement-words.yaml`, as a statement profile or a list of payments
/// changes them.
struct StatementWords: Sendable {
    enum Role: String, CaseIterable {
        case date
        case valueDate = "value_date"
        case text, reference, debit, credit, amount, sign, balance
        case balanceSign = "balance_sign"
        case currency
        case account, status
        case accountNumber = "account_number"
        case opening, closing, outgoing, incoming
        case completed
        case outgoingText = "outgoing_text"
        case incomingText = "incoming_text"

        /// The roles of columns; all other roles are of cells.
        static let columns: [Role] = [
            .date, .valueDate, .text, .reference, .debit, .credit, .amount, .sign, .balance, .balanceSign, .currency,
            .account, .status,
        ]
        /// The columns of a statement that a profile may name.
        static let profileColumns = columns.filter { $0 != .account && $0 != .status }
        /// The words in cells of a statement that a profile may add to.
        static let profileWords: [Role] = [.opening, .closing, .outgoing, .incoming]
        /// A file of words without them is complete: no bank but that of a profile, or a list of payments, has them.
        static let optional: Set<Role> = [
            .balanceSign, .account, .status, .accountNumber, .completed, .outgoingText, .incomingText,
        ]
    }

    /// Maximum number of words before a payee, such as `Paid to`.
    private static let mostWordsBeforePayee = 5
    /// Words before a number, such as `Credit Card Number`.
    private static let mostWordsBeforeNumber = 3
    /// Minimum number of digits of an account's number: alerts print four.
    private static let fewestDigits = 4

    private var words: [Role: Set<String>] = [:]
    /// The columns that the header must have beside those that every table needs: a profile claims a table by them.
    private(set) var required: Set<Role> = []
    /// True for a list of payments, false for a statement.
    private(set) var isList = false
    private(set) var dateOrder = DateOrder.dayFirst
    /// The meaning of an amount without a sign; `nil` for a table that shows it by its other amounts.
    private(set) var unsigned: PaymentColumns.Unsigned?

    init(_ file: YAMLFile) throws(SourceError) {
        let map = try file.root().mapping(allowing: Role.allCases.map(\.rawValue))
        for role in Role.allCases {
            let node = Role.optional.contains(role) ? map[role.rawValue] : try map.require(role.rawValue)
            words[role] = Set(try node?.strings().map(Self.key) ?? [])
        }
    }

    /// Reads the words from ``json``; `nil` for another form.
    init?(_ json: JSON) {
        for role in Role.allCases {
            guard let texts = json[role.rawValue]?.texts else { return nil }
            words[role] = Set(texts.map(Self.key))
        }
        guard let columns = json["required"]?.texts, case .bool(let isList)? = json["list"],
            case .string(let order)? = json["date_order"],
            let dateOrder = DateOrder(rawValue: order)
        else { return nil }
        required = Set(columns.compactMap(Role.init(rawValue:)))
        (self.isList, self.dateOrder) = (isList, dateOrder)
        guard case .string(let meaning)? = json["unsigned"] else { return }
        guard let unsigned = PaymentColumns.Unsigned(rawValue: meaning) else { return nil }
        self.unsigned = unsigned
    }

    var json: JSON {
        var members: [(String, JSON)] = Role.allCases.map { role in
            (role.rawValue, .array((words[role] ?? []).sorted().map(JSON.string)))
        }
        members.append(("required", .array(required.map(\.rawValue).sorted().map(JSON.string))))
        members.append(("list", .bool(isList)))
        members.append(("date_order", .string(dateOrder.rawValue)))
        members.append(("unsigned", JSON(unsigned?.rawValue)))
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
        (copy.isList, copy.dateOrder, copy.unsigned) = (true, mapping.dateOrder, mapping.unsigned)
        return copy
    }

    /// The words for the tables of a profile: its headings take the place of the shared ones, its words join them.
    func mapped(by profile: StatementProfile) -> StatementWords {
        var copy = self
        for (role, headings) in profile.columns { copy.words[role] = Set(headings.map(Self.key)) }
        for (role, added) in profile.words { copy.words[role, default: []].formUnion(added.map(Self.key)) }
        copy.required = Set(profile.columns.keys)
        (copy.dateOrder, copy.unsigned) = (profile.dateOrder, profile.unsigned)
        return copy
    }

    func isWord(_ cell: String, of role: Role) -> Bool {
        let key = Self.key(cell)
        return !key.isEmpty && words[role]?.contains(key) == true
    }

    /// One word of the role.
    func first(of role: Role) -> String? { words[role]?.min() }

    /// The direction that the first words of a text name, and the payee after them; `nil` if they name none.
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

    /// The number of the account in a line such as `Account No : XXXX 4321`, as digits at its end; `nil` without one.
    func accountNumber(in line: String) -> String? {
        let parts = line.split { $0.isWhitespace || $0 == ":" }.filter { $0.contains { $0.isLetter || $0.isNumber } }
        for start in parts.indices {
            for end in parts.indices[start...].prefix(Self.mostWordsBeforeNumber)
            where isWord(parts[start...end].joined(separator: " "), of: .accountNumber) {
                let number = parts[(end + 1)...].prefix { part in
                    part.allSatisfy { $0.isASCII && $0.isNumber || "Xx*-".contains($0) }
                }.joined()
                let digits = number.reversed().prefix { $0.isNumber }.reversed()
                if digits.count >= Self.fewestDigits { return String(digits) }
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

extension JSON {
    /// The texts of an array; `nil` for anything else.
    fileprivate var texts: [String]? {
        elements?.compactMap(\.textValue)
    }
}
