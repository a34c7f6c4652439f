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
            INSERT INTO main.processed_emails (id, mailbox, folder, uid_validity, uid, message_id, content_digest, from_address, subject, sent_at, received_at,
              processed_at, status, error_message, profile, template, duplicate_of, provenance, fields, shape, form, gmail_message_id, next_attempt_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        update = try PreparedStatement(
            db,
            """
            UPDATE main.processed_emails SET message_id = ?, content_digest = ?, from_address = ?, subject = ?, sent_at = ?, received_at = ?,
              processed_at = ?, status = ?, error_message = ?, profile = ?, template = ?, duplicate_of = ?, provenance = ?, fields = ?, shape = ?, form = ?, gmail_message_id = ?, next_attempt_at = ?, attempts = ?
            WHERE id = ?
            """)
        attempts = try PreparedStatement(db, "SELECT attempts FROM processed_emails WHERE id = ?")
        fail = try PreparedStatement(
            db,
            "UPDATE main.processed_emails SET processed_at = ?, error_message = ?, next_attempt_at = ?, attempts = ? WHERE id = ?"
        )
    }

    func insert(
        _ entry: MailEntry, _ verdict: EntryVerdict, _ hit: TemplateHit?, id: String, time: UnixTime
    ) throws {
        try insert.run {
            $0.bind(id)
            $0.bind(entry.mailbox)
            $0.bind(entry.folder)
            $0.bind(Int64(entry.uidValidity))
            $0.bind(Int64(entry.uid))
            bind(entry, verdict, hit, time, in: &$0)
            $0.bind(RetrySchedule.next(entry.decision, attempts: 1, now: time))
        }
    }

    /// Records the next attempt at a failed mail.
    func retry(
        _ entry: MailEntry, _ verdict: EntryVerdict, _ hit: TemplateHit?, id: String, time: UnixTime
    ) throws {
        let tried = Int(try attempts.first({ $0.bind(id) }, { $0.int(0) }) ?? 0) + 1
        let next = RetrySchedule.next(entry.decision, attempts: tried, now: time)
        if verdict.outcome == .failed, entry.fromAddress == nil, entry.messageID == nil {
            // This attempt fetched nothing, so known values stay.
            return try fail.run {
                $0.bind(time)
                $0.bind(verdict.remark)
                $0.bind(next)
                $0.bind(Int64(tried))
                $0.bind(id)
            }
        }
        try write(entry, verdict, hit, id, time, retry: (next, tried))
    }

    /// Writes a new decision about a mail that did not fail.
    func redecide(
        _ entry: MailEntry, _ verdict: EntryVerdict, _ hit: TemplateHit?, id: String, time: UnixTime
    ) throws {
        let tried = Int(try attempts.first({ $0.bind(id) }, { $0.int(0) }) ?? 1)
        try write(
            entry, verdict, hit, id, time,
            retry: (RetrySchedule.next(entry.decision, attempts: tried, now: time), tried))
    }

    private func write(
        _ entry: MailEntry, _ verdict: EntryVerdict, _ hit: TemplateHit?, _ id: String, _ time: UnixTime,
        retry: (next: UnixTime?, attempts: Int)
    ) throws {
        try update.run {
            bind(entry, verdict, hit, time, in: &$0)
            $0.bind(retry.next)
            $0.bind(Int64(retry.attempts))
            $0.bind(id)
        }
    }

    private func bind(
        _ entry: MailEntry, _ verdict: EntryVerdict, _ hit: TemplateHit?, _ time: UnixTime, in binder: inout Binder
    ) {
        let decision = entry.decision
        binder.bind(entry.messageID)
        binder.bind(entry.contentDigest)
        binder.bind(entry.fromAddress)
        binder.bind(entry.subject)
        binder.bind(entry.sentAt)
        binder.bind(entry.receivedAt)
        binder.bind(time)
        binder.bind(verdict.outcome.rawValue)
        binder.bind(verdict.remark)
        binder.bind(decision.profile)
        binder.bind(decision.template)
        binder.bind(verdict.duplicateOf)
        // Stored with the transaction if there is one; unclaimed mail has no provenance.
        let hasProvenance =
            verdict.booking == nil && !verdict.isSameMail && !(decision.reasons.isEmpty && decision.profile == nil)
        binder.bind(utf8: hasProvenance ? Provenance.json(decision, reasons: decision.reasons) : nil)
        binder.bind(hit?.fields)
        binder.bind(hit?.shape.map { Int64(bitPattern: $0.digest) })
        binder.bind(hit?.shape?.form.map { Int64(bitPattern: $0) })
        binder.bind(entry.gmailMessageID.map { Int64(bitPattern: $0) })
    }
}
