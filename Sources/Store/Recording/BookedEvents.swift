import Chronology
import Codecs
import GRDB
import Ledger

/// Finds the first mail or transaction by what is unique: the identity of a mail, the key of an event.
struct BookedEvents {
    /// A transaction as its alert reported it, before any edit.
    struct Event {
        var id: Int64
        /// The mail that made it, if it is still there.
        var mail: String?
        var amountMinor: Int64
        var currency: String
        var date: CalendarDate

        /// Maximum days between the dates of two alerts about one event.
        static let tolerance = SameEventEvidence.days

        func agrees(with draft: TransactionDraft) -> Bool {
            guard amountMinor == draft.amount.minorUnits, currency == draft.amount.currency.code else {
                return false
            }
            return abs(date.daysSince1970 - draft.date.daysSince1970) <= Self.tolerance
        }
    }

    private let byContent: PreparedStatement
    private let byKey: PreparedStatement
    private let byFacts: PreparedStatement
    private let byMail: PreparedStatement

    init(_ db: Database) throws {
        // Repeats the terms of the partial index literally, so that SQLite uses it.
        byContent = try PreparedStatement(
            db,
            """
            SELECT id, status FROM processed_emails
            WHERE sent_at IS ? AND content_digest = ? AND message_id IS ?
              AND content_digest IS NOT NULL AND duplicate_of IS NULL AND status NOT IN ('unclaimed', 'failed')
            ORDER BY rowid
            """)
        // Another alert about the event does not know a person's edits, so the values before the first edit count.
        let asBooked = { (column: String) in
            """
            coalesce((SELECT json_extract(c.before, '$.transaction.\(column)') FROM changes c WHERE c.transaction_id = t.id ORDER BY c.id LIMIT 1), t.\(column))
            """
        }
        byKey = try PreparedStatement(
            db,
            """
            SELECT t.id, t.source_email_id, \(asBooked("amount_minor")), \(asBooked("currency")), \(asBooked("parsed_date"))
            FROM transactions t WHERE t.idempotency_key = ?
            """)
        byFacts = try PreparedStatement(
            db, "SELECT id FROM transactions WHERE idempotency_key > ? AND idempotency_key < ? ORDER BY id")
        byMail = try PreparedStatement(db, "SELECT id FROM transactions WHERE source_email_id = ?")
    }

    /// The transaction with this key.
    ///
    /// - Parameter own: the draft that is decided again, which does not count.
    func event(_ key: String, besides own: Int64?) throws -> Event? {
        let found = try byKey.first({ $0.bind(key) }) {
            Event(
                id: $0.int(0), mail: $0.optionalText(1), amountMinor: $0.int(2), currency: $0.text(3), date: $0.day(4))
        }
        return found?.id == own ? nil : found
    }

    /// The transaction with the same facts from before keys contained a digest of the text.
    func eventWithoutText(_ key: IdempotencyKey, besides own: Int64?) throws -> Event? {
        guard let facts = key.facts, facts != key.value else { return nil }
        return try event(facts, besides: own)
    }

    /// The transactions with the same facts, made from other texts, in the order of recording.
    func otherTexts(_ key: IdempotencyKey, besides own: Int64?) throws -> [Int64] {
        guard let facts = key.facts else { return [] }
        var found: [Int64] = []
        try byFacts.each {
            // Every key that begins with the facts and a boundary: the next byte value ends the range.
            $0.bind(facts + IdempotencyKey.boundary)
            $0.bind(facts + "}")
        } _: { row in
            if row.int(0) != own { found.append(row.int(0)) }
            return true
        }
        return found
    }

    func transaction(ofMail id: String) throws -> Int64? { try byMail.first({ $0.bind(id) }, { $0.int(0) }) }

    /// The first mail with the same Message-ID and content.
    ///
    /// A first mail with a lesser outcome does not count: a mail that is to be booked is booked even if a copy was
    /// quarantined or ignored. So a forged copy sent in advance cannot suppress a bank's mail.
    ///
    /// - Parameter own: the row of the mail itself, if it is decided again.
    func sameMail(as entry: MailEntry, besides own: String?) throws -> String? {
        guard let digest = entry.contentDigest else { return nil }
        let suppressors: Set<Outcome>
        switch entry.decision.outcome {
        case .recorded, .review: suppressors = [.recorded, .review]
        case .ignored: suppressors = [.recorded, .review, .ignored]
        case .quarantined: suppressors = [.quarantined]
        case .duplicate, .unclaimed, .failed: return nil
        }
        var mail: String?
        try byContent.each {
            $0.bind(entry.sentAt)
            $0.bind(digest)
            $0.bind(entry.messageID)
        } _: { row in
            guard let outcome = Outcome(rawValue: row.text(1)), suppressors.contains(outcome), row.text(0) != own else {
                return true
            }
            mail = row.text(0)
            return false
        }
        return mail
    }
}

extension MailEntry {
    /// Identifies the mail, for events that print neither a reference nor a time.
    var identity: String {
        guard contentDigest != nil || messageID != nil else { return "\(mailbox)/\(folder)/\(uidValidity)/\(uid)" }
        let digest = contentDigest ?? []
        let hexadecimal = Hexadecimal.text(digest)
        return messageID.map { "\($0) \(hexadecimal)" } ?? hexadecimal
    }
}
