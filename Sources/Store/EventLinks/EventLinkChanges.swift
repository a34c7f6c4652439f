public import Chronology
internal import GRDB
public import Ledger

extension EventLinkRepository {
    /// Links two transactions on a person's request, even if the pair was rejected before.
    ///
    /// - Parameters:
    ///   - from: the transaction that counts: the purchase, the final amount, the report that stays.
    ///   - to: the refund, the instalment, or the transaction that `from` replaces.
    /// - Throws: `notFound` if a row does not exist; `conflict` if the kind does not allow these rows, one of them has
    ///   another link, their ledgers or currencies differ, or the refunds would exceed the purchase.
    @discardableResult
    public func link(
        _ from: Int64, to: Int64, as kind: EventLinkKind, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> EventLinkRow where Scope: WriteScope {
        let time = now()
        return try write { db in
            let journal = Journal(db, actor, time: time, group: group)
            if let old = try Int64.fetchOne(
                db,
                sql: "SELECT id FROM transaction_links WHERE kind = ? AND from_id = ? AND to_id = ?",
                arguments: [kind.rawValue, from, to])
            {
                return try journal.makeLink(old)
            }
            try journal.expectLinkable(from, to: to, as: kind)
            try db.execute(
                sql: """
                    INSERT INTO main.transaction_links (kind, from_id, to_id, state, confidence, evidence, why, made_by, created_at, updated_at)
                    VALUES (?, ?, ?, 'made', 1, ?, ?, 'person', ?, ?)
                    """,
                arguments: [
                    kind.rawValue, from, to, EventLinkEvidence.person.word, "\(kind.words): a person said so", time,
                    time,
                ])
            let id = db.lastInsertedRowID
            _ = try journal.note(.added, .eventLink, id, before: JournaledTable.eventLink.absent)
            try EventLinkWriter(db: db).dropProposals(to: to)
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

    /// Searches all booked transactions, for ledgers older than this feature.
    /// - Returns: numbers of links and of new proposals.
    public func search(since: CalendarDate? = nil) throws(StoreError) -> (made: Int, proposed: Int)
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let first = since ?? CalendarDate(daysSince1970: 0)
            let reports = try SameEventRows(db)
            var events = SameEventSearch(db, reports, time: time)
            let instalments = InstalmentSearch(db, reports, time: time)
            var parts = 0
            for id in try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM transactions WHERE status = 'confirmed' AND deleted_at IS NULL AND parsed_date >= ?
                      AND transaction_type <> 'transfer' ORDER BY id
                    """, arguments: [first])
            {
                try events.examine(id)
                parts += try instalments.examine(id)
            }
            var search = RefundSearch(db, time: time)
            for refund in try RefundRows(db: db).refunds(first, through: today) { try search.examine(refund.side.id) }
            return (events.found.made + search.found.made, events.found.proposed + search.found.proposed + parts)
        }
    }
}

extension Journal {
    fileprivate func makeLink(_ id: Int64) throws -> EventLinkRow {
        let row = try EventLinkRow.one(id, db)
        guard row.state != .made else { return row }
        try expectLinkable(row.from.id, to: row.to.id, as: row.kind)
        try record(.changed, .eventLink, id) {
            try db.execute(
                sql:
                    "UPDATE main.transaction_links SET state = 'made', made_by = 'person', updated_at = ? WHERE id = ?",
                arguments: [time, id])
        }
        try EventLinkWriter(db: db).dropProposals(to: row.to.id)
        return try EventLinkRow.one(id, db)
    }

    fileprivate func endLink(_ id: Int64) throws {
        try record(.changed, .eventLink, id) {
            try db.execute(
                sql:
                    "UPDATE main.transaction_links SET state = 'rejected', made_by = 'person', updated_at = ? WHERE id = ?",
                arguments: [time, id])
        }
    }

    /// The triggers refuse what else is wrong: see ``Schema/linkRefusals``.
    fileprivate func expectLinkable(_ from: Int64, to: Int64, as kind: EventLinkKind) throws {
        guard from != to else { throw StoreError.conflict("transaction \(from) cannot be linked with itself") }
        var rows: [TransactionRow] = []
        for id in [from, to] {
            guard let row = try TransactionRow.current(db, id) else { throw StoreError.notFound("transaction \(id)") }
            rows.append(row)
        }
        let isReturn = kind.isReturn
        for (row, type) in zip(rows, [.expense, isReturn ? .income : .expense] as [TransactionType]) {
            let isFit = kind == .sameEvent ? row.type == rows[0].type : row.type == type
            guard row.status == .confirmed, isFit else {
                throw StoreError.conflict(
                    kind == .sameEvent
                        ? "transactions \(from) and \(to) are not two booked reports of one payment: their types differ, or one waits"
                        : "transaction \(row.id) is no booked \(type.rawValue)")
            }
        }
        if kind.isReplacement || kind == .instalment { try refuseSplit(rows[1], "link it as a \(kind.words)") }
        if let other = try Row.fetchOne(
            db, sql: "SELECT kind, from_id FROM transaction_links WHERE state = 'made' AND to_id = ?", arguments: [to])
        {
            let kind = EventLinkKind(rawValue: other[0])?.words ?? ""
            throw StoreError.conflict(
                "transaction \(to) is linked with transaction \(other[1] as Int64) already (\(kind)): unlink that first"
            )
        }
    }

    /// Ends the made links of a row before it is deleted, rejected or changed in kind. This is in the same group of the
    /// journal, so that an undo restores the links. A row that this row replaces stays replaced, because it reports the
    /// same event.
    func endLinks(of id: Int64) throws {
        for link in try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM transaction_links
                WHERE state = 'made' AND (from_id = ?1 AND kind NOT IN \(EventLinkRow.replacing) OR to_id = ?1)
                """, arguments: [id])
        { try endLink(link) }
    }

    /// The ends of links of a transaction that the same edit made, which must be undone together with it.
    func endedLinks(with change: LedgerChange) throws -> [LedgerChange] {
        guard let id = change.transactionID else { return [] }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM changes WHERE group_id = ?1 AND transaction_id IS NULL AND undone_by IS NULL
                  AND ?2 IN (after ->> '$.transaction_link.from_id', after ->> '$.transaction_link.to_id') ORDER BY id DESC
                """, arguments: [change.group, id]
        ).map(LedgerChange.init)
    }
}
