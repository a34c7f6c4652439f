import Chronology
import Codecs
import GRDB
import Ledger

/// The link of a possible duplicate, which points from the later mail to the earlier in any order of recording.
struct DuplicateLinks {
    private let isLater: PreparedStatement
    private let point: PreparedStatement

    init(_ db: Database) throws {
        isLater = try PreparedStatement(
            db,
            """
            SELECT coalesce(m.sent_at, m.received_at) > ? FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id
            WHERE t.id = ? AND t.status = 'needs_review' AND t.duplicate_of IS NULL AND t.user_edited_at IS NULL
              AND t.deleted_at IS NULL AND m.reviewed_at IS NULL
            """)
        point = try PreparedStatement(
            db,
            """
            UPDATE main.transactions SET duplicate_of = ?, confidence_score = confidence_score * ?,
              provenance = json_insert(provenance, '$.reasons[#]', json(?)), updated_at = ?, revision = revision + 1
            WHERE id = ?
            """)
    }

    /// Returns true if the transaction is a draft of a later mail that no person has changed.
    func isLaterDraft(_ transaction: Int64, than entry: MailEntry) throws -> Bool {
        guard let instant = entry.sentAt ?? entry.receivedAt else { return false }
        return try isLater.first(
            {
                $0.bind(instant)
                $0.bind(transaction)
            }, { $0.optionalInt(0) == 1 }) ?? false
    }

    /// Points a later draft at the transaction of an earlier mail.
    func point(_ later: EntryVerdict.LaterDraft, at earlier: Int64, time: UnixTime) throws {
        let reason = Reason(later.doubt, about: earlier)
        let json = JSON.object([
            ("factor", .string(reason.name)), ("weight", .number(reason.weight)), ("note", .string(reason.note)),
        ])
        try point.run {
            $0.bind(earlier)
            $0.bind(reason.weight)
            $0.bind(json.text)
            $0.bind(time)
            $0.bind(later.id)
        }
    }
}
