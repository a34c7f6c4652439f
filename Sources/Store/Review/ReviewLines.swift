public import Chronology
internal import GRDB
public import Ledger

/// One item of the review queue as a line of a list.
public struct ReviewLine: Hashable, Sendable {
    public var id: ReviewID
    public var amount: Money?
    /// `yyyy-mm-dd`: the draft's day, otherwise the day of arrival.
    public var date: CalendarDate?
    public var merchant: String?
    public var subject: String?
    public var sender: String?
    /// The draft's revision; `nil` if the mail has no draft.
    public var revision: Int64?
    public var type: TransactionType?
    public var profile: String?
    public var template: String?
    /// Shape of an unclaimed mail, see ``MailRow/shape``.
    public var shape: String?
    /// True if no word of the mail gives the direction: ``type`` is a placeholder.
    public var lacksDirection = false

    public init(
        id: ReviewID, amount: Money? = nil, date: CalendarDate? = nil, merchant: String? = nil, subject: String? = nil,
        sender: String? = nil
    ) {
        self.id = id
        self.amount = amount
        self.date = date
        self.merchant = merchant
        self.subject = subject
        self.sender = sender
    }
}

extension ReviewRepository {
    /// Review items in the order of ``reviewQueue(limit:shape:)``, without their reasons: fast enough for polling every
    /// few seconds.
    /// - Returns: at most `limit` lines, and the total number of items.
    public func lines(limit: Int = 1000) throws(StoreError) -> (lines: [ReviewLine], total: Int) {
        try read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT t.id, t.source_email_id AS mail, t.created_at AS since, t.amount_minor, t.currency, t.parsed_date, coalesce(t.parsed_vendor, t.vpa),
                          m.subject, m.from_address, m.rowid AS place, t.revision, t.transaction_type, t.profile, m.template, m.shape,
                          CASE WHEN coalesce(m.template, '\(TemplateName.generic)') = '\(TemplateName.generic)' AND t.provenance IS NOT NULL
                            THEN \(DraftDirection.isMissing(in: "t")) END
                        FROM transactions t LEFT JOIN processed_emails m ON m.id = t.source_email_id
                        WHERE t.status = 'needs_review' AND t.deleted_at IS NULL
                        UNION ALL
                        SELECT NULL, m.id, m.processed_at, NULL, NULL, substr(coalesce(m.received_at, m.sent_at), 1, 10), NULL, m.subject, m.from_address, m.rowid,
                          NULL, NULL, m.profile, m.template, m.shape, NULL
                        FROM processed_emails m
                        WHERE m.status = 'review' AND m.reviewed_at IS NULL AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.source_email_id = m.id)
                        ORDER BY since, place, 1 LIMIT ?
                        """), arguments: [limit])
            let lines = rows.compactMap { row -> ReviewLine? in
                let id: ReviewID
                if let transaction: Int64 = row[0] {
                    id = .transaction(transaction)
                } else if let mail: String = row[1] {
                    id = .mail(mail)
                } else {
                    return nil
                }
                var amount: Money?
                if let units: Int64 = row[3], let code: String = row[4], let currency = Currency(code: code) {
                    amount = Money(minorUnits: units, currency: currency)
                }
                var line = ReviewLine(
                    id: id, amount: amount, date: row[5], merchant: row[6], subject: row[7], sender: row[8])
                line.revision = row[10]
                line.type = (row[11] as String?).flatMap(TransactionType.init)
                line.profile = row[12]
                line.template = row[13]
                line.shape = (row[14] as Int64?).map(ShapeID.text)
                line.lacksDirection = (row[15] as Bool?) ?? false
                return line
            }
            if lines.count < limit { return (lines, lines.count) }
            let total = try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM transactions WHERE status = 'needs_review' AND deleted_at IS NULL)
                      + (SELECT count(*) FROM processed_emails m WHERE status = 'review' AND reviewed_at IS NULL
                         AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.source_email_id = m.id))
                    """)
            return (lines, total ?? lines.count)
        }
    }

    /// Byte offsets of each field in the mail's canonical text. Empty if the provenance has none.
    public func spans(in provenance: String?) throws(StoreError) -> [Field: Range<Int>] {
        guard let provenance else { return [:] }
        return try read { db in
            var spans: [Field: Range<Int>] = [:]
            for row in try Row.fetchAll(
                db, sql: "SELECT key, value ->> 0, value ->> 1 FROM json_each(?, '$.spans')", arguments: [provenance])
            {
                guard let field = Field(rawValue: row[0] ?? ""), let start: Int = row[1], let end: Int = row[2],
                    0 <= start, start <= end
                else { continue }
                spans[field] = start..<end
            }
            return spans
        }
    }

    /// Result of the authentication of the mail, in words; `nil` if the provenance has none.
    public func authentication(in provenance: String?) throws(StoreError) -> String? {
        guard let provenance else { return nil }
        return try read { db in
            try String.fetchOne(db, sql: "SELECT ? ->> '$.authentication'", arguments: [provenance])
        }
    }

    /// Reason of a row's category at the time of reading, as one sentence; `nil` if no rule chose it.
    public func categoryReason(in provenance: String?) throws(StoreError) -> String? {
        guard let provenance else { return nil }
        return try read { db in try String.fetchOne(db, sql: "SELECT ? ->> '$.category'", arguments: [provenance]) }
    }
}
