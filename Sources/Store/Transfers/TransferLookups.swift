import Chronology
internal import GRDB
import Ledger

extension TransferRepository {
    /// Linked transfers of these transactions, by transaction.
    public func linked(of ids: [Int64]) throws(StoreError) -> [Int64: TransferRow] {
        guard !ids.isEmpty else { return [:] }
        let list = ids.map { "\($0)" }.joined(separator: ", ")
        let rows = try read { db in
            try TransferRow.all(
                db, where: "state = 'linked' AND (debit_id IN (\(list)) OR credit_id IN (\(list)))", arguments: [])
        }
        let wanted = Set(ids)
        var found: [Int64: TransferRow] = [:]
        for row in rows {
            for id in [row.debit?.id, row.credit?.id].compactMap({ $0 }) where wanted.contains(id) { found[id] = row }
        }
        return found
    }

    /// The number of proposed transfers.
    public func proposalCount() throws(StoreError) -> Int {
        try count([.proposed])
    }

    /// Booked transactions that could be the other side of this one: the same amount in the other direction within
    /// ``TransferRow/linkDays``, the nearest day first. Empty if it is a side of a transfer already.
    public func candidates(for id: Int64, limit: Int = 8) throws(StoreError) -> [TransactionRow] {
        try read { db in
            guard let row = try TransactionRow.current(db, id), row.status == .confirmed else { return [] }
            let day = row.date.daysSince1970
            let unlinked =
                "NOT EXISTS (SELECT 1 FROM transfers WHERE state = 'linked' AND (debit_id = t.id OR credit_id = t.id))"
            guard
                try Bool.fetchOne(db, sql: "SELECT \(unlinked) FROM transactions t WHERE id = ?", arguments: [id])
                    == true
            else { return [] }
            var found: [TransactionRow] = []
            try PreparedStatement(
                db,
                """
                SELECT \(TransactionRow.columns) FROM transactions t
                WHERE amount_minor = ? AND parsed_date BETWEEN ? AND ? AND currency = ? AND id <> ? AND status = 'confirmed' AND deleted_at IS NULL
                  AND (transaction_type <> ? OR transaction_type = 'transfer') AND \(unlinked)
                ORDER BY abs(julianday(parsed_date) - julianday(?)), id LIMIT ?
                """
            ).each {
                $0.bind(row.amount.minorUnits)
                $0.bind(CalendarDate(daysSince1970: day - TransferRow.linkDays).description)
                $0.bind(CalendarDate(daysSince1970: day + TransferRow.linkDays).description)
                $0.bind(row.amount.currency.code)
                $0.bind(id)
                $0.bind(row.type.rawValue)
                $0.bind(row.date)
                $0.bind(Int64(limit))
            } _: {
                found.append(TransactionRow($0))
                return true
            }
            return found
        }
    }
}
