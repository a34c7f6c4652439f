import Chronology
internal import GRDB
internal import Ledger

extension BudgetRepository {
    /// Writes one notification for each budget that reached its warning or its limit in the current period. Each comes
    /// once a period, also across restarts.
    /// - Parameter details: the text of a budget's notification.
    /// - Returns: the number of notifications.
    @discardableResult
    public func announce(details: (BudgetReport) -> String) throws(StoreError) -> Int where Scope: WriteScope {
        guard let policy = notificationPolicy, policy.kinds.contains(.budget) else { return 0 }
        let reached = try reports().filter { $0.status.state == .warning || $0.status.state == .exceeded }
        if reached.isEmpty { return 0 }
        return try announce(by: policy) { db, time, writer in
            for report in reached {
                // An exceeded budget that a refund brings back to its warning is not reported again.
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO budget_notifications SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (
                          SELECT 1 FROM budget_notifications WHERE budget_id = ?1 AND first_day = ?2 AND state = 'exceeded')
                        """,
                    arguments: [report.row.id, report.status.days.first, report.status.state.rawValue, time])
                guard db.changesCount > 0 else { continue }
                try writer.write(.budget, subject: report.row.target, details: details(report))
            }
        }
    }
}
