public import Chronology
internal import GRDB
internal import Ledger

extension Journal {
    /// The field that a client sends to change a transaction of a reconciled statement.
    static let confirmation = "confirm_reconciled"

    /// Refuses to change a transaction of a reconciled statement without a confirmation.
    ///
    /// - Throws: `conflict` with the field `confirm_reconciled`.
    func askReconciled(_ id: Int64, isConfirmed: Bool) throws {
        guard !isConfirmed, let period = try ReconciledRows.period(of: id, db) else { return }
        throw StoreError.conflict(
            "transaction \(id) is in the reconciled statement of \(period.first) to \(period.last): confirm that it is to change",
            Self.confirmation, "must be true to change a transaction of a reconciled statement")
    }
}

extension StoreError {
    /// True if the caller has to confirm the change of a reconciled statement.
    public var asksReconciled: Bool { kind == .conflict && fields.contains { $0.field == Journal.confirmation } }
}

enum ReconciledRows {
    /// The period of the reconciled statement that a transaction is in.
    static func period(of transaction: Int64, _ db: Database) throws -> DaySpan? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT s.first_day, s.last_day FROM statement_lines l JOIN statements s ON s.id = l.statement_id
                    WHERE l.transaction_id = ? AND s.reconciled_at IS NOT NULL ORDER BY s.id LIMIT 1
                    """), arguments: [transaction]
        ).flatMap { DaySpan($0[0], through: $0[1]) }
    }
}

extension StatementRepository {
    /// The period of the reconciled statement that a transaction is in; `nil` if it is in none.
    public func reconciledPeriod(of transaction: Int64) throws(StoreError) -> DaySpan? {
        try read { db in try ReconciledRows.period(of: transaction, db) }
    }
}
