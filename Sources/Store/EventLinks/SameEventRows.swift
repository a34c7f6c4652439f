import Chronology
import GRDB
import Ledger

/// Reads the transactions that may be reports of one payment: for a mail or an SMS that is recorded, and for links.
struct SameEventRows {
    struct Report {
        var report: EventReport
        var ledger: String
        /// The mail or SMS that made it, if it is still there.
        var mail: String?
        /// False for a draft, and for what a person rejected or deleted.
        var isBooked: Bool
        /// True if a person changed the row, which then nothing replaces without a question.
        var isEdited: Bool
        /// The transaction that replaces it.
        var head: Int64?
    }

    /// Reports of one payment: the first counts.
    struct Event {
        var reports: [Report]

        var head: Report { reports[0] }
    }

    private let one: PreparedStatement
    private let alike: PreparedStatement
    private let fit: PreparedStatement
    private let open: PreparedStatement
    private let larger: PreparedStatement

    /// Maximum number of earlier payments that a search without an amount reads, the latest ones.
    private static let most = 500

    init(_ db: Database) throws {
        one = try PreparedStatement(
            db, "\(Self.select) WHERE t.id = ? AND \(Self.booked) AND t.transaction_type <> 'transfer'")
        alike = try PreparedStatement(
            db,
            """
            \(Self.select) WHERE t.amount_minor = ? AND t.parsed_date BETWEEN ? AND ? AND t.id IS NOT ?
              AND (\(Self.booked) OR coalesce(t.idempotency_key, '') NOT LIKE '\(Journal.undoneKey)%')
            ORDER BY t.id
            """)
        let earlier = """
            \(Self.select) JOIN transactions o ON o.id = ?
            WHERE t.user_account_id = o.user_account_id AND t.parsed_date BETWEEN ? AND ? AND t.id <> o.id AND t.status = 'confirmed'
              AND t.deleted_at IS NULL AND t.ledger = o.ledger AND t.transaction_type = 'expense'
            """
        open = try PreparedStatement(
            db,
            """
            \(earlier) AND t.recorder = 'Auto' AND NOT EXISTS (SELECT 1 FROM statement_lines WHERE transaction_id = t.id)
            ORDER BY t.parsed_date DESC, t.id LIMIT \(Self.most)
            """)
        larger = try PreparedStatement(
            db,
            "\(earlier) AND t.currency = o.currency AND t.amount_minor >= 2 * o.amount_minor ORDER BY t.parsed_date DESC, t.id LIMIT \(Self.most)"
        )
        // What a trigger would refuse is proposed, so that a batch of mails never fails because of it.
        fit = try PreparedStatement(
            db,
            """
            SELECT NOT EXISTS (SELECT 1 FROM transaction_links WHERE state = 'made' AND (from_id = ?1 OR to_id = ?1))
              AND NOT EXISTS (SELECT 1 FROM transfers WHERE state = 'linked' AND (debit_id = ?1 OR credit_id = ?1))
              AND NOT EXISTS (SELECT 1 FROM split_transactions WHERE transaction_id = ?1)
              AND NOT EXISTS (SELECT 1 FROM statement_lines WHERE transaction_id = ?1)
              AND EXISTS (SELECT 1 FROM transactions WHERE id = ?1 AND deleted_at IS NULL AND user_edited_at IS NULL)
            """)
    }

    private static let select = """
        SELECT t.id, coalesce(t.profile, ''), iif(t.recorder IN \(AlertRecorder.all), '', t.recorder || ':') || coalesce(m.template, ''),
          coalesce(t.account_digits, ''), t.user_account_id, t.transaction_type, t.channel, t.amount_minor, t.currency, t.parsed_date, t.occurred_at,
          t.parsed_time IS NOT NULL, t.parsed_vendor, t.vpa, t.payee_id, t.reference, t.balance_minor IS NOT NULL, t.user_edited_at IS NOT NULL,
          g.replacement, t.ledger, m.id, t.recorder, \(booked),
          t.transaction_type = 'income' OR (t.transaction_type = 'transfer' AND EXISTS (SELECT 1 FROM transfers WHERE credit_id = t.id AND state = 'linked'))
        FROM transactions t LEFT JOIN processed_emails m ON m.id = t.source_email_id
          LEFT JOIN replaced_transactions g ON g.id = t.id AND g.kind = 'same_event'
        """
    private static let booked = "t.status = 'confirmed' AND (t.deleted_at IS NULL OR g.id IS NOT NULL)"

    private static func report(_ row: Columns) -> Report? {
        guard let type = TransactionType(rawValue: row.text(5)), let currency = Currency(code: row.text(8)) else {
            return nil
        }
        var report = EventReport(
            id: row.int(0), bank: row.text(1), form: row.text(2), type: type,
            amount: Money(minorUnits: row.int(7), currency: currency), date: row.day(9))
        report.account = row.text(3)
        report.userAccount = row.optionalInt(4)
        report.channel = row.optionalText(6).flatMap(Channel.init(rawValue:)) ?? .other
        (report.instant, report.hasTime) = (row.instant(10), row.int(11) != 0)
        (report.merchant, report.vpa) = (row.optionalText(12), row.optionalText(13))
        (report.payee, report.reference) = (row.optionalInt(14), row.optionalText(15))
        report.hasBalance = row.int(16) != 0
        report.medium = AlertRecorder(rawValue: row.text(21))?.medium
        report.isCredit = row.int(23) != 0
        return Report(
            report: report, ledger: row.text(19), mail: row.optionalText(20), isBooked: row.int(22) != 0,
            isEdited: row.int(17) != 0, head: row.optionalInt(18))
    }

    /// `nil` if the row is not booked, is a transfer, or a person deleted it.
    func report(_ id: Int64) throws -> Report? { try one.first({ $0.bind(id) }, Self.report) ?? nil }

    /// The transactions with the amount of the report that are near enough in time, booked or not. An undone booking
    /// does not count.
    /// - Parameter own: the row of the report, which is left out.
    func reports(like report: EventReport, besides own: Int64?) throws -> [Report] {
        let day = report.date.daysSince1970
        var found: [Report] = []
        try alike.each {
            $0.bind(report.amount.minorUnits)
            $0.bind(CalendarDate(daysSince1970: day - SameEventEvidence.days))
            $0.bind(CalendarDate(daysSince1970: day + SameEventEvidence.days))
            $0.bind(own)
        } _: { row in
            if let other = Self.report(row), other.report.amount == report.amount { found.append(other) }
            return true
        }
        return found
    }

    /// The booked events that may be that of a booked report, in its ledger.
    func events(like own: Report) throws -> [Event] {
        let others = try reports(like: own.report, besides: own.report.id).filter {
            $0.isBooked && $0.ledger == own.ledger && $0.report.type == own.report.type
        }
        var byHead = Dictionary(grouping: others) { $0.head ?? $0.report.id }
        byHead[own.report.id] = nil
        return byHead.sorted { $0.key < $1.key }.compactMap { head, reports in
            guard let first = reports.first(where: { $0.report.id == head }) else { return nil }
            return Event(reports: [first] + reports.filter { $0.report.id != head })
        }
    }

    /// The expenses of mails before a line of a statement, on its account, that no line of a statement confirms.
    func unproven(before line: EventReport) throws -> [Report] {
        try reports(open, before: line, days: FinalAmountEvidence.days)
    }

    /// The expenses of the account before an instalment that are at least twice as large.
    func purchases(before instalment: EventReport) throws -> [Report] {
        try reports(larger, before: instalment, days: InstalmentEvidence.days)
    }

    private func reports(_ statement: PreparedStatement, before report: EventReport, days: Int) throws -> [Report] {
        var found: [Report] = []
        try statement.each {
            $0.bind(report.id)
            $0.bind(CalendarDate(daysSince1970: report.date.daysSince1970 - days))
            $0.bind(report.date)
        } _: { row in
            if let report = Self.report(row) { found.append(report) }
            return true
        }
        return found
    }

    /// True if a rule may replace the row: no person changed it, nothing is linked with it, and no statement has it.
    func isFree(_ id: Int64) throws -> Bool { try fit.first({ $0.bind(id) }, { $0.int(0) != 0 }) ?? false }
}
