import Chronology
import GRDB
import Ledger

/// Reads the transactions that refunds are searched among, and writes their links.
struct RefundRows {
    let db: Database

    struct Refund {
        var side: RefundSide
        var kind: ReturnKind
        /// True if a person changed the row, which then is not linked by itself.
        var isEdited: Bool
    }

    private static let columns = """
        t.id, coalesce(t.profile, ''), coalesce(t.account_digits, ''), t.amount_minor, t.currency, t.parsed_date, t.parsed_vendor, t.payee_id, t.reference,
        t.user_edited_at
        """
    private static let booked = "t.status = 'confirmed' AND t.deleted_at IS NULL"
    private static let unlinked =
        "NOT EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND to_id = t.id)"
    /// Must imply the condition of the index `processed_emails_refunds`.
    private static let templates = "(m.template GLOB '*refund*' OR m.template GLOB '*revers*')"

    private static func side(_ row: Row) -> RefundSide? {
        guard let currency = Currency(code: row[4] as String) else { return nil }
        var side = RefundSide(
            id: row[0], bank: row[1], account: row[2], amount: Money(minorUnits: row[3], currency: currency),
            date: row[5])
        (side.merchant, side.payee, side.reference) = (row[6], row[7], row[8])
        return side
    }

    private static func refund(_ row: Row) -> Refund? {
        guard let side = side(row), let kind = ReturnKind(template: row[10] as String?) else { return nil }
        return Refund(side: side, kind: kind, isEdited: (row[9] as String?) != nil)
    }

    /// `nil` if the row is no booked income that a template read as a refund, or is linked.
    func refund(_ id: Int64) throws -> Refund? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT \(Self.columns), m.template FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id
                WHERE t.id = ? AND t.transaction_type = 'income' AND \(Self.booked) AND \(Self.unlinked)
                """, arguments: [id]
        ).flatMap(Self.refund)
    }

    /// All refunds of these days that are not linked. They are few: the index of their mails finds them.
    func refunds(_ first: CalendarDate, through last: CalendarDate) throws -> [Refund] {
        try Row.fetchAll(
            db,
            sql: db.planned(
                """
                SELECT \(Self.columns), m.template FROM processed_emails m INDEXED BY processed_emails_refunds
                CROSS JOIN transactions t ON t.source_email_id = m.id
                WHERE \(Self.templates) AND t.transaction_type = 'income' AND t.parsed_date BETWEEN ? AND ?
                  AND \(Self.booked) AND \(Self.unlinked) ORDER BY t.id
                """), arguments: [first, last]
        ).compactMap(Self.refund)
    }

    /// The booked expenses that a refund may return, with what is left of them.
    func purchases(for refund: RefundSide) throws -> [RefundSide] {
        try Row.fetchAll(
            db,
            sql: db.planned(
                """
                SELECT \(Self.columns), (SELECT coalesce(sum(r.amount_minor), 0) FROM transaction_links l JOIN transactions r ON r.id = l.to_id
                  WHERE l.from_id = t.id AND l.state = 'made' AND l.kind IN ('refund', 'reversal'))
                FROM transactions t INDEXED BY transactions_by_date
                WHERE t.parsed_date BETWEEN ? AND ? AND \(Self.booked) AND t.transaction_type = 'expense' AND t.currency = ?
                  AND t.amount_minor >= ? AND (t.profile = ? OR t.reference IS NOT NULL)
                  AND t.ledger = (SELECT ledger FROM transactions WHERE id = ?) AND \(Self.unlinked)
                """),
            arguments: [
                CalendarDate(daysSince1970: refund.date.daysSince1970 - RefundEvidence.days), refund.date,
                refund.amount.currency.code, refund.amount.minorUnits, refund.bank, refund.id,
            ]
        ).compactMap { row in
            guard var side = Self.side(row) else { return nil }
            side.remaining -= row[10] as Int64
            return side
        }
    }

    /// A booked expense; `nil` for any other row.
    func purchase(_ id: Int64) throws -> RefundSide? {
        try Row.fetchOne(
            db.cachedStatement(
                sql:
                    "SELECT \(Self.columns) FROM transactions t WHERE t.id = ? AND t.transaction_type = 'expense' AND \(Self.booked)"
            ), arguments: [id]
        ).flatMap(Self.side)
    }

    /// Proposes or makes a link, unless the pair was decided before.
    /// - Returns: true if there is a new proposal or link.
    func add(
        _ kind: ReturnKind, _ refund: Int64, _ partner: RefundVerdict.Partner, makes: Bool, _ time: UnixTime
    ) throws -> Bool {
        try EventLinkWriter(db: db).add(
            EventLinkWriter.Found(
                kind: EventLinkKind(kind), from: partner.id, to: refund, evidence: .refund(partner.evidence),
                confidence: partner.confidence, why: partner.evidence.sentence), makes: makes, time)
    }
}
