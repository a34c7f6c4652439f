import Chronology
import GRDB
import Ledger

/// A row of `transactions` as a line of an account, or a notice of its balance.
struct AccountLine {
    enum Figure { case balance, limit }

    /// The id of the transaction, or of the notice as ``AccountMovement/notice(_:)`` encodes it.
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
    /// The printed balance; of a card whose credit limit is known, the available limit less the credit limit.
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
    private static let select = """
        \(columns) WHERE user_account_id = ?1 AND parsed_date BETWEEN ?2 AND ?3 AND status = 'confirmed' AND deleted_at IS NULL
        UNION ALL
        \(columns) JOIN user_account_numbers n ON n.profile = t.profile AND n.account_digits = t.account_digits
        WHERE n.user_account_id = ?1 AND parsed_date BETWEEN ?2 AND ?3 AND status = 'needs_review' AND deleted_at IS NULL
        ORDER BY 3, 1
        """

    /// A notice: it moves nothing.
    init(notice id: Int64, _ instant: UnixTime, _ day: CalendarDate, _ kind: BankNotice.Kind, _ amount: Money) {
        self.id = AccountMovement.notice(id)
        (status, self.instant, self.day, hasTime) = (.confirmed, instant, day, true)
        self.amount = Money(minorUnits: 0, currency: amount.currency)
        (sign, change) = (1, 0)
        if kind == .limit { limit = amount.minorUnits } else { balance = amount.minorUnits }
    }

    init?(_ row: Columns, of account: UserAccountRow) {
        guard let status = TransactionStatus(rawValue: row.text(1)), let instant = row.optionalInstant(2),
            let day = row.optionalDay(3), let currency = Currency(code: row.text(6)),
            let type = TransactionType(rawValue: row.text(7))
        else { return nil }
        id = row.int(0)
        (self.status, self.instant, self.day) = (status, instant, day)
        amount = Money(minorUnits: row.int(5), currency: currency)
        hasTime = row.int(4) != 0
        let linked: TransferLeg.Flow? = row.int(13) != 0 ? .debit : row.int(14) != 0 ? .credit : nil
        sign = AccountMovement.sign(of: type, linked: linked, counterparty: row.text(8))
        change = currency == account.currency ? sign * amount.minorUnits : nil
        limit = row.money(11).flatMap { $0.currency == account.currency ? $0.minorUnits : nil }
        balance = row.money(9).flatMap { $0.currency == account.currency ? $0.minorUnits : nil }
        deriveDebt(of: account)
    }

    /// Derives the balance of a card, which is its debt: the available limit less the credit limit.
    private mutating func deriveDebt(of account: UserAccountRow) {
        guard balance == nil, account.type == .card, let limit, let credit = account.creditLimit else { return }
        balance = limit &- credit.minorUnits
    }

    /// The rows of an account in the order of their instants, drafts and notices included.
    ///
    /// - Parameter zone: in which printed days and times are.
    static func all(
        of account: UserAccountRow, since: CalendarDate?, until end: CalendarDate?, in zone: IANATimeZone,
        _ db: Database
    ) throws -> [AccountLine] {
        var rows: [AccountLine] = []
        try PreparedStatement(db, select).each {
            $0.bind(account.id)
            $0.bind(since?.description ?? "0000")
            $0.bind(end?.description ?? "9999")
        } _: {
            if let line = AccountLine($0, of: account) { rows.append(line) }
            return true
        }
        var notices = try NoticeBalances.lines(of: account, since: since, until: end, in: zone, db)
        if !notices.isEmpty {
            for index in notices.indices { notices[index].deriveDebt(of: account) }
            rows = (rows + notices).sorted {
                ($0.instant, $0.id < 0 ? 1 : 0, $0.id) < ($1.instant, $1.id < 0 ? 1 : 0, $1.id)
            }
        }
        try StatementBalances(of: account, db).add(to: &rows, until: end)
        return rows
    }

    /// The confirmed rows of an account in the order that their balances prove.
    static func booked(
        of account: UserAccountRow, since: CalendarDate?, until end: CalendarDate?, in zone: IANATimeZone,
        _ db: Database
    ) throws -> [AccountLine] {
        let lines = try all(of: account, since: since, until: end, in: zone, db).filter { $0.status == .confirmed }
        let byID = Dictionary(lines.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return MovementOrder.sorted(lines.map { $0.movement(.balance) }).compactMap { byID[$0.id] }
    }

    /// The day of the newest printed balance: rows before it do not matter for balances at its end and later.
    static func lastPrintedDay(
        of account: UserAccountRow, until end: CalendarDate?, in zone: IANATimeZone, _ db: Database
    ) throws -> CalendarDate? {
        let notice = try NoticeBalances.lastDay(of: account, until: end, in: zone, db)
        let alert = try CalendarDate.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT parsed_date FROM transactions WHERE user_account_id = ?1 AND parsed_date <= ?2
                      AND (balance_minor IS NOT NULL AND balance_currency = ?3 OR ?4 AND limit_minor IS NOT NULL AND limit_currency = ?3)
                      AND status = 'confirmed' AND deleted_at IS NULL
                    ORDER BY parsed_date DESC LIMIT 1
                    """),
            arguments: [
                account.id, end?.description ?? "9999", account.currency.code,
                account.type == .card && account.creditLimit != nil,
            ])
        return [notice, alert].compactMap(\.self).max()
    }

    /// The day of the newest printed limit of an account.
    static func lastLimitDay(
        of account: UserAccountRow, until end: CalendarDate?, in zone: IANATimeZone, _ db: Database
    ) throws -> CalendarDate? {
        let notices = try NoticeBalances.lines(of: account, since: nil, until: end, in: zone, db)
        let notice = notices.filter { $0.limit != nil }.map(\.day).max()
        let alert = try CalendarDate.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT parsed_date FROM transactions WHERE user_account_id = ?1 AND parsed_date <= ?2
                      AND limit_minor IS NOT NULL AND limit_currency = ?3 AND status = 'confirmed' AND deleted_at IS NULL
                    ORDER BY parsed_date DESC LIMIT 1
                    """), arguments: [account.id, end?.description ?? "9999", account.currency.code])
        return [notice, alert].compactMap(\.self).max()
    }

    /// True if an alert, draft, notice or statement of an account prints a balance or limit on a day or later.
    static func printsFigures(
        _ account: UserAccountRow, since: CalendarDate?, in zone: IANATimeZone, _ db: Database
    ) throws -> Bool {
        if try !StatementBalances(of: account, db).isEmpty { return true }
        if try !NoticeBalances.lines(of: account, since: since, until: nil, in: zone, db).isEmpty { return true }
        return try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM transactions WHERE user_account_id = ?1 AND parsed_date >= ?2
                        AND (balance_minor IS NOT NULL OR limit_minor IS NOT NULL) AND deleted_at IS NULL)
                      OR EXISTS (SELECT 1 FROM transactions t
                        JOIN user_account_numbers n ON n.profile = t.profile AND n.account_digits = t.account_digits
                        WHERE n.user_account_id = ?1 AND parsed_date >= ?2 AND status = 'needs_review'
                          AND (balance_minor IS NOT NULL OR limit_minor IS NOT NULL) AND deleted_at IS NULL)
                    """), arguments: [account.id, since?.description ?? "0000"]) ?? false
    }

    func movement(_ figure: Figure) -> AccountMovement {
        AccountMovement(
            id: id, instant: instant, day: day, hasTime: hasTime, change: change,
            printed: figure == .balance ? balance : limit)
    }
}

/// The balance of an account, line by line.
struct RunningBalance {
    private let account: UserAccountRow
    private(set) var balance: Int64
    private(set) var basis = AccountPosition.Basis.initial
    /// The number of lines after the basis.
    private(set) var movements = 0
    /// Movements in other currencies after the basis.
    private(set) var foreign: [Currency: Int64] = [:]
    private var isOpen: Bool

    init(_ account: UserAccountRow) {
        self.account = account
        isOpen = account.initialDate == nil
        balance = isOpen ? account.initialBalance.minorUnits : 0
    }

    /// The initial balance is an observation at the beginning of its day.
    mutating func advance(to day: CalendarDate) {
        guard !isOpen, let start = account.initialDate, day >= start else { return }
        isOpen = true
        begin(account.initialBalance.minorUnits, .initial)
    }

    mutating func add(_ line: AccountLine) {
        advance(to: line.day)
        if let printed = line.balance {
            return begin(printed, .printed(AccountMovement.evidence(line.id), at: line.instant))
        }
        // A notice that prints a limit only: no movement.
        guard line.id > 0 else { return }
        movements += 1
        if let change = line.change {
            balance &+= change
        } else {
            foreign[line.amount.currency, default: 0] &+= line.sign * line.amount.minorUnits
        }
    }

    mutating func add(_ day: DailyMovements.Day) {
        advance(to: day.day)
        movements += day.count
        balance &+= day.change
        for (currency, sum) in day.foreign { foreign[currency, default: 0] &+= sum }
    }

    private mutating func begin(_ balance: Int64, _ basis: AccountPosition.Basis) {
        self.balance = balance
        self.basis = basis
        movements = 0
        foreign = [:]
    }
}
