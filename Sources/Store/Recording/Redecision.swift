import GRDB
public import Ledger

extension Outcome {
    /// Outcomes of rows that may be decided again with other profiles: booked rows stay, and a duplicate follows its
    /// first.
    public static let redecidable: Set<Outcome> = [.unclaimed, .ignored, .review, .quarantined, .failed]

    /// True if `other` is a better outcome. It never hides a review item.
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

/// A new decision about a recorded mail that no person has decided.
struct Redecision {
    /// Rows of a mail in the ledger.
    struct CurrentRow {
        var transaction: Int64?
        /// Provenance of the transaction, otherwise of the mail.
        var provenance: String?
        /// True if other rows point at this one as their first.
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
        clear = try PreparedStatement(db, "UPDATE main.processed_emails SET provenance = NULL WHERE id = ?")
        delete = try PreparedStatement(db, "DELETE FROM main.transactions WHERE id = ?")
    }

    /// `nil` if a person has decided, edited or deleted something.
    func row(ofMail id: String) throws -> CurrentRow? {
        let found = try select.first({ $0.bind(id) }) {
            (
                standing: CurrentRow(
                    transaction: $0.optionalInt(0), provenance: $0.optionalText(1), isOriginal: $0.int(2) != 0),
                isUntouched: $0.int(3) != 0
            )
        }
        return found.flatMap { $0.isUntouched ? $0.standing : nil }
    }

    /// Deletes a draft for which the new decision books nothing.
    func delete(transaction id: Int64) throws { try delete.run { $0.bind(id) } }
}

extension Redecision.CurrentRow {
    /// True if the verdict may replace the rows and differs from them.
    func shouldChange(to verdict: EntryVerdict, _ decision: Decision, was outcome: Outcome) -> Bool {
        if transaction != nil, verdict.booking == nil {
            // A draft stays if the new decision reads less, or if another mail depends on it.
            return !isOriginal && (verdict.outcome == .ignored || verdict.outcome == .duplicate)
        }
        if verdict.outcome == .duplicate, isOriginal { return false }
        guard verdict.outcome == outcome, let provenance else { return true }
        let reasons = verdict.booking?.reasons ?? decision.reasons
        return Provenance.json(decision, reasons: reasons) != Array(provenance.utf8)
    }
}
