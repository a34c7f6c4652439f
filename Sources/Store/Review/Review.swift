import Chronology
internal import GRDB
public import Ledger

/// Public identifier of a review item: a transaction's number, or a mail's UUID.
public enum ReviewID: Hashable, Sendable, CustomStringConvertible {
    case transaction(Int64)
    case mail(String)

    /// Digits denote a transaction, any other text a mail.
    public init(_ text: String) {
        self = Int64(text).map(Self.transaction) ?? .mail(text.lowercased())
    }

    public var description: String {
        switch self {
        case .transaction(let id): "transaction \(id)"
        case .mail(let id): "mail \(id)"
        }
    }
}

/// One item of the review queue.
public struct ReviewItem: Sendable {
    /// The draft; `nil` if nothing could be read from the mail.
    public var transaction: TransactionRow?
    public var mail: MailRow?
    public var reasons: [Reason]
    public var confidence: Double
    /// True if no word of the mail gave the direction and a person has not given it: it cannot be accepted yet.
    public var lacksDirection = false
    /// Transaction that may be the same event.
    public var possibleDuplicate: TransactionRow?

    /// Number of waiting mails of its shape, including this one; 0 if a template claims it.
    public var alike: Int

    /// Shortest identifier for ``Store/accept(_:)`` and ``Store/reject(_:)``.
    public var id: ReviewID? { transaction.map { .transaction($0.id) } ?? mail.map { .mail($0.id) } }
}

extension ReviewRepository {
    /// Review items, oldest first; those of one batch, which share an instant, in the order of recording.
    /// - Parameter shape: only mails of this shape, see ``MailRow/shape``.
    public func queue(limit: Int = 100, shape: String? = nil) throws(StoreError) -> [ReviewItem] {
        try read { db in
            let waiting = try Row.fetchAll(
                db,
                sql: """
                    SELECT t.id AS transaction_id, t.source_email_id AS mail_id, t.created_at AS since, m.rowid AS place
                      FROM transactions t LEFT JOIN processed_emails m ON m.id = t.source_email_id
                      WHERE t.status = 'needs_review' AND t.deleted_at IS NULL AND (?1 IS NULL OR m.shape = ?1)
                    UNION ALL
                    SELECT NULL, id, processed_at, m.rowid FROM processed_emails m
                      WHERE status = 'review' AND reviewed_at IS NULL AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.source_email_id = m.id)
                        AND (?1 IS NULL OR shape = ?1)
                    ORDER BY since, place, transaction_id LIMIT ?2
                    """, arguments: [shape.map { ShapeID.stored($0) ?? 0 }, limit])
            return try waiting.map { try Self.item(db, transaction: $0[0], mail: $0[1]) }
        }
    }

    /// The number of items that wait.
    /// - Parameter shape: only mails of this shape, see ``MailRow/shape``.
    public func count(shape: String? = nil) throws(StoreError) -> Int {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM transactions t LEFT JOIN processed_emails m ON m.id = t.source_email_id
                      WHERE t.status = 'needs_review' AND t.deleted_at IS NULL AND (?1 IS NULL OR m.shape = ?1))
                    + (SELECT count(*) FROM processed_emails m
                      WHERE status = 'review' AND reviewed_at IS NULL AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.source_email_id = m.id)
                        AND (?1 IS NULL OR shape = ?1))
                    """, arguments: [shape.map { ShapeID.stored($0) ?? 0 }]) ?? 0
        }
    }

    /// One item, whether it waits or not; `nil` if it does not exist.
    public func item(_ id: ReviewID) throws(StoreError) -> ReviewItem? {
        try read { db in
            guard let (transaction, mail) = try ReviewRows.find(db, id) else { return nil }
            return try Self.item(db, transaction: transaction, mail: mail)
        }
    }

    /// Accepts a draft: it is confirmed, even if it was rejected before. A mail without a draft is booked with the
    /// values of `edit`, or only leaves the queue without them.
    /// - Parameters:
    ///   - edit: applied first, in the same transaction.
    ///   - revision: of the draft that the person has seen; `conflict` if it has another by now.
    /// - Returns: true if this changed anything; a repetition does not.
    @discardableResult
    public func accept(
        _ id: ReviewID, _ edit: TransactionEdit = TransactionEdit(), expecting revision: Int64? = nil,
        by actor: Actor = .terminal, group: String? = nil
    ) throws(StoreError) -> Bool where Scope: WriteScope {
        try complete(id, as: .confirmed, edit, revision, actor, group)
    }

    /// Rejects an item: nothing is booked. The row stays, so that its mail does not create it again.
    /// - Returns: true if this changed anything; a repetition does not.
    @discardableResult
    public func reject(
        _ id: ReviewID, expecting revision: Int64? = nil, by actor: Actor = .terminal, group: String? = nil
    ) throws(StoreError) -> Bool where Scope: WriteScope {
        try complete(id, as: .rejected, TransactionEdit(), revision, actor, group)
    }

    private func complete(
        _ id: ReviewID, as status: TransactionStatus, _ edit: TransactionEdit, _ revision: Int64?, _ actor: Actor,
        _ group: String?
    ) throws(StoreError) -> Bool {
        let time = now()
        return try write { db in
            guard let found = try ReviewRows.find(db, id) else { throw StoreError.notFound("\(id)") }
            var (transaction, mail) = found
            let journal = Journal(db, actor, time: time, group: group)
            if let revision, let now = try transaction.flatMap({ try TransactionRow.current(db, $0) })?.revision,
                now != revision
            {
                throw StoreError.conflict("\(id) was changed meanwhile: it has revision \(now), not \(revision)")
            }
            var isEdited = false
            if transaction == nil, let mail, !edit.isEmpty {
                transaction = try journal.draft(ofMail: mail, edit, in: access.store.zone)
                isEdited = true
            } else if let transaction, !edit.isEmpty {
                let old = try TransactionRow.current(db, transaction)
                isEdited = try journal.change(transaction, edit, expecting: nil).revision != old?.revision
            }
            if let transaction, status == .confirmed { try DraftDirection.require(db, transaction) }
            let before = try journal.values(transaction, mail)
            if let transaction, status != .confirmed {
                try journal.cutTransfer(of: transaction)
                try journal.endLinks(of: transaction)
            }
            guard try ReviewRows.resolve(db, transaction, mail, as: status, time: time) else { return isEdited }
            if let transaction, status == .confirmed {
                // Proposals only: a link would change the row once more, and the acceptance could not be undone.
                var transfers = TransferSearch(db, time: time, linksByItself: false)
                try transfers.examine(transaction)
                var refunds = RefundSearch(db, time: time, linksByItself: false)
                try refunds.examine(transaction)
                let reports = try SameEventRows(db)
                var events = SameEventSearch(db, reports, time: time, linksByItself: false)
                try events.examine(transaction)
                try InstalmentSearch(db, reports, time: time).examine(transaction)
            }
            try journal.note(status == .confirmed ? .accepted : .rejected, transaction, mail, before: before)
            // After the decision, without which the web role may not trust a sender.
            if let transaction, status == .confirmed, edit.isEmpty {
                try TrustedSenderRow.learn(db, transaction, actor, time: time)
            }
            return true
        }
    }

    private static func item(_ db: Database, transaction: Int64?, mail: String?) throws -> ReviewItem {
        let read = try PreparedStatement(db, "SELECT \(TransactionRow.columns) FROM transactions WHERE id = ?")
        let draft = try transaction.flatMap { id in try read.first({ $0.bind(id) }, TransactionRow.init) }
        let row = try mail.flatMap { id in
            try PreparedStatement(db, "SELECT \(MailRow.columns) FROM processed_emails m WHERE m.id = ?").first(
                { $0.bind(id) }, MailRow.init)
        }
        let reasons = try Provenance.reasons(db, in: draft?.provenance ?? row?.provenance)
        let lacksDirection = try transaction.map { try DraftDirection.isMissing(db, $0) } ?? false
        return ReviewItem(
            transaction: draft, mail: row, reasons: reasons, confidence: draft?.confidence ?? 0,
            lacksDirection: lacksDirection,
            possibleDuplicate: try draft?.duplicateOf.flatMap { id in
                try read.first({ $0.bind(id) }, TransactionRow.init)
            },
            alike: try row?.shape.flatMap(ShapeID.stored).map { try Self.waiting(db, shape: $0) } ?? 0)
    }

    private static func waiting(_ db: Database, shape: Int64) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql:
                    "SELECT count(*) FROM processed_emails WHERE shape = ? AND status = 'review' AND reviewed_at IS NULL"
            ), arguments: [shape]) ?? 0
    }
}

/// Rows of an item of the review queue.
enum ReviewRows {
    /// - Returns: true if this changed anything.
    @discardableResult
    static func resolve(
        _ db: Database, _ transaction: Int64?, _ mail: String?, as status: TransactionStatus, time: UnixTime
    ) throws -> Bool {
        var changed = false
        let reviewed = status == .needsReview ? nil : time
        if let transaction {
            try db.execute(
                sql:
                    "UPDATE main.transactions SET status = ?, reviewed_at = ?, updated_at = ?, revision = revision + 1 WHERE id = ? AND status <> ?",
                arguments: [status.rawValue, reviewed, time, transaction, status.rawValue])
            changed = db.changesCount > 0
        }
        guard let mail else { return changed }
        if status == .needsReview {
            try db.execute(
                sql:
                    "UPDATE main.processed_emails SET reviewed_at = NULL, status = 'review' WHERE id = ? AND status IN ('review', 'recorded')",
                arguments: [mail])
        } else {
            // A confirmed draft makes the mail `recorded`; a rejected one leaves it in `review`.
            let outcome = transaction != nil && status == .confirmed ? Outcome.recorded : .review
            try db.execute(
                sql: """
                    UPDATE main.processed_emails SET reviewed_at = coalesce(reviewed_at, ?), status = ?
                    WHERE id = ? AND status IN ('review', 'recorded') AND (status <> ? OR (status = 'review' AND reviewed_at IS NULL))
                    """, arguments: [time, outcome.rawValue, mail, outcome.rawValue])
        }
        return changed || db.changesCount > 0
    }

    /// A mail is an item if it waits or waited, or made a transaction.
    static func find(_ db: Database, _ id: ReviewID) throws -> (transaction: Int64?, mail: String?)? {
        let row: Row?
        switch id {
        case .transaction(let id):
            row = try Row.fetchOne(
                db, sql: "SELECT id, source_email_id FROM transactions WHERE id = ? AND deleted_at IS NULL",
                arguments: [id])
        case .mail(let id):
            row = try Row.fetchOne(
                db,
                sql: """
                    SELECT t.id, m.id FROM processed_emails m LEFT JOIN transactions t ON t.source_email_id = m.id
                    WHERE m.id = ? AND m.status IN ('review', 'recorded') AND t.deleted_at IS NULL
                    """, arguments: [id])
        }
        return row.map { ($0[0], $0[1]) }
    }
}

extension Provenance {
    /// Reasons in a provenance, read by SQLite's JSON functions.
    static func reasons(_ db: Database, in provenance: String?) throws -> [Reason] {
        guard let provenance else { return [] }
        return try Row.fetchAll(
            db,
            sql: "SELECT value ->> 'factor', value ->> 'weight', value ->> 'note' FROM json_each(?, '$.reasons')",
            arguments: [provenance]
        ).map { Reason(name: $0[0] ?? "", weight: $0[1] ?? 0, note: $0[2] ?? "") }
    }
}
