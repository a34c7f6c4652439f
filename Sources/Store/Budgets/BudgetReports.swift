public import Chronology
internal import GRDB
public import Ledger

extension BudgetRepository {
    /// The state of every budget on a day, in the order of ``all()``: one query for each budget. On the current day,
    /// recurring items and announced debits that are still to come count in the forecast.
    /// - Parameter day: the current day of the ledger by default.
    public func reports(on day: CalendarDate? = nil) throws(StoreError) -> [BudgetReport] {
        let day = day ?? today
        let rows = try all()
        guard !rows.isEmpty else { return [] }
        let coming = day == today ? try upcoming(try DueRepository<Scope>(access: access).list(range(of: rows))) : []
        return try reports(rows, on: day, coming)
    }

    /// The state of every budget today.
    /// - Parameters:
    ///   - rows: all budgets.
    ///   - dues: at least those of ``daysAhead(of:)`` days from a month ago on.
    func reports(_ rows: [BudgetRow], dues: [DueRow]) throws(StoreError) -> [BudgetReport] {
        rows.isEmpty ? [] : try reports(rows, on: today, try upcoming(dues))
    }

    /// The number of days from today to the end of the longest present period; zero without a budget.
    func daysAhead(of rows: [BudgetRow]) -> Int { range(of: rows).ahead }

    private func reports(
        _ rows: [BudgetRow], on day: CalendarDate, _ coming: [Due]
    ) throws(StoreError) -> [BudgetReport] {
        try read { db in
            try rows.map { row in
                BudgetReport(
                    row: row,
                    status: BudgetStatus(
                        row.budget, on: day, expenses: try Self.expenses(of: row, row.budget.countedDays(on: day), db),
                        known: Self.sums(coming, of: row, from: day)))
            }
        }
    }

    /// The states of a budget at the end of each of its newest periods, in ascending order, the last one on the current
    /// day. Empty before its first period. Payments to come do not count.
    public func history(of row: BudgetRow, periods count: Int) throws(StoreError) -> [BudgetStatus] {
        let (budget, today) = (row.budget, today)
        guard budget.firstDay <= today else { return [] }
        var ends = [today]
        while ends.count < count {
            let first = budget.period.days(around: ends[0]).first
            guard first > budget.firstDay else { break }
            ends.insert(CalendarDate(daysSince1970: first.daysSince1970 - 1), at: 0)
        }
        let oldest = budget.rollsOver ? budget.firstDay : budget.period.days(around: ends[0]).first
        let span = DaySpan(oldest, through: budget.period.days(around: today).last)
        return try read { db in
            let expenses = try Self.expenses(of: row, span, db)
            return ends.map { BudgetStatus(budget, on: $0, expenses: expenses) }
        }
    }

    /// The days of the dues that may be paid in a present period.
    private func range(of rows: [BudgetRow]) -> DueRange {
        let today = today
        let ends = rows.map { $0.budget.period.days(around: today).last.daysSince1970 }
        return DueRange(back: 31, ahead: (ends.max() ?? today.daysSince1970) - today.daysSince1970)
    }

    /// Those that will be expenses and are not paid, with their categories.
    private func upcoming(_ dues: [DueRow]) throws(StoreError) -> [Due] {
        if dues.isEmpty { return [] }
        return try read { db in
            let rules = try MappingRows.rules(db)
            return dues.map(\.item).compactMap { item -> Due? in
                // A bill pays what its card has booked already.
                guard item.due.kind != .bill, !item.due.isIncome, item.state.isOpen else { return nil }
                var due = item.due
                due.amount = item.rest
                if due.category == nil {
                    let match = rules.matches(CategoryFacts(merchant: due.payee)).category?.mapping
                    (due.category, due.subcategory) = (match?.category, match?.subcategory)
                }
                return due
            }
        }
    }

    /// The expected expenses of a budget by day. A late one is expected on `day`.
    private static func sums(_ dues: [Due], of row: BudgetRow, from day: CalendarDate) -> [CalendarDate: Int64] {
        var sums: [CalendarDate: Int64] = [:]
        for due in dues
        where due.category?.lowercased() == row.category.lowercased()
            && due.amount.currency == row.budget.amount.currency
            && (row.subcategory == nil || due.subcategory?.lowercased() == row.subcategory?.lowercased())
        {
            sums[max(due.day, day), default: 0] &+= due.amount.minorUnits
        }
        return sums
    }

    /// Booked expenses by day.
    private static func expenses(
        of row: BudgetRow, _ span: DaySpan?, _ db: Database
    ) throws -> [CalendarDate: Int64] {
        guard let span else { return [:] }
        var sums: [CalendarDate: Int64] = [:]
        try PreparedStatement(
            db,
            """
            SELECT parsed_date, sum(\(Statistics.Part.amount)) \(Statistics.parts) AND currency = ? AND \(Statistics.type) = 'expense'
              AND \(Statistics.Part.category) = ? \(row.subcategory == nil ? "" : "AND \(Statistics.Part.subcategory) = ?") GROUP BY parsed_date
            """
        ).each {
            $0.bind(span)
            $0.bind(row.budget.amount.currency.code)
            $0.bind(row.category)
            if let subcategory = row.subcategory { $0.bind(subcategory) }
        } _: { columns in
            sums[columns.day(0)] = columns.int(1)
            return true
        }
        return sums
    }
}
