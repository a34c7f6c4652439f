import Chronology
import GRDB
import Ledger

/// Reads booked transactions as movements that may settle a due: those of the days, and those that a person linked.
enum DueMovements {
    private static let select = """
        SELECT t.id, t.user_account_id, t.parsed_date, t.amount_minor, t.currency, t.transaction_type,
          coalesce(t.parsed_vendor, t.vpa, ''), t.reference, t.channel,
          CASE WHEN t.recorder <> 'Auto' AND t.idempotency_key GLOB '\(RecurringItem.keyPrefix)*' THEN t.idempotency_key END
        FROM transactions t
        """
    private static let isBooked = "t.status = 'confirmed' AND t.deleted_at IS NULL"

    static func read(_ span: DaySpan, _ db: Database) throws -> [DueMovement] {
        try read(
            """
            \(select) WHERE (t.parsed_date BETWEEN ?1 AND ?2 OR t.id IN (SELECT transaction_id FROM due_links WHERE state = 'linked'))
              AND \(isBooked)
            """, db
        ) {
            $0.bind(span.first)
            $0.bind(span.last)
        }
    }

    /// The movements of the days alone, and of more than `count` the newest.
    static func newest(_ count: Int, of span: DaySpan, _ db: Database) throws -> [DueMovement] {
        try read(
            """
            \(select) WHERE t.parsed_date BETWEEN ?1 AND ?2 AND \(isBooked)
            ORDER BY t.parsed_date DESC, t.id DESC LIMIT ?3
            """, db
        ) {
            $0.bind(span.first)
            $0.bind(span.last)
            $0.bind(Int64(count))
        }
    }

    private static func read(
        _ sql: String, _ db: Database, binding bind: (inout Binder) -> Void
    ) throws -> [DueMovement] {
        // One pass, instead of two searches for each movement.
        var counterparts: [Int64: (id: Int64, flow: TransferLeg.Flow)] = [:]
        try PreparedStatement(db, "SELECT debit_id, credit_id FROM transfers WHERE state = 'linked'").each { _ in
        } _: { row in
            counterparts[row.int(1)] = (row.int(0), .credit)
            counterparts[row.int(0)] = (row.int(1), .debit)
            return true
        }
        var movements: [DueMovement] = []
        try PreparedStatement(db, sql).each(bind) { row in
            guard let currency = Currency(code: row.text(4)), let type = TransactionType(rawValue: row.text(5)) else {
                return true
            }
            let counterpart = counterparts[row.int(0)]
            let payee = row.text(6)
            var movement = DueMovement(
                id: row.int(0), account: row.optionalInt(1),
                isIncome: AccountMovement.sign(of: type, linked: counterpart?.flow, counterparty: payee) > 0,
                amount: Money(minorUnits: row.int(3), currency: currency), day: row.day(2), payee: payee)
            movement.isTransfer = type == .transfer || counterpart != nil
            movement.reference = row.optionalText(7)
            movement.channel = row.optionalText(8).flatMap(Channel.init)
            movement.counterpart = counterpart?.id
            movement.postedKey = row.optionalText(9)
            movements.append(movement)
            return true
        }
        let others = Set(movements.lazy.compactMap(\.counterpart))
        guard !others.isEmpty else { return movements }
        var accounts: [Int64: Int64] = [:]
        for movement in movements where others.contains(movement.id) { accounts[movement.id] = movement.account }
        for index in movements.indices {
            movements[index].counterpartAccount = movements[index].counterpart.flatMap { accounts[$0] }
        }
        return movements
    }
}
