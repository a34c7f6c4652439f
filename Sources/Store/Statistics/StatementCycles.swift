public import Chronology
internal import GRDB
internal import Ledger

/// The statement cycle of a card, as its newest bill states it.
public struct StatementCycle: Hashable, Sendable {
    /// `user_accounts.id`.
    public var account: Int64
    public var name: String
    public var days: DaySpan
}

extension StatisticsRepository {
    /// The cycles of the cards in use whose bills state the days that they are for, by name.
    public func statementCycles() throws(StoreError) -> [StatementCycle] {
        var cycles: [StatementCycle] = []
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT a.id, a.name, n.period_from, max(n.period_to) FROM notices n
                JOIN user_account_numbers u ON u.profile = n.profile AND u.account_digits = n.account_digits
                JOIN user_accounts a ON a.id = u.user_account_id
                WHERE n.kind = 'bill' AND n.period_from IS NOT NULL AND n.period_to IS NOT NULL
                  AND a.is_active AND a.merged_into IS NULL
                GROUP BY a.id ORDER BY a.name, a.id
                """
            ).each { _ in
            } _: { row in
                if let days = DaySpan(row.day(2), through: row.day(3)) {
                    cycles.append(StatementCycle(account: row.int(0), name: row.text(1), days: days))
                }
                return true
            }
        }
        return cycles
    }
}
