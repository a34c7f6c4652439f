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
    /// The expenses of each category in each of the ``buckets``, the largest category first.
    public var series: [Statistics.CategorySeries]
}

extension PeriodSums {
    /// Removes years before the first and after the last one with rows: a period can have 230.
    public mutating func dropEmptyYears() {
        let kept = Statistics.Bucket.occupied(buckets)
        buckets = Array(buckets[kept])
        for index in series.indices { series[index].spent = Array(series[index].spent[kept]) }
    }
}

extension Statistics.Bucket {
    /// From the first to the last step with rows; all steps if there is none.
    public static func occupied(_ buckets: [Statistics.Bucket]) -> ClosedRange<Int> {
        let isUsed = { (bucket: Statistics.Bucket) in
            bucket.expenses > 0 || bucket.spent.minorUnits != 0 || bucket.received.minorUnits > 0
        }
        return (buckets.firstIndex(where: isUsed) ?? 0)...(buckets.lastIndex(where: isUsed) ?? buckets.count - 1)
    }
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
                SELECT parsed_date, currency, \(Statistics.type), coalesce(refund_category, category_name),
                  iif(refund_id IS NULL, subcategory, refund_subcategory), sum(\(Statistics.amount)), \(Statistics.count), max(\(Statistics.amount)) \(Statistics.rows)
                GROUP BY 1, 2, 3, 4, 5
                """
            ).each {
                $0.bind(span)
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
        var categories = CategorySums(currency, steps: buckets.buckets.count)
        for group in groups[currency.code] ?? [] where group.type != TransactionType.transfer.rawValue {
            let isIncome = group.type == TransactionType.income.rawValue
            let step = buckets.add(group.day, isIncome: isIncome, sum: group.sum, count: group.count)
            if isIncome { continue }
            categories.add(group.category, group.subcategory, group.sum, group.count, in: step)
        }
        try addParts(of: span, in: currency, to: &categories, buckets.buckets)
        return PeriodSums(
            totals: all, currency: currency, categories: categories.sums, buckets: buckets.buckets,
            series: categories.series)
    }

    /// Moves split payments from the category of the payment to the categories of its parts. A separate query, because
    /// split payments are few and the query of all rows is faster without a join.
    private func addParts(
        of span: DaySpan, in currency: Currency, to categories: inout CategorySums, _ buckets: [Statistics.Bucket]
    ) throws(StoreError) {
        var sums = categories
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT parsed_date, category_name, subcategory, amount_minor, position = 1, part_category, part_subcategory, part_minor
                FROM split_parts CROSS JOIN transactions ON transactions.id = split_parts.transaction_id
                WHERE status = 'confirmed' AND deleted_at IS NULL AND parsed_date BETWEEN ? AND ? AND currency = ?
                  AND transaction_type = 'expense'
                """
            ).each {
                $0.bind(span)
                $0.bind(currency.code)
            } _: { row in
                let day = row.day(0)
                let step = buckets.firstIndex { $0.days.contains(day) }
                if row.int(4) != 0 { sums.add(row.text(1), row.optionalText(2), -row.int(3), -1, in: step) }
                sums.add(row.text(5), row.optionalText(6), row.int(7), 1, in: step)
                return true
            }
        }
        categories = sums
    }
}

/// Expenses by category and subcategory, and by category in each step.
fileprivate struct CategorySums {
    private let currency: Currency
    private let steps: Int
    private var whole: [CategoryKey: Statistics.CategorySum] = [:]
    private var overTime: [String: [Int64]] = [:]

    init(_ currency: Currency, steps: Int) {
        self.currency = currency
        self.steps = steps
    }

    mutating func add(_ category: String, _ subcategory: String?, _ sum: Int64, _ count: Int, in step: Int?) {
        let nothing = Statistics.CategorySum(
            category: category, subcategory: subcategory, spent: Money(minorUnits: 0, currency: currency), expenses: 0)
        let key = CategoryKey(category: category, subcategory: subcategory)
        whole[key, default: nothing].spent.minorUnits += sum
        whole[key, default: nothing].expenses += count
        guard let step else { return }
        overTime[category, default: [Int64](repeating: 0, count: steps)][step] += sum
    }

    /// Without categories whose payments were all moved to their parts by `addParts`.
    var sums: [Statistics.CategorySum] {
        Statistics.CategorySum.ordered(whole.values.filter { $0.expenses > 0 || $0.spent.minorUnits != 0 })
    }

    var series: [Statistics.CategorySeries] {
        let all = overTime.compactMap { category, units -> Statistics.CategorySeries? in
            let total = units.reduce(0, +)
            guard total > 0 else { return nil }
            return Statistics.CategorySeries(
                category: category, spent: units.map { Money(minorUnits: $0, currency: currency) },
                total: Money(minorUnits: total, currency: currency))
        }
        return all.sorted { (-$0.total.minorUnits, $0.category) < (-$1.total.minorUnits, $1.category) }
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

    /// Returns the index of the step of the day; `nil` for a day after the last step.
    @discardableResult
    mutating func add(_ day: CalendarDate, isIncome: Bool, sum: Int64, count: Int) -> Int? {
        while at < buckets.count, buckets[at].days.last < day { at += 1 }
        guard at < buckets.count else { return nil }
        if isIncome {
            buckets[at].received.minorUnits += sum
        } else {
            buckets[at].spent.minorUnits += sum
            buckets[at].expenses += count
        }
        return at
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
