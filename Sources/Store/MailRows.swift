import GRDB
import Ledger

/// Writes rows of `processed_emails`.
struct MailRows {
    private let insert: PreparedStatement
    private let update: PreparedStatement

    init(_ db: Database) throws {
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO processed_emails (id, mailbox, folder, uid_validity, uid, message_id, content_digest, from_address, subject, sent_at, received_at,
              processed_at, status, error_message, profile, template, duplicate_of, provenance, fields, shape)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        update = try PreparedStatement(
            db,
            """
            UPDATE processed_emails SET message_id = ?, content_digest = ?, from_address = ?, subject = ?, sent_at = ?, received_at = ?,
              processed_at = ?, status = ?, error_message = ?, profile = ?, template = ?, duplicate_of = ?, provenance = ?, fields = ?, shape = ?, attempts = attempts + 1
            WHERE id = ?
            """)
    }

    func insert(_ entry: Store.Entry, _ verdict: Verdict, _ sighting: Sighting?, id: String, time: String) throws {
        try insert.run {
            $0.put(id)
            $0.put(entry.mailbox)
            $0.put(entry.folder)
            $0.put(Int64(entry.uidValidity))
            $0.put(Int64(entry.uid))
            put(entry, verdict, sighting, time, in: &$0)
        }
    }

    /// The next attempt at a mail that failed.
    func retry(_ entry: Store.Entry, _ verdict: Verdict, _ sighting: Sighting?, id: String, time: String) throws {
        try update.run {
            put(entry, verdict, sighting, time, in: &$0)
            $0.put(id)
        }
    }

    private func put(_ entry: Store.Entry, _ verdict: Verdict, _ sighting: Sighting?, _ time: String, in binder: inout Binder) {
        let decision = entry.decision
        binder.put(entry.messageID)
        binder.put(entry.contentDigest)
        binder.put(entry.fromAddress)
        binder.put(entry.subject)
        binder.put(entry.sentAt.map(Instant.text))
        binder.put(entry.receivedAt.map(Instant.text))
        binder.put(time)
        binder.put(verdict.outcome.rawValue)
        binder.put(verdict.remark)
        binder.put(decision.profile)
        binder.put(decision.template)
        binder.put(verdict.duplicateOf)
        // The transaction carries it where there is one; a mail of no bank has nothing to tell.
        let tells = verdict.booking == nil && !verdict.isSameMail && !(decision.reasons.isEmpty && decision.profile == nil)
        binder.put(utf8: tells ? Provenance.json(decision, reasons: decision.reasons) : nil)
        binder.put(sighting?.fields)
        binder.put(sighting?.shape.map { Int64(bitPattern: $0.digest) })
    }
}
