import Chronology
internal import GRDB
import Ledger

/// The result of booking lines of a statement.
public struct StatementBooking: Hashable, Sendable {
    /// The new transactions, in the order of the lines.
    public var transactions: [Int64] = []
    /// Rows of lines whose transaction a person has deleted: they are not booked again.
    public var withheld: [Int] = []
    /// The group of the edits; `nil` if nothing was booked.
    public var group: String?

    public init() {}
}

extension StatementRepository {
    /// Books lines that have no transaction, in one transaction of the database: all of them or none.
    ///
    /// The key of a line (``StatementKeys``) is UNIQUE. A line whose key is taken, by another statement of the same
    /// days, gets that transaction.
    /// - Parameter lines: indices in the statement's lines. One that has a transaction, or moves no money, is left out;
    ///   not so a payment of a list that has only its amount in common with a transaction.
    /// - Throws: `notFound`; `conflict` if a statement does not prove itself; `invalid` with the row of a line whose
    ///   values the ledger refuses.
    public func book(
        _ id: Int64, lines: [Int], by actor: Actor
    ) throws(StoreError) -> StatementBooking where Scope: WriteScope {
        let time = now()
        let zone = access.store.zone
        return try write { db in
            let content = try StatementContent(db, id)
            // A list cannot prove itself: a person has seen its lines.
            guard content.row.proof != .none || content.row.list != nil else {
                throw StoreError.conflict(
                    "statement \(id) prints no balances that prove that all its lines were read: nothing is booked from it"
                )
            }
            let isList = content.row.list != nil
            let linked = Set(content.links.lazy.filter { !isList || $0.reason != .amount }.map(\.line))
            let all = content.statement.lines
            let open = lines.filter { all.indices.contains($0) && !linked.contains($0) && all[$0].change != 0 }
            var work = BookingWork(
                db: db, content: content, rules: open.isEmpty ? .empty : try MappingRows.rules(db),
                journal: Journal(db, actor, time: time), zone: zone)
            for line in Set(open).sorted() { try work.book(line) }
            let reports = try SameEventRows(db)
            var finals = FinalAmountSearch(db, reports, time: time)
            let instalments = InstalmentSearch(db, reports, time: time)
            for id in work.result.transactions {
                try finals.examine(line: id)
                try instalments.examine(id)
            }
            return work.result
        }
    }

    /// Deletes a statement and the transactions that it booked. One that a person has changed, tagged, split or linked
    /// to a transfer, or that a mail reported since, stays, and so do all that the statement did not book.
    ///
    /// - Parameter confirmsReconciled: true if the caller knows that the statement is reconciled.
    /// - Returns: the numbers of the deleted and of the kept transactions among those that it booked.
    /// - Throws: `notFound`; `conflict` with the field `confirm_reconciled`.
    @discardableResult
    public func undo(
        _ id: Int64, by actor: Actor, confirmsReconciled: Bool = false
    ) throws(StoreError) -> (deleted: [Int64], kept: [Int64]) where Scope: WriteScope {
        let time = now()
        return try write { db in
            let content = try StatementContent(db, id)
            let journal = Journal(db, actor, time: time)
            if content.row.reconciledAt != nil, !confirmsReconciled {
                throw StoreError.conflict(
                    "statement \(id) is reconciled: confirm that it is to be deleted", Journal.confirmation,
                    "must be true to delete a reconciled statement")
            }
            var (deleted, kept): ([Int64], [Int64]) = ([], [])
            for link in content.links where link.isBooked {
                guard try Self.isUnchanged(link.transaction, outside: id, db) else {
                    kept.append(link.transaction)
                    continue
                }
                let before = try journal.values(link.transaction, nil)
                // Without its key, so that the file can be imported and booked again.
                try db.execute(
                    sql: """
                        UPDATE main.transactions SET deleted_at = ?1, updated_at = ?1, revision = revision + 1, idempotency_key = NULL WHERE id = ?2
                        """, arguments: [time, link.transaction])
                try journal.note(.deleted, link.transaction, nil, before: before)
                deleted.append(link.transaction)
            }
            try db.execute(sql: "DELETE FROM main.statements WHERE id = ?", arguments: [id])
            return (deleted, kept)
        }
    }

    /// True if neither a person nor another statement, a transfer or a mail refers to a booked transaction.
    private static func isUnchanged(_ transaction: Int64, outside statement: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT user_edited_at IS NULL
                  AND NOT EXISTS (SELECT 1 FROM tags WHERE transaction_id = ?1)
                  AND NOT EXISTS (SELECT 1 FROM split_transactions WHERE transaction_id = ?1)
                  AND NOT EXISTS (SELECT 1 FROM transfers WHERE state = 'linked' AND (debit_id = ?1 OR credit_id = ?1))
                  AND NOT EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND (from_id = ?1 OR to_id = ?1))
                  AND NOT EXISTS (SELECT 1 FROM statement_lines WHERE transaction_id = ?1 AND (statement_id <> ?2 OR mail_id IS NOT NULL))
                FROM transactions WHERE id = ?1
                """, arguments: [transaction, statement]) ?? false
    }
}

/// The booking of the open lines of one statement.
fileprivate struct BookingWork {
    let db: Database
    let content: StatementContent
    let rules: CategoryRules
    let journal: Journal
    let zone: IANATimeZone
    private let keys: [String]
    /// Transactions that lines of this statement have.
    private var used: Set<Int64>
    private(set) var result = StatementBooking()

    init(db: Database, content: StatementContent, rules: CategoryRules, journal: Journal, zone: IANATimeZone) {
        (self.db, self.content, self.rules, self.journal, self.zone) = (db, content, rules, journal, zone)
        keys = StatementKeys.of(content.statement, account: content.row.account)
        used = Set(content.links.map(\.transaction))
    }

    mutating func book(_ index: Int) throws {
        let line = content.statement.lines[index]
        var key = keys[index]
        while let found = try holder(of: key) {
            if used.contains(found.id) {
                key = StatementKeys.next(after: key)
                continue
            }
            guard found.isLive else {
                result.withheld.append(line.row)
                return
            }
            return try link(index, found.id, isBooked: false)
        }
        var new = transaction(line)
        let problems = new.problems
        guard problems.isEmpty else {
            throw StoreError.invalid(problems.map { FieldProblem("row \(line.row)", "\($0.field): \($0.detail)") })
        }
        new.idempotencyKey = key
        let id = try TransactionRepository<WriteTransaction>.insert(db, new, rules, zone, time: journal.time)
        try journal.note(.added, id, nil, before: #"{"transaction":null,"mail":null}"#)
        try link(index, id, isBooked: true)
        result.transactions.append(id)
        result.group = journal.group
    }

    private mutating func link(_ index: Int, _ transaction: Int64, isBooked: Bool) throws {
        used.insert(transaction)
        try db.cachedStatement(
            sql: """
                UPDATE main.statement_lines SET transaction_id = ?, match_reason = ?, is_booked = ? WHERE statement_id = ? AND number = ?
                """
        ).execute(arguments: [
            transaction, isBooked ? "booked" : "reference", isBooked, content.row.id, index + 1,
        ])
    }

    private func holder(of key: String) throws -> (id: Int64, isLive: Bool)? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT t.id, \(StatementRow.isLive) FROM transactions t WHERE t.idempotency_key = ?"),
            arguments: [key]
        ).map { ($0[0], $0[1]) }
    }

    private func transaction(_ line: StatementLine) -> NewTransaction {
        let amount = Money(
            minorUnits: Int64(clamping: line.change.magnitude), currency: content.statement.currency)
        let text = String(line.text.prefix(TextLimit.merchant))
        return NewTransaction(
            amount: amount, type: line.change < 0 ? .expense : .income, date: line.valueDay ?? line.day
        ) {
            $0.recorder = .imported
            $0.merchant = text.isEmpty ? nil : text
            $0.reference = line.reference.map { String($0.prefix(TextLimit.reference)) }
            $0.userAccountID = line.account ?? content.row.account
        }
    }
}
