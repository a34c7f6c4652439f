public import Chronology
internal import GRDB
public import Ledger

/// Each is one pass over the index `transactions_by_date`, from the first day of the span to its last.
extension StatisticsRepository {
    /// The figures of each currency that occurs, that with the most transactions first.
    public func totals(
        of span: DaySpan, _ filter: Statistics.Filter = .all
    ) throws(StoreError) -> [Statistics.Totals] {
        var totals = TotalsByCurrency()
        try read { db in
            try PreparedStatement(
                db,
                "SELECT currency, \(Statistics.type), sum(\(filter.amount)), \(Statistics.count), max(\(filter.amount)) \(filter.rows)\(filter.condition) GROUP BY 1, 2"
            ).each {
                $0.bind(span)
                $0.bind(filter)
            } _: { row in
                totals.add(
                    currency: row.text(0), type: row.text(1), sum: row.int(2), count: Int(row.int(3)),
                    largest: row.int(4))
                return true
            }
        }
        return totals.sorted
    }

    /// First day with a booked transaction.
    public func firstBookedDay() throws(StoreError) -> CalendarDate? {
        try read { db in
            try CalendarDate.fetchOne(
                db,
                sql: db.planned(
                    """
                    SELECT parsed_date FROM transactions INDEXED BY transactions_by_date WHERE status = 'confirmed' AND deleted_at IS NULL
                    ORDER BY parsed_date LIMIT 1
                    """)
            )
        }
    }

    /// Expenses by category and subcategory, the largest category first and within it the largest subcategory.
    public func spendByCategory(
        of span: DaySpan, in currency: Currency, _ filter: Statistics.Filter = .all
    ) throws(StoreError) -> [Statistics.CategorySum] {
        var sums: [Statistics.CategorySum] = []
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT \(Statistics.Part.category), \(Statistics.Part.subcategory), sum(\(Statistics.Part.amount)), \(Statistics.count) \(Statistics.parts) AND currency = ? AND \(Statistics.type) = 'expense'\(filter.condition)
                GROUP BY 1, 2
                """
            ).each {
                $0.bind(span, currency, filter)
            } _: { row in
                sums.append(
                    Statistics.CategorySum(
                        category: row.text(0), subcategory: row.optionalText(1),
                        spent: Money(minorUnits: row.int(2), currency: currency), expenses: Int(row.int(3))))
                return true
            }
        }
        return Statistics.CategorySum.ordered(sums)
    }

    /// Expenses and income of each step of the span, in order; steps without any are included.
    public func spendOverTime(
        of span: DaySpan, in currency: Currency, by step: Statistics.Step, _ filter: Statistics.Filter = .all
    ) throws(StoreError) -> [Statistics.Bucket] {
        var buckets = BucketsOverTime(step.steps(of: span), currency)
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT parsed_date, \(Statistics.type) = 'income', sum(\(filter.amount)), \(Statistics.count) \(filter.rows) AND currency = ? AND \(Statistics.type) <> 'transfer'\(filter.condition)
                GROUP BY 1, 2 ORDER BY parsed_date
                """
            ).each {
                $0.bind(span, currency, filter)
            } _: { row in
                let day = row.day(0)
                buckets.add(day, isIncome: row.int(1) != 0, sum: row.int(2), count: Int(row.int(3)))
                return true
            }
        }
        return buckets.buckets
    }

    /// Expenses by tag, the largest sum first. An expense with several tags counts for each.
    public func spendByTag(
        of span: DaySpan, in currency: Currency, _ filter: Statistics.Filter = .all
    ) throws(StoreError) -> [Statistics.TagSum] {
        var sums: [Statistics.TagSum] = []
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT g.name, sum(amount) AS spent, count(DISTINCT iif(counted, t.id, NULL)) FROM (
                  SELECT id, \(filter.amount) AS amount, \(Statistics.isCounted) AS counted \(filter.rows) AND currency = ? AND \(Statistics.type) = 'expense'\(filter.condition)) t
                JOIN tags g ON g.transaction_id = t.id GROUP BY g.name ORDER BY spent DESC, g.name
                """
            ).each {
                $0.bind(span, currency, filter)
            } _: { row in
                sums.append(
                    Statistics.TagSum(
                        tag: row.text(0), spent: Money(minorUnits: row.int(1), currency: currency),
                        expenses: Int(row.int(2))))
                return true
            }
        }
        return sums
    }

    /// The merchants with the largest expenses, the largest sum first. Expenses without a merchant are left out.
    public func topMerchants(
        of span: DaySpan, in currency: Currency, limit: Int = 5, _ filter: Statistics.Filter = .all
    ) throws(StoreError) -> [Statistics.MerchantSum] {
        var merchants: [Statistics.MerchantSum] = []
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT parsed_vendor, sum(\(filter.amount)) AS spent, \(Statistics.count), max(parsed_date)
                \(filter.rows) AND currency = ? AND \(Statistics.type) = 'expense' AND parsed_vendor <> ''\(filter.condition)
                GROUP BY parsed_vendor COLLATE NOCASE ORDER BY spent DESC, parsed_vendor LIMIT ?
                """
            ).each {
                $0.bind(span, currency, filter)
                $0.bind(Int64(limit))
            } _: { row in
                merchants.append(
                    Statistics.MerchantSum(
                        merchant: row.text(0), spent: Money(minorUnits: row.int(1), currency: currency),
                        expenses: Int(row.int(2)), lastDate: row.day(3)))
                return true
            }
        }
        return merchants
    }
}

extension StatisticsRepository {
    /// Expenses by payee, the largest sum first. Expenses without a payee are left out.
    public func spendByPayee(
        of span: DaySpan, in currency: Currency, limit: Int = 100, _ filter: Statistics.Filter = .all
    ) throws(StoreError) -> [Statistics.PayeeSum] {
        var sums: [Statistics.PayeeSum] = []
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT p.id, p.name, spent, expenses, last FROM (
                  SELECT payee_id, sum(\(filter.amount)) AS spent, count(DISTINCT iif(\(Statistics.isCounted), id, NULL)) AS expenses, max(parsed_date) AS last \(filter.rows)
                    AND currency = ? AND \(Statistics.type) = 'expense' AND payee_id IS NOT NULL\(filter.condition) GROUP BY payee_id) t
                JOIN payees p ON p.id = t.payee_id ORDER BY spent DESC, p.name LIMIT ?
                """
            ).each {
                $0.bind(span, currency, filter)
                $0.bind(Int64(limit))
            } _: { row in
                sums.append(
                    Statistics.PayeeSum(
                        payeeID: row.int(0), payee: row.text(1),
                        spent: Money(minorUnits: row.int(2), currency: currency), expenses: Int(row.int(3)),
                        lastDate: row.day(4)))
                return true
            }
        }
        return sums
    }
}

extension Binder {
    mutating func bind(_ span: DaySpan) {
        bind(span.first)
        bind(span.last)
    }
}

extension Statistics {
    /// Joins the purchase of a refund and of an instalment. A refund then counts as a negative expense in the category
    /// of the purchase, on the day of the refund. An instalment counts as a transfer, because the purchase is the
    /// expense; only its interest is an expense. See ``type``, ``amount`` and ``Part``.
    static let links = """
        LEFT JOIN refunds ON refunds.refund_id = transactions.id LEFT JOIN instalments ON instalments.instalment_id = transactions.id
        """
    /// The type that a row counts as.
    static let type =
        "CASE WHEN refund_id IS NOT NULL THEN 'expense' WHEN interest_minor = 0 THEN 'transfer' ELSE transaction_type END"
    static let amount = counted("amount_minor")

    private static func counted(_ minor: String) -> String {
        "CASE WHEN refund_id IS NOT NULL THEN -\(minor) WHEN interest_minor > 0 THEN interest_minor ELSE \(minor) END"
    }
    /// False for a refund, which lowers a sum but is not counted as a payment.
    static let isCounted = "(refund_id IS NULL)"
    static let count = "sum\(isCounted)"

    /// Rows that count; the two parameters are the range.
    static let rows = """
        FROM transactions INDEXED BY transactions_by_date \(links)
        WHERE status = 'confirmed' AND deleted_at IS NULL AND parsed_date BETWEEN ? AND ?
        """

    /// The same with a row for each part of a split payment, whose columns are those of ``Part``.
    static let parts = """
        FROM transactions INDEXED BY transactions_by_date LEFT JOIN split_parts ON split_parts.transaction_id = transactions.id \(links)
        WHERE status = 'confirmed' AND deleted_at IS NULL AND parsed_date BETWEEN ? AND ?
        """

    /// Columns of a part of ``parts``, or of the whole payment if it is not split.
    enum Part {
        static let amount = Statistics.counted("coalesce(part_minor, amount_minor)")
        static let category = "coalesce(refund_category, part_category, category_name)"
        static let subcategory =
            "iif(refund_id IS NULL, iif(part_category IS NULL, subcategory, part_subcategory), refund_subcategory)"
    }
}
