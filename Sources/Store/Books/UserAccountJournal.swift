import Chronology
internal import GRDB

/// Journal snapshots of the user's accounts: `{"account":{column:value,…},"numbers":[[bank,digits],…],"others":[…]}`.
///
/// `others` are the transactions that a person assigned to the account: their printed digits are not among its numbers.
/// A change that moves numbers to another account names that account in `moved_to`. `elsewhere` lists the transactions
/// with these numbers that a person had assigned to that account before.
extension Journal {
    static let accountColumns = [
        "id", "name", "type", "institution", "account_number_last4", "currency", "initial_balance_minor",
        "initial_balance_date", "credit_limit_minor", "is_active", "color", "icon", "linked_parser_id", "merged_into",
        "confirmed_at", "created_at",
    ]

    /// SQL condition: transaction `t` prints a number of account ?1.
    private static let isLedByNumber = """
        EXISTS (SELECT 1 FROM user_account_numbers n
          WHERE n.profile = t.profile AND n.account_digits = t.account_digits AND n.user_account_id = ?1)
        """

    /// The values of an account that does not exist.
    static let noAccount = #"{"account":null,"numbers":[],"others":[]}"#

    /// An account as it is now.
    /// - Parameter target: the account that will take over its numbers.
    func account(_ id: Int64, movingTo target: Int64) throws -> String {
        try String.fetchOne(
            db,
            sql: """
                SELECT json_patch(?3, json_object('elsewhere', json((SELECT json_group_array(id) FROM (
                  SELECT id FROM transactions t WHERE user_account_id = ?2 AND \(Self.isLedByNumber) ORDER BY id)))))
                """, arguments: [id, target, try account(id)]) ?? Self.noAccount
    }

    /// An account as it is now.
    func account(_ id: Int64, movedTo other: Int64? = nil) throws -> String {
        let values = Self.accountColumns.map { "'\($0)', \($0)" }.joined(separator: ", ")
        return try String.fetchOne(
            db,
            sql: """
                SELECT json_patch(json_object(
                  'account', json((SELECT json_object(\(values)) FROM user_accounts WHERE id = ?1)),
                  'numbers', json((SELECT json_group_array(json_array(profile, account_digits))
                    FROM (SELECT profile, account_digits FROM user_account_numbers WHERE user_account_id = ?1 ORDER BY profile, account_digits))),
                  'others', json((SELECT json_group_array(id) FROM (SELECT id FROM transactions t WHERE user_account_id = ?1
                    AND NOT \(Self.isLedByNumber) ORDER BY id)))),
                  iif(?2 IS NULL, '{}', json_object('moved_to', ?2)))
                """, arguments: [id, other]) ?? Self.noAccount
    }

    /// Records that an account was made or changed just now.
    /// - Parameter other: the account that its numbers were moved to.
    /// - Returns: the number of the change; `nil` if nothing changed.
    @discardableResult
    func note(account id: Int64, before: String, movedTo other: Int64? = nil, undoing: Int64? = nil) throws -> Int64? {
        let after = try account(id, movedTo: other)
        guard after != before else { return nil }
        try db.execute(sql: "UPDATE main.user_accounts SET updated_at = ? WHERE id = ?", arguments: [time, id])
        return try append(
            undoing == nil ? (before == Self.noAccount ? .added : .changed) : .undone, before: before, after: after,
            undoing: undoing)
    }

    /// Gives an account back the values, the numbers and the transactions that it had before a change.
    func revert(_ change: LedgerChange, ofAccount id: Int64) throws -> [LedgerChange] {
        let other = try movedTo(change.after)
        let now = try account(id, movedTo: other)
        guard now == change.after else {
            throw StoreError.conflict("account \(id) was changed again since: undo that first")
        }
        // The change took back a merge: undoing it merges again.
        let again = try movedTo(change.before)
        if let again { try move(account: id, keeping: change.before, to: again) }
        if try String.fetchOne(db, sql: "SELECT json_type(?, '$.account')", arguments: [change.before]) == "object" {
            try restore(account: id, change.before)
            if let other {
                try bringBack(account: id, change.before, from: other)
            } else if now == Self.noAccount {
                try refill(account: id, change.before)
            }
        } else {
            try remove(account: id)
        }
        guard let made = try note(account: id, before: now, movedTo: again, undoing: change.id) else { return [] }
        return try link(made, undoing: change)
    }

    private func movedTo(_ values: String) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT ? ->> '$.moved_to'", arguments: [values])
    }

    private func restore(account id: Int64, _ values: String) throws {
        let columns = Self.accountColumns
        try db.execute(
            sql: """
                INSERT INTO main.user_accounts (\(columns.joined(separator: ", ")), updated_at)
                SELECT \(columns.map { "?1 ->> '$.account.\($0)'" }.joined(separator: ", ")), ?2 WHERE true
                ON CONFLICT (id) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
                """, arguments: [values, time])
    }

    /// Moves the numbers and transactions that the account had back to it.
    ///
    /// - Throws: `conflict` if one of the numbers is in a third account by now.
    private func bringBack(account id: Int64, _ values: String, from other: Int64) throws {
        let moved = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM json_each(?1, '$.numbers') n LEFT JOIN user_account_numbers u
                  ON u.profile = n.value ->> 0 AND u.account_digits = n.value ->> 1
                WHERE u.user_account_id IS NULL OR u.user_account_id NOT IN (?2, ?3)
                """, arguments: [values, id, other])
        guard moved == 0 else {
            throw StoreError.conflict("a number of account \(id) was moved again since: undo that first")
        }
        try db.execute(
            sql: """
                UPDATE main.user_account_numbers SET user_account_id = ?2 WHERE user_account_id = ?3
                  AND EXISTS (SELECT 1 FROM json_each(?1, '$.numbers') n WHERE n.value ->> 0 = profile AND n.value ->> 1 = account_digits)
                """, arguments: [values, id, other])
        try db.execute(
            sql: """
                UPDATE main.transactions SET user_account_id = ?2
                WHERE user_account_id = ?3 AND id IN (SELECT value FROM json_each(?1, '$.others'))
                """, arguments: [values, id, other])
        try db.execute(
            sql: """
                UPDATE main.transactions SET user_account_id = ?3
                WHERE user_account_id = ?2 AND id IN (SELECT value FROM json_each(?1, '$.elsewhere'))
                """, arguments: [values, id, other])
        // The account that a split made has nothing left.
        try removeIfEmpty(account: other, madeBySplittingOff: id)
    }

    /// Gives a deleted account that is restored its numbers and transactions again.
    ///
    /// - Throws: `conflict` if one of the numbers is in another account by now.
    private func refill(account id: Int64, _ values: String) throws {
        let taken = try Row.fetchOne(
            db,
            sql: """
                SELECT u.account_digits, u.user_account_id FROM json_each(?, '$.numbers') n JOIN user_account_numbers u
                  ON u.profile = n.value ->> 0 AND u.account_digits = n.value ->> 1
                """, arguments: [values])
        if let taken {
            let (digits, other): (String, Int64) = (taken[0], taken[1])
            throw StoreError.conflict("the number \(digits) is in account \(other) by now: merge the accounts instead")
        }
        try db.execute(
            sql: """
                INSERT INTO main.user_account_numbers (profile, account_digits, user_account_id, first_seen, last_seen)
                SELECT n.value ->> 0, n.value ->> 1, ?2, coalesce(min(t.parsed_date), ?3), coalesce(max(t.parsed_date), ?3)
                FROM json_each(?1, '$.numbers') n LEFT JOIN transactions t
                  ON t.profile = n.value ->> 0 AND t.account_digits = n.value ->> 1 AND t.status = 'confirmed' AND t.deleted_at IS NULL
                GROUP BY 1, 2
                """, arguments: [values, id, time.day()])
        try db.execute(
            sql: """
                UPDATE main.transactions SET user_account_id = ?2 WHERE user_account_id IS NULL
                  AND ((profile, account_digits) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1, '$.numbers'))
                    OR id IN (SELECT value FROM json_each(?1, '$.others')))
                """, arguments: [values, id])
    }

    /// Moves the numbers and transactions that `values` does not list to another account.
    private func move(account id: Int64, keeping values: String, to other: Int64) throws {
        guard
            try Bool.fetchOne(
                db, sql: "SELECT merged_into IS NULL FROM user_accounts WHERE id = ?", arguments: [other]) == true
        else { throw StoreError.conflict("account \(other) does not exist any more: merge or split again") }
        try db.execute(
            sql: """
                UPDATE main.user_account_numbers SET user_account_id = ?3 WHERE user_account_id = ?2
                  AND NOT EXISTS (SELECT 1 FROM json_each(?1, '$.numbers') n WHERE n.value ->> 0 = profile AND n.value ->> 1 = account_digits)
                """, arguments: [values, id, other])
        try db.execute(
            sql: """
                UPDATE main.transactions AS t SET user_account_id = ?3 WHERE user_account_id = ?1 AND NOT \(Self.isLedByNumber)
                  AND id NOT IN (SELECT value FROM json_each(?2, '$.others'))
                """, arguments: [id, values, other])
    }

    /// - Throws: `conflict` if the account has transactions or numbers by now.
    private func remove(account id: Int64) throws {
        do { try db.execute(sql: "DELETE FROM main.user_accounts WHERE id = ?", arguments: [id]) } catch let error
            as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT
        {
            throw StoreError.conflict("account \(id) has transactions or numbers by now")
        }
    }

    private func removeIfEmpty(account id: Int64, madeBySplittingOff origin: Int64) throws {
        try db.execute(
            sql: """
                DELETE FROM main.user_accounts WHERE id = ?1 AND split_from = ?2
                  AND NOT EXISTS (SELECT 1 FROM user_account_numbers WHERE user_account_id = ?1)
                  AND NOT EXISTS (SELECT 1 FROM transactions WHERE user_account_id = ?1)
                  AND NOT EXISTS (SELECT 1 FROM user_accounts WHERE merged_into = ?1)
                """, arguments: [id, origin])
    }
}

extension LedgerChange {
    /// The account of the user that was made, changed or merged; `nil` if the change is about something else.
    func userAccount(_ db: Database) throws -> Int64? {
        guard transactionID == nil, mailID == nil else { return nil }
        return try Int64.fetchOne(
            db, sql: "SELECT coalesce(?1 ->> '$.account.id', ?2 ->> '$.account.id')", arguments: [after, before])
    }
}
