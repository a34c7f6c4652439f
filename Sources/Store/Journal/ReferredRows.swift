internal import Codecs
internal import GRDB

/// Rows that edits refer to by their numbers, as far as they exist and the user sees them.
public struct ReferredRows: Sendable {
    /// Names by number.
    public internal(set) var categories: [Int64: String] = [:]
    public internal(set) var subcategories: [Int64: String] = [:]
    public internal(set) var accounts: [Int64: String] = [:]
    public internal(set) var payees: [Int64: String] = [:]
    public internal(set) var transactions: [Int64: TransactionRow] = [:]
    /// Subjects, otherwise senders, by the number of the mail.
    public internal(set) var mails: [String: String] = [:]
}

extension JournalRepository {
    /// Reads all categories and accounts, and of the other tables the rows with these numbers.
    public func referred(
        transactions: Set<Int64>, mails: Set<String>, payees: Set<Int64>
    ) throws(StoreError) -> ReferredRows {
        try read { db in
            var rows = ReferredRows()
            rows.categories = try names("SELECT id, name FROM categories", db)
            rows.subcategories = try names("SELECT id, name FROM subcategories", db)
            rows.accounts = try names("SELECT id, name FROM user_accounts", db)
            rows.payees = try names(
                "SELECT id, name FROM payees WHERE id IN (SELECT value FROM json_each(?))", db,
                [JSON.array(payees.map(JSON.integer)).text])
            try PreparedStatement(
                db,
                """
                SELECT \(TransactionRow.listColumns) FROM transactions
                WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))
                """
            ).each {
                $0.bind(JSON.array(transactions.map(JSON.integer)).text)
            } _: {
                rows.transactions[$0.int(0)] = TransactionRow($0)
                return true
            }
            for row in try Row.fetchAll(
                db,
                sql: """
                    SELECT id, coalesce(subject, from_address) FROM processed_emails
                    WHERE id IN (SELECT value FROM json_each(?))
                    """, arguments: [JSON.array(mails.map(JSON.string)).text])
            {
                rows.mails[row[0]] = row[1] as String?
            }
            return rows
        }
    }

    private func names(
        _ sql: String, _ db: Database, _ arguments: StatementArguments = []
    ) throws -> [Int64: String] {
        try Dictionary(Row.fetchAll(db, sql: sql, arguments: arguments).map { ($0[0], $0[1]) }) { $1 }
    }
}
