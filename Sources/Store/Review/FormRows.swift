public import Chronology
internal import Codecs
internal import GRDB
public import Ledger

/// A form of mail that no template claims, with a person's decisions about the drafts of such mails.
public struct MailForm: Hashable, Sendable {
    /// The bank's key and the digest of the form: `chase/0123456789abcdef`.
    public var id: String
    /// The bank's key.
    public var profile: String
    /// Accepted without a change of a field.
    public var accepted: Int
    public var corrected: Int
    /// Rejected or deleted.
    public var rejected: Int
    public var waiting: Int
    /// Booked because the form is learned.
    public var booked: Int
    /// Subject and id of the newest such mail.
    public var subject: String?
    public var example: String
    public var lastDay: CalendarDate
    /// True if mails of this form are to be booked.
    public var isLearned: Bool

    /// True if a person accepted enough of them, and each unchanged.
    public var isReliable: Bool { accepted >= LearnedForms.minimum && corrected == 0 && rejected == 0 }

    /// The proportion that was right.
    public var right: Proportion { Proportion(accepted, of: accepted + corrected + rejected) }

    var key: LearnedForms.Key? {
        id.split(separator: "/").last.flatMap { UInt64($0, radix: 16) }.map {
            LearnedForms.Key(profile: profile, form: $0)
        }
    }

    init(_ row: Row) {
        profile = row["profile"]
        id = profile + "/" + ShapeID.text(row["form"])
        (accepted, corrected, rejected) = (row["accepted"], row["corrected"], row["rejected"])
        (waiting, booked, subject, example) = (row["waiting"], row["booked"], row["subject"], row["example"])
        (lastDay, isLearned) = (row["last_day"], row["is_learned"])
    }

    /// One group for each form of a condition.
    static func select(_ condition: String) -> String {
        """
        SELECT profile, form, sum(verdict = 'accepted') AS accepted, sum(verdict = 'corrected') AS corrected, sum(verdict = 'rejected') AS rejected,
          sum(verdict = 'waiting') AS waiting, sum(verdict = 'booked') AS booked, day AS last_day, max(place), subject, example, is_learned
        FROM (
          SELECT m.rowid AS place, m.profile, m.form, m.subject, m.id AS example, t.parsed_date AS day, l.id IS NOT NULL AS is_learned,
            CASE WHEN t.deleted_at IS NOT NULL AND t.id NOT IN (SELECT id FROM replaced_transactions) OR t.status = 'rejected' THEN 'rejected' WHEN t.corrected > 0 THEN 'corrected'
              WHEN t.status = 'needs_review' THEN 'waiting' WHEN t.reviewed_at IS NOT NULL THEN 'accepted' ELSE 'booked' END AS verdict
          FROM processed_emails m JOIN transactions t ON t.source_email_id = m.id
            LEFT JOIN learned_forms l ON l.profile = m.profile AND l.form = m.form
          WHERE m.form IS NOT NULL AND \(condition))
        GROUP BY profile, form
        """
    }
}

extension ReviewRepository {
    /// The forms of mails that no template claims, those with the most accepted mails first.
    public func forms(limit: Int = 100) throws(StoreError) -> [MailForm] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    \(MailForm.select("TRUE")) ORDER BY is_learned DESC, accepted DESC, last_day DESC, form LIMIT ?
                    """, arguments: [limit]
            ).map(MailForm.init)
        }
    }

    /// The forms that are booked at present: learned, and every decided mail of them was accepted unchanged.
    public func learnedForms() throws(StoreError) -> LearnedForms {
        try read { db in
            let forms = try Row.fetchAll(db, sql: MailForm.select("l.id IS NOT NULL")).map(MailForm.init)
            return LearnedForms(
                Dictionary(
                    forms.filter(\.isReliable).compactMap { form in form.key.map { ($0, form.accepted) } },
                    uniquingKeysWith: max))
        }
    }

    /// Lets mails of a form be booked.
    ///
    /// - Returns: the form, and the group of the change for undo.
    /// - Throws: `notFound`; `conflict` if fewer than ``Ledger/LearnedForms/minimum`` mails were accepted, or one was
    ///   corrected or rejected.
    @discardableResult
    public func learn(_ id: String, by actor: Actor) throws(StoreError) -> (form: MailForm, group: String)
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let form = try Self.form(id, db)
            guard form.isReliable else {
                throw StoreError.conflict(
                    "\(form.accepted) mails of this form were accepted unchanged, \(form.corrected) corrected, \(form.rejected) rejected: \(LearnedForms.minimum) and none are needed"
                )
            }
            let journal = Journal(db, actor, time: time)
            if !form.isLearned, let key = form.key {
                try db.execute(
                    sql: "INSERT INTO learned_forms (profile, form, created_at) VALUES (?, ?, ?)",
                    arguments: [key.profile, Int64(bitPattern: key.form), time])
                _ = try journal.note(
                    .added, .learnedForm, db.lastInsertedRowID, before: JournaledTable.learnedForm.absent)
            }
            return (try Self.form(id, db), journal.group)
        }
    }

    /// Ends the booking of mails of a form: they wait for review again. What is booked stays.
    ///
    /// - Throws: `notFound`.
    @discardableResult
    public func forget(_ id: String, by actor: Actor) throws(StoreError) -> (form: MailForm, group: String)
    where Scope: WriteScope {
        let time = now()
        return try write { db in
            let form = try Self.form(id, db)
            let journal = Journal(db, actor, time: time)
            if let key = form.key,
                let row = try Int64.fetchOne(
                    db, sql: "SELECT id FROM learned_forms WHERE profile = ? AND form = ?",
                    arguments: [key.profile, Int64(bitPattern: key.form)])
            {
                try journal.record(.deleted, .learnedForm, row) {
                    try db.execute(sql: "DELETE FROM learned_forms WHERE id = ?", arguments: [row])
                }
            }
            return (try Self.form(id, db), journal.group)
        }
    }

    private static func form(_ id: String, _ db: Database) throws -> MailForm {
        let parts = id.split(separator: "/")
        guard parts.count == 2, let digest = ShapeID.stored(String(parts[1])),
            let row = try Row.fetchOne(
                db, sql: MailForm.select("m.profile = ? AND m.form = ?"), arguments: [String(parts[0]), digest])
        else { throw StoreError.notFound("form \(id)") }
        return MailForm(row)
    }
}
