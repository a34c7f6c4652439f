public import Chronology
internal import GRDB
public import Ledger

/// A mail's row in `processed_emails`.
public struct MailRow: Hashable, Sendable {
    public var id: String
    public var location: MailLocation
    public var messageID: String?
    public var fromAddress: String?
    public var subject: String?
    /// ISO 8601 UTC, like the other timestamps.
    public var sentAt: UnixTime?
    public var receivedAt: UnixTime?
    public var processedAt: UnixTime
    public var outcome: Outcome
    /// Reason why it was not simply booked, in one sentence.
    public var reason: String?
    public var profile: String?
    public var template: String?
    public var duplicateOf: String?
    public var attempts: Int
    /// The time of a person's decision.
    public var reviewedAt: UnixTime?
    /// JSON, if the mail made no transaction; see the column of this name.
    public var provenance: String?
    /// Transaction made from the mail.
    public var transactionID: Int64?
    /// Shape of an unclaimed mail: 16 hexadecimal digits.
    public var shape: String?

    public var mailbox: String { location.mailbox }
    public var folder: String { location.folder }
    public var uidValidity: UInt32 { location.uidValidity }
    public var uid: UInt32 { location.uid }

    static let columns = """
        m.id, m.mailbox, m.folder, m.uid_validity, m.uid, m.message_id, m.from_address, m.subject, m.sent_at, m.received_at, m.processed_at, \
        m.status, m.error_message, m.profile, m.template, m.duplicate_of, m.attempts, m.reviewed_at, m.provenance, \
        (SELECT t.id FROM transactions t WHERE t.source_email_id = m.id), m.shape
        """

    /// The number of columns; further columns of a query begin at this index.
    static let columnCount: CInt = 21

    init(_ row: Columns) {
        id = row.text(0)
        location = MailLocation(
            mailbox: row.text(1), folder: row.text(2), uidValidity: UInt32(truncatingIfNeeded: row.int(3)),
            uid: UInt32(truncatingIfNeeded: row.int(4)))
        messageID = row.optionalText(5)
        fromAddress = row.optionalText(6)
        subject = row.optionalText(7)
        sentAt = row.optionalInstant(8)
        receivedAt = row.optionalInstant(9)
        processedAt = row.instant(10)
        // A CHECK constraint restricts the column to the enum's values.
        outcome = Outcome(rawValue: row.text(11)) ?? .failed
        reason = row.optionalText(12)
        profile = row.optionalText(13)
        template = row.optionalText(14)
        duplicateOf = row.optionalText(15)
        attempts = Int(row.int(16))
        reviewedAt = row.optionalInstant(17)
        provenance = row.optionalText(18)
        transactionID = row.optionalInt(19)
        shape = row.optionalInt(20).map(ShapeID.text)
    }
}

extension MailRepository {
    /// The last mails with one of `outcomes`, newest first.
    public func latest(_ outcomes: Set<Outcome>, limit: Int = 100) throws(StoreError) -> [MailRow] {
        try read { db in
            // One query for each outcome: a list would sort all rows, a million ignored mails for the last ten.
            let statement = try PreparedStatement(
                db,
                """
                SELECT \(MailRow.columns), m.rowid FROM processed_emails m INDEXED BY processed_emails_newest
                WHERE m.status = ? ORDER BY m.rowid DESC LIMIT ?
                """)
            var rows: [(order: Int64, mail: MailRow)] = []
            for outcome in outcomes {
                try statement.each {
                    $0.bind(outcome.rawValue)
                    $0.bind(Int64(limit))
                } _: {
                    rows.append(($0.int(21), MailRow($0)))
                    return true
                }
            }
            return rows.sorted { $0.order > $1.order }.prefix(max(limit, 0)).map(\.mail)
        }
    }

    /// The number of mails that became one of `outcomes`.
    public func count(_ outcomes: Set<Outcome>) throws(StoreError) -> Int {
        try read { db in
            let statement = try PreparedStatement(db, "SELECT count(*) FROM processed_emails WHERE status = ?")
            return try outcomes.reduce(0) { sum, outcome in
                sum + Int(try statement.first({ $0.bind(outcome.rawValue) }, { $0.int(0) }) ?? 0)
            }
        }
    }

    /// The mails with this Message-ID, oldest first. Reads the whole table.
    /// - Parameter messageID: in the form that the ledger keeps, with or without the angle brackets.
    public func find(messageID: String) throws(StoreError) -> [MailRow] {
        let bare =
            messageID.hasPrefix("<") && messageID.hasSuffix(">") ? String(messageID.dropFirst().dropLast()) : messageID
        return try read { db in
            var rows: [MailRow] = []
            try PreparedStatement(
                db, "SELECT \(MailRow.columns) FROM processed_emails m WHERE m.message_id IN (?, ?) ORDER BY m.rowid"
            ).each {
                $0.bind(bare)
                $0.bind("<\(bare)>")
            } _: {
                rows.append(MailRow($0))
                return true
            }
            return rows
        }
    }

    /// One mail; `nil` if it does not exist.
    public func find(_ id: String) throws(StoreError) -> MailRow? {
        try read { db in
            try PreparedStatement(db, "SELECT \(MailRow.columns) FROM processed_emails m WHERE m.id = ?").first(
                { $0.bind(id) }, MailRow.init)
        }
    }

    /// Failed mails with the time of their next attempt, the least recently attempted first.
    public func failed(limit: Int = 1000) throws(StoreError) -> [FailedMail] {
        try read { db in
            var rows: [FailedMail] = []
            try PreparedStatement(
                db,
                """
                SELECT \(MailRow.columns), m.next_attempt_at, EXISTS (SELECT 1 FROM raw_messages r WHERE r.mail_id = m.id AND r.size = r.kept_size)
                FROM processed_emails m WHERE m.status = 'failed' ORDER BY m.processed_at, m.rowid LIMIT ?
                """
            ).each {
                $0.bind(Int64(limit))
            } _: {
                rows.append(
                    FailedMail(
                        mail: MailRow($0), nextAttemptAt: $0.optionalInstant(MailRow.columnCount),
                        isRetained: $0.int(MailRow.columnCount + 1) != 0))
                return true
            }
            return rows
        }
    }
}

/// A mail that could not be processed.
public struct FailedMail: Sendable {
    public let mail: MailRow
    /// The time of the next attempt; `nil` if a person has to ask for it.
    public let nextAttemptAt: UnixTime?
    /// The mail can be decided again without fetching it.
    public let isRetained: Bool
}
