public import Chronology
internal import GRDB
public import Ledger

/// A row of `recurring_items`.
public struct RecurringRow: Hashable, Sendable {
    public var id: Int64
    public var item: RecurringItem
    /// Name of the account.
    public var accountName: String?
    /// The last day (UTC) up to which a posted item was booked.
    public var lastProcessed: CalendarDate?
    public var createdAt: UnixTime
    public var updatedAt: UnixTime

    /// An account that was merged is the one that took over its numbers.
    static let select = """
        SELECT r.*, coalesce(a.merged_into, a.id) AS account,
          coalesce((SELECT m.name FROM user_accounts m WHERE m.id = a.merged_into), a.name) AS account_name
        FROM recurring_items r LEFT JOIN user_accounts a ON a.id = r.user_account_id
        """

    static func current(_ db: Database, _ id: Int64) throws -> RecurringRow? {
        try Row.fetchOne(db, sql: "\(select) WHERE r.id = ?", arguments: [id]).flatMap(RecurringRow.init)
    }

    static func all(_ db: Database, where condition: String = "true") throws -> [RecurringRow] {
        try Row.fetchAll(db, sql: "\(select) WHERE \(condition) ORDER BY r.name COLLATE NOCASE, r.id").compactMap(
            RecurringRow.init)
    }

    /// `nil` for a rule of a later version.
    init?(_ row: Row) {
        guard let rule = try? RecurrenceRule(row["rule"] as String) else { return nil }
        id = row["id"]
        item = RecurringItem(
            name: row["name"], isIncome: row["transaction_type"] == TransactionType.income.rawValue,
            amount: Money(minorUnits: row["amount_minor"], currency: Currency(code: row["currency"] as String) ?? .inr),
            rule: rule, start: row["starts_on"])
        item.account = row["account"]
        item.band = row["band_percent"]
        item.mode = RecurringItem.Mode(rawValue: row["mode"]) ?? .expected
        item.isActive = row["is_active"]
        item.category = row["category_name"]
        item.subcategory = row["subcategory"]
        accountName = row["account_name"]
        lastProcessed = row["last_processed_date"]
        createdAt = row["created_at"]
        updatedAt = row["updated_at"]
    }

    /// The first occurrence that is still to come.
    public func next(after day: CalendarDate) -> CalendarDate? {
        item.rule.next(from: item.start, onOrAfter: CalendarDate(daysSince1970: day.daysSince1970 + 1))
    }
}
