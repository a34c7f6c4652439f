import Chronology
internal import GRDB
public import Ledger

extension StatementRepository {
    /// The statements, latest period first.
    /// - Parameter account: only those of this account.
    public func all(of account: Int64? = nil) throws(StoreError) -> [StatementRow] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    \(StatementRow.select) WHERE ?1 IS NULL OR coalesce(a.merged_into, a.id) = ?1
                    ORDER BY s.last_day DESC, s.id DESC
                    """, arguments: [account]
            ).compactMap(StatementRow.init)
        }
    }

    /// - Throws: `notFound`.
    public func content(of id: Int64) throws(StoreError) -> StatementContent {
        try read { db in try StatementContent(db, id) }
    }

    /// Stores a statement without links.
    ///
    /// - Parameters:
    ///   - digest: of the file, see ``StatementRow/fileDigest``.
    ///   - file: the name of the file, for display.
    /// - Returns: the statement, and false if this file of the account was stored before.
    /// - Throws: `notFound` without such an account; `invalid` for a statement of another currency or without days.
    public func add(
        _ statement: BankStatement, account: Int64, digest: String, file: String?
    ) throws(StoreError) -> (row: StatementRow, isNew: Bool) where Scope: WriteScope {
        let time = now()
        return try write { db in
            let owner = try UserAccountRow.active(db, account)
            if let id = try Int64.fetchOne(
                db,
                sql: """
                    SELECT s.id FROM statements s JOIN user_accounts a ON a.id = s.user_account_id
                    WHERE s.file_digest = ?1 AND coalesce(a.merged_into, a.id) = ?2
                    """, arguments: [digest, account])
            {
                return (try StatementRow.current(db, id), false)
            }
            guard statement.currency == owner.currency else {
                throw StoreError.invalid([
                    FieldProblem(
                        "currency",
                        "the statement is in \(statement.currency.code), account \(account) in \(owner.currency.code)")
                ])
            }
            if let number = statement.accountNumber, let other = try Self.other(than: owner.id, named: number, db) {
                throw StoreError.invalid([
                    FieldProblem("account_id", "the file is of account \(other.id) '\(other.name)', not of \(account)")
                ])
            }
            guard let period = Reconciliation.period(of: statement) else {
                throw StoreError.invalid([FieldProblem("file", "the statement has neither lines nor a period")])
            }
            let proof: StatementProof.Strength
            do throws(StatementProof.Defect) { proof = try StatementProof(statement).strength } catch {
                throw StoreError.invalid([FieldProblem("file", "the balances do not follow from the lines")])
            }
            let name = file.map { String($0.prefix(TextLimit.name)) }
            try db.execute(
                sql: """
                    INSERT INTO main.statements (user_account_id, file_digest, file_name, currency, first_day, last_day, opening_minor, closing_minor, proof, read_at, list)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    account, digest, name, statement.currency.code, period.first, period.last, statement.opening,
                    statement.closing, proof.rawValue, time, statement.list,
                ])
            let id = db.lastInsertedRowID
            try Self.insert(statement, of: id, account: owner.id, db)
            return (try StatementRow.current(db, id), true)
        }
    }

    /// The account that a printed number names, if its numbers fit and those of `account` do not.
    private static func other(
        than account: Int64, named number: String, _ db: Database
    ) throws -> (id: Int64, name: String)? {
        let fitting = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id, name FROM user_accounts a WHERE merged_into IS NULL AND (
                      length(account_number_last4) = 4 AND ?1 LIKE '%' || account_number_last4
                      OR EXISTS (SELECT 1 FROM user_account_numbers n JOIN user_accounts o ON o.id = n.user_account_id
                        WHERE coalesce(o.merged_into, o.id) = a.id AND length(n.account_digits) >= 4
                          AND ?1 LIKE '%' || n.account_digits))
                    ORDER BY id
                    """), arguments: [number]
        ).map { (id: $0[0] as Int64, name: $0[1] as String) }
        return fitting.contains { $0.id == account } ? nil : fitting.first
    }

    private static func insert(
        _ statement: BankStatement, of id: Int64, account: Int64, _ db: Database
    ) throws {
        let accounts = try statement.list.map { _ in try PrintedAccounts(db, currency: statement.currency) }
        let insert = try PreparedStatement(
            db,
            """
            INSERT INTO main.statement_lines (statement_id, number, file_row, day, value_day, amount_minor, direction, line_text, reference, balance_minor, account_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        for (index, line) in statement.lines.enumerated() {
            let named = accounts?.account(line.printedAccount)
            try insert.run {
                $0.bind(id)
                $0.bind(Int64(index + 1))
                $0.bind(Int64(line.row))
                $0.bind(line.day)
                $0.bind(line.valueDay)
                $0.bind(Int64(clamping: line.change.magnitude))
                $0.bind(line.change < 0 ? "out" : "in")
                $0.bind(line.text)
                $0.bind(line.reference)
                $0.bind(line.balance)
                $0.bind(named == account ? nil : named)
            }
        }
        for omitted in statement.omitted {
            try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO main.statement_omissions (statement_id, file_row, reason) VALUES (?, ?, ?)"
            ).execute(arguments: [id, omitted.row, omitted.reason.rawValue])
        }
    }

    /// Replaces the links of the lines that did not book their transaction, and marks the statement as reconciled or
    /// not.
    public func link(_ id: Int64, _ links: [StatementLink], reconciled: Bool) throws(StoreError) -> StatementRow
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let content = try StatementContent(db, id)
            let kept = Set(content.booked.keys)
            let old = Set(content.links.filter { !$0.isBooked })
            let new = Set(links.filter { !kept.contains($0.line) })
            if old != new {
                try db.execute(
                    sql: """
                        UPDATE main.statement_lines SET transaction_id = NULL, match_reason = NULL
                        WHERE statement_id = ? AND is_booked = 0 AND transaction_id IS NOT NULL
                        """, arguments: [id])
                let update = try PreparedStatement(
                    db,
                    "UPDATE main.statement_lines SET transaction_id = ?, match_reason = ?, is_booked = 0 WHERE statement_id = ? AND number = ?"
                )
                for link in new {
                    try update.run {
                        $0.bind(link.transaction)
                        $0.bind(link.reason.rawValue)
                        $0.bind(id)
                        $0.bind(Int64(link.line + 1))
                    }
                }
            }
            try db.execute(
                sql:
                    "UPDATE main.statements SET reconciled_at = iif(?1, coalesce(reconciled_at, ?2), NULL) WHERE id = ?3",
                arguments: [reconciled, time, id])
            return try StatementRow.current(db, id)
        }
    }
}

extension StatementContent {
    init(_ db: Database, _ id: Int64) throws {
        row = try StatementRow.current(db, id)
        statement = BankStatement(currency: row.currency)
        statement.period = row.period
        statement.opening = row.opening?.minorUnits
        statement.closing = row.closing?.minorUnits
        statement.list = row.list
        statement.omitted = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT file_row, reason FROM statement_omissions WHERE statement_id = ? ORDER BY file_row"),
            arguments: [id]
        ).compactMap { row in
            OmittedRow.Reason(rawValue: row[1]).map { OmittedRow(row: row[0], reason: $0) }
        }
        var lines: [StatementLine] = []
        var links: [StatementLink] = []
        try PreparedStatement(
            db,
            """
            SELECT l.file_row, l.day, l.value_day, l.amount_minor, l.direction, l.line_text, l.reference, l.balance_minor, t.id, l.match_reason, l.is_booked,
              coalesce(a.merged_into, a.id)
            FROM statement_lines l LEFT JOIN transactions t ON t.id = l.transaction_id AND \(StatementRow.isLive)
            LEFT JOIN user_accounts a ON a.id = l.account_id
            WHERE l.statement_id = ? ORDER BY l.number
            """
        ).each({ $0.bind(id) }) { row in
            var line = StatementLine(
                row: Int(row.int(0)), day: row.day(1), change: row.text(4) == "out" ? -row.int(3) : row.int(3),
                text: row.text(5))
            line.valueDay = row.optionalDay(2)
            line.reference = row.optionalText(6)
            line.balance = row.optionalInt(7)
            line.account = row.optionalInt(11)
            if let transaction = row.optionalInt(8) {
                var link = StatementLink(
                    line: lines.count, transaction: transaction,
                    reason: Reconciliation.Strength(rawValue: row.text(9)) ?? .amount)
                link.isBooked = row.int(10) != 0
                links.append(link)
            }
            lines.append(line)
            return true
        }
        statement.lines = lines
        self.links = links
    }
}
