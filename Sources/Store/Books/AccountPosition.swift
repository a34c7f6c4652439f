public import Chronology
internal import GRDB
public import Ledger

/// The balance of an account at the end of a day, and the evidence for it.
public struct AccountPosition: Hashable, Sendable {
    /// The basis of a balance.
    public enum Basis: Hashable, Sendable {
        /// The balance that the alert of this transaction printed, at this instant, plus the movements since.
        case printed(transaction: Int64, at: UnixTime)
        /// The initial balance of the account plus all movements since.
        case initial
    }

    public var balance: Money
    public var basis: Basis
    /// The number of movements behind the basis.
    public var movements: Int
    /// Movements in other currencies behind the basis, by currency: not part of ``balance``.
    public var foreign: [Money]
    /// The newest available limit that an alert printed: of a card.
    public var available: Money?
}

extension UserAccountRepository {
    /// The balance of an account at the end of a day.
    ///
    /// - Parameter day: as the alerts print it; `nil` for everything that is booked.
    /// - Throws: `notFound`.
    public func position(_ id: Int64, on day: CalendarDate? = nil) throws(StoreError) -> AccountPosition {
        try read { db in try Self.position(try UserAccountRow.existing(db, id), until: day, db) }
    }

    /// The result of the continuity check of an account's printed balances, or of its printed limits if it prints no
    /// balances.
    ///
    /// - Parameter since: only movements from this day on.
    /// - Throws: `notFound`.
    public func continuity(_ id: Int64, since: CalendarDate? = nil) throws(StoreError) -> ContinuityCheck {
        try read { db in
            let account = try UserAccountRow.existing(db, id)
            let rows = try Self.rows(account, since: since, until: nil, db)
            let kind: AccountLine.Figure = rows.contains { $0.balance != nil } ? .balance : .limit
            return ContinuityCheck(
                rows.filter { $0.status == .confirmed }.map { $0.movement(kind) },
                drafts: rows.filter { $0.status == .needsReview }.map { $0.movement(kind) })
        }
    }

    private static func position(
        _ account: UserAccountRow, until end: CalendarDate?, _ db: Database
    ) throws -> AccountPosition {
        let start = try Self.lastPrintedDay(account, until: end, db)
        let rows = AccountLine.ordered(
            try rows(account, since: start, until: end, db).filter { $0.status == .confirmed })
        var position = AccountPosition(balance: account.initialBalance, basis: .initial, movements: 0, foreign: [])
        var lines = rows[...]
        if let last = rows.lastIndex(where: { $0.balance != nil }), let printed = rows[last].balance {
            position.balance = Money(minorUnits: printed, currency: account.currency)
            position.basis = .printed(transaction: rows[last].id, at: rows[last].instant)
            lines = rows[(last + 1)...]
        } else if let start = account.initialDate {
            lines = rows[...].drop { $0.day < start }
        }
        var foreign: [Currency: Int64] = [:]
        for line in lines {
            position.movements += 1
            if let change = line.change {
                position.balance.minorUnits = position.balance.minorUnits &+ change
            } else {
                foreign[line.amount.currency, default: 0] &+= line.sign * line.amount.minorUnits
            }
        }
        position.foreign = foreign.map { Money(minorUnits: $1, currency: $0) }.sorted {
            $0.currency.code < $1.currency.code
        }
        position.available = rows.last { $0.limit != nil }.flatMap(\.limit).map {
            Money(minorUnits: $0, currency: account.currency)
        }
        return position
    }

    /// The day of the newest printed balance: rows before it do not matter.
    private static func lastPrintedDay(
        _ account: UserAccountRow, until end: CalendarDate?, _ db: Database
    ) throws -> CalendarDate? {
        try CalendarDate.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT parsed_date FROM transactions WHERE user_account_id = ? AND parsed_date <= ? AND balance_minor IS NOT NULL
                      AND balance_currency = ? AND status = 'confirmed' AND deleted_at IS NULL
                    ORDER BY occurred_at DESC LIMIT 1
                    """), arguments: [account.id, end?.description ?? "9999", account.currency.code])
    }

    /// The rows of an account in the order of the movements, drafts included.
    private static func rows(
        _ account: UserAccountRow, since: CalendarDate?, until end: CalendarDate?, _ db: Database
    ) throws -> [AccountLine] {
        var rows: [AccountLine] = []
        let statement = try PreparedStatement(db, AccountLine.select)
        try statement.each {
            $0.put(account.id)
            $0.put(since?.description ?? "0000")
            $0.put(end?.description ?? "9999")
        } _: {
            if let line = AccountLine($0, of: account) { rows.append(line) }
            return true
        }
        return rows
    }
}

/// A row of `transactions` as a line of an account.
fileprivate struct AccountLine {
    enum Figure { case balance, limit }

    var id: Int64
    var status: TransactionStatus
    var instant: UnixTime
    var day: CalendarDate
    var hasTime: Bool
    var amount: Money
    /// 1 for an inflow, -1 for an outflow.
    var sign: Int64
    /// In minor units of the account's currency; `nil` if the amount is in another one.
    var change: Int64?
    var balance: Int64?
    var limit: Int64?

    private static let columns = """
        SELECT t.id, status, occurred_at, parsed_date, parsed_time IS NOT NULL, amount_minor, currency, transaction_type,
          coalesce(parsed_vendor, vpa, ''), balance_minor, balance_currency, limit_minor, limit_currency,
          EXISTS (SELECT 1 FROM transfers WHERE debit_id = t.id AND state = 'linked'),
          EXISTS (SELECT 1 FROM transfers WHERE credit_id = t.id AND state = 'linked')
        FROM transactions t
        """

    /// Drafts have no account yet: they are found by their digits.
    static let select = """
        \(columns) WHERE user_account_id = ?1 AND parsed_date BETWEEN ?2 AND ?3 AND status = 'confirmed' AND deleted_at IS NULL
        UNION ALL
        \(columns) JOIN user_account_numbers n ON n.profile = t.profile AND n.account_digits = t.account_digits
        WHERE n.user_account_id = ?1 AND parsed_date BETWEEN ?2 AND ?3 AND status = 'needs_review' AND deleted_at IS NULL
        ORDER BY 3, 1
        """

    init?(_ row: Columns, of account: UserAccountRow) {
        guard let status = TransactionStatus(rawValue: row.text(1)), let instant = UnixTime(iso: row.text(2)),
            let day = CalendarDate(iso: row.text(3)), let amount = row.money(5),
            let type = TransactionType(rawValue: row.text(7))
        else { return nil }
        id = row.int(0)
        (self.status, self.instant, self.day, self.amount) = (status, instant, day, amount)
        hasTime = row.int(4) != 0
        let linked: TransferLeg.Flow? = row.int(13) != 0 ? .debit : row.int(14) != 0 ? .credit : nil
        sign = AccountMovement.sign(of: type, linked: linked, counterparty: row.text(8))
        change = amount.currency == account.currency ? sign * amount.minorUnits : nil
        balance = row.money(9).flatMap { $0.currency == account.currency ? $0.minorUnits : nil }
        limit = row.money(11).flatMap { $0.currency == account.currency ? $0.minorUnits : nil }
    }

    /// Orders lines of one instant, or of a day without times, as their balances prove.
    static func ordered(_ lines: [AccountLine]) -> [AccountLine] {
        let byID = Dictionary(lines.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return ContinuityCheck.ordered(lines.map { $0.movement(.balance) }).compactMap { byID[$0.id] }
    }

    func movement(_ figure: Figure) -> AccountMovement {
        AccountMovement(
            id: id, instant: instant, day: day, hasTime: hasTime, change: change,
            printed: figure == .balance ? balance : limit)
    }
}
