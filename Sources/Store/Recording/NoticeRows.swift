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
                INSERT INTO main.notices (source_email_id, kind, profile, account_digits, amount_minor, currency, minimum_minor, merchant, day, time,
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
        try makeAccount(notice, source, day: notice.date ?? day(of: entry, time), time, db)
    }

    private static func day(of entry: MailEntry, _ time: UnixTime) -> CalendarDate {
        (entry.sentAt ?? entry.receivedAt ?? time).day(offset: 0)
    }

    /// Makes the account whose balance or limit a notice prints, as an alert does, if no account has its digits: the
    /// triggers of alerts see transactions only. Four digits in one mail may be six in another.
    private static func makeAccount(
        _ notice: BankNotice, _ source: Decision.Source, day: CalendarDate, _ time: UnixTime, _ db: Database
    ) throws {
        guard notice.kind == .balance || notice.kind == .limit, let digits = notice.account,
            let currency = notice.amount?.currency
        else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO main.user_accounts (name, type, institution, account_number_last4, currency, created_at, updated_at)
                SELECT ?1 || ' ··' || substr(?3, -4), ?4, ?1, substr(?3, -4), ?5, ?6, ?6 WHERE NOT EXISTS (
                  SELECT 1 FROM user_account_numbers WHERE profile = ?2 AND substr(account_digits, -4) = substr(?3, -4))
                """
        ).execute(arguments: [
            source.bank ?? source.profile, source.profile, digits,
            (notice.kind == .limit ? UserAccountType.card : .bank).rawValue, currency.code, time,
        ])
        guard db.changesCount > 0 else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO main.user_account_numbers (profile, account_digits, user_account_id, first_seen, last_seen)
                VALUES (?1, ?2, ?3, ?4, ?4)
                """
        ).execute(arguments: [source.profile, digits, db.lastInsertedRowID, day])
    }

    /// Removes the notice of a mail whose new decision is another outcome.
    static func delete(mailID: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM main.notices WHERE source_email_id = ?").execute(arguments: [mailID])
    }
}
