import GRDB
public import Ledger

extension Outcome {
    /// Rows that a look with other profiles may change: what was booked stays, and a duplicate follows its first.
    public static let redecidable: Set<Outcome> = [.unclaimed, .ignored, .review, .quarantined, .failed]

    /// Whether a new look that comes to `other` says more than this. Nothing that waits for a person is hidden by it.
    func isImproved(by other: Outcome) -> Bool {
        switch self {
        case .failed: true
        case .unclaimed: other != .unclaimed && other != .failed
        case .quarantined: [.review, .ignored, .recorded].contains(other)
        case .review: [.review, .ignored, .recorded].contains(other)
        case .ignored: [.review, .recorded].contains(other)
        case .recorded, .duplicate: false
        }
    }
}

/// Decides a recorded mail again, where no person has decided about it.
struct Redecision {
    /// The rows that the ledger has for a mail.
    struct CurrentRow {
        var transaction: Int64?
        /// Of the transaction, otherwise of the mail.
        var provenance: String?
        /// Other rows point here as at their first.
        var isOriginal: Bool
    }

    private let select: PreparedStatement
    private let clear: PreparedStatement
    private let delete: PreparedStatement

    init(_ db: Database) throws {
        select = try PreparedStatement(
            db,
            """
            SELECT t.id, coalesce(t.provenance, m.provenance),
              EXISTS (SELECT 1 FROM processed_emails d WHERE d.duplicate_of = m.id) OR EXISTS (SELECT 1 FROM transactions d WHERE d.duplicate_of = t.id),
              m.reviewed_at IS NULL AND (t.id IS NULL OR t.status = 'needs_review' AND t.user_edited_at IS NULL AND t.deleted_at IS NULL)
            FROM processed_emails m LEFT JOIN transactions t ON t.source_email_id = m.id WHERE m.id = ?
            """)
        clear = try PreparedStatement(db, "UPDATE processed_emails SET provenance = NULL WHERE id = ?")
        delete = try PreparedStatement(db, "DELETE FROM transactions WHERE id = ?")
    }

    /// `nil` where a person has settled, edited or deleted something.
    func standing(ofMail id: String) throws -> CurrentRow? {
        let found = try select.first({ $0.put(id) }) {
            (
                standing: CurrentRow(
                    transaction: $0.optionalInt(0), provenance: $0.optionalText(1), isOriginal: $0.int(2) != 0),
                isUntouched: $0.int(3) != 0
            )
        }
        return found.flatMap { $0.isUntouched ? $0.standing : nil }
    }

    /// Deletes a draft for which the new decision books nothing.
    func delete(transaction id: Int64) throws { try delete.run { $0.put(id) } }
}

extension Redecision.CurrentRow {
    /// Returns true if the verdict may replace the rows and differs from them.
    func gives(way verdict: Verdict, to decision: Decision, was outcome: Outcome) -> Bool {
        if transaction != nil, verdict.booking == nil {
            // A draft is not lost to a look that reads less, and not while another mail relies on it.
            return !isOriginal && (verdict.outcome == .ignored || verdict.outcome == .duplicate)
        }
        if verdict.outcome == .duplicate, isOriginal { return false }
        guard verdict.outcome == outcome, let provenance else { return true }
        let reasons = verdict.booking?.reasons ?? decision.reasons
        return Provenance.json(decision, reasons: reasons) != Array(provenance.utf8)
    }
}
