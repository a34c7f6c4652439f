import Chronology
import GRDB
import Ledger

/// The sums of the movements of an account by day, for an account without any printed balance: their order within a day
/// does not matter then, and SQLite adds them up.
struct DailyMovements {
    struct Day {
        var day: CalendarDate
        /// In minor units of the account's currency, negative for an outflow.
        var change: Int64 = 0
        /// Movements in other currencies.
        var foreign: [Currency: Int64] = [:]
        var count = 0
    }

    /// In order.
    private(set) var days: [Day] = []

    /// Read from the index `transactions_by_user_account` alone, in its order.
    private static let selectOthers = """
        SELECT parsed_date, currency, transaction_type, sum(amount_minor), count(*), 0, 0 FROM transactions
        WHERE user_account_id = ? AND parsed_date <= ? AND transaction_type <> 'transfer' AND status = 'confirmed' AND deleted_at IS NULL
        GROUP BY 1, 2, 3
        """

    /// The direction of a transfer depends on its link and its payee:
    /// see ``TransferLeg/flow(of:linked:counterparty:)``.
    private static let selectTransfers = """
        SELECT parsed_date, currency, transaction_type, sum(amount_minor), count(*),
          CASE WHEN EXISTS (SELECT 1 FROM transfers WHERE debit_id = t.id AND state = 'linked') THEN 1
            WHEN EXISTS (SELECT 1 FROM transfers WHERE credit_id = t.id AND state = 'linked') THEN 2 ELSE 0 END,
          coalesce(parsed_vendor, vpa, '') <> ''
        FROM transactions t
        WHERE user_account_id = ? AND parsed_date <= ? AND transaction_type = 'transfer' AND status = 'confirmed' AND deleted_at IS NULL
        GROUP BY 1, 2, 6, 7
        """

    /// `nil` if a balance of the account is printed up to a day.
    init?(of account: UserAccountRow, until end: CalendarDate?, in zone: IANATimeZone, _ db: Database) throws {
        guard try AccountLine.lastPrintedDay(of: account, until: end, in: zone, db) == nil,
            try StatementBalances(of: account, db).isEmpty
        else { return nil }
        var byDay: [CalendarDate: Day] = [:]
        for select in [Self.selectOthers, Self.selectTransfers] {
            try PreparedStatement(db, select).each {
                $0.bind(account.id)
                $0.bind(end?.description ?? "9999")
            } _: { row in
                guard let currency = Currency(code: row.text(1)), let type = TransactionType(rawValue: row.text(2))
                else { return true }
                let linked: TransferLeg.Flow? = row.int(5) == 1 ? .debit : row.int(5) == 2 ? .credit : nil
                let sign = AccountMovement.sign(of: type, linked: linked, counterparty: row.int(6) == 0 ? "" : "payee")
                let day = row.day(0)
                byDay[day, default: Day(day: day)].add(
                    sign &* row.int(3), currency, count: Int(row.int(4)), in: account.currency)
                return true
            }
        }
        days = byDay.values.sorted { $0.day < $1.day }
    }
}

extension DailyMovements.Day {
    fileprivate mutating func add(_ sum: Int64, _ currency: Currency, count: Int, in own: Currency) {
        self.count += count
        if currency == own { change &+= sum } else { foreign[currency, default: 0] &+= sum }
    }
}
