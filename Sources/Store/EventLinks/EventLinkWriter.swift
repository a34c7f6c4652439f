import Chronology
import GRDB
import Ledger

/// Writes the links that the rules find.
struct EventLinkWriter {
    let db: Database

    /// A pair with its evidence.
    struct Found {
        var kind: EventLinkKind
        var from: Int64
        var to: Int64
        var evidence: EventLinkEvidence
        var confidence: Double
        /// The reason, without the kind.
        var why: String
    }

    /// Proposes or makes a link, unless the pair was decided before, in either direction.
    /// - Returns: true if there is a new proposal or link.
    func add(_ link: Found, makes: Bool, _ time: UnixTime) throws -> Bool {
        try db.execute(
            sql: """
                INSERT INTO main.transaction_links (kind, from_id, to_id, state, confidence, evidence, why, made_by, created_at, updated_at)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'rule', ?8, ?8
                  WHERE NOT EXISTS (SELECT 1 FROM transaction_links WHERE (from_id = ?2 AND to_id = ?3 OR from_id = ?3 AND to_id = ?2)
                    AND (kind = ?1 OR kind IN ('refund', 'reversal') AND ?1 IN ('refund', 'reversal'))
                    AND (state <> 'proposed' OR ?4 = 'proposed'))
                ON CONFLICT (kind, from_id, to_id) DO UPDATE SET state = excluded.state, confidence = excluded.confidence,
                  evidence = excluded.evidence, why = excluded.why, updated_at = excluded.updated_at
                """,
            arguments: [
                link.kind.rawValue, link.from, link.to, makes ? "made" : "proposed", link.confidence,
                link.evidence.word, "\(link.kind.words): \(link.why)", time,
            ])
        guard db.changesCount > 0 else { return false }
        if makes { try dropProposals(to: link.to) }
        return true
    }

    /// Removes the open questions about a transaction that is linked by now.
    func dropProposals(to id: Int64) throws {
        try db.execute(
            sql: "DELETE FROM main.transaction_links WHERE state = 'proposed' AND to_id = ?", arguments: [id])
    }
}
