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

    /// Only a transfer's direction depends on its link and its payee:
    /// see ``TransferLeg/flow(of:linked:counterparty:)``.
    private static let select = """
        SELECT parsed_date, currency, transaction_type, CASE WHEN transaction_type <> 'transfer' THEN 0
            WHEN EXISTS (SELECT 1 FROM transfers WHERE debit_id = t.id AND state = 'linked') THEN 1
            WHEN EXISTS (SELECT 1 FROM transfers WHERE credit_id = t.id AND state = 'linked') THEN 2 ELSE 0 END,
          transaction_type = 'transfer' AND coalesce(parsed_vendor, vpa, '') <> '', sum(amount_minor), count(*)
        FROM transactions t
        WHERE user_account_id = ? AND parsed_date <= ? AND status = 'confirmed' AND deleted_at IS NULL
        GROUP BY 1, 2, 3, 4, 5
        """

    /// `nil` if a balance of the account is printed up to a day.
    init?(of account: UserAccountRow, until end: CalendarDate?, in zone: IANATimeZone, _ db: Database) throws {
        guard try AccountLine.lastPrintedDay(of: account, until: end, in: zone, db) == nil,
            try StatementBalances(of: account, db).isEmpty
        else { return nil }
        try PreparedStatement(db, Self.select).each {
            $0.bind(account.id)
            $0.bind(end?.description ?? "9999")
        } _: { row in
            guard let currency = Currency(code: row.text(1)), let type = TransactionType(rawValue: row.text(2)) else {
                return true
            }
            let linked: TransferLeg.Flow? = row.int(3) == 1 ? .debit : row.int(3) == 2 ? .credit : nil
            let sign = AccountMovement.sign(of: type, linked: linked, counterparty: row.int(4) == 0 ? "" : "payee")
            add(sign &* row.int(5), currency, row, account.currency)
            return true
        }
    }

    private mutating func add(_ sum: Int64, _ currency: Currency, _ row: Columns, _ own: Currency) {
        let day = row.day(0)
        if days.last?.day != day { days.append(Day(day: day)) }
        let last = days.count - 1
        days[last].count += Int(row.int(6))
        if currency == own { days[last].change &+= sum } else { days[last].foreign[currency, default: 0] &+= sum }
    }
}
