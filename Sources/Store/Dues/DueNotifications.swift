import Chronology
internal import GRDB
internal import Ledger

extension DueRepository {
    /// Days after which a late due is not reported any more.
    private static var announcedDays: Int { 30 }

    /// Writes one notification for each payment that is due within some days, and one for each that is late, missing or
    /// differs. Each comes once, also across restarts.
    /// - Parameter details: the text of a payment's notification.
    /// - Returns: the number of notifications.
    @discardableResult
    public func announce(daysAhead: Int, details: (DueRow) -> String) throws(StoreError) -> Int
    where Scope: WriteScope {
        guard let policy = notificationPolicy, policy.kinds.contains(.due) else { return 0 }
        let rows = try list(DueRange(back: Self.announcedDays, ahead: daysAhead))
        return try announce(by: policy) { db, time, writer in
            for row in rows {
                guard let occasion = row.occasion else { continue }
                try db.execute(
                    sql: "INSERT OR IGNORE INTO due_notifications VALUES (?, ?, ?)",
                    arguments: [row.item.due.id, occasion.rawValue, time])
                guard db.changesCount > 0 else { continue }
                try writer.write(.due, subject: row.title, details: details(row))
            }
        }
    }
}

extension DueRow {
    fileprivate enum Occasion: String { case ahead, late }

    fileprivate var occasion: Occasion? {
        if item.state.isAlarming { return .late }
        return item.state.isOpen && !item.due.isIncome && !item.due.isPosted ? .ahead : nil
    }
}
