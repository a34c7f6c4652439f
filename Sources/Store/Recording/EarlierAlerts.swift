import Chronology
import GRDB
import Ledger

/// The transactions of a bank that a new alert of it may report again.
///
/// ``AlertMatch`` decides; ``SameEventRows`` searches. A transaction has one mail and one SMS: of two equal payments in
/// one minute, each has its own.
struct EarlierAlerts {
    private let rows: SameEventRows
    private let hasAlert: PreparedStatement
    private let waits: PreparedStatement
    private let chain: PreparedStatement

    init(_ db: Database, _ rows: SameEventRows) throws {
        self.rows = rows
        waits = try PreparedStatement(
            db,
            """
            SELECT EXISTS (SELECT 1 FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id
              WHERE t.id = ? AND m.mailbox = '\(MailLocation.phone)' AND t.status = 'needs_review'
                AND t.user_edited_at IS NULL AND t.deleted_at IS NULL AND m.reviewed_at IS NULL)
            """)
        hasAlert = try PreparedStatement(
            db,
            """
            SELECT EXISTS (SELECT 1 FROM processed_emails
              WHERE (id = ?1 OR duplicate_of = ?1) AND (mailbox = '\(MailLocation.phone)') = ?2)
            """)
        chain = try PreparedStatement(
            db,
            """
            WITH RECURSIVE earlier(id) AS (
              SELECT duplicate_of FROM transactions WHERE id = ?
              UNION SELECT t.duplicate_of FROM transactions t JOIN earlier e ON t.id = e.id WHERE t.duplicate_of IS NOT NULL)
            SELECT EXISTS (SELECT 1 FROM earlier WHERE id = ?)
            """)
    }

    /// A transaction and the alert that made it.
    struct Match {
        var transaction: Int64
        var mail: String
        /// False if the two may be two events.
        var isSure = true
    }

    /// The transactions of all banks with the amount of a new alert; none if the alert names no bank.
    /// - Parameter own: the draft that is decided again.
    func alike(_ report: EventReport, besides own: Int64?) throws -> [SameEventRows.Report] {
        report.bank.isEmpty ? [] : try rows.reports(like: report, besides: own)
    }

    /// The transaction that an alert of the other medium reported, the surest and nearest first.
    func ofOtherMedium(like report: EventReport, among candidates: [SameEventRows.Report]) throws -> Match? {
        let found = candidates.compactMap { other -> (match: Match, apart: Int64)? in
            guard let mail = other.mail, let match = AlertMatch.ofTwoMedia(report, other.report) else { return nil }
            return (
                Match(transaction: other.report.id, mail: mail, isSure: match == .same),
                report.seconds(from: other.report) ?? 0
            )
        }
        let nearest = found.sorted {
            ($0.match.isSure ? 0 : 1, $0.apart, $0.match.transaction)
                < ($1.match.isSure ? 0 : 1, $1.apart, $1.match.transaction)
        }
        return try nearest.first { match, _ in
            try hasAlert.first(
                {
                    $0.bind(match.mail)
                    $0.bind(Int64(report.medium == .sms ? 1 : 0))
                }, { $0.int(0) == 0 }) ?? false
        }?.match
    }

    /// The first transaction that nothing printed distinguishes from a new alert.
    /// - Parameter own: the draft that is decided again. A transaction that points at it, directly or through another
    ///   one, is the later of the two and is left out: two drafts are never possible duplicates of each other.
    func indistinguishable(
        from report: EventReport, among candidates: [SameEventRows.Report], besides own: Int64?
    ) throws -> Int64? {
        try candidates.first { other in
            try AlertMatch.areIndistinguishable(report, other.report) && !pointsAt(own, from: other.report.id)
        }?.report.id
    }

    /// Returns true if `other` is a possible duplicate of `own`, directly or through others.
    func pointsAt(_ own: Int64?, from other: Int64) throws -> Bool {
        guard let own else { return false }
        return try chain.first(
            {
                $0.bind(other)
                $0.bind(own)
            }, { $0.int(0) != 0 }) ?? false
    }

    /// True if the transaction is the draft of an SMS and no person has decided or changed it.
    func isWaitingSMS(_ transaction: Int64) throws -> Bool {
        try waits.first({ $0.bind(transaction) }, { $0.int(0) != 0 }) ?? false
    }
}
