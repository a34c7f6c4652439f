import Chronology
import GRDB
import Ledger

/// Finds the transaction that an alert on the other way, mail or SMS, reported before.
///
/// Two alerts of one medium may be two payments, however alike they are. A mail and an SMS are one event if they agree
/// in
/// - bank, direction, amount and reference, or
/// - bank, direction, amount, account and printed time, of which one may lack the seconds,
///
/// and the transaction has no alert of the second one's medium yet: of two equal payments in one minute, each takes one
/// mail and one SMS. If the seconds differ, the two may be two payments, and a person decides.
struct OtherMedium {
    private let select: PreparedStatement
    private let hasAlert: PreparedStatement
    private let waits: PreparedStatement
    /// True if the ledger has SMS: without them, mails cost no search.
    private let hasSMS: Bool

    init(_ db: Database) throws {
        hasSMS =
            try PreparedStatement(
                db, "SELECT EXISTS (SELECT 1 FROM mail_counts WHERE mailbox = '\(MailLocation.phone)')"
            ).first({ _ in }, { $0.int(0) != 0 }) ?? false
        waits = try PreparedStatement(
            db,
            """
            SELECT EXISTS (SELECT 1 FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id
              WHERE t.id = ? AND m.mailbox = '\(MailLocation.phone)' AND t.status = 'needs_review'
                AND t.user_edited_at IS NULL AND t.deleted_at IS NULL AND m.reviewed_at IS NULL)
            """)
        select = try PreparedStatement(
            db,
            """
            SELECT t.id, t.currency,
              iif(t.transaction_type = 'transfer' AND EXISTS (SELECT 1 FROM transfers WHERE credit_id = t.id AND state = 'linked'), 'income', t.transaction_type),
              t.account_digits, t.reference, t.parsed_date, t.parsed_time, t.source_email_id
            FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id
            WHERE t.profile = ? AND t.amount_minor = ? AND t.parsed_date BETWEEN ? AND ?
              AND coalesce(t.idempotency_key, '') NOT LIKE '\(Journal.undoneKey)%' ORDER BY t.id
            """)
        hasAlert = try PreparedStatement(
            db,
            """
            SELECT EXISTS (SELECT 1 FROM processed_emails
              WHERE (id = ?1 OR duplicate_of = ?1) AND (mailbox = '\(MailLocation.phone)') = ?2)
            """)
    }

    /// The facts that two alerts must share, in addition to bank, direction, amount and currency.
    struct Facts: Hashable {
        var account: String
        var reference: String
        var day: CalendarDate
        var time: TimeOfDay?

        /// Days between the days of two alerts with one reference: the later one may print the day of posting.
        static let tolerance = 3

        enum Relation { case same, near, other }

        func relation(to other: Facts) -> Relation {
            if !reference.isEmpty, !other.reference.isEmpty {
                let isSame = reference.uppercased() == other.reference.uppercased()
                return isSame && abs(day.daysSince1970 - other.day.daysSince1970) <= Self.tolerance ? .same : .other
            }
            guard let apart = seconds(from: other), !account.isEmpty, !other.account.isEmpty,
                account.hasSuffix(other.account) || other.account.hasSuffix(account)
            else { return .other }
            if apart == 0 { return .same }
            let isMinute = time?.second == 0 || other.time?.second == 0
            if isMinute, minute == other.minute { return .same }
            return apart <= AlikeTransactions.tolerance ? .near : .other
        }

        private var minute: Int { day.daysSince1970 * 1440 + (time?.secondsSinceMidnight ?? 0) / 60 }

        /// Seconds between the printed times; `nil` if one prints none.
        func seconds(from other: Facts) -> Int? {
            guard let time, let otherTime = other.time else { return nil }
            return abs(
                (day.daysSince1970 - other.day.daysSince1970) * 86_400 + time.secondsSinceMidnight
                    - otherTime.secondsSinceMidnight)
        }
    }

    /// A transaction and the alert that made it.
    struct Match {
        var transaction: Int64
        var mail: String
        /// False if the two may be two events.
        var isSure = true
    }

    /// True if the transaction is the draft of an SMS and no person has decided or changed it.
    func isWaitingSMS(_ transaction: Int64) throws -> Bool {
        guard hasSMS else { return false }
        return try waits.first({ $0.put(transaction) }, { $0.int(0) != 0 }) ?? false
    }

    /// - Parameter own: the draft that is decided again.
    func first(like draft: TransactionDraft, of entry: MailEntry, besides own: Int64?) throws -> Match? {
        guard hasSMS || entry.isSMS else { return nil }
        let mine = Facts(
            account: draft.account ?? "", reference: draft.reference ?? "", day: draft.date, time: draft.time)
        if mine.reference.isEmpty, mine.time == nil || mine.account.isEmpty { return nil }
        let span = mine.reference.isEmpty ? 1 : Facts.tolerance
        var found: [(match: Match, apart: Int)] = []
        try select.each {
            $0.put(entry.decision.profile)
            $0.put(draft.amount.minorUnits)
            $0.put(CalendarDate(daysSince1970: draft.date.daysSince1970 - span))
            $0.put(CalendarDate(daysSince1970: draft.date.daysSince1970 + span))
        } _: { row in
            let other = Facts(
                account: row.optionalText(3) ?? "", reference: row.optionalText(4) ?? "", day: row.day(5),
                time: row.optionalTime(6))
            let relation = mine.relation(to: other)
            if row.int(0) != own, row.text(1) == draft.amount.currency.code,
                (row.text(2) == "income") == (draft.type == .income), relation != .other
            {
                let match = Match(transaction: row.int(0), mail: row.text(7), isSure: relation == .same)
                found.append((match, mine.seconds(from: other) ?? 0))
            }
            return true
        }
        let nearest = found.sorted {
            ($0.match.isSure ? 0 : 1, $0.apart, $0.match.transaction)
                < ($1.match.isSure ? 0 : 1, $1.apart, $1.match.transaction)
        }
        return try nearest.first { match, _ in
            try hasAlert.first(
                {
                    $0.put(match.mail)
                    $0.put(Int64(entry.isSMS ? 1 : 0))
                }, { $0.int(0) == 0 }) ?? false
        }?.match
    }
}
