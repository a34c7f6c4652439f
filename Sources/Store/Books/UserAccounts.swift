import Access
import Chronology
internal import GRDB
import Ledger

extension UserAccountRepository {
    /// Every account, active ones first, then by name.
    /// - Parameter merged: also those that another account took over.
    public func all(merged: Bool = false) throws(StoreError) -> [UserAccountRow] {
        try read { db in try UserAccountRow.all(db, merged: merged) }
    }

    public func find(_ id: Int64) throws(StoreError) -> UserAccountRow? {
        try read { db in try UserAccountRow.current(db, id) }
    }

    /// Adds an account by hand. It is confirmed from the beginning.
    ///
    /// - Throws: `invalid` without a name.
    @discardableResult
    public func add(
        _ edit: UserAccountEdit, by actor: Actor
    ) throws(StoreError) -> UserAccountRow where Scope: WriteScope {
        let (time, homeCurrency) = (now(), access.store.homeCurrency)
        var problems = edit.problems
        if edit.name == nil { problems.append(FieldProblem("name", .required)) }
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { [edit] db in
            try db.execute(
                sql: """
                    INSERT INTO main.user_accounts (name, type, currency, confirmed_at, created_at, updated_at) VALUES (?, ?, ?, ?4, ?4, ?4)
                    """,
                arguments: [
                    edit.name, (edit.type ?? .bank).rawValue, (edit.currency ?? homeCurrency).code, time,
                ])
            let id = db.lastInsertedRowID
            let journal = Journal(db, actor, time: time)
            try journal.write(edit, account: id)
            try journal.note(account: id, before: Journal.noAccount)
            return try UserAccountRow.existing(db, id)
        }
    }

    /// Changes an account.
    ///
    /// - Returns: the row as it is now, and the group of the change for undo; no group if nothing changed.
    /// - Throws: `notFound`, `invalid`, `conflict` for an account that was merged into another.
    @discardableResult
    public func change(
        _ id: Int64, _ edit: UserAccountEdit, by actor: Actor
    ) throws(StoreError) -> (row: UserAccountRow, group: String?) where Scope: WriteScope {
        let time = now()
        let problems = edit.problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            try UserAccountRow.active(db, id)
            let journal = Journal(db, actor, time: time)
            let before = try journal.account(id)
            try journal.write(edit, account: id)
            let change = try journal.note(account: id, before: before)
            return (try UserAccountRow.existing(db, id), change == nil ? nil : journal.group)
        }
    }

    /// Makes an account private, so that only its owner sees it with all that belongs to it, or shares it with all. The
    /// accounts that were merged into it follow. Not part of the journal, which others read.
    ///
    /// - Parameter user: the user who asks, and who becomes the owner.
    /// - Throws: `notFound`; `conflict` for the account of another owner, or if a user who is no owner makes one
    ///   private.
    public func setPrivate(
        _ isPrivate: Bool, _ id: Int64, by user: Int64
    ) throws(StoreError) -> UserAccountRow where Scope: WriteScope {
        let time = now()
        return try write { db in
            let row = try UserAccountRow.active(db, id)
            guard row.owner == nil || row.owner == user else {
                throw StoreError.conflict("account \(id) belongs to another user")
            }
            if isPrivate, try UserRow.find(user, db)?.role != .owner {
                throw StoreError.conflict("only an owner can have private accounts")
            }
            try db.execute(
                sql: """
                    UPDATE main.user_accounts SET owner_user_id = ?2, updated_at = ?3 WHERE id IN (
                      WITH RECURSIVE taken(id) AS (VALUES (?1)
                        UNION SELECT a.id FROM main.user_accounts a JOIN taken ON a.merged_into = taken.id)
                      SELECT id FROM taken)
                    """, arguments: [id, isPrivate ? user : nil, time])
            return try UserAccountRow.existing(db, id)
        }
    }

    /// Deletes an account. Its transactions stay, without an account; the next alert with one of its numbers makes an
    /// account again. Undo gives the account back its numbers and transactions.
    ///
    /// - Throws: `conflict` if another account was merged into it, or if it is private.
    public func delete(_ id: Int64, by actor: Actor) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            guard try UserAccountRow.existing(db, id).owner == nil else {
                throw StoreError.conflict("all users would see the transactions of a deleted account: share it first")
            }
            if let other = try Int64.fetchOne(
                db, sql: "SELECT id FROM user_accounts WHERE merged_into = ?", arguments: [id])
            {
                throw StoreError.conflict("account \(other) was merged into account \(id): undo that first")
            }
            let journal = Journal(db, actor, time: time)
            let before = try journal.account(id)
            try db.execute(sql: "DELETE FROM main.user_account_numbers WHERE user_account_id = ?", arguments: [id])
            try db.execute(
                sql: "UPDATE main.transactions SET user_account_id = NULL WHERE user_account_id = ?", arguments: [id])
            try db.execute(sql: "DELETE FROM main.user_accounts WHERE id = ?", arguments: [id])
            try journal.note(account: id, before: before)
        }
    }
}

extension UserAccountRow {
    /// The numbers of all accounts, or of one, by account.
    fileprivate static func numbers(_ db: Database, _ account: Int64?) throws -> [Int64: [Number]] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM user_account_numbers WHERE ?1 IS NULL OR user_account_id = ?1 ORDER BY profile, account_digits
                """, arguments: [account])
        var numbers: [Int64: [Number]] = [:]
        for row in rows {
            let number = Number(
                profile: row["profile"], digits: row["account_digits"], firstSeen: row["first_seen"],
                lastSeen: row["last_seen"])
            numbers[row["user_account_id"], default: []].append(number)
        }
        return numbers
    }

    static func all(_ db: Database, merged: Bool) throws -> [UserAccountRow] {
        let numbers = try numbers(db, nil)
        return try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM user_accounts WHERE \(merged ? "true" : "merged_into IS NULL")
                ORDER BY is_active DESC, name COLLATE NOCASE, id
                """
        ).map { row in UserAccountRow(row, numbers: numbers[row["id"]] ?? []) }
    }

    static func current(_ db: Database, _ id: Int64) throws -> UserAccountRow? {
        try Row.fetchOne(db, sql: "SELECT * FROM user_accounts WHERE id = ?", arguments: [id]).map {
            UserAccountRow($0, numbers: try numbers(db, id)[id] ?? [])
        }
    }

    static func existing(_ db: Database, _ id: Int64) throws -> UserAccountRow {
        guard let row = try current(db, id) else { throw StoreError.notFound("account \(id)") }
        return row
    }

    /// - Throws: `conflict` if a transaction cannot be in this account.
    static func checkUse(_ id: Int64, _ field: String, _ db: Database) throws {
        guard let row = try current(db, id), row.mergedInto == nil else {
            throw StoreError.missing(field, "there is no such account")
        }
    }

    /// An account that was not merged into another.
    @discardableResult
    static func active(_ db: Database, _ id: Int64) throws -> UserAccountRow {
        let row = try existing(db, id)
        if let other = row.mergedInto {
            throw StoreError.conflict("account \(id) was merged into account \(other): undo that first")
        }
        return row
    }
}

extension Journal {
    /// Writes the values that are set.
    fileprivate func write(_ edit: UserAccountEdit, account id: Int64) throws {
        let old = try UserAccountRow.existing(db, id)
        if let parser = edit.linkedParserID.new,
            try Int.fetchOne(db, sql: "SELECT 1 FROM accounts WHERE id = ?", arguments: [parser]) == nil
        {
            throw StoreError.missing("linked_parser_id", "there is no such template")
        }
        try db.execute(
            sql: """
                UPDATE main.user_accounts SET name = ?, type = ?, institution = ?, account_number_last4 = ?, currency = ?, initial_balance_minor = ?,
                  initial_balance_date = ?, credit_limit_minor = ?, is_active = ?, color = ?, icon = ?, linked_parser_id = ?,
                  confirmed_at = iif(?, coalesce(confirmed_at, ?), NULL)
                WHERE id = ?
                """,
            arguments: [
                edit.name ?? old.name, (edit.type ?? old.type).rawValue, edit.institution.applied(to: old.institution),
                edit.lastFour.applied(to: old.lastFour), (edit.currency ?? old.currency).code,
                edit.initialBalance ?? old.initialBalance.minorUnits,
                edit.initialDate.applied(to: old.initialDate),
                edit.creditLimit.applied(to: old.creditLimit?.minorUnits), edit.isActive ?? old.isActive,
                edit.color.applied(to: old.color), edit.icon.applied(to: old.icon),
                edit.linkedParserID.applied(to: old.linkedParserID), edit.isConfirmed ?? !old.isNew, time, id,
            ])
    }
}
