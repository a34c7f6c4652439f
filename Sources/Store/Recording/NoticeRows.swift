import Chronology
import GRDB
import Ledger

/// Writes rows of `notices`. Statements are prepared at the first notice: most batches have none.
enum NoticeRows {
    /// Records the notice of an ignored, authentic mail in place of an earlier reading; nothing for other mails.
    static func write(_ entry: MailEntry, _ outcome: Outcome, mailID: String, time: UnixTime, in db: Database) throws {
        guard outcome == .ignored, let notice = entry.decision.notice, let source = entry.decision.source,
            source.isAuthentic
        else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO notices (source_email_id, kind, profile, account_digits, amount_minor, currency, minimum_minor, merchant, day, time,
                  period_from, period_to, reference, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (source_email_id) DO UPDATE SET kind = excluded.kind, profile = excluded.profile,
                  account_digits = excluded.account_digits, amount_minor = excluded.amount_minor, currency = excluded.currency,
                  minimum_minor = excluded.minimum_minor, merchant = excluded.merchant, day = excluded.day, time = excluded.time,
                  period_from = excluded.period_from, period_to = excluded.period_to, reference = excluded.reference
                """
        ).execute(arguments: [
            mailID, notice.kind.rawValue, source.profile, notice.account, notice.amount?.minorUnits,
            notice.amount?.currency.code, notice.minimum?.minorUnits, notice.merchant, notice.date,
            notice.time, notice.from, notice.to, notice.reference, time,
        ])
    }

    /// Removes the notice of a mail whose new decision is another outcome.
    static func delete(mailID: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM notices WHERE source_email_id = ?").execute(arguments: [mailID])
    }
}
