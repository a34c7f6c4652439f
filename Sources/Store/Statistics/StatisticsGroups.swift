public import Chronology
internal import GRDB
public import Ledger

extension Statistics {
    /// The conditions on transactions, in addition to the range of days.
    public struct Filter: Hashable, Sendable {
        /// `user_accounts.id`.
        public var account: Int64?
        /// A category or subcategory, in any case of ASCII letters.
        public var category: String?
        /// `payees.id`.
        public var payee: Int64?
        /// In any case of ASCII letters.
        public var tag: String?

        public init(account: Int64? = nil, category: String? = nil, payee: Int64? = nil, tag: String? = nil) {
            (self.account, self.category, self.payee, self.tag) = (account, category, payee, tag)
        }

        public static let all = Filter()

        /// SQL terms to append to ``Statistics/rows``; ``Binder/put(_:)-(Statistics.Filter)`` binds their values.
        var condition: String {
            (account == nil ? "" : " AND user_account_id = ?")
                + (category == nil ? "" : " AND ? COLLATE NOCASE IN (\(Part.category), \(Part.subcategory))")
                + (payee == nil ? "" : " AND payee_id = ?")
                + (tag == nil
                    ? "" : " AND EXISTS (SELECT 1 FROM tags WHERE transaction_id = transactions.id AND tags.name = ?)")
        }

        /// With a category, the parts of split payments count instead of the whole.
        /// A payee has few rows: its own index finds them without a pass over the days.
        var rows: String {
            let rows = category == nil ? Statistics.rows : Statistics.parts
            return payee == nil ? rows : rows.replacing("transactions_by_date", with: "transactions_by_payee")
        }
        var amount: String { category == nil ? Statistics.amount : Part.amount }
    }

    /// A value by which transactions are grouped.
    public enum Grouping: String, Hashable, Sendable, CaseIterable {
        case category, subcategory, account, payee, merchant, channel, type, day, week, month, year

        /// The SQL expression of the key; empty for rows without one.
        var expression: String {
            switch self {
            case .category: Part.category
            case .subcategory: "coalesce(\(Part.subcategory), '')"
            case .account: "coalesce((SELECT name FROM user_accounts a WHERE a.id = user_account_id), '')"
            case .payee: "coalesce((SELECT name FROM payees p WHERE p.id = payee_id), '')"
            case .merchant: "coalesce(parsed_vendor, '') COLLATE NOCASE"
            case .channel: "coalesce(channel, '')"
            case .type: Statistics.type
            case .day: "parsed_date"
            // Weeks begin on Monday and are named by it.
            case .week: "date(parsed_date, 'weekday 0', '-6 days')"
            case .month: "substr(parsed_date, 1, 7)"
            case .year: "substr(parsed_date, 1, 4)"
            }
        }
    }

    /// The figures of one value of a ``Grouping``.
    public struct Group: Hashable, Sendable {
        /// Empty for transactions without the value.
        public var key: String
        /// `user_accounts.id` if accounts are grouped.
        public var account: Int64?
        /// `payees.id` if payees are grouped.
        public var payee: Int64?
        public var spent: Money
        public var received: Money
        public var transferred: Money
        /// The number of transactions.
        public var transactions: Int
    }

    /// Maximum number of groups: a merchant or a day has one each.
    static let mostGroups: Int64 = 1000
}

extension StatisticsRepository {
    /// The figures of each value, in order of days for steps of time, otherwise the largest spending first; at most
    /// ``Statistics/mostGroups``.
    public func groups(
        of span: DaySpan, in currency: Currency, by grouping: Statistics.Grouping, _ filter: Statistics.Filter = .all
    ) throws(StoreError) -> [Statistics.Group] {
        var groups: [Statistics.Group] = []
        let isTime = [.day, .week, .month, .year].contains(grouping)
        // Accounts can have one name.
        let id = grouping == .account ? "user_account_id" : grouping == .payee ? "payee_id" : "NULL"
        let key = grouping == .account ? "user_account_id" : "1"
        let isByCategory = grouping == .category || grouping == .subcategory
        let (rows, amount) = isByCategory ? (Statistics.parts, Statistics.Part.amount) : (filter.rows, filter.amount)
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT \(grouping.expression), \(id), sum(\(amount)) FILTER (WHERE \(Statistics.type) = 'expense'),
                  sum(\(amount)) FILTER (WHERE \(Statistics.type) = 'income'), sum(\(amount)) FILTER (WHERE \(Statistics.type) = 'transfer'), count(*)
                \(rows) AND currency = ?\(filter.condition)
                GROUP BY \(key) ORDER BY \(isTime ? "1" : "3 DESC, 1") LIMIT \(Statistics.mostGroups)
                """
            ).each {
                $0.bind(span, currency, filter)
            } _: { row in
                func money(_ index: CInt) -> Money { Money(minorUnits: row.int(index), currency: currency) }
                groups.append(
                    Statistics.Group(
                        key: row.text(0), account: grouping == .account ? row.optionalInt(1) : nil,
                        payee: grouping == .payee ? row.optionalInt(1) : nil, spent: money(2), received: money(3),
                        transferred: money(4), transactions: Int(row.int(5))))
                return true
            }
        }
        return groups
    }
}

extension Binder {
    /// The values that sums of some days in one currency begin with.
    mutating func bind(_ span: DaySpan, _ currency: Currency, _ filter: Statistics.Filter) {
        bind(span)
        bind(currency.code)
        bind(filter)
    }

    mutating func bind(_ filter: Statistics.Filter) {
        if let account = filter.account { bind(account) }
        if let category = filter.category { bind(category) }
        if let payee = filter.payee { bind(payee) }
        if let tag = filter.tag { bind(tag) }
    }
}
