public import Chronology
internal import GRDB
public import Ledger

/// A purchase and the income that returns it or a part of it, or may do so.
public struct EventLinkRow: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Waits for a person.
        case proposed
        /// The income lowers the expenses in the category of the purchase.
        case made
        /// Rejected or undone by a person; it is not proposed again.
        case rejected
    }

    public var id: Int64
    public var kind: ReturnKind
    public var state: State
    public var purchase: TransactionRow
    public var refund: TransactionRow
    /// In 0...1; 1 if a person made it.
    public var confidence: Double
    /// A ``RefundEvidence``, or `person`.
    public var evidence: String
    /// One sentence for display.
    public var why: String
    public var isMadeByPerson: Bool
    public var createdAt: UnixTime
    public var updatedAt: UnixTime

    /// True if the whole purchase is returned by this refund.
    public var isWhole: Bool { refund.amount == purchase.amount }
}

extension EventLinkRow {
    /// Links whose ends both exist.
    ///
    /// - Parameter order: clauses behind the condition.
    static func all(
        _ db: Database, where condition: String, _ order: String = "", arguments: StatementArguments
    ) throws -> [EventLinkRow] {
        let read = try PreparedStatement(db, "SELECT \(TransactionRow.columns) FROM transactions WHERE id = ?")
        func transaction(_ id: Int64) throws -> TransactionRow? { try read.first({ $0.put(id) }, TransactionRow.init) }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT id, kind, state, purchase_id, refund_id, confidence, evidence, why, made_by, created_at, updated_at
                FROM event_links l
                WHERE NOT EXISTS (SELECT 1 FROM transactions WHERE id IN (l.purchase_id, l.refund_id) AND deleted_at IS NOT NULL)
                  AND (\(condition)) \(order)
                """, arguments: arguments
        ).compactMap { row in
            guard let kind = ReturnKind(rawValue: row[1]), let state = State(rawValue: row[2]),
                let purchase = try transaction(row[3]), let refund = try transaction(row[4])
            else { return nil }
            return EventLinkRow(
                id: row[0], kind: kind, state: state, purchase: purchase, refund: refund, confidence: row[5],
                evidence: row[6], why: row[7], isMadeByPerson: row[8] == "person", createdAt: row[9], updatedAt: row[10]
            )
        }
    }

    static func one(_ id: Int64, _ db: Database) throws -> EventLinkRow {
        guard let row = try all(db, where: "id = ?", arguments: [id]).first else {
            throw StoreError.notFound("refund link \(id)")
        }
        return row
    }
}

extension EventLinkRepository {
    /// Links, newest first, without those of which a person deleted an end.
    public func list(
        _ states: Set<EventLinkRow.State> = [.proposed, .made], limit: Int = 100
    ) throws(StoreError) -> [EventLinkRow] {
        let list = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        return try read { db in
            try EventLinkRow.all(db, where: "state IN (\(list))", "ORDER BY id DESC LIMIT ?", arguments: [limit])
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
                where: "state <> 'rejected' AND (purchase_id IN (\(list)) OR refund_id IN (\(list)))",
                "ORDER BY state = 'proposed', id",
                arguments: [])
        }
        let wanted = Set(ids)
        var found: [Int64: [EventLinkRow]] = [:]
        for row in rows {
            for id in [row.purchase.id, row.refund.id] where wanted.contains(id) { found[id, default: []].append(row) }
        }
        return found
    }

    /// The number of proposed links.
    public func proposalCount() throws(StoreError) -> Int { try list([.proposed], limit: .max).count }

    /// Links a refund with its purchase on a person's request, even if it was rejected before.
    /// - Throws: `notFound` if a row does not exist; `conflict` if it is no booked income or expense, if the refund is
    ///   linked already, or if the refunds would exceed the purchase.
    @discardableResult
    public func link(
        purchase: Int64, refund: Int64, _ kind: ReturnKind = .refund, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> EventLinkRow where Scope: WriteScope {
        let time = now()
        return try write { db in
            let journal = Journal(db, actor, time: time, group: group)
            if let old = try Int64.fetchOne(
                db,
                sql: "SELECT id FROM event_links WHERE kind = ? AND purchase_id = ? AND refund_id = ?",
                arguments: [kind.rawValue, purchase, refund])
            {
                return try journal.makeLink(old)
            }
            try journal.expectLinkable(purchase: purchase, refund: refund)
            try db.execute(
                sql: """
                    INSERT INTO event_links (kind, purchase_id, refund_id, state, confidence, evidence, why, made_by, created_at, updated_at)
                    VALUES (?, ?, ?, 'made', 1, 'person', ?, 'person', ?, ?)
                    """, arguments: [kind.rawValue, purchase, refund, kind.sentence(nil), time, time])
            let id = db.lastInsertedRowID
            _ = try journal.note(.added, .eventLink, id, before: JournaledTable.eventLink.absent)
            try RefundRows(db: db).dropProposals(of: refund)
            return try EventLinkRow.one(id, db)
        }
    }

    /// Accepts a proposal, or makes an undone link again. A repetition changes nothing.
    @discardableResult
    public func confirm(_ id: Int64, by actor: Actor, group: String? = nil) throws(StoreError) -> EventLinkRow
    where Scope: WriteScope {
        let time = now()
        return try write { db in try Journal(db, actor, time: time, group: group).makeLink(id) }
    }

    /// Rejects a proposal, or undoes a link; the pair is not proposed again. A repetition changes nothing.
    @discardableResult
    public func reject(_ id: Int64, by actor: Actor, group: String? = nil) throws(StoreError) -> EventLinkRow
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let row = try EventLinkRow.one(id, db)
            guard row.state != .rejected else { return row }
            try Journal(db, actor, time: time, group: group).endLink(id)
            return try EventLinkRow.one(id, db)
        }
    }

    /// Searches all booked refunds, for ledgers older than this feature.
    /// - Returns: numbers of links and of new proposals.
    public func search(since: CalendarDate? = nil) throws(StoreError) -> (made: Int, proposed: Int)
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            var search = RefundSearch(db, time: time)
            let first = since ?? CalendarDate(daysSince1970: 0)
            for refund in try RefundRows(db: db).refunds(first, through: today) { try search.look(at: refund.side.id) }
            return search.found
        }
    }
}

extension Journal {
    fileprivate func makeLink(_ id: Int64) throws -> EventLinkRow {
        let row = try EventLinkRow.one(id, db)
        guard row.state != .made else { return row }
        try expectLinkable(purchase: row.purchase.id, refund: row.refund.id)
        try record(.changed, .eventLink, id) {
            try db.execute(
                sql: "UPDATE event_links SET state = 'made', made_by = 'person', updated_at = ? WHERE id = ?",
                arguments: [time, id])
        }
        try RefundRows(db: db).dropProposals(of: row.refund.id)
        return try EventLinkRow.one(id, db)
    }

    fileprivate func endLink(_ id: Int64) throws {
        try record(.changed, .eventLink, id) {
            try db.execute(
                sql: "UPDATE event_links SET state = 'rejected', made_by = 'person', updated_at = ? WHERE id = ?",
                arguments: [time, id])
        }
    }

    fileprivate func expectLinkable(purchase: Int64, refund: Int64) throws {
        for (id, type) in [(purchase, TransactionType.expense), (refund, .income)] {
            guard let row = try TransactionRow.current(db, id) else { throw StoreError.notFound("transaction \(id)") }
            guard row.status == .confirmed, row.type == type else {
                throw StoreError.conflict("transaction \(id) is no booked \(type.rawValue)")
            }
        }
        if let other = try Int64.fetchOne(
            db, sql: "SELECT purchase_id FROM event_links WHERE state = 'made' AND refund_id = ?", arguments: [refund])
        {
            throw StoreError.conflict("transaction \(refund) returns purchase \(other) already: unlink that first")
        }
    }

    /// Ends the links of a row, made or proposed, before it is deleted, rejected or becomes something else: in the same
    /// group of the journal, so that undoing the group makes them again.
    func cutRefunds(of id: Int64) throws {
        for link in try Int64.fetchAll(
            db, sql: "SELECT id FROM event_links WHERE state = 'made' AND (purchase_id = ?1 OR refund_id = ?1)",
            arguments: [id])
        { try endLink(link) }
    }

    /// The ends of links of a transaction that the same edit made, which must be undone together with it.
    func cutLinks(with change: LedgerChange) throws -> [LedgerChange] {
        guard let id = change.transactionID else { return [] }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM changes WHERE group_id = ?1 AND transaction_id IS NULL AND undone_by IS NULL
                  AND ?2 IN (after ->> '$.event_link.purchase_id', after ->> '$.event_link.refund_id') ORDER BY id DESC
                """, arguments: [change.group, id]
        ).map(LedgerChange.init)
    }
}
