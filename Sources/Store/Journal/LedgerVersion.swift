internal import GRDB

/// The state of mails and books, to compare with a later one: it differs after each recorded mail, new or deleted
/// transaction, decision and edit.
public struct LedgerVersion: Hashable, Sendable {
    /// The newest edit.
    private let edit: Int64
    /// Numbers by outcome and by status.
    private let mails: [String: Int64]
    private let transactions: [String: Int64]

    fileprivate init(_ db: Database) throws {
        func counts(_ sql: String) throws -> [String: Int64] {
            let rows = try Row.fetchAll(db.cachedStatement(sql: sql)).map { ($0[0] as String, $0[1] as Int64) }
            return Dictionary(rows, uniquingKeysWith: +)
        }
        edit = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM changes")) ?? 0
        mails = try counts("SELECT status, sum(mails) FROM mail_counts GROUP BY status")
        transactions = try counts("SELECT status, transactions FROM transaction_counts")
    }
}

extension JournalRepository {
    /// Reads counts, not rows: takes microseconds.
    public func version() throws(StoreError) -> LedgerVersion { try read { try LedgerVersion($0) } }
}
