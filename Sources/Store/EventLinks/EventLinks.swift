public import Chronology
internal import GRDB
public import Ledger

/// Two transactions of one event, or that may be. ``from`` counts; ``to`` is its refund, a part of its payment, or a
/// transaction that it replaces.
public struct EventLinkRow: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Waits for a person and changes no sum.
        case proposed
        /// In force: the kind decides how ``EventLinkRow/to`` counts.
        case made
        /// Rejected or undone by a person; it is not proposed again.
        case rejected
    }

    public var id: Int64
    public var kind: EventLinkKind
    public var state: State
    public var from: TransactionRow
    public var to: TransactionRow
    /// In 0...1; 1 if a person made it.
    public var confidence: Double
    /// `person` only if a person entered the link: a proposal that a person accepted keeps its evidence.
    public var evidence: EventLinkEvidence
    /// One sentence for display.
    public var why: String
    public var isMadeByPerson: Bool
    public var createdAt: UnixTime
    public var updatedAt: UnixTime
}

extension EventLinkRow {
    /// Kinds whose ``to`` is hidden while the link is made, as a list of SQL.
    static let replacing = "('same_event', 'settles')"

    /// Links whose two transactions exist. One that a link replaces is hidden as a deleted one is, but counts as
    /// existing.
    ///
    /// - Parameter order: SQL after the condition, such as ORDER BY.
    static func all(
        _ db: Database, where condition: String, _ order: String = "", arguments: StatementArguments
    ) throws -> [EventLinkRow] {
        let read = try PreparedStatement(db, "SELECT \(TransactionRow.columns) FROM transactions WHERE id = ?")
        func transaction(_ id: Int64) throws -> TransactionRow? { try read.first({ $0.bind(id) }, TransactionRow.init) }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT id, kind, state, from_id, to_id, confidence, evidence, why, made_by, created_at, updated_at
                FROM transaction_links l
                WHERE NOT EXISTS (SELECT 1 FROM transactions WHERE deleted_at IS NOT NULL
                    AND (id = l.from_id OR id = l.to_id AND NOT (l.state = 'made' AND l.kind IN \(replacing))))
                  AND (\(condition)) \(order)
                """, arguments: arguments
        ).compactMap { row in
            guard let kind = EventLinkKind(rawValue: row[1]), let state = State(rawValue: row[2]),
                let evidence = EventLinkEvidence(row[6], of: kind),
                let from = try transaction(row[3]), let to = try transaction(row[4])
            else { return nil }
            return EventLinkRow(
                id: row[0], kind: kind, state: state, from: from, to: to, confidence: row[5],
                evidence: evidence, why: row[7], isMadeByPerson: row[8] == "person", createdAt: row[9],
                updatedAt: row[10])
        }
    }

    static func one(_ id: Int64, _ db: Database) throws -> EventLinkRow {
        guard let row = try all(db, where: "id = ?", arguments: [id]).first else {
            throw StoreError.notFound("link \(id)")
        }
        return row
    }
}

extension EventLinkRepository {
    /// The links whose two transactions exist, newest first.
    public func list(
        _ states: Set<EventLinkRow.State> = [.proposed, .made],
        of kinds: Set<EventLinkKind> = Set(EventLinkKind.allCases), limit: Int = 100
    ) throws(StoreError) -> [EventLinkRow] {
        func list(_ words: [String]) -> String { words.map { "'\($0)'" }.sorted().joined(separator: ", ") }
        return try read { db in
            try EventLinkRow.all(
                db, where: "state IN (\(list(states.map(\.rawValue)))) AND kind IN (\(list(kinds.map(\.rawValue))))",
                "ORDER BY id DESC LIMIT ?", arguments: [limit])
        }
    }

    public func find(_ id: Int64) throws(StoreError) -> EventLinkRow? {
        try read { db in try EventLinkRow.all(db, where: "id = ?", arguments: [id]).first }
    }

    /// The made and proposed links of these transactions at either end, by transaction, made ones first.
    public func links(of ids: [Int64]) throws(StoreError) -> [Int64: [EventLinkRow]] {
        guard !ids.isEmpty else { return [:] }
        let list = ids.map { "\($0)" }.joined(separator: ", ")
        let rows = try read { db in
            try EventLinkRow.all(
                db,
                where: "state <> 'rejected' AND (from_id IN (\(list)) OR to_id IN (\(list)))",
                "ORDER BY state = 'proposed', id",
                arguments: [])
        }
        let wanted = Set(ids)
        var found: [Int64: [EventLinkRow]] = [:]
        for row in rows {
            for id in [row.from.id, row.to.id] where wanted.contains(id) { found[id, default: []].append(row) }
        }
        return found
    }

    /// The number of proposed links.
    public func proposalCount() throws(StoreError) -> Int {
        try read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) FROM transaction_links l WHERE state = 'proposed' AND NOT EXISTS (
                          SELECT 1 FROM transactions WHERE id IN (l.from_id, l.to_id) AND deleted_at IS NOT NULL)
                        """)) ?? 0
        }
    }

    /// The transaction that counts in place of this one; `nil` if none replaces it.
    public func replacement(of id: Int64) throws(StoreError) -> Int64? {
        try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT replacement FROM replaced_transactions WHERE id = ?", arguments: [id])
        }
    }

    /// The interest and fees that the made instalments among these transactions add to their purchase, in minor units,
    /// by instalment.
    public func interest(ofInstalments ids: [Int64]) throws(StoreError) -> [Int64: Int64] {
        guard !ids.isEmpty else { return [:] }
        let list = "[\(ids.map(String.init).joined(separator: ","))]"
        return try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT instalment_id, interest_minor FROM instalments
                    WHERE instalment_of IN (SELECT from_id FROM transaction_links
                        WHERE state = 'made' AND kind = 'instalment' AND to_id IN (SELECT value FROM json_each(?)))
                    """, arguments: [list])
            return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The purchases of the made refunds among these transactions, by refund.
    public func purchases(ofRefunds ids: [Int64]) throws(StoreError) -> [Int64: TransactionRow] {
        guard !ids.isEmpty else { return [:] }
        let list = "[\(ids.map(String.init).joined(separator: ","))]"
        return try read { db in
            let read = try PreparedStatement(db, "SELECT \(TransactionRow.columns) FROM transactions WHERE id = ?")
            var found: [Int64: TransactionRow] = [:]
            for row in try Row.fetchAll(
                db,
                sql: "SELECT refund_id, purchase_id FROM refunds WHERE refund_id IN (SELECT value FROM json_each(?))",
                arguments: [list])
            {
                let (refund, purchase): (Int64, Int64) = (row[0], row[1])
                found[refund] = try read.first({ $0.bind(purchase) }, TransactionRow.init)
            }
            return found
        }
    }
}
