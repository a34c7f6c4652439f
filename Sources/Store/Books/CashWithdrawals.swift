internal import Chronology
internal import GRDB
import Ledger

extension UserAccountRepository {
    /// Withdrawals in the currency of an account that are not part of a transfer, newest first.
    public func openWithdrawals(for id: Int64, limit: Int = 20) throws(StoreError) -> [TransactionRow] {
        try read { db in
            let account = try UserAccountRow.active(db, id)
            var rows: [TransactionRow] = []
            try PreparedStatement(
                db,
                """
                SELECT \(TransactionRow.columns) FROM transactions t WHERE channel = 'atm' AND transaction_type <> 'income' AND currency = ?
                  AND user_account_id IS NOT ? AND status = 'confirmed' AND deleted_at IS NULL
                  AND NOT EXISTS (SELECT 1 FROM transfers WHERE state = 'linked' AND (debit_id = t.id OR credit_id = t.id))
                ORDER BY parsed_date DESC, id DESC LIMIT ?
                """
            ).each {
                $0.bind(account.currency.code)
                $0.bind(account.id)
                $0.bind(Int64(limit))
            } _: {
                rows.append(TransactionRow($0))
                return true
            }
            return rows
        }
    }

    /// Books a withdrawal as a transfer into a cash account: a second row with the same amount, linked to it. One
    /// change, undone by one step.
    ///
    /// - Returns: the new row in the cash account, and the group of the change for undo.
    /// - Throws: `notFound`; `conflict` if the transaction is not a confirmed outflow in the account's currency, is in
    ///   this account, or is part of a transfer already.
    @discardableResult
    public func withdraw(
        _ transaction: Int64, into id: Int64, by actor: Actor
    ) throws(StoreError) -> (row: TransactionRow, group: String) where Scope: WriteScope {
        let time = now()
        return try write { db in
            let cash = try UserAccountRow.active(db, id)
            guard let row = try TransactionRow.current(db, transaction) else {
                throw StoreError.notFound("transaction \(transaction)")
            }
            guard cash.type == .cash else { throw StoreError.conflict("account \(id) is not a cash account") }
            guard row.status == .confirmed, row.type != .income, row.amount.currency == cash.currency,
                row.userAccountID != id
            else {
                throw StoreError.conflict("transaction \(transaction) is not an outflow in \(cash.currency.code)")
            }
            try TransferRows(db).expectFree([transaction])
            let journal = Journal(db, actor, time: time)
            var new = NewTransaction(amount: row.amount, type: .income, date: row.date)
            new.time = row.time
            new.userAccountID = id
            new.accountName = cash.name
            new.notes = row.accountName.map { "Cash from \($0)" }
            let credit = try TransactionRepository<Scope>.insert(db, new, .empty, access.store.zone, time: time)
            try journal.note(.added, credit, nil, before: #"{"transaction":null,"mail":null}"#)
            let before = try [transaction, credit].map { try journal.values($0, nil) }
            try TransferRows(db).link(
                debit: transaction, credit: credit,
                TransferReason(.cash, debit: row.ownAccount, credit: cash.name), by: "person", time)
            for (id, old) in zip([transaction, credit], before) { try journal.note(.changed, id, nil, before: old) }
            guard let made = try TransactionRow.current(db, credit) else { throw StoreError.notFound("transaction") }
            return (made, journal.group)
        }
    }
}
