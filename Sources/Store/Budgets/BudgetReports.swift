public import Chronology
internal import GRDB
internal import Ledger

extension BudgetRepository {
    /// The state of every budget on a day, in the order of ``all()``: one query for each budget.
    /// - Parameter day: the current day of the ledger by default.
    public func reports(on day: CalendarDate? = nil) throws(StoreError) -> [BudgetReport] {
        let day = day ?? today
        let rows = try all()
        return try read { db in
            try rows.map { row in
                BudgetReport(
                    row: row, status: BudgetStatus(row.budget, on: day, expenses: try Self.expenses(of: row, day, db)))
            }
        }
    }

    /// Booked expenses by day, of the days that count.
    private static func expenses(
        of row: BudgetRow, _ day: CalendarDate, _ db: Database
    ) throws -> [CalendarDate: Int64] {
        guard let span = row.budget.countedDays(on: day) else { return [:] }
        var sums: [CalendarDate: Int64] = [:]
        try PreparedStatement(
            db,
            """
            SELECT parsed_date, sum(\(Statistics.Part.amount)) \(Statistics.parts) AND currency = ? AND \(Statistics.type) = 'expense'
              AND \(Statistics.Part.category) = ? \(row.subcategory == nil ? "" : "AND \(Statistics.Part.subcategory) = ?") GROUP BY parsed_date
            """
        ).each {
            $0.put(span)
            $0.put(row.budget.amount.currency.code)
            $0.put(row.category)
            if let subcategory = row.subcategory { $0.put(subcategory) }
        } _: { columns in
            sums[columns.day(0)] = columns.int(1)
            return true
        }
        return sums
    }
}
