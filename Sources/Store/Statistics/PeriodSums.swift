public import Chronology
public import Ledger

/// Figures of an overview of a range of days, in one currency.
public struct PeriodSums: Hashable, Sendable {
    /// See ``Store/totals(of:)-(DaySpan)``.
    public var totals: [Statistics.Totals]
    /// The requested currency if it occurs, otherwise the one with the most transactions.
    public var currency: Currency
    /// See ``Store/spendByCategory(of:in:)``.
    public var categories: [Statistics.CategorySum]
    /// See ``Store/spendOverTime(of:in:by:)``.
    public var buckets: [Statistics.Bucket]
}

fileprivate struct Group {
    var day: CalendarDate
    var type: String
    var category: String
    var subcategory: String?
    var sum: Int64
    var count: Int
}

fileprivate struct CategoryKey: Hashable {
    var category: String
    var subcategory: String?
}

extension StatisticsRepository {
    /// Computes an overview in one pass; its parts would need one each.
    public func sums(of span: DaySpan, in wanted: Currency?, by step: Statistics.Step) throws(StoreError) -> PeriodSums
    {
        var totals = TotalsByCurrency()
        var groups: [String: [Group]] = [:]
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT parsed_date, currency, transaction_type, category_name, subcategory, sum(amount_minor), count(*), max(amount_minor) \(Statistics.rows)
                GROUP BY parsed_date, currency, transaction_type, category_name, subcategory
                """
            ).each {
                $0.put(span)
            } _: { row in
                let day = row.day(0)
                let (currency, type, sum, count) = (row.text(1), row.text(2), row.int(5), Int(row.int(6)))
                totals.add(currency: currency, type: type, sum: sum, count: count, largest: row.int(7))
                groups[currency, default: []].append(
                    Group(
                        day: day, type: type, category: row.text(3), subcategory: row.optionalText(4), sum: sum,
                        count: count))
                return true
            }
        }
        let all = totals.sorted
        let currency =
            wanted.flatMap { wanted in all.contains { $0.currency == wanted } ? wanted : nil } ?? all.first?.currency
            ?? .inr
        var buckets = BucketsOverTime(step.steps(of: span), currency)
        var categories: [CategoryKey: Statistics.CategorySum] = [:]
        for group in groups[currency.code] ?? [] where group.type != TransactionType.transfer.rawValue {
            let isIncome = group.type == TransactionType.income.rawValue
            buckets.add(group.day, isIncome: isIncome, sum: group.sum, count: group.count)
            if isIncome { continue }
            let nothing = Statistics.CategorySum(
                category: group.category, subcategory: group.subcategory,
                spent: Money(minorUnits: 0, currency: currency), expenses: 0)
            let key = CategoryKey(category: group.category, subcategory: group.subcategory)
            categories[key, default: nothing].spent.minorUnits += group.sum
            categories[key, default: nothing].expenses += group.count
        }
        return PeriodSums(
            totals: all, currency: currency, categories: Statistics.CategorySum.ordered(Array(categories.values)),
            buckets: buckets.buckets)
    }
}

/// Steps of a chart, filled with days in ascending order.
struct BucketsOverTime {
    private(set) var buckets: [Statistics.Bucket]
    private var at = 0

    init(_ steps: [DaySpan], _ currency: Currency) {
        let nothing = Money(minorUnits: 0, currency: currency)
        buckets = steps.map { Statistics.Bucket(days: $0, spent: nothing, received: nothing, expenses: 0) }
    }

    mutating func add(_ day: CalendarDate, isIncome: Bool, sum: Int64, count: Int) {
        while at < buckets.count, buckets[at].days.last < day { at += 1 }
        guard at < buckets.count else { return }
        if isIncome {
            buckets[at].received.minorUnits += sum
        } else {
            buckets[at].spent.minorUnits += sum
            buckets[at].expenses += count
        }
    }
}

extension Statistics.CategorySum {
    /// The largest category first and within it the largest subcategory.
    static func ordered(_ sums: [Statistics.CategorySum]) -> [Statistics.CategorySum] {
        var whole: [String: Int64] = [:]
        for sum in sums { whole[sum.category, default: 0] += sum.spent.minorUnits }
        func order(_ sum: Statistics.CategorySum) -> (Int64, String, Int64, String) {
            (-(whole[sum.category] ?? 0), sum.category, -sum.spent.minorUnits, sum.subcategory ?? "")
        }
        return sums.sorted { order($0) < order($1) }
    }
}
