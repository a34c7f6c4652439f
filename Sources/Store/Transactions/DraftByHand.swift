import Chronology
internal import GRDB
public import Ledger

extension TransactionEdit {
    /// The fields still needed to book a mail that could not be read.
    public var missing: [Field] { Field.needed.filter { !has($0) } }

    /// Returns true if the edit sets or clears a field.
    public func has(_ field: Field) -> Bool {
        switch field {
        case .amount: amount != nil
        case .type: type != nil
        case .date: date != nil
        case .time: !time.isKeep
        case .merchant: !merchant.isKeep
        case .account: !accountDigits.isKeep
        case .reference: !reference.isKeep
        case .channel: !channel.isKeep
        case .vpa: !vpa.isKeep
        case .currency, .balance, .limit, .mcc, .foreign: false
        }
    }

    /// ``missing``, by column.
    public var missingForDraft: [FieldProblem] {
        missing.map { FieldProblem(Self.column($0), "must be given: nothing could be read from this mail") }
    }

    private static func column(_ field: Field) -> String {
        switch field {
        case .amount: "parsed_amount"
        case .type: "transaction_type"
        case .date: "parsed_date"
        default: field.rawValue
        }
    }
}

extension TransactionEdit {
    /// Converts the values that a person entered for a mail without a draft.
    public init(_ new: NewTransaction) {
        self.init()
        (amount, type, date) = (new.amount, new.type, new.date)
        time = new.time.map { .set($0) } ?? .keep
        merchant = new.merchant.map { .set($0) } ?? .keep
        accountDigits = new.accountDigits.map { .set($0) } ?? .keep
        reference = new.reference.map { .set($0) } ?? .keep
        notes = new.notes.map { .set($0) } ?? .keep
        category = new.category
        subcategory = new.subcategory.map { .set($0) } ?? .keep
    }
}

extension Journal {
    /// Creates the draft of a mail in which nothing could be read, from a person's values. It has the key of a
    /// template's draft, so that another alert about the event is its duplicate; later decisions of its mail do not
    /// change it.
    ///
    /// - Throws: `invalid` if a needed value is missing; `conflict` if the event is booked already.
    func draft(ofMail mail: String, _ edit: TransactionEdit, in zone: IANATimeZone) throws -> Int64 {
        let problems = edit.missingForDraft + edit.problems
        guard problems.isEmpty, let amount = edit.amount, let type = edit.type, let date = edit.date else {
            throw StoreError.invalid(problems)
        }
        var draft = TransactionDraft(
            amount: amount, type: type, channel: edit.channel.new ?? .other, date: date,
            occurredAt: zone.instant(date, edit.time.new ?? .noon))
        draft.time = edit.time.new
        draft.merchant = edit.merchant.new
        draft.vpa = edit.vpa.new
        draft.account = edit.accountDigits.new
        draft.reference = edit.reference.new
        let entry = try Self.entry(ofMail: mail, draft, db)
        let verdict = try Duplicates(db, SameEventRows(db)).judge(entry, own: (mail, nil))
        guard let booking = verdict.booking else {
            let other = verdict.transactionID.map { "it is transaction \($0)" } ?? "the same mail came before"
            throw StoreError.conflict(
                "this event is already booked: \(other); reject this mail, or enter a time or a reference that distinguishes them"
            )
        }
        let before = try values(nil, mail)
        let rows = try LedgerRows(db)
        guard let id = try rows.insert(entry.decision, booking, mailID: mail, time: time) else {
            throw StoreError.notFound("mail \(mail)")
        }
        var counters = MailCounters(time: time)
        if booking.recorder == .mail { counters.addTransaction(booking.status) }
        try counters.flush(db)
        if let category = entry.decision.category {
            try db.execute(
                sql: "UPDATE vendor_mappings SET match_count = match_count + 1 WHERE id = ?",
                arguments: [category.mapping.id])
        }
        try db.execute(
            sql: "UPDATE main.transactions SET user_edited_at = ?, corrected = ?, channel = ? WHERE id = ?",
            arguments: [time, Self.given(edit), edit.channel.new?.rawValue, id])
        try note(.added, id, mail, before: before)
        // Values that no mail contains: notes, a category, an account.
        var rest = edit
        (rest.amount, rest.type, rest.date, rest.status) = (nil, nil, nil, nil)
        (rest.time, rest.merchant, rest.channel, rest.reference, rest.vpa, rest.accountDigits) = (
            .keep, .keep, .keep, .keep, .keep, .keep
        )
        if !rest.isEmpty { _ = try change(id, rest, expecting: nil) }
        return id
    }

    /// Fields entered by a person, as in the column `corrected`: a template can be derived from them.
    private static func given(_ edit: TransactionEdit) -> Int64 {
        FieldBits.corrected.reduce(0) { edit.has($1.field) ? $0 | 1 << Int64($1.bit) : $0 }
    }

    /// A recorded mail as if it were read now.
    private static func entry(ofMail id: String, _ draft: TransactionDraft, _ db: Database) throws -> MailEntry {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT mailbox, folder, uid_validity, uid, message_id, sent_at, received_at, profile, template, provenance ->> '$.authentication' AS authentication
                FROM processed_emails WHERE id = ?
                """, arguments: [id])
        let digest = try PreparedStatement(
            db, "SELECT content_digest FROM processed_emails WHERE id = ? AND content_digest IS NOT NULL"
        ).first({ $0.bind(id) }, { $0.bytes(0) })
        let profile: String? = row?["profile"]
        let source = try profile.map {
            Decision.Source(
                profile: $0, bank: try bankName($0, db), template: row?["template"],
                authentication: row?["authentication"] ?? "")
        }
        var decision = Decision(
            .review(draft), by: source, confidence: 1,
            reasons: [.fieldsByHand])
        decision = decision.categorized(by: try MappingRows.rules(db))
        return MailEntry(
            at: MailLocation(
                mailbox: row?["mailbox"] ?? "", folder: row?["folder"] ?? "", uidValidity: row?["uid_validity"] ?? 0,
                uid: row?["uid"] ?? 0), decision
        ) {
            $0.messageID = row?["message_id"]
            $0.contentDigest = digest
            $0.sentAt = row?["sent_at"] as UnixTime?
            $0.receivedAt = row?["received_at"] as UnixTime?
        }
    }

    /// Name of the bank, taken from its other transactions.
    private static func bankName(_ profile: String, _ db: Database) throws -> String? {
        try String.fetchOne(
            db,
            sql: """
                SELECT rtrim(iif(account_digits IS NULL, account_name, substr(account_name, 1, length(account_name) - length(account_digits)))) FROM transactions
                WHERE profile = ? AND recorder IN \(AlertRecorder.all) AND account_name IS NOT NULL AND (account_digits IS NULL OR account_name LIKE '% ' || account_digits)
                ORDER BY id DESC LIMIT 1
                """, arguments: [profile])
    }
}
