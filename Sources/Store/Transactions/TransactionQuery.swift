public import Chronology
internal import GRDB
public import Ledger

/// Filters, order and page size of a list of transactions. Deleted ones are never included.
public struct TransactionQuery: Hashable, Sendable {
    public enum Sort: String, Hashable, Sendable, CaseIterable {
        case date, amount, merchant, category, confidence
        /// Order of booking.
        case id
    }

    public var search: SearchExpression?
    /// Number of days up to today, in the time zone of the ledger. If `since` is set as well, the later start counts.
    public var days: Int?
    /// First and last day, both included.
    public var since: CalendarDate?
    public var until: CalendarDate?
    /// `nil` means every status.
    public var statuses: Set<TransactionStatus>?
    /// Name in any case.
    public var category: String?
    public var subcategory: String?
    /// Digits as printed.
    public var account: String?
    /// `accounts.id`.
    public var accountID: String?
    /// `user_accounts.id`.
    public var userAccountID: Int64?
    /// `payees.id`.
    public var payeeID: Int64?
    /// The bank's key, such as `hdfc`.
    public var bank: String?
    public var type: TransactionType?
    public var channel: Channel?
    public var recorder: String?
    public var ledger: String?
    /// In minor units, both included.
    public var amountFrom: Int64?
    public var amountTo: Int64?
    public var currency: Currency?
    /// Name of a tag, in any case of letters.
    public var tag: String?
    /// True to select only rows that name no account of the user.
    public var hasNoUserAccount = false
    /// Only rows that no export of this name has contained.
    public var notExportedAs: String?
    public var sort: Sort
    public var isDescending: Bool
    /// ``TransactionPage/next`` of the previous page of the same query.
    public var cursor: String?
    public var limit: Int
    /// False leaves ``TransactionPage/total`` at 0, for callers that read all pages.
    public var countsAll = true
    /// True to read the provenance too, which is half of a row.
    public var readsProvenance = false

    public init(sort: Sort = .date, isDescending: Bool = true, limit: Int = 100) {
        self.sort = sort
        self.isDescending = isDescending
        self.limit = limit
    }

    /// Limit of rows in memory at once.
    public static let maximumLimit = 1000
}

extension TransactionRepository {
    /// One page of a query. Rows that arrive after the first page appear on no later page, so pages do not shift.
    public func page(_ query: TransactionQuery) throws(StoreError) -> TransactionPage {
        if let statuses = query.statuses, statuses.isEmpty { return TransactionPage(rows: [], next: nil, total: 0) }
        let today = today
        let cursor = try cursor(of: query)
        return try read { db in
            let newest = try cursor?.newest ?? Int64.fetchOne(db, sql: "SELECT max(id) FROM transactions") ?? 0
            let found = QueryCondition(query, today: today)
            var condition = found
            condition.addNewest(newest)
            if let cursor { condition.add(behind: cursor, query) }
            let order = query.isDescending ? "DESC" : "ASC"
            let sorting = "ORDER BY \(query.sort.expression) \(order), id \(order)"
            let limit = min(max(query.limit, 1), TransactionQuery.maximumLimit)
            let columns = query.readsProvenance ? TransactionRow.columns : TransactionRow.listColumns
            var rows: [TransactionRow] = []
            // The index alone selects the page, and only its rows are read. One extra row shows that a next page
            // exists.
            let statement = try db.cachedStatement(
                sql: db.planned(
                    """
                    SELECT \(columns), \(query.sort.expression) FROM transactions WHERE id IN (
                      SELECT id FROM transactions \(Self.way(query, found)) WHERE \(condition.sql) \(sorting) LIMIT \(limit + 1))
                    \(sorting)
                    """))
            var key = DatabaseValue.null
            let cells = try Row.fetchCursor(statement, arguments: condition.arguments)
            var more = false
            while let row = try cells.next() {
                if rows.count == limit {
                    more = true
                    break
                }
                rows.append(TransactionRow(Columns(handle: statement.sqliteStatement)))
                key = row[Int(TransactionRow.columnCount)]
            }
            var total = 0
            if query.countsAll {
                // Counted once, so that changes between pages do not change the total.
                total = try cursor?.total ?? (more ? Self.count(db, found) : rows.count)
            }
            let next =
                more
                ? rows.last.map {
                    PageCursor(newest: newest, total: query.countsAll ? total : nil, key: key, id: $0.id).text(
                        of: query)
                } : nil
            return TransactionPage(rows: rows, next: next, total: total)
        }
    }
}

extension TransactionRepository {
    /// The numbers of all rows of a query, the newest first, without regard to its pages.
    public func ids(_ query: TransactionQuery, limit: Int) throws(StoreError) -> [Int64] {
        if let statuses = query.statuses, statuses.isEmpty { return [] }
        let condition = QueryCondition(query, today: today)
        return try read { db in
            try Int64.fetchAll(
                db.cachedStatement(
                    sql: db.planned(
                        """
                        SELECT id FROM transactions INDEXED BY transactions_by_date WHERE \(condition.sql)
                        ORDER BY parsed_date DESC, id DESC LIMIT \(max(limit, 0))
                        """)), arguments: condition.arguments)
        }
    }

    /// - Throws: `invalid` if the query's cursor belongs to another query.
    private func cursor(of query: TransactionQuery) throws(StoreError) -> PageCursor? {
        guard let text = query.cursor else { return nil }
        guard let cursor = PageCursor(text, of: query) else {
            throw invalid([
                FieldProblem(
                    "cursor",
                    "belongs to another query: use the cursor of the previous page with the same filters and order")
            ])
        }
        return cursor
    }

    /// Index used to find the rows of a page. Without table statistics SQLite would guess, and a wrong guess reads
    /// every row.
    private static func way(_ query: TransactionQuery, _ found: QueryCondition) -> String {
        switch query.sort {
        case .amount where found.isPlain: "INDEXED BY transactions_alike"
        case .id where found.isPlain: "NOT INDEXED"
        default: "INDEXED BY transactions_by_date"
        }
    }

    /// Number of rows of a query. Without filters it comes from counts that triggers maintain; counting index entries
    /// would take ten milliseconds for a hundred thousand rows.
    private static func count(_ db: Database, _ found: QueryCondition) throws -> Int {
        let sql =
            found.isPlain
            ? "SELECT coalesce(sum(transactions), 0) FROM transaction_counts WHERE \(found.statuses)"
            : "SELECT count(*) FROM transactions INDEXED BY transactions_by_date WHERE \(found.sql)"
        return try Int.fetchOne(db.cachedStatement(sql: db.planned(sql)), arguments: found.arguments) ?? 0
    }
}

/// One page of the rows of a query.
public struct TransactionPage: Hashable, Sendable {
    public var rows: [TransactionRow]
    /// Cursor of the next page; `nil` on the last one.
    public var next: String?
    /// Number of rows on all pages when the first was read.
    public var total: Int
}

extension TransactionQuery.Sort {
    /// First sort key; the number breaks ties. Only a merchant may be NULL, which sorts first.
    var expression: String {
        switch self {
        case .date: "parsed_date"
        case .amount: "amount_minor"
        case .merchant: "parsed_vendor COLLATE NOCASE"
        case .category: "category_name COLLATE NOCASE"
        case .confidence: "coalesce(confidence_score, 1.0)"
        case .id: "id"
        }
    }
}
