import Chronology
internal import GRDB
internal import Ledger

extension DueRepository {
    /// Days after which a late due is not reported any more.
    private static var newsDays: Int { 30 }

    /// Writes one notification for each payment that is due within some days, and one for each that is late, missing or
    /// differs. Each comes once, also across restarts.
    /// - Returns: the number of notifications.
    @discardableResult
    public func announce(daysAhead: Int) throws(StoreError) -> Int where Scope: WriteScope {
        guard let policy = notificationPolicy, policy.kinds.contains(.due) else { return 0 }
        let rows = try list(DueRange(back: Self.newsDays, ahead: daysAhead))
        return try announce(by: policy) { db, time, writer in
            for row in rows {
                guard let occasion = row.occasion else { continue }
                try db.execute(
                    sql: "INSERT OR IGNORE INTO due_notifications VALUES (?, ?, ?)",
                    arguments: [row.item.due.id, occasion.rawValue, time])
                guard db.changesCount > 0 else { continue }
                try writer.write(.due, subject: row.title, details: row.sentence)
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

    /// `Netflix: INR 649.00 is due on 2026-01-05; the balance of HDFC Bank ··4082 is too low`.
    public var sentence: String {
        let due = item.due
        let text =
            switch item.state {
            case .upcoming, .due: "\(due.amount) is due on \(due.day)"
            case .overdue: "\(item.rest) was due on \(due.day) and is not paid"
            case .partlySettled: "\(item.rest) of \(due.amount) is left to pay, due on \(due.day)"
            case .settled: "\(due.amount) is paid"
            case .differs:
                "\(due.amount) was announced for \(due.day), but \(Money(minorUnits: item.paid, currency: due.amount.currency)) was booked"
            case .missed: "\(due.amount) was expected on \(due.day), but is not booked"
            case .carried: "\(item.rest) is part of the next bill"
            }
        let warning = item.suffices == false ? "; the balance of \(payerName ?? "the account") is too low" : ""
        return (title.isEmpty ? "" : title + ": ") + text + warning
    }
}
