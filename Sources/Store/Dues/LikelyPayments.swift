import Chronology
internal import GRDB
internal import Ledger

/// A due with its payments and the transactions that may have paid it.
public struct LikelyPayments: Sendable {
    public var row: DueRow
    /// The transactions that count as its payment, by day.
    public var payments: [TransactionRow]
    /// Others, the likeliest first.
    public var likely: [TransactionRow]
}

extension DueRepository {
    /// Days after a due in which its payment is searched.
    private static var lateDays: Int { 62 }
    /// Days before a due, other than a bill, in which its payment is searched.
    private static var earlyDays: Int { 15 }
    /// Transactions that are compared by name: those whose amounts are nearest.
    private static var compared: Int { 300 }

    /// The booked transactions that may have paid a due: first those of the same payee, then those of the same amount.
    /// Transactions that pay another due are left out.
    ///
    /// - Returns: `nil` if there is no such due.
    public func likelyPayments(of id: String, limit: Int) throws(StoreError) -> LikelyPayments? {
        // Nearly every due that a person asks about is in the range of the page.
        var rows = try list()
        if !rows.contains(where: { $0.item.due.id == id }) { rows = try list(.widest) }
        guard let row = rows.first(where: { $0.item.due.id == id }) else { return nil }
        let (due, own) = (row.item.due, row.item.payments.map(\.transaction))
        let others = Set(rows.flatMap(\.item.payments).map(\.transaction)).subtracting(own)
        return try read { db in
            let payments = try own.compactMap { try TransactionRow.current(db, $0) }
            let found = try Self.near(due, db).filter { !others.contains($0.id) && !own.contains($0.id) }
            let likely = found.sorted { Self.order($0, due) < Self.order($1, due) }
            return LikelyPayments(row: row, payments: payments, likely: Array(likely.prefix(limit)))
        }
    }

    private static func near(_ due: Due, _ db: Database) throws -> [TransactionRow] {
        let first = due.kind == .bill ? due.since.daysSince1970 : due.day.daysSince1970 - earlyDays
        let wrong: TransactionType = due.isIncome ? .expense : .income
        var rows: [TransactionRow] = []
        try PreparedStatement(
            db,
            """
            SELECT \(TransactionRow.listColumns) FROM transactions
            WHERE parsed_date BETWEEN ?1 AND ?2 AND currency = ?3 AND status = 'confirmed' AND deleted_at IS NULL
              AND (?4 = '' OR transaction_type <> ?4)
            ORDER BY abs(amount_minor - ?5), id DESC LIMIT \(compared)
            """
        ).each {
            $0.bind(CalendarDate(daysSince1970: first))
            $0.bind(CalendarDate(daysSince1970: due.day.daysSince1970 + lateDays))
            $0.bind(due.amount.currency.code)
            // A card reports the payment of its bill as money that comes in.
            $0.bind(due.kind == .bill ? "" : wrong.rawValue)
            $0.bind(due.amount.minorUnits)
        } _: {
            rows.append(TransactionRow($0))
            return true
        }
        return rows
    }

    /// Compared from left to right; the lowest comes first.
    private static func order(_ row: TransactionRow, _ due: Due) -> (Int, Int, Int64, Int) {
        (
            PayeeText.isSame(row.vendor ?? row.vpa ?? "", due.payee) ? 0 : 1, row.amount == due.amount ? 0 : 1,
            abs(row.amount.minorUnits &- due.amount.minorUnits),
            abs(row.date.daysSince1970 - due.day.daysSince1970)
        )
    }
}
