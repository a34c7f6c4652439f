import Chronology
internal import GRDB
import Ledger

/// Terms of a query with their values.
struct QueryCondition {
    private(set) var sql = "deleted_at IS NULL"
    /// SQL term about the status; `1` without a filter by status.
    private(set) var statuses = "1"
    /// True if the query filters by status only.
    private(set) var isPlain = true
    private(set) var arguments = StatementArguments()

    mutating func add(_ term: String, _ values: (any DatabaseValueConvertible)?...) { add(term, values: values) }

    private mutating func add(_ term: String, values: [(any DatabaseValueConvertible)?]) {
        isPlain = false
        sql += " AND " + term
        arguments += StatementArguments(values)
    }

    /// Selects the rows of a category; of a split payment, the categories of its parts count.
    private mutating func add(category: String, _ subcategory: String?) {
        let below = subcategory == nil ? "" : " AND subcategory = ? COLLATE NOCASE"
        let part = subcategory == nil ? "" : " AND part_subcategory = ? COLLATE NOCASE"
        add(
            """
            (category_name = ? COLLATE NOCASE\(below) AND id NOT IN (SELECT transaction_id FROM split_transactions) OR id IN
              (SELECT transaction_id FROM split_parts WHERE part_category = ? COLLATE NOCASE\(part)))
            """, values: [category, subcategory, category, subcategory].compactMap(\.self))
    }

    /// A pattern of LIKE with ESCAPE for rows that contain the text.
    static func pattern(_ text: String) -> String {
        "%" + text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_") + "%"
    }

    /// Selects the rows that existed when the first page was read. The plus prevents a search by the row number, which
    /// would read whole rows.
    mutating func addNewest(_ newest: Int64) { add("+id <= ?", newest) }

    /// Selects the rows after the last row of the previous page.
    mutating func add(behind cursor: PageCursor, _ query: TransactionQuery) {
        let (expression, sign) = (query.sort.expression, query.isDescending ? "<" : ">")
        if cursor.key.isNull {
            add(
                "(\(expression) IS \(query.isDescending ? "" : "NOT ")NULL \(query.isDescending ? "AND" : "OR") id \(sign) ?)",
                cursor.id)
        } else if query.sort == .merchant, query.isDescending {
            add("((\(expression), id) < (?, ?) OR \(expression) IS NULL)", cursor.key, cursor.id)
        } else {
            add("(\(expression), id) \(sign) (?, ?)", cursor.key, cursor.id)
        }
    }

    init(_ query: TransactionQuery, today: CalendarDate) {
        let recent = query.days.map { CalendarDate(daysSince1970: today.daysSince1970 - max(0, $0)) }
        if let since = [query.since, recent].compactMap({ $0 }).max() { add("parsed_date >= ?", since) }
        if let until = query.until { add("parsed_date <= ?", until) }
        if let wanted = query.statuses {
            statuses = "status IN (\(wanted.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")))"
            sql += " AND " + statuses
        }
        if let type = query.type { add("transaction_type = ?", type.rawValue) }
        if let channel = query.channel { add("channel = ?", channel.rawValue) }
        if let category = query.category { add(category: category, query.subcategory) }
        if query.category == nil, let subcategory = query.subcategory {
            add("subcategory = ? COLLATE NOCASE", subcategory)
        }
        if let payee = query.payeeID { add("payee_id = ?", payee) }
        if let account = query.account { add("account_digits = ?", account) }
        if let account = query.accountID { add("account_id = ?", account) }
        if let account = query.userAccountID { add("user_account_id = ?", account) }
        if query.hasNoUserAccount { add("user_account_id IS NULL") }
        if let name = query.notExportedAs {
            add(
                "NOT EXISTS (SELECT 1 FROM exported_transactions e WHERE e.export = ? AND e.transaction_id = transactions.id)",
                name)
        }
        if let tag = query.tag { add("id IN (SELECT transaction_id FROM tags WHERE name = ?)", tag) }
        if let bank = query.bank { add("profile = ?", bank) }
        if let recorder = query.recorder { add("recorder = ?", recorder) }
        if let ledger = query.ledger { add("ledger = ?", ledger) }
        if let currency = query.currency { add("currency = ?", currency.code) }
        if let from = query.amountFrom { add("amount_minor >= ?", from) }
        if let to = query.amountTo { add("amount_minor <= ?", to) }
        for part in query.search?.parts ?? [] {
            let condition = SearchCondition(part, today: today)
            add(condition.sql, values: condition.values)
        }
    }
}
