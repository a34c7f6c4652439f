import Chronology
import GRDB
import Ledger

/// Writes rows of `processed_emails`.
struct MailRows {
    private let insert: PreparedStatement
    private let update: PreparedStatement
    private let attempts: PreparedStatement
    private let fail: PreparedStatement

    init(_ db: Database) throws {
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO processed_emails (id, mailbox, folder, uid_validity, uid, message_id, content_digest, from_address, subject, sent_at, received_at,
              processed_at, status, error_message, profile, template, duplicate_of, provenance, fields, shape, form, gmail_message_id, next_attempt_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        update = try PreparedStatement(
            db,
            """
            UPDATE processed_emails SET message_id = ?, content_digest = ?, from_address = ?, subject = ?, sent_at = ?, received_at = ?,
              processed_at = ?, status = ?, error_message = ?, profile = ?, template = ?, duplicate_of = ?, provenance = ?, fields = ?, shape = ?, form = ?, gmail_message_id = ?, next_attempt_at = ?, attempts = ?
            WHERE id = ?
            """)
        attempts = try PreparedStatement(db, "SELECT attempts FROM processed_emails WHERE id = ?")
        fail = try PreparedStatement(
            db,
            "UPDATE processed_emails SET processed_at = ?, error_message = ?, next_attempt_at = ?, attempts = ? WHERE id = ?"
        )
    }

    func insert(
        _ entry: MailEntry, _ verdict: Verdict, _ hit: TemplateHit?, id: String, time: UnixTime
    ) throws {
        try insert.run {
            $0.put(id)
            $0.put(entry.mailbox)
            $0.put(entry.folder)
            $0.put(Int64(entry.uidValidity))
            $0.put(Int64(entry.uid))
            put(entry, verdict, hit, time, in: &$0)
            $0.put(RetrySchedule.next(entry.decision, attempts: 1, now: time))
        }
    }

    /// Records the next attempt at a failed mail.
    func retry(
        _ entry: MailEntry, _ verdict: Verdict, _ hit: TemplateHit?, id: String, time: UnixTime
    ) throws {
        let tried = Int(try attempts.first({ $0.put(id) }, { $0.int(0) }) ?? 0) + 1
        let next = RetrySchedule.next(entry.decision, attempts: tried, now: time)
        if verdict.outcome == .failed, entry.fromAddress == nil, entry.messageID == nil {
            // This attempt fetched nothing, so known values stay.
            return try fail.run {
                $0.put(time)
                $0.put(verdict.remark)
                $0.put(next)
                $0.put(Int64(tried))
                $0.put(id)
            }
        }
        try write(entry, verdict, hit, id, time, retry: (next, tried))
    }

    /// Writes a new decision about a mail that did not fail.
    func redecide(
        _ entry: MailEntry, _ verdict: Verdict, _ hit: TemplateHit?, id: String, time: UnixTime
    ) throws {
        let tried = Int(try attempts.first({ $0.put(id) }, { $0.int(0) }) ?? 1)
        try write(
            entry, verdict, hit, id, time,
            retry: (RetrySchedule.next(entry.decision, attempts: tried, now: time), tried))
    }

    private func write(
        _ entry: MailEntry, _ verdict: Verdict, _ hit: TemplateHit?, _ id: String, _ time: UnixTime,
        retry: (next: UnixTime?, attempts: Int)
    ) throws {
        try update.run {
            put(entry, verdict, hit, time, in: &$0)
            $0.put(retry.next)
            $0.put(Int64(retry.attempts))
            $0.put(id)
        }
    }

    private func put(
        _ entry: MailEntry, _ verdict: Verdict, _ hit: TemplateHit?, _ time: UnixTime, in binder: inout Binder
    ) {
        let decision = entry.decision
        binder.put(entry.messageID)
        binder.put(entry.contentDigest)
        binder.put(entry.fromAddress)
        binder.put(entry.subject)
        binder.put(entry.sentAt)
        binder.put(entry.receivedAt)
        binder.put(time)
        binder.put(verdict.outcome.rawValue)
        binder.put(verdict.remark)
        binder.put(decision.profile)
        binder.put(decision.template)
        binder.put(verdict.duplicateOf)
        // Stored with the transaction if there is one; unclaimed mail has no provenance.
        let hasProvenance =
            verdict.booking == nil && !verdict.isSameMail && !(decision.reasons.isEmpty && decision.profile == nil)
        binder.put(utf8: hasProvenance ? Provenance.json(decision, reasons: decision.reasons) : nil)
        binder.put(hit?.fields)
        binder.put(hit?.shape.map { Int64(bitPattern: $0.digest) })
        binder.put(hit?.shape?.form.map { Int64(bitPattern: $0) })
        binder.put(entry.gmailMessageID.map { Int64(bitPattern: $0) })
    }
}
