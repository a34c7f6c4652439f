internal import GRDB
public import Ledger

extension Store {
    /// Which transactions to show, in which order, and how many at a time. Deleted ones are never among them.
    public struct TransactionQuery: Hashable, Sendable {
        public enum Sort: String, Hashable, Sendable, CaseIterable {
            case date, amount, merchant, category, confidence
            /// In the order in which they were booked.
            case id
        }

        /// Stands in the merchant, the notes, the reference or the UPI address, whatever the case of its ASCII letters.
        public var text: String?
        /// Of the last so many days, in ``NewTransaction/usualOffset``; beside `since` the later one counts.
        public var days: Int?
        /// First and last day, both included.
        public var since: CalendarDate?
        public var until: CalendarDate?
        /// `nil`: every status.
        public var statuses: Set<TransactionStatus>?
        /// By name, whatever its case.
        public var category: String?
        public var subcategory: String?
        /// The digits as printed.
        public var account: String?
        /// `accounts.id`.
        public var accountID: String?
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
        public var sort: Sort
        public var isDescending: Bool
        /// ``TransactionPage/next`` of the page before, of a query that is the same but for this.
        public var cursor: String?
        public var limit: Int
        /// False: ``TransactionPage/total`` is not counted and is 0, for who reads everything anyway.
        public var countsAll = true

        public init(sort: Sort = .date, isDescending: Bool = true, limit: Int = 100) {
            self.sort = sort
            self.isDescending = isDescending
            self.limit = limit
        }

        /// More rows than this are never read into memory at once.
        public static let maximumLimit = 1000
    }

    /// One page of a query. Rows that arrive after the first page stand on none of the pages behind it, so none moves.
    public func transactions(_ query: TransactionQuery) throws(StoreError) -> TransactionPage {
        if let statuses = query.statuses, statuses.isEmpty { return TransactionPage(rows: [], next: nil, total: 0) }
        let today = CalendarDate(daysSince1970: Int((now() + Int64(NewTransaction.usualOffset)) / 86400))
        var cursor: PageCursor?
        if let text = query.cursor {
            cursor = PageCursor(text, of: query)
            if cursor == nil {
                throw invalid([FieldProblem("cursor", "is not one of this query: take it from the page before, and leave filters and order as they were")])
            }
        }
        return try read { db in
            let newest = try cursor?.newest ?? Int64.fetchOne(db, sql: "SELECT max(id) FROM transactions") ?? 0
            let found = QueryCondition(query, today: today)
            var condition = found
            condition.addNewest(newest)
            if let cursor { condition.add(behind: cursor, query) }
            let order = query.isDescending ? "DESC" : "ASC"
            let sorting = "ORDER BY \(query.sort.expression) \(order), id \(order)"
            let limit = min(max(query.limit, 1), TransactionQuery.maximumLimit)
            var rows: [TransactionRow] = []
            // An index alone says which rows stand on the page, and only they are read. One more than asked for says whether there is a next page.
            let statement = try db.cachedStatement(
                sql: """
                    SELECT \(TransactionRow.listColumns), \(query.sort.expression) FROM transactions WHERE id IN (
                      SELECT id FROM transactions \(Self.way(query, found)) WHERE \(condition.sql) \(sorting) LIMIT \(limit + 1))
                    \(sorting)
                    """)
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
                // Counted once: what changes while a client turns pages does not change how many it was promised.
                total = try cursor?.total ?? (more ? Self.count(db, found) : rows.count)
            }
            let next = more ? rows.last.map { PageCursor(newest: newest, total: query.countsAll ? total : nil, key: key, id: $0.id).text(of: query) } : nil
            return TransactionPage(rows: rows, next: next, total: total)
        }
    }
}

extension Store {
    /// By which index the rows of a page are found. SQLite would have to guess without statistics of the table, and a wrong guess reads every row.
    private static func way(_ query: TransactionQuery, _ found: QueryCondition) -> String {
        switch query.sort {
        case .amount where found.isPlain: "INDEXED BY transactions_alike"
        case .id where found.isPlain: "NOT INDEXED"
        default: "INDEXED BY transactions_by_date"
        }
    }

    /// How many rows a query finds. Without filters the counts that triggers keep say it; a look at each entry of the index would take ten milliseconds for a
    /// hundred thousand.
    private static func count(_ db: Database, _ found: QueryCondition) throws -> Int {
        let sql =
            found.isPlain
            ? "SELECT coalesce(sum(transactions), 0) FROM transaction_counts WHERE \(found.statuses)"
            : "SELECT count(*) FROM transactions INDEXED BY transactions_by_date WHERE \(found.sql)"
        return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: found.arguments) ?? 0
    }
}

/// A part of what a query finds.
public struct TransactionPage: Hashable, Sendable {
    public var rows: [TransactionRow]
    /// For the page behind this one; `nil` where this is the last.
    public var next: String?
    /// How many there were on all pages when the first was read.
    public var total: Int
}

extension Store.TransactionQuery.Sort {
    /// What is compared first; then the number decides. Only a merchant may be NULL, which comes first.
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

/// The terms of a query and their values.
struct QueryCondition {
    private(set) var sql = "deleted_at IS NULL"
    /// The one about the status; true where there is none.
    private(set) var statuses = "1"
    /// Whether nothing but the status is looked at.
    private(set) var isPlain = true
    private(set) var arguments = StatementArguments()

    mutating func add(_ term: String, _ values: (any DatabaseValueConvertible)?...) {
        isPlain = false
        sql += " AND " + term
        arguments += StatementArguments(values)
    }

    /// Those that were there when the first page was read. With the plus the number itself is no way to find them: that would read whole rows.
    mutating func addNewest(_ newest: Int64) { add("+id <= ?", newest) }

    /// Behind the last row of the page before.
    mutating func add(behind cursor: PageCursor, _ query: Store.TransactionQuery) {
        let (expression, sign) = (query.sort.expression, query.isDescending ? "<" : ">")
        if cursor.key.isNull {
            add("(\(expression) IS \(query.isDescending ? "" : "NOT ")NULL \(query.isDescending ? "AND" : "OR") id \(sign) ?)", cursor.id)
        } else if query.sort == .merchant, query.isDescending {
            add("((\(expression), id) < (?, ?) OR \(expression) IS NULL)", cursor.key, cursor.id)
        } else {
            add("(\(expression), id) \(sign) (?, ?)", cursor.key, cursor.id)
        }
    }

    init(_ query: Store.TransactionQuery, today: CalendarDate) {
        let recent = query.days.map { CalendarDate(daysSince1970: today.daysSince1970 - max(0, $0)) }
        if let since = [query.since, recent].compactMap({ $0 }).max() { add("parsed_date >= ?", Instant.day(since)) }
        if let until = query.until { add("parsed_date <= ?", Instant.day(until)) }
        if let wanted = query.statuses {
            statuses = "status IN (\(wanted.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")))"
            sql += " AND " + statuses
        }
        if let type = query.type { add("transaction_type = ?", type.rawValue) }
        if let channel = query.channel { add("channel = ?", channel.rawValue) }
        if let category = query.category { add("category_name = ? COLLATE NOCASE", category) }
        if let subcategory = query.subcategory { add("subcategory = ? COLLATE NOCASE", subcategory) }
        if let account = query.account { add("account_digits = ?", account) }
        if let account = query.accountID { add("account_id = ?", account) }
        if let bank = query.bank { add("profile = ?", bank) }
        if let recorder = query.recorder { add("recorder = ?", recorder) }
        if let ledger = query.ledger { add("ledger = ?", ledger) }
        if let currency = query.currency { add("currency = ?", currency.code) }
        if let from = query.amountFrom { add("amount_minor >= ?", from) }
        if let to = query.amountTo { add("amount_minor <= ?", to) }
        if let text = query.text, !text.isEmpty {
            let pattern = "%" + text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_") + "%"
            let columns = ["parsed_vendor", "notes", "reference", "vpa"]
            add("(" + columns.map { "\($0) LIKE ? ESCAPE '\\'" }.joined(separator: " OR ") + ")", pattern, pattern, pattern, pattern)
        }
    }
}

/// Where a page ends, as the text that a client hands back.
struct PageCursor: Equatable {
    /// The last row that was booked when the first page was read.
    var newest: Int64
    /// How many rows there were on all pages; `nil` where nobody counted.
    var total: Int?
    var key: DatabaseValue
    var id: Int64

    init(newest: Int64, total: Int?, key: DatabaseValue, id: Int64) {
        self.newest = newest
        self.total = total
        self.key = key
        self.id = id
    }

    init?(_ text: String, of query: Store.TransactionQuery) {
        // Of each byte two digits: neither URLs nor people have to think about it.
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0, digits.count <= 4096 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) else { return nil }
            bytes.append(byte)
        }
        guard let plain = String(validating: bytes, as: UTF8.self) else { return nil }
        let parts = plain.split(separator: "\u{1F}", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == Self.mark(query), let newest = Int64(parts[1]), let id = Int64(parts[3]) else { return nil }
        self.newest = newest
        total = Int(parts[2]).map { max(0, $0) }
        self.id = id
        let value = String(parts[4])
        switch query.sort {
        case .amount, .id:
            guard let number = Int64(value) else { return nil }
            key = number.databaseValue
        case .confidence:
            guard let number = Double(value), number.isFinite else { return nil }
            key = number.databaseValue
        case .merchant: key = value.isEmpty ? .null : value.databaseValue
        case .date, .category: key = value.databaseValue
        }
    }

    func text(of query: Store.TransactionQuery) -> String {
        let value: String
        switch key.storage {
        case .int64(let number): value = "\(number)"
        case .double(let number): value = "\(number)"
        case .string(let text): value = text
        case .null, .blob: value = ""
        }
        let plain = "\(Self.mark(query))\u{1F}\(newest)\u{1F}\(total.map(String.init) ?? "")\u{1F}\(id)\u{1F}\(value)"
        return String(decoding: plain.utf8.flatMap { [MailID.digit($0 >> 4), MailID.digit($0 & 15)] }, as: UTF8.self)
    }

    private static func mark(_ query: Store.TransactionQuery) -> String { query.sort.rawValue + (query.isDescending ? "-" : "+") }
}
