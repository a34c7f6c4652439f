public import Chronology
internal import GRDB
internal import Ledger

/// The statement cycle of a card, as its newest bill or statement states it.
public struct StatementCycle: Hashable, Sendable {
    /// `user_accounts.id`.
    public var account: Int64
    public var name: String
    public var days: DaySpan
}

extension StatisticsRepository {
    /// The cycles of the cards in use, by name: the days that a bill states to be for, or those of an imported
    /// statement if they are a whole month. A statement without a printed period has the days of its lines.
    public func statementCycles() throws(StoreError) -> [StatementCycle] {
        var cycles: [StatementCycle] = []
        try read { db in
            try PreparedStatement(
                db,
                """
                SELECT a.id, a.name, c.first, max(c.last) FROM (
                  SELECT \(NoticeBalances.dueAccount) AS account, n.period_from AS first, n.period_to AS last
                  FROM notices n WHERE n.kind = 'bill' AND n.period_from IS NOT NULL AND n.period_to IS NOT NULL
                  UNION ALL
                  SELECT coalesce(o.merged_into, o.id), s.first_day, s.last_day
                  FROM statements s JOIN user_accounts o ON o.id = s.user_account_id
                  WHERE o.type = 'card' AND s.list IS NULL AND date(s.first_day, '+1 month', '-1 day') = s.last_day
                ) c JOIN user_accounts a ON a.id = c.account
                WHERE a.is_active AND a.merged_into IS NULL
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
