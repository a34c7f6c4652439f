import Chronology
import GRDB
import Ledger

/// The column `recorder` of a transaction that an alert made.
enum AlertRecorder: String {
    case mail = "Auto"
    case sms = "SMS"

    var medium: AlertMedium {
        switch self {
        case .mail: .mail
        case .sms: .sms
        }
    }

    /// A list for SQL.
    static let all = "('\(mail.rawValue)', '\(sms.rawValue)')"
}

/// Writes rows of `transactions` for mails.
struct LedgerRows {
    private let db: Database
    private let insert: PreparedStatement
    private let change: PreparedStatement
    private let select: PreparedStatement
    private let numbers: AccountNumbers

    init(_ db: Database) throws {
        self.db = db
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO main.transactions (source_email_id, idempotency_key, category_name, subcategory, currency, amount_minor, account_name, recorder,
              parsed_date, parsed_time, parsed_vendor, transaction_type, status, confidence_score, created_at, updated_at, channel, reference, vpa,
              profile, account_digits, balance_minor, balance_currency, limit_minor, limit_currency, occurred_at, provenance, duplicate_of, mcc, category_why, category_by,
              account_id, payee_id, user_account_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM accounts WHERE id = ?),
              (SELECT coalesce(merged_into, id) FROM payees WHERE id = ?), ?)
            """)
        change = try PreparedStatement(
            db,
            """
            UPDATE main.transactions SET idempotency_key = ?, category_name = ?, subcategory = ?, currency = ?, amount_minor = ?, account_name = ?,
              parsed_date = ?, parsed_time = ?, parsed_vendor = ?, transaction_type = ?, status = ?, confidence_score = ?, updated_at = ?, channel = ?,
              reference = ?, vpa = ?, profile = ?, account_digits = ?, balance_minor = ?, balance_currency = ?, limit_minor = ?, limit_currency = ?,
              occurred_at = ?, provenance = ?, duplicate_of = ?, mcc = ?, category_why = ?, category_by = ?,
              account_id = (SELECT id FROM accounts WHERE id = ?),
              payee_id = (SELECT coalesce(merged_into, id) FROM payees WHERE id = ?), user_account_id = ?, revision = revision + 1
            WHERE id = ?
            """)
        select = try PreparedStatement(db, "SELECT id FROM transactions WHERE source_email_id = ?")
        numbers = try AccountNumbers(db)
    }

    /// Makes a mail the source of a transaction, and the SMS that was it until now a duplicate of the mail.
    func replace(sms: String, by mailID: String) throws {
        try db.execute(
            sql: """
                UPDATE main.processed_emails SET status = 'duplicate', duplicate_of = ?1,
                  error_message = 'the bank''s mail about this event came later and took its place',
                  provenance = (SELECT provenance FROM transactions WHERE source_email_id = ?2) WHERE id = ?2
                """, arguments: [mailID, sms])
        try db.execute(
            sql: "UPDATE main.processed_emails SET duplicate_of = ?1 WHERE duplicate_of = ?2", arguments: [mailID, sms])
        try db.execute(
            sql: "UPDATE main.transactions SET source_email_id = ?1, recorder = ?3 WHERE source_email_id = ?2",
            arguments: [mailID, sms, AlertRecorder.mail.rawValue])
    }

    /// Returns the new row's id. The decision must have a draft.
    func insert(_ decision: Decision, _ booking: EntryVerdict.Booking, mailID: String, time: UnixTime) throws -> Int64?
    {
        guard let draft = decision.draft else { return nil }
        let account = try account(decision, draft, booking)
        try insert.run { row in
            row.bind(mailID)
            bind(decision, draft, booking, recorder: booking.recorder, in: &row) { row in
                row.bind(time)
                row.bind(time)
            }
            row.bind(account)
        }
        // Without RETURNING, which creates a temporary table for each row and doubles the cost of an insertion.
        let id = db.lastInsertedRowID
        try noteRate(of: draft, booking, time)
        return id
    }

    /// Updates a draft with a new decision; references to its row stay valid.
    func update(_ id: Int64, _ decision: Decision, _ booking: EntryVerdict.Booking, time: UnixTime) throws {
        guard let draft = decision.draft else { return }
        let account = try account(decision, draft, booking)
        try change.run { row in
            bind(decision, draft, booking, in: &row) { $0.bind(time) }
            row.bind(account)
            row.bind(id)
        }
        try noteRate(of: draft, booking, time)
    }

    /// Stores the rate that the alert of a booked payment abroad states.
    private func noteRate(of draft: TransactionDraft, _ booking: EntryVerdict.Booking, _ time: UnixTime) throws {
        guard booking.status == .confirmed, let foreign = draft.foreign,
            let rate = ExchangeRate(day: draft.date, of: foreign, charged: draft.amount)
        else { return }
        try ExchangeRateRepository<WriteTransaction>.store([rate], db, time)
    }

    /// The user's account, if its digits are known. Otherwise a trigger makes it once the row is confirmed.
    private func account(
        _ decision: Decision, _ draft: TransactionDraft, _ booking: EntryVerdict.Booking
    ) throws -> Int64? {
        guard let profile = decision.profile, let digits = draft.account else { return nil }
        return try numbers.account(profile, digits, seen: booking.status == .confirmed ? draft.date : nil)
    }

    /// Writes the days on which the numbers were last seen.
    func finish() throws { try numbers.finish() }

    /// Binds the columns that a mail sets, in the order of both statements; `times` binds `created_at` and
    /// `updated_at`, or `updated_at` alone.
    ///
    /// - Parameter recorder: for a new row.
    private func bind(
        _ decision: Decision, _ draft: TransactionDraft, _ booking: EntryVerdict.Booking,
        recorder: AlertRecorder? = nil,
        in row: inout Binder, times: (inout Binder) -> Void
    ) {
        row.bind(booking.key)
        row.bind(decision.category?.mapping.category ?? CategoryRow.uncategorized)
        row.bind(decision.category?.mapping.subcategory)
        row.bind(draft.amount.currency.code)
        row.bind(draft.amount.minorUnits)
        row.bind(Self.accountName(decision, draft))
        if let recorder { row.bind(recorder.rawValue) }
        row.bind(draft.date)
        row.bind(draft.time?.description)
        row.bind(draft.merchant ?? draft.vpa)
        // The column needs a value; the reason `direction_missing` marks it as missing.
        row.bind((draft.type ?? .expense).rawValue)
        row.bind(booking.status.rawValue)
        row.bind(booking.confidence)
        times(&row)
        row.bind(draft.channel.rawValue)
        row.bind(draft.reference)
        row.bind(draft.vpa)
        row.bind(decision.profile)
        row.bind(draft.account)
        row.bind(draft.balance?.minorUnits)
        row.bind(draft.balance?.currency.code)
        row.bind(draft.limit?.minorUnits)
        row.bind(draft.limit?.currency.code)
        row.bind(draft.occurredAt)
        row.bind(utf8: Provenance.json(decision, reasons: booking.reasons))
        row.bind(booking.possibleDuplicateOf)
        row.bind(draft.mcc)
        row.bind(decision.category?.why)
        row.bind(decision.category == nil ? nil : CategoryChoice.mapping.rawValue)
        // Checked in the table, because the account may have been deleted since.
        row.bind(decision.template.flatMap(AccountProfile.id(ofTemplate:)))
        // Checked as well: the rules are up to half a minute old.
        row.bind(decision.payee?.id)
    }

    /// The transaction made from a mail, or from the mail that it duplicates.
    func transaction(ofMail id: String, orOf first: String?) throws -> Int64? {
        if let own = try select.first({ $0.bind(id) }, { $0.int(0) }) { return own }
        guard let first else { return nil }
        return try select.first({ $0.bind(first) }, { $0.int(0) })
    }

    /// Display name of the account: `HDFC Bank 4321`.
    private static func accountName(_ decision: Decision, _ draft: TransactionDraft) -> String? {
        guard let bank = decision.bank ?? decision.profile else { return draft.account }
        return draft.account.map { "\(bank) \($0)" } ?? bank
    }
}
