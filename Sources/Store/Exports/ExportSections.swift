public import Chronology
internal import GRDB
public import Ledger

/// The transactions of one account in one currency, as a statement contains them.
public struct TransactionSection: Hashable, Sendable {
    /// `user_accounts.id`; `nil` for rows that name no account of the user.
    public var userAccountID: Int64?
    public var currency: Currency
    /// The days of the first and the last movement.
    public var first: CalendarDate
    public var last: CalendarDate
    public var count: Int
}

extension TransactionRepository {
    /// The accounts and currencies of the rows of a query, by account.
    public func sections(of query: TransactionQuery) throws(StoreError) -> [TransactionSection] {
        let today = today
        return try read { db in
            let condition = QueryCondition(query, today: today)
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT user_account_id, currency, min(parsed_date), max(parsed_date), count(*) FROM transactions
                    WHERE \(condition.sql) GROUP BY user_account_id, currency ORDER BY user_account_id IS NULL, user_account_id, currency
                    """, arguments: condition.arguments
            ).map { row in
                TransactionSection(
                    userAccountID: row[0], currency: Currency(code: row[1] as String) ?? .inr, first: row[2],
                    last: row[3], count: row[4])
            }
        }
    }

    /// Those of the given transactions that a query selects.
    public func selected(_ ids: some Sequence<Int64>, by query: TransactionQuery) throws(StoreError) -> Set<Int64> {
        let list = "[\(ids.map(String.init).joined(separator: ","))]"
        guard list != "[]" else { return [] }
        let today = today
        return try read { db in
            let condition = QueryCondition(query, today: today)
            return try Set(
                Int64.fetchAll(
                    db.cachedStatement(
                        sql:
                            "SELECT id FROM transactions WHERE \(condition.sql) AND +id IN (SELECT value FROM json_each(?))"
                    ), arguments: condition.arguments + [list]))
        }
    }

    /// Names of the categories of expenses.
    public func expenseCategories() throws(StoreError) -> Set<String> {
        try read { db in
            try Set(
                String.fetchAll(
                    db,
                    sql:
                        "SELECT DISTINCT category_name FROM transactions WHERE transaction_type = 'expense' AND deleted_at IS NULL"
                ))
        }
    }
}
