internal import GRDB
import Ledger

/// The missing direction of a draft whose mail has no word for it. Its `transaction_type` is a placeholder until a
/// person gives the direction; then the bit of this column in `corrected` is set.
enum DraftDirection {
    private static let bit = FieldBits.corrected.first { $0.field == .type }.map { Int64(1) << Int64($0.bit) } ?? 0

    /// SQL condition: the draft of this row of `transactions`, which has a provenance, lacks its direction.
    static func isMissing(in row: String) -> String {
        """
        \(row).status = 'needs_review' AND coalesce(\(row).corrected, 0) & \(bit) = 0 AND EXISTS (
          SELECT 1 FROM json_each(\(row).provenance, '$.reasons')
          WHERE value ->> 'factor' = '\(Reason.Factor.directionMissing.rawValue)')
        """
    }

    static func isMissing(_ db: Database, _ transaction: Int64) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT \(isMissing(in: "t")) FROM transactions t WHERE t.id = ? AND t.provenance IS NOT NULL"),
            arguments: [transaction]) ?? false
    }

    static func setGiven(_ db: Database, _ transaction: Int64) throws {
        try db.execute(
            sql: "UPDATE main.transactions SET corrected = coalesce(corrected, 0) | ? WHERE id = ?",
            arguments: [bit, transaction])
    }

    /// - Throws: `invalid` if a draft without a direction is to be confirmed.
    static func require(_ db: Database, _ transaction: Int64) throws {
        guard try isMissing(db, transaction) else { return }
        throw StoreError.invalid([
            FieldProblem(
                "transaction_type",
                "must be given: no word of the mail gives the direction of the money; set it to expense, income or transfer"
            )
        ])
    }
}
