import Chronology
internal import GRDB
import Ledger

/// The SQL of a term of a search.
///
/// A term reads columns of the index of lists only; a term about other columns selects the rows by subqueries, which
/// SQLite evaluates once.
struct SearchCondition {
    let sql: String
    let values: [any DatabaseValueConvertible]

    private init(_ sql: String, _ values: [any DatabaseValueConvertible] = []) {
        self.sql = sql
        self.values = values
    }

    init(_ part: SearchExpression.Part, today: CalendarDate) {
        let condition = Self.condition(part.term, today)
        // A comparison with NULL is not true; its opposite is.
        self.init(part.isExcluded ? "((\(condition.sql)) IS NOT TRUE)" : "(\(condition.sql))", condition.values)
    }

    private static func condition(_ term: SearchExpression.Term, _ today: CalendarDate) -> SearchCondition {
        switch term {
        case .text(let text): Self.text(text)
        case .number(let text, let units): number(text, units)
        case .amount(let from, let to): .init("amount_minor BETWEEN ? AND ?", [from, to])
        case .days(let days): Self.days(days.span(today: today))
        case .tag(let name): .init("id IN (SELECT transaction_id FROM tags WHERE name = ?)", [name])
        case .payee(let name): .init(ofPayees(name: namesContain("name")), [QueryCondition.pattern(name.withoutBlanks)])
        case .merchant(let text): .init("parsed_vendor = ? COLLATE NOCASE", [text])
        case .category(let name): category(name)
        case .account(let name): account(name)
        case .bank(let key): .init("profile = ?", [key])
        case .state(let state): .init(Self.state(state))
        }
    }

    private static func days(_ span: DaySpan?) -> SearchCondition {
        span.map { .init("parsed_date BETWEEN ? AND ?", [$0.first, $0.last]) } ?? .init("0")
    }

    private static func text(_ text: String) -> SearchCondition {
        let pattern = QueryCondition.pattern(text)
        let columns = ["parsed_vendor", "notes", "reference", "vpa"].map { "\($0) LIKE ? ESCAPE '\\'" }
        let payees = ofPayees(name: "name LIKE ? ESCAPE '\\'")
        return .init((columns + [payees]).joined(separator: " OR "), Array(repeating: pattern, count: 5))
    }

    /// A short number is in many references by chance: only one of four digits or more is searched for there.
    private static func number(_ text: String, _ units: Int64) -> SearchCondition {
        let pattern = QueryCondition.pattern(text)
        var columns = ["parsed_vendor", "notes"]
        if text.utf8.count >= 4 { columns += ["reference", "account_digits"] }
        let terms = ["amount_minor = ?"] + columns.map { "\($0) LIKE ? ESCAPE '\\'" }
        return .init(terms.joined(separator: " OR "), [units] + columns.map { _ in pattern })
    }

    private static func category(_ name: String) -> SearchCondition {
        let pattern = QueryCondition.pattern(name.withoutBlanks)
        let sql = """
            (\(namesContain("category_name")) OR \(namesContain("subcategory"))) AND id NOT IN (SELECT transaction_id FROM split_transactions)
            OR id IN (SELECT transaction_id FROM split_parts WHERE \(namesContain("part_category")) OR \(namesContain("part_subcategory")))
            """
        return .init(sql, Array(repeating: pattern, count: 4))
    }

    private static func account(_ name: String) -> SearchCondition {
        let pattern = QueryCondition.pattern(name.withoutBlanks)
        let isNumber = name.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let digits = isNumber ? " OR account_digits LIKE ?" : " OR profile = ?"
        let sql = """
            id IN (SELECT id FROM transactions WHERE user_account_id IN (
              SELECT id FROM user_accounts WHERE \(namesContain("name")) OR \(namesContain("institution"))))\(digits)
            """
        return .init(sql, [pattern, pattern, isNumber ? "%" + name : name.lowercased()])
    }

    private static func state(_ state: SearchExpression.State) -> String {
        switch state {
        case .income, .expense, .transfer: "transaction_type = '\(state.rawValue)'"
        case .refund: "id IN (SELECT refund_id FROM refunds)"
        case .split: "id IN (SELECT transaction_id FROM split_transactions)"
        case .tagged: "id IN (SELECT transaction_id FROM tags)"
        case .noted: "notes <> ''"
        case .uncategorized: "category_name = '\(CategoryRow.uncategorized)' COLLATE NOCASE"
        case .booked: "status = '\(TransactionStatus.confirmed.rawValue)'"
        case .waiting: "status = '\(TransactionStatus.needsReview.rawValue)'"
        case .rejected: "status = '\(TransactionStatus.rejected.rawValue)'"
        }
    }

    /// Compares without blanks, so that a name of several words needs no quotes.
    private static func namesContain(_ column: String) -> String { "replace(\(column), ' ', '') LIKE ? ESCAPE '\\'" }

    private static func ofPayees(name: String) -> String {
        "id IN (SELECT id FROM transactions WHERE payee_id IN (SELECT id FROM payees WHERE \(name)))"
    }
}

extension String {
    fileprivate var withoutBlanks: String { replacing(" ", with: "") }
}
