internal import GRDB
import Ledger

extension UserAccountRepository {
    /// Merges one account into another, which takes over its numbers and transactions: a debit card into its savings
    /// account, a card into the one that replaced it. One change, undone by one step.
    ///
    /// - Returns: the account that remains, and the group of the change for undo.
    /// - Throws: `notFound`; `conflict` if one of them was merged before or their currencies differ.
    @discardableResult
    public func merge(
        _ id: Int64, into other: Int64, by actor: Actor
    ) throws(StoreError) -> (row: UserAccountRow, group: String) where Scope: WriteScope {
        let time = now()
        return try write { db in
            guard id != other else { throw StoreError.conflict("an account cannot be merged into itself") }
            let (source, target) = (try UserAccountRow.active(db, id), try UserAccountRow.active(db, other))
            guard source.currency == target.currency else {
                throw StoreError.conflict(
                    "account \(id) is in \(source.currency.code), account \(other) in \(target.currency.code)")
            }
            guard source.owner == target.owner else {
                throw StoreError.conflict("one of the accounts is private: share it, or make both private, first")
            }
            let journal = Journal(db, actor, time: time)
            let before = try journal.account(id, movingTo: other)
            try db.execute(
                sql: "UPDATE main.user_account_numbers SET user_account_id = ? WHERE user_account_id = ?",
                arguments: [other, id])
            try db.execute(
                sql: "UPDATE main.transactions SET user_account_id = ? WHERE user_account_id = ?",
                arguments: [other, id])
            try db.execute(
                sql: "UPDATE main.user_accounts SET merged_into = ?, is_active = 0 WHERE id = ?",
                arguments: [other, id])
            try journal.note(account: id, before: before, movedTo: other)
            return (try UserAccountRow.existing(db, other), journal.group)
        }
    }

    /// Splits a number off an account into an account of its own, with the transactions that name it.
    ///
    /// - Returns: the new account, and the group of the change for undo.
    /// - Throws: `notFound`; `conflict` if the account has no such number, or no other one.
    @discardableResult
    public func split(
        _ id: Int64, profile: String, digits: String, by actor: Actor
    ) throws(StoreError) -> (row: UserAccountRow, group: String) where Scope: WriteScope {
        let time = now()
        return try write { db in
            let source = try UserAccountRow.active(db, id)
            guard source.numbers.contains(where: { $0.profile == profile && $0.digits == digits }) else {
                throw StoreError.conflict("account \(id) has no number \(digits) of \(profile)")
            }
            guard source.numbers.count > 1 else {
                throw StoreError.conflict("account \(id) has no other number")
            }
            let journal = Journal(db, actor, time: time)
            let before = try journal.account(id)
            try db.execute(
                sql: """
                    INSERT INTO main.user_accounts (name, type, institution, account_number_last4, currency, split_from, created_at, updated_at, owner_user_id)
                    SELECT coalesce(institution, ?2) || ' ··' || substr(?3, -4), type, institution, substr(?3, -4), currency, id, ?4, ?4, owner_user_id
                    FROM user_accounts WHERE id = ?1
                    """, arguments: [id, profile, digits, time])
            let new = db.lastInsertedRowID
            try db.execute(
                sql:
                    "UPDATE main.user_account_numbers SET user_account_id = ? WHERE profile = ? AND account_digits = ?",
                arguments: [new, profile, digits])
            try journal.note(account: id, before: before, movedTo: new)
            return (try UserAccountRow.existing(db, new), journal.group)
        }
    }
}
