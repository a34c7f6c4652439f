public import Chronology
internal import GRDB
public import Ledger

/// Two transactions that are, or may be, the two sides of one transfer between own accounts.
public struct TransferRow: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Waits for a person.
        case proposed
        case linked
        /// Refused or undone by a person; it is not proposed again.
        case refused
    }

    public var id: Int64
    public var state: State
    /// `nil` if no alert reported this side.
    public var debit: TransactionRow?
    public var credit: TransactionRow?
    public var basis: TransferBasis
    public var isMadeByPerson: Bool
    public var createdAt: UnixTime
    public var updatedAt: UnixTime

    public var reason: TransferReason {
        TransferReason(basis, debit: debit?.ownAccount, credit: credit?.ownAccount)
    }
}

/// A transaction's part in a transfer.
public struct TransferLink: Hashable, Sendable {
    public var transfer: Int64
    /// `nil` if no alert reported the other side.
    public var other: Int64?
    /// The transaction's side.
    public var flow: TransferLeg.Flow
}

extension TransactionRow {
    /// The user's account by bank and digits, otherwise by name: `hdfc 4410`, `Cash`; `nil` if nothing is known.
    var ownAccount: String? { TransferReason.account(bank: profile, digits: accountDigits) ?? accountName }

    /// The direction of the money.
    ///
    /// - Parameter linked: its side, if it is part of a linked transfer.
    public func flow(linked: TransferLeg.Flow?) -> TransferLeg.Flow {
        TransferLeg.flow(of: type, linked: linked, counterparty: vendor ?? vpa ?? "")
    }
}

extension TransferRepository {
    /// Transfers, newest first.
    public func list(
        _ states: Set<TransferRow.State> = [.proposed, .linked], limit: Int = 100
    ) throws(StoreError) -> [TransferRow] {
        let list = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        return try read { db in
            try TransferRow.all(
                db, where: "state IN (\(list)) AND \(TransferRow.isCurrent) ORDER BY id DESC LIMIT ?",
                arguments: [limit])
        }
    }

    /// The number of transfers in these states.
    public func count(_ states: Set<TransferRow.State>) throws(StoreError) -> Int {
        let list = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        return try read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM transfers WHERE state IN (\(list)) AND \(TransferRow.isCurrent)") ?? 0
        }
    }

    /// The transfer of a transaction, otherwise the first one proposed for it.
    public func find(of transaction: Int64) throws(StoreError) -> TransferRow? {
        try read { db in
            try TransferRow.all(
                db,
                where:
                    "(debit_id = ?1 OR credit_id = ?1) AND state <> 'refused' AND \(TransferRow.isCurrent) ORDER BY state <> 'linked', id LIMIT 1",
                arguments: [transaction]
            ).first
        }
    }

    public func find(_ id: Int64) throws(StoreError) -> TransferRow? {
        try read { db in try TransferRow.all(db, where: "id = ?", arguments: [id]).first }
    }

    /// Transfers of these transactions, each with its other side.
    public func links(of transactions: [Int64]) throws(StoreError) -> [Int64: TransferLink] {
        guard !transactions.isEmpty else { return [:] }
        let list = "[\(transactions.map(String.init).joined(separator: ","))]"
        return try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT debit_id, id, credit_id, 1 FROM transfers WHERE state = 'linked' AND debit_id IN (SELECT value FROM json_each(?1))
                    UNION ALL SELECT credit_id, id, debit_id, 0 FROM transfers WHERE state = 'linked' AND credit_id IN (SELECT value FROM json_each(?1))
                    """, arguments: [list])
            return Dictionary(
                rows.map { ($0[0], TransferLink(transfer: $0[1], other: $0[2], flow: $0[3] ? .debit : .credit)) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// Links two transactions as one transfer on a person's request, even if it was refused before.
    /// - Throws: ``StoreError/Kind/notFound`` if a row does not exist, ``StoreError/Kind/conflict`` if amounts differ
    ///   or one is a side of another transfer.
    @discardableResult
    public func link(debit: Int64, credit: Int64, by actor: Actor) throws(StoreError) -> TransferRow
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let read = try PreparedStatement(
                db, "SELECT \(TransactionRow.columns) FROM transactions WHERE id = ? AND deleted_at IS NULL")
            guard let out = try read.first({ $0.bind(debit) }, TransactionRow.init) else {
                throw StoreError.notFound("transaction \(debit)")
            }
            guard let back = try read.first({ $0.bind(credit) }, TransactionRow.init) else {
                throw StoreError.notFound("transaction \(credit)")
            }
            guard debit != credit, out.amount == back.amount else {
                throw StoreError.conflict(
                    "transactions \(debit) and \(credit) are not a transfer: their amounts differ")
            }
            try TransferRows(db).expectFree([debit, credit])
            try noted(db, actor, time, [debit, credit]) {
                let reason = TransferReason(.person, debit: out.ownAccount, credit: back.ownAccount)
                try TransferRows(db).link(debit: debit, credit: credit, reason, by: "person", time)
            }
            guard
                let row = try TransferRow.all(db, where: "debit_id = ? AND credit_id = ?", arguments: [debit, credit])
                    .first
            else { throw StoreError.notFound("transfer") }
            return row
        }
    }

    /// Accepts a proposal, or links an undone transfer again.
    /// - Parameter group: of the journal, for several that are undone together; a new one by default.
    @discardableResult
    public func confirm(_ id: Int64, by actor: Actor, group: String? = nil) throws(StoreError) -> TransferRow
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            guard let row = try TransferRow.all(db, where: "id = ?", arguments: [id]).first else {
                throw StoreError.notFound("transfer \(id)")
            }
            if row.state == .linked { return row }
            for id in [row.debit?.id, row.credit?.id].compactMap({ $0 }) where try TransactionRow.current(db, id) == nil
            {
                throw StoreError.conflict("transaction \(id) was deleted, or another one replaces it")
            }
            try TransferRows(db).expectFree([row.debit?.id, row.credit?.id].compactMap { $0 })
            try noted(db, actor, time, [row.debit?.id, row.credit?.id].compactMap { $0 }, group: group) {
                try TransferRows(db).link(
                    debit: row.debit?.id, credit: row.credit?.id, row.reason, by: "person", time)
            }
            return try TransferRow.all(db, where: "id = ?", arguments: [id]).first ?? row
        }
    }

    /// Refuses a proposal, or undoes a link: both rows get back their type and category unless they were changed since,
    /// and the pair is not proposed again. A repetition changes nothing.
    @discardableResult
    public func refuse(_ id: Int64, by actor: Actor) throws(StoreError) -> TransferRow where Scope: WriteScope {
        let time = now()
        return try write { db in
            guard let row = try TransferRow.all(db, where: "id = ?", arguments: [id]).first else {
                throw StoreError.notFound("transfer \(id)")
            }
            switch row.state {
            case .refused: return row
            case .linked:
                try noted(db, actor, time, [row.debit?.id, row.credit?.id].compactMap { $0 }) {
                    try TransferRows(db).unlink(id, time)
                }
            case .proposed:
                try db.execute(
                    sql: "UPDATE main.transfers SET state = 'refused', made_by = 'person', updated_at = ? WHERE id = ?",
                    arguments: [time, id])
            }
            return try TransferRow.all(db, where: "id = ?", arguments: [id]).first ?? row
        }
    }

    /// Searches all booked transactions, for ledgers older than this feature.
    /// - Returns: numbers of links and of new proposals.
    public func search(since: CalendarDate? = nil) throws(StoreError) -> (linked: Int, proposed: Int)
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let ids = try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM transactions WHERE status = 'confirmed' AND deleted_at IS NULL AND parsed_date >= ?
                      AND NOT (transaction_type = 'expense' AND channel IN ('card', 'atm')) ORDER BY id
                    """, arguments: [since?.description ?? "0000"])
            var search = TransferSearch(db, time: time)
            for id in ids { try search.examine(id) }
            return search.found
        }
    }

    /// Records the changes that `body` makes to transactions in the journal, as one group.
    private func noted(
        _ db: Database, _ actor: Actor, _ time: UnixTime, _ ids: [Int64], group: String? = nil,
        _ body: () throws -> Void
    ) throws {
        let journal = Journal(db, actor, time: time, group: group)
        let before = try ids.map { try journal.values($0, nil) }
        try body()
        for (id, old) in zip(ids, before) { try journal.note(.changed, id, nil, before: old) }
    }
}

extension TransferRow {
    /// Maximum days between the sides of a transfer that a person links: cheques and card bills take several days.
    public static let linkDays = 7

    /// False for a proposal about a deleted or replaced transaction.
    static let isCurrent =
        "NOT (state = 'proposed' AND EXISTS (SELECT 1 FROM transactions WHERE id IN (debit_id, credit_id) AND deleted_at IS NOT NULL))"

    static func all(
        _ db: Database, where condition: String, arguments: StatementArguments
    ) throws -> [TransferRow] {
        let read = try PreparedStatement(db, "SELECT \(TransactionRow.columns) FROM transactions WHERE id = ?")
        func transaction(_ id: Int64?) throws -> TransactionRow? {
            try id.flatMap { id in try read.first({ $0.bind(id) }, TransactionRow.init) }
        }
        return try Row.fetchAll(
            db,
            sql:
                "SELECT id, state, debit_id, credit_id, evidence, made_by, created_at, updated_at FROM transfers WHERE \(condition)",
            arguments: arguments
        ).map { row in
            TransferRow(
                id: row[0], state: TransferRow.State(rawValue: row[1]) ?? .refused, debit: try transaction(row[2]),
                credit: try transaction(row[3]), basis: TransferBasis(rawValue: row[4]) ?? .person,
                isMadeByPerson: row[5] == "person", createdAt: row[6], updatedAt: row[7])
        }
    }
}
