internal import GRDB
public import Ledger

/// Each is one pass over the index `transactions_by_date`, from the first day of the span to its last.
extension Store {
    private static let rows = """
        FROM transactions INDEXED BY transactions_by_date
        WHERE status = 'confirmed' AND deleted_at IS NULL AND parsed_date BETWEEN ? AND ?
        """

    /// The figures of each currency that occurs, that with the most transactions first.
    public func totals(of span: DaySpan) throws(StoreError) -> [Statistics.Totals] {
        var totals: [String: Statistics.Totals] = [:]
        try read { db in
            try PreparedStatement(
                db, "SELECT currency, transaction_type, sum(amount_minor), count(*), max(amount_minor) \(Self.rows) GROUP BY currency, transaction_type"
            ).each { $0.put(span) } _: { row in
                guard let currency = Currency(code: row.text(0)) else { return true }
                var total = totals[currency.code] ?? Statistics.Totals(currency: currency)
                let (sum, count) = (Money(minorUnits: row.int(2), currency: currency), Int(row.int(3)))
                switch TransactionType(rawValue: row.text(1)) {
                case .income: (total.received, total.incomes) = (sum, count)
                case .transfer: (total.transferred, total.transfers) = (sum, count)
                case .expense, nil: (total.spent, total.expenses, total.largest) = (sum, count, Money(minorUnits: row.int(4), currency: currency))
                }
                totals[currency.code] = total
                return true
            }
        }
        return totals.values.sorted { ($1.transactions, $0.currency.code) < ($0.transactions, $1.currency.code) }
    }

    /// What was spent by category and subcategory, the largest category first and within it the largest subcategory.
    public func spendByCategory(of span: DaySpan, in currency: Currency) throws(StoreError) -> [Statistics.CategorySum] {
        var sums: [Statistics.CategorySum] = []
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT category_name, subcategory, sum(amount_minor), count(*) \(Self.rows) AND currency = ? AND transaction_type = 'expense'
                GROUP BY category_name, subcategory
                """
            ).each {
                $0.put(span)
                $0.put(currency.code)
            } _: { row in
                sums.append(
                    Statistics.CategorySum(
                        category: row.text(0), subcategory: row.optionalText(1), spent: Money(minorUnits: row.int(2), currency: currency), expenses: Int(row.int(3))))
                return true
            }
        }
        var whole: [String: Int64] = [:]
        for sum in sums { whole[sum.category, default: 0] += sum.spent.minorUnits }
        func order(_ sum: Statistics.CategorySum) -> (Int64, String, Int64, String) {
            (-(whole[sum.category] ?? 0), sum.category, -sum.spent.minorUnits, sum.subcategory ?? "")
        }
        return sums.sorted { order($0) < order($1) }
    }

    /// What was spent and received in each step of the span, in order; also steps in which nothing was.
    public func spendOverTime(of span: DaySpan, in currency: Currency, by step: Statistics.Step) throws(StoreError) -> [Statistics.Bucket] {
        let nothing = Money(minorUnits: 0, currency: currency)
        var buckets = step.steps(of: span).map { Statistics.Bucket(days: $0, spent: nothing, received: nothing, expenses: 0) }
        var at = 0
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT parsed_date, transaction_type = 'income', sum(amount_minor), count(*) \(Self.rows) AND currency = ? AND transaction_type <> 'transfer'
                GROUP BY parsed_date, transaction_type = 'income' ORDER BY parsed_date
                """
            ).each {
                $0.put(span)
                $0.put(currency.code)
            } _: { row in
                guard let day = CalendarDate(iso: row.text(0)) else { return true }
                while at < buckets.count, buckets[at].days.last < day { at += 1 }
                guard at < buckets.count else { return false }
                if row.int(1) != 0 {
                    buckets[at].received.minorUnits += row.int(2)
                } else {
                    buckets[at].spent.minorUnits += row.int(2)
                    buckets[at].expenses += Int(row.int(3))
                }
                return true
            }
        }
        return buckets
    }

    /// Where the most was spent, the largest sum first. Expenses without a merchant are left out.
    public func topMerchants(of span: DaySpan, in currency: Currency, limit: Int = 5) throws(StoreError) -> [Statistics.MerchantSum] {
        var merchants: [Statistics.MerchantSum] = []
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT parsed_vendor, sum(amount_minor) AS spent, count(*), max(parsed_date)
                \(Self.rows) AND currency = ? AND transaction_type = 'expense' AND parsed_vendor <> ''
                GROUP BY parsed_vendor COLLATE NOCASE ORDER BY spent DESC, parsed_vendor LIMIT ?
                """
            ).each {
                $0.put(span)
                $0.put(currency.code)
                $0.put(Int64(limit))
            } _: { row in
                merchants.append(
                    Statistics.MerchantSum(
                        merchant: row.text(0), spent: Money(minorUnits: row.int(1), currency: currency), expenses: Int(row.int(2)), lastDate: row.text(3)))
                return true
            }
        }
        return merchants
    }
}

extension Binder {
    fileprivate mutating func put(_ span: DaySpan) {
        put(Instant.day(span.first))
        put(Instant.day(span.last))
    }
}
