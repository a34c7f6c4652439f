import Chronology
internal import GRDB
import Ledger

extension TransactionRepository {
    /// Sums of the booked transactions on all pages of a query, by currency, that with the most transactions first.
    /// Empty if the query excludes booked ones.
    public func totals(of query: TransactionQuery) throws(StoreError) -> [Statistics.Totals] {
        guard query.statuses?.contains(.confirmed) ?? true else { return [] }
        var booked = query
        booked.statuses = nil
        var condition = QueryCondition(booked, today: today)
        condition.add("status = 'confirmed'")
        var totals = TotalsByCurrency()
        try read { db in
            let statement = try db.cachedStatement(
                sql: db.planned(
                    """
                    SELECT currency, \(Statistics.type), sum(\(Statistics.amount)), \(Statistics.count), max(\(Statistics.amount))
                    FROM transactions INDEXED BY transactions_by_date \(Statistics.links) WHERE \(condition.sql) GROUP BY 1, 2
                    """))
            let rows = try Row.fetchCursor(statement, arguments: condition.arguments)
            while let row = try rows.next() {
                totals.add(currency: row[0], type: row[1], sum: row[2], count: row[3], largest: row[4])
            }
        }
        return totals.sorted
    }
}

/// Rows of currency, type, sum, number and largest amount, grouped by currency.
struct TotalsByCurrency {
    private var totals: [String: Statistics.Totals] = [:]

    mutating func add(currency code: String, type: String, sum: Int64, count: Int, largest: Int64) {
        guard let currency = Currency(code: code) else { return }
        var total = totals[currency.code] ?? Statistics.Totals(currency: currency)
        switch TransactionType(rawValue: type) {
        case .income:
            total.received.minorUnits += sum
            total.incomes += count
        case .transfer:
            total.transferred.minorUnits += sum
            total.transfers += count
        case .expense, nil:
            total.spent.minorUnits += sum
            total.expenses += count
            total.largest.minorUnits = max(total.largest.minorUnits, largest)
        }
        totals[currency.code] = total
    }

    var sorted: [Statistics.Totals] {
        totals.values.sorted { ($1.transactions, $0.currency.code) < ($0.transactions, $1.currency.code) }
    }
}
