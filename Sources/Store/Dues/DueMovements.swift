import Chronology
import GRDB
import Ledger

/// Reads booked transactions as movements that may settle a due: those of the days, and those that a person linked.
enum DueMovements {
    private static let select = """
        SELECT t.id, t.user_account_id, t.parsed_date, t.amount_minor, t.currency, t.transaction_type,
          coalesce(t.parsed_vendor, t.vpa, ''), t.reference, t.channel,
          iif(t.idempotency_key GLOB '\(RecurringItem.keyPrefix)*', t.idempotency_key, NULL),
          (SELECT credit_id FROM transfers WHERE debit_id = t.id AND state = 'linked'),
          (SELECT debit_id FROM transfers WHERE credit_id = t.id AND state = 'linked')
        FROM transactions t
        WHERE (t.parsed_date BETWEEN ?1 AND ?2 OR t.id IN (SELECT transaction_id FROM due_links WHERE state = 'linked'))
          AND t.status = 'confirmed' AND t.deleted_at IS NULL
        """

    static func read(_ span: DaySpan, _ db: Database) throws -> [DueMovement] {
        var movements: [DueMovement] = []
        try PreparedStatement(db, select).each {
            $0.bind(span.first)
            $0.bind(span.last)
        } _: { row in
            guard let currency = Currency(code: row.text(4)), let type = TransactionType(rawValue: row.text(5)) else {
                return true
            }
            let (credit, debit) = (row.optionalInt(10), row.optionalInt(11))
            let payee = row.text(6)
            let linked: TransferLeg.Flow? = credit != nil ? .debit : debit != nil ? .credit : nil
            var movement = DueMovement(
                id: row.int(0), account: row.optionalInt(1),
                isIncome: AccountMovement.sign(of: type, linked: linked, counterparty: payee) > 0,
                amount: Money(minorUnits: row.int(3), currency: currency), day: row.day(2), payee: payee)
            movement.isTransfer = type == .transfer || linked != nil
            movement.reference = row.optionalText(7)
            movement.channel = row.optionalText(8).flatMap(Channel.init)
            movement.counterpart = credit ?? debit
            movement.postedKey = row.optionalText(9)
            movements.append(movement)
            return true
        }
        let counterparts = Set(movements.lazy.compactMap(\.counterpart))
        guard !counterparts.isEmpty else { return movements }
        var accounts: [Int64: Int64] = [:]
        for movement in movements where counterparts.contains(movement.id) { accounts[movement.id] = movement.account }
        for index in movements.indices {
            movements[index].counterpartAccount = movements[index].counterpart.flatMap { accounts[$0] }
        }
        return movements
    }
}
