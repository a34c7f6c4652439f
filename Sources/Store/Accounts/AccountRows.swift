import Chronology
internal import GRDB
import Ledger
import Randomness

/// Result of merging a client's account.
public enum AccountMerge: String, Hashable, Sendable {
    case created, updated
    /// The ledger's row is equal.
    case unchanged
    /// The ledger's row is newer and stays.
    case kept
    /// The account was deleted here after the client last changed it.
    case deleted
}

extension AccountRepository {
    /// All accounts, by name.
    public func all() throws(StoreError) -> [AccountRow] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM accounts ORDER BY name COLLATE NOCASE, id").map(AccountRow.init)
        }
    }

    public func find(_ id: String) throws(StoreError) -> AccountRow? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM accounts WHERE id = ?", arguments: [id.lowercased()]).map(
                AccountRow.init)
        }
    }

    /// Counter of changes by any process; reading it takes microseconds.
    public func generation() throws(StoreError) -> Int64 {
        try read { db in try Int64.fetchOne(db.cachedStatement(sql: "SELECT generation FROM account_generation")) ?? 0 }
    }

    /// Throws `conflict` if the id exists.
    @discardableResult
    public func add(_ new: AccountRow) throws(StoreError) -> AccountRow where Scope: WriteScope {
        let time = now()
        var row = new
        row.id = row.id.lowercased()
        (row.createdAt, row.updatedAt) = (time, time)
        let problems = row.problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { [row] db in
            if try Row.fetchOne(db, sql: "SELECT 1 FROM accounts WHERE id = ?", arguments: [row.id]) != nil {
                throw StoreError.conflict("there is an account of this id", "id", "is taken")
            }
            try row.write(db)
            return row
        }
    }

    /// - Parameter expecting: checks the current row; false throws `conflict`.
    @discardableResult
    public func update(
        _ new: AccountRow, expecting: ((AccountRow) -> Bool)? = nil
    ) throws(StoreError) -> AccountRow where Scope: WriteScope {
        let time = now()
        let problems = new.problems
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            let old = try AccountRow.current(new.id, db)
            if let expecting, !expecting(old) { throw StoreError.conflict("account \(old.id) was changed meanwhile") }
            var row = new
            (row.id, row.createdAt, row.updatedAt) = (old.id, old.createdAt, old.updatedAt)
            guard row != old else { return old }
            row.updatedAt = max(time, old.updatedAt ?? time)
            try row.write(db)
            return row
        }
    }

    /// Deletes an account. Its transactions stay booked.
    public func delete(_ id: String, expecting: ((AccountRow) -> Bool)? = nil) throws(StoreError)
    where Scope: WriteScope {
        let time = now()
        try write { db in
            let old = try AccountRow.current(id, db)
            if let expecting, !expecting(old) { throw StoreError.conflict("account \(old.id) was changed meanwhile") }
            try db.execute(sql: "DELETE FROM accounts WHERE id = ?", arguments: [old.id])
            try db.execute(
                sql:
                    "INSERT INTO deleted_accounts VALUES (?, ?) ON CONFLICT DO UPDATE SET deleted_at = excluded.deleted_at",
                arguments: [old.id, time])
        }
    }

    /// Merges accounts of a client, by id, in one transaction: the last change wins.
    ///
    /// A client's clock may be wrong: instants in the future count as now.
    /// - Parameter rows: with their own `updatedAt`; of two with one id the last one counts.
    public func sync(_ rows: [AccountRow]) throws(StoreError) -> [AccountMerge] where Scope: WriteScope {
        let time = now()
        let problems = rows.enumerated().flatMap { index, row in
            row.problems.map { FieldProblem("\(index).\($0.field)", $0.detail) }
        }
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            var results: [AccountMerge] = []
            for row in rows {
                var new = row
                new.id = row.id.lowercased()
                let updatedAt = min(row.updatedAt ?? time, time)
                new.updatedAt = updatedAt
                let old = try Row.fetchOne(db, sql: "SELECT * FROM accounts WHERE id = ?", arguments: [new.id]).map(
                    AccountRow.init)
                new.createdAt = old?.createdAt ?? min(row.createdAt ?? updatedAt, time)
                if let old {
                    var same = new
                    same.updatedAt = old.updatedAt
                    if same == old {
                        results.append(.unchanged)
                        continue
                    }
                    guard updatedAt > old.updatedAt ?? .epoch else {
                        results.append(.kept)
                        continue
                    }
                } else if let gone = try UnixTime.fetchOne(
                    db, sql: "SELECT deleted_at FROM deleted_accounts WHERE id = ?", arguments: [new.id]),
                    gone >= updatedAt
                {
                    results.append(.deleted)
                    continue
                }
                try new.write(db)
                results.append(old == nil ? .created : .updated)
            }
            return results
        }
    }
}

extension AccountRow {
    /// A UUID that sorts by its creation time (RFC 9562, version 7).
    public static func newID() -> String { MailID.make() }

    public static func isUUID(_ text: String) -> Bool {
        UUIDText.isValid(text)
    }

    /// Limit of accounts, because each is checked for every mail of its sender.
    public static let maximum = 500

    static func current(_ id: String, _ db: Database) throws -> AccountRow {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM accounts WHERE id = ?", arguments: [id.lowercased()])
        else { throw StoreError.notFound("account \(id)") }
        return AccountRow(row)
    }

    func write(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO accounts (id, name, card_last_four, sender_email, sender_name, subject_pattern, amount_regex, date_regex, merchant_regex,
                  account_regex, time_regex, sample_email_body, is_active, currency_default, default_transaction_type, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, card_last_four = excluded.card_last_four, sender_email = excluded.sender_email,
                  sender_name = excluded.sender_name, subject_pattern = excluded.subject_pattern, amount_regex = excluded.amount_regex,
                  date_regex = excluded.date_regex, merchant_regex = excluded.merchant_regex, account_regex = excluded.account_regex,
                  time_regex = excluded.time_regex, sample_email_body = excluded.sample_email_body, is_active = excluded.is_active,
                  currency_default = excluded.currency_default, default_transaction_type = excluded.default_transaction_type, updated_at = excluded.updated_at
                """,
            arguments: [
                id, name, cardLastFour, senderEmail, senderName, subjectPattern,
                amountRegex, dateRegex, merchantRegex,
                accountRegex, timeRegex, sampleEmailBody, isActive, currencyDefault.code,
                defaultTransactionType.rawValue, createdAt,
                updatedAt,
            ])
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM accounts") ?? 0 <= Self.maximum else {
            throw StoreError.conflict("there are \(Self.maximum) accounts already: delete one first")
        }
    }
}
