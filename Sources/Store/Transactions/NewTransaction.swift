public import Chronology
internal import GRDB
public import Ledger

/// A transaction that no mail made.
public struct NewTransaction: Hashable, Sendable {
    /// Origin; the column `recorder`.
    public enum Recorder: String, Hashable, Sendable, CaseIterable {
        case manual = "Manual"
        case imported = "Import"
        case sms = "SMS"
    }

    public var recorder: Recorder = .manual
    public var amount: Money
    public var type: TransactionType
    public var date: CalendarDate
    public var time: TimeOfDay?
    public var merchant: String?
    public var notes: String?
    public var ledger: String?
    /// `nil` uses the category rules.
    public var category: String?
    public var subcategory: String?
    public var accountName: String?
    public var accountDigits: String?
    public var accountID: String?
    /// `user_accounts.id`.
    public var userAccountID: Int64?
    /// `payees.id`; `nil` uses the aliases.
    public var payeeID: Int64?
    public var status: TransactionStatus = .confirmed
    public var channel: Channel?
    public var reference: String?
    public var vpa: String?
    public var tags: [String] = []
    /// Identity of the event at the client: a second one is a conflict. Never of the form of a mail's key.
    public var idempotencyKey: String?

    public init(amount: Money, type: TransactionType, date: CalendarDate) {
        self.amount = amount
        self.type = type
        self.date = date
    }

    /// - Parameter fill: sets further values.
    public init(
        amount: Money, type: TransactionType, date: CalendarDate, fill: (inout NewTransaction) throws -> Void
    ) rethrows {
        self.init(amount: amount, type: type, date: date)
        try fill(&self)
    }

    /// Beginnings of the keys that the program makes.
    private static let reservedKeys = [
        "reference:", "time:", "mail:", RecurringItem.keyPrefix, StatementKeys.prefix,
    ]

    /// The values that are not valid, by column; empty if all are.
    public var problems: [FieldProblem] {
        var edit = TransactionEdit()
        edit.ledger = ledger
        edit.amount = amount
        edit.date = date
        edit.merchant = merchant.map { .set($0) } ?? .keep
        edit.notes = notes.map { .set($0) } ?? .keep
        edit.category = category
        edit.subcategory = subcategory.map { .set($0) } ?? .keep
        edit.accountName = accountName.map { .set($0) } ?? .keep
        edit.accountDigits = accountDigits.map { .set($0) } ?? .keep
        edit.reference = reference.map { .set($0) } ?? .keep
        edit.vpa = vpa.map { .set($0) } ?? .keep
        edit.tags = tags.isEmpty ? nil : tags
        var check = FieldCheck()
        check.text("idempotency_key", idempotencyKey, atMost: TextLimit.key)
        if let key = idempotencyKey, Self.reservedKeys.contains(where: { key.hasPrefix($0) }) {
            check.refuse(
                "idempotency_key",
                "must not begin as the keys of mails, recurring items and statements do (\(Self.reservedKeys.joined(separator: ", ")))"
            )
        }
        return edit.problems + check.problems
    }
}

extension TransactionRepository {
    /// Books transactions that no mail made, in one transaction.
    ///
    /// - Throws: `invalid`, with fields such as `2.parsed_amount` if there are several; `conflict` if a key is taken.
    @discardableResult
    public func add(
        _ list: [NewTransaction], by actor: Actor, group: String? = nil
    ) throws(StoreError) -> [TransactionRow] where Scope: WriteScope {
        let time = now()
        let problems = list.enumerated().flatMap { index, new in
            new.problems.map { list.count > 1 ? $0.renamed("\(index).\($0.field)") : $0 }
        }
        guard problems.isEmpty else { throw invalid(problems) }
        return try write { db in
            let rules = try MappingRows.rules(db)
            let journal = Journal(db, actor, time: time, group: group)
            var rows: [TransactionRow] = []
            for (index, new) in list.enumerated() {
                let place = list.count > 1 ? "\(index)." : ""
                if let key = new.idempotencyKey,
                    let other = try Int64.fetchOne(
                        db, sql: "SELECT id FROM transactions WHERE idempotency_key = ?", arguments: [key])
                {
                    throw StoreError(
                        kind: .conflict, path: path, message: "transaction \(other) has this idempotency_key already",
                        fields: [FieldProblem(place + "idempotency_key", "transaction \(other) has it already")])
                }
                if let account = new.accountID,
                    try String.fetchOne(db, sql: "SELECT id FROM accounts WHERE id = ?", arguments: [account]) == nil
                {
                    throw StoreError.missing(place + "account_id", "there is no such account")
                }
                if let payee = new.payeeID { try PayeeRow.checkUse(payee, place + "payee_id", db) }
                if let account = new.userAccountID {
                    try UserAccountRow.checkUse(account, place + "user_account_id", db)
                }
                let id = try Self.insert(db, new, rules, access.store.zone, time: time)
                if !new.tags.isEmpty { try journal.tag(id, Tag.unique(new.tags)) }
                try journal.note(.added, id, nil, before: #"{"transaction":null,"mail":null}"#)
                if let row = try TransactionRow.current(db, id) { rows.append(row) }
            }
            return rows
        }
    }

    /// Books one transaction.
    @discardableResult
    public func add(_ new: NewTransaction, by actor: Actor) throws(StoreError) -> TransactionRow
    where Scope: WriteScope {
        guard let row = try add([new], by: actor).first else { throw StoreError.notFound("transaction") }
        return row
    }

    static func insert(
        _ db: Database, _ new: NewTransaction, _ rules: CategoryRules, _ zone: IANATimeZone, time: UnixTime
    ) throws -> Int64 {
        let matches = rules.matches(CategoryFacts(new))
        let found = new.category == nil ? matches.category : nil
        let match = found?.mapping
        let choice: CategoryChoice? = new.category != nil ? .person : found == nil ? nil : .mapping
        let category =
            try (new.category ?? match?.category).map { try CategoryRow.spelling(ofCategory: $0, db) }
            ?? CategoryRow.uncategorized
        let subcategory =
            try new.subcategory.map { try CategoryRow.spelling(ofSubcategory: $0, in: category, db) }
            ?? match?.subcategory
        try db.cachedStatement(
            sql: """
                INSERT INTO main.transactions (idempotency_key, ledger, category_name, subcategory, currency, amount_minor, account_name, account_id, recorder,
                  parsed_date, parsed_time, parsed_vendor, notes, transaction_type, status, created_at, updated_at, channel, reference, vpa, account_digits,
                  occurred_at, category_by, category_why, user_account_id, payee_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            new.idempotencyKey, new.ledger ?? "Personal", category, subcategory, new.amount.currency.code,
            new.amount.minorUnits, new.accountName,
            new.accountID, new.recorder.rawValue, new.date, new.time?.description, new.merchant, new.notes,
            new.type.rawValue,
            new.status.rawValue, time, time, new.channel?.rawValue, new.reference, new.vpa, new.accountDigits,
            zone.instant(new.date, new.time ?? .noon).description,
            choice?.rawValue, found?.why ?? (choice == nil ? nil : CategorySentences.chosen()), new.userAccountID,
            new.payeeID ?? matches.payee?.id,
        ])
        let id = db.lastInsertedRowID
        if let match {
            try db.execute(
                sql: "UPDATE vendor_mappings SET match_count = match_count + 1 WHERE id = ?", arguments: [match.id])
        }
        return id
    }
}
