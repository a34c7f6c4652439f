import Chronology
internal import GRDB
public import Ledger

/// A due with the names that people know.
public struct DueRow: Hashable, Sendable {
    public var item: DueItem
    /// The payee, or the account whose bill it is.
    public var title: String
    public var accountName: String?
    public var payerName: String?
}

/// Range of days of a list of dues.
public struct DueRange: Hashable, Sendable {
    /// Days before and after today.
    public var back: Int
    public var ahead: Int

    public init(back: Int = 45, ahead: Int = 45) {
        self.back = back
        self.ahead = ahead
    }
}

/// The dues of a range of days, and the cash that they leave.
public struct DueOutlook: Hashable, Sendable {
    public var rows: [DueRow]
    /// The cash of the days to come, of the accounts of banks, wallets and cash in hand whose balance is known; `nil`
    /// if no such account has a balance.
    public var cash: CashForecast?
}

extension DueRepository {
    /// Days before the first due from which payments are read, too: they include the payment of the previous bill,
    /// which names the account that pays.
    private static var evidenceDays: Int { 70 }

    /// Bills, announced debits and recurring items of a range of days, in the order of their days, with their states.
    public func list(_ range: DueRange = DueRange()) throws(StoreError) -> [DueRow] {
        var positions = try AccountPositions(UserAccountRepository<Scope>(access: access))
        return try list(range, &positions)
    }

    /// The dues of a range of days with the cash of its days to come.
    public func outlook(_ range: DueRange = DueRange()) throws(StoreError) -> DueOutlook {
        var positions = try AccountPositions(UserAccountRepository<Scope>(access: access))
        let rows = try list(range, &positions)
        return DueOutlook(rows: rows, cash: try cash(of: rows, ahead: range.ahead, &positions))
    }

    /// - Parameter positions: read as far as the dues need them.
    func list(
        _ range: DueRange, _ positions: inout AccountPositions<Scope>
    ) throws(StoreError) -> [DueRow] {
        let today = today
        let names = Dictionary(positions.accounts.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        var items = try read { db in
            let start = CalendarDate(daysSince1970: today.daysSince1970 - range.back - Self.evidenceDays)
            let end = CalendarDate(daysSince1970: today.daysSince1970 + range.ahead)
            guard let span = DaySpan(start, through: end) else { return [DueItem]() }
            var dues = try NoticeDues.read(span, db)
            dues += try RecurringDues.read(span, besides: dues, db)
            // Without a due, no movement matters.
            guard !dues.isEmpty else { return [] }
            try DueLinks.read(into: &dues, db)
            return DueSettlement.settle(dues, try DueMovements.read(span, db), on: today)
        }
        let first = CalendarDate(daysSince1970: today.daysSince1970 - range.back)
        items.removeAll { $0.due.day < first }
        items.compare(with: try balances(of: items, &positions))
        return items.map { item in
            let account = item.due.account.flatMap { names[$0] }
            return DueRow(
                item: item, title: item.due.kind == .bill ? account ?? item.due.payee : item.due.payee,
                accountName: account, payerName: item.payer.flatMap { names[$0] })
        }
    }

    /// The known balances of the accounts that pay; for a card, its available limit.
    private func balances(
        of items: [DueItem], _ positions: inout AccountPositions<Scope>
    ) throws(StoreError) -> [Int64: Money] {
        var balances: [Int64: Money] = [:]
        let payers = Set(items.lazy.filter { $0.state.isOpen && !$0.due.isIncome }.compactMap(\.payer))
        for account in positions.accounts where payers.contains(account.id) {
            if account.type == .card {
                balances[account.id] = try positions.position(account).available
            } else {
                balances[account.id] = try positions.knownPosition(account)?.balance
            }
        }
        return balances
    }

    /// - Parameter rows: the dues from today on, and those that are late.
    private func cash(
        of rows: [DueRow], ahead: Int, _ positions: inout AccountPositions<Scope>
    ) throws(StoreError) -> CashForecast? {
        let accounts = positions.accounts.filter { $0.mergedInto == nil }
        var balances: [Money] = []
        for account in accounts where account.isActive && [.bank, .wallet, .cash].contains(account.type) {
            guard let position = try positions.knownPosition(account) else { continue }
            balances.append(position.balance)
            balances += position.foreign
        }
        let last = CalendarDate(daysSince1970: today.daysSince1970 + ahead)
        guard !balances.isEmpty, let days = DaySpan(today, through: last) else { return nil }
        return CashForecast(
            from: balances, in: access.store.homeCurrency, rows.map(\.item),
            cards: Set(accounts.filter { $0.type == .card }.map(\.id)), of: days,
            try ExchangeRateRepository<Scope>(access: access).table())
    }

    public func find(_ id: String) throws(StoreError) -> DueRow? { try list(.widest).first { $0.item.due.id == id } }
}

extension DueRange {
    /// The range in which a due can be linked to a payment.
    public static let widest = DueRange(back: 400, ahead: 400)
}

/// Dues of `notices`.
fileprivate enum NoticeDues {
    static func read(_ span: DaySpan, _ db: Database) throws -> [Due] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT n.*, coalesce(n.period_to, substr(coalesce(p.sent_at, p.received_at, n.created_at), 1, 10)) AS since,
                  (SELECT coalesce(a.merged_into, a.id) FROM user_accounts a WHERE a.id = \(NoticeBalances.dueAccount)) AS account,
                  (SELECT a.institution FROM user_account_numbers u JOIN user_accounts a ON a.id = u.user_account_id
                    WHERE u.profile = n.profile AND a.institution IS NOT NULL ORDER BY a.id LIMIT 1) AS bank
                FROM notices n JOIN processed_emails p ON p.id = n.source_email_id
                WHERE n.kind IN ('bill', 'mandate') AND n.amount_minor IS NOT NULL
                  AND (n.day BETWEEN ?1 AND ?2
                    OR n.kind = 'bill' AND n.day IS NULL AND substr(coalesce(p.sent_at, p.received_at, n.created_at), 1, 10) BETWEEN ?1 AND ?2)
                ORDER BY coalesce(p.sent_at, n.created_at), n.id
                """, arguments: [span.first, span.last])
        var seen: Set<[String]> = []
        let dues = rows.compactMap { row -> Due? in
            let due = Due(row)
            // A reminder repeats the bill, sometimes with the unpaid rest as its amount: the first mail counts.
            var key = [
                due.kind.rawValue, row["profile"], due.digits ?? "", due.day.description, due.amount.currency.code,
            ]
            if due.kind == .mandate {
                key += ["\(due.amount.minorUnits)", due.reference ?? "", PayeeText.key(due.payee)]
            }
            return seen.insert(key).inserted ? due : nil
        }
        return dues.filter { due in due.hasDay || !dues.contains { $0.isSameBill(as: due) } }
    }
}

extension Due {
    /// Days from a bill to the next one, at least: two mails within them are about one.
    private static let billDays = 20

    /// True if `other`, a mail that names no due day, repeats this bill. If neither mail names a day, the later one is
    /// the repetition.
    fileprivate func isSameBill(as other: Due) -> Bool {
        guard id != other.id, kind == .bill, other.kind == .bill, payee == other.payee,
            account == other.account, digits == other.digits || digits == nil || other.digits == nil
        else { return false }
        let days = other.since.daysSince1970 - since.daysSince1970
        if hasDay { return other.since <= day && days > -Self.billDays }
        // Of two mails without a day, the first counts.
        return (0..<Self.billDays).contains(days) && (days > 0 || id < other.id)
    }
}

extension Due {
    fileprivate init(_ row: Row) {
        let isBill = row["kind"] as String == BankNotice.Kind.bill.rawValue
        let currency = Currency(code: row["currency"] as String) ?? .inr
        let printed: CalendarDate? = row["day"]
        let since = min(row["since"] as CalendarDate, printed ?? row["since"])
        let day = printed ?? since
        let (merchant, bank): (String?, String?) = (row["merchant"], row["bank"])
        self.init(
            isBill ? .bill : .mandate, id: "notice:\(row["id"] as Int64)",
            payee: merchant ?? (isBill ? bank ?? row["profile"] : ""),
            amount: Money(minorUnits: row["amount_minor"], currency: currency), since: since, day: day)
        hasDay = printed != nil
        account = row["account"]
        digits = row["account_digits"]
        reference = row["reference"]
        minimum = (row["minimum_minor"] as Int64?).map { Money(minorUnits: $0, currency: currency) }
    }
}

/// Occurrences of `recurring_items`.
fileprivate enum RecurringDues {
    /// - Parameter notices: an announced debit takes the place of the occurrence that it is.
    static func read(_ span: DaySpan, besides notices: [Due], _ db: Database) throws -> [Due] {
        var dues: [Due] = []
        let mandates = notices.filter { $0.kind == .mandate }
        for row in try RecurringRow.all(db, where: "r.is_active") {
            for day in row.item.rule.occurrences(from: row.item.start, within: span) {
                var due = Due(
                    .recurring, id: RecurringItem.key(row.id, day), payee: row.item.name, amount: row.item.amount,
                    since: day, day: day)
                due.account = row.item.account
                due.isIncome = row.item.isIncome
                (due.category, due.subcategory) = (row.item.category, row.item.subcategory)
                due.band = row.item.band
                due.grace = row.item.slack
                due.isPosted = row.item.mode == .posted
                let isAnnounced = mandates.contains {
                    abs($0.day.daysSince1970 - day.daysSince1970) <= due.grace && !due.isIncome
                        && PayeeText.isSame($0.payee, due.payee)
                        && ($0.account == nil || due.account == nil || $0.account == due.account)
                }
                if !isAnnounced { dues.append(due) }
            }
        }
        return dues
    }
}
