public import Chronology
internal import GRDB
public import Ledger

/// An edit of a transaction by a person or client. Unset values stay.
public struct TransactionEdit: Hashable, Sendable {
    public var ledger: String?
    public var amount: Money?
    public var type: TransactionType?
    /// `needsReview` also returns its mail to the queue.
    public var status: TransactionStatus?
    public var date: CalendarDate?
    public var time: Change<TimeOfDay> = .keep
    public var merchant: Change<String> = .keep
    public var notes: Change<String> = .keep
    /// Name in any case; an unknown name is accepted unchanged. A new category without a subcategory clears the
    /// subcategory.
    public var category: String?
    public var subcategory: Change<String> = .keep
    public var accountName: Change<String> = .keep
    public var accountDigits: Change<String> = .keep
    /// `accounts.id`.
    public var accountID: Change<String> = .keep
    /// `user_accounts.id`. The digits of an alert decide again if they are changed in the same edit.
    public var userAccountID: Change<Int64> = .keep
    /// `payees.id`. If unset, the aliases decide again if the merchant or the UPI address changes.
    public var payeeID: Change<Int64> = .keep
    public var channel: Change<Channel> = .keep
    public var reference: Change<String> = .keep
    public var vpa: Change<String> = .keep
    /// All tags of the transaction.
    public var tags: [String]?
    /// Author and reason of the category. If unset, a new category is the choice of the edit's author.
    public var categoryBy: CategoryChoice?
    public var categoryWhy: String?

    /// True if the author knows that the row is in a reconciled statement.
    public var confirmsReconciled = false

    public init() {}

    public var isEmpty: Bool {
        var values = self
        values.confirmsReconciled = false
        return values == TransactionEdit()
    }

    /// The values that are not valid, by column; empty if all are.
    public var problems: [FieldProblem] {
        var check = FieldCheck()
        check.text("ledger", ledger, atMost: TextLimit.name)
        check.amount(amount)
        check.day("parsed_date", date)
        check.text("parsed_vendor", merchant.new, atMost: TextLimit.merchant)
        check.text("notes", notes.new, atMost: TextLimit.notes, lines: true)
        check.text("category_name", category, atMost: TextLimit.name)
        check.text("subcategory", subcategory.new, atMost: TextLimit.name)
        check.text("account_name", accountName.new, atMost: TextLimit.name)
        check.digits("account_digits", accountDigits.new)
        check.text("reference", reference.new, atMost: TextLimit.reference)
        check.text("vpa", vpa.new, atMost: TextLimit.reference)
        for problem in Tag.problems(tags ?? []) { check.refuse(problem) }
        return check.problems
    }
}

extension FieldCheck {
    mutating func amount(_ amount: Money?) {
        guard let amount else { return }
        if amount.minorUnits < 0 { refuse("parsed_amount", .negative) }
        if amount.minorUnits == 0 { refuse("parsed_amount", .notPositive) }
        currency("currency", amount.currency)
        if amount.minorUnits > Money.maximumMinorUnits {
            refuse(
                "parsed_amount",
                .largerThan(Money(minorUnits: Money.maximumMinorUnits, currency: amount.currency)))
        }
    }

    /// A leap year.
    private static let daysAhead = 366

    /// A day of a movement of money, at most one year ahead: banks announce no later ones.
    mutating func day(_ field: String, _ day: CalendarDate?) {
        guard let day else { return }
        let latest = CalendarDate(daysSince1970: UnixTime.now.day().daysSince1970 + Self.daysAhead)
        guard day <= latest else { return refuse(field, .yearAhead) }
        century(field, day)
    }

    /// Digits after a mask; some banks print letters.
    mutating func digits(_ field: String, _ value: String?) {
        guard let value else { return }
        if value.isEmpty || value.utf8.count > 20
            || !value.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) })
        {
            refuse(field, .accountDigits)
        }
    }
}

extension TransactionRepository {
    /// Changes a transaction. No mail changes a person's edit.
    ///
    /// - Parameters:
    ///   - revision: the one that the caller has seen; `conflict` if the row has another by now.
    ///   - group: that of other edits, see ``newGroup()``.
    /// - Returns: the row; with the same revision if the edit changes nothing.
    /// - Throws: `notFound`, `conflict`, `invalid`.
    @discardableResult
    public func change(
        _ id: Int64, _ edit: TransactionEdit, expecting revision: Int64? = nil, by actor: Actor,
        group: String? = nil
    ) throws(StoreError) -> TransactionRow where Scope: WriteScope {
        let time = now()
        return try write { db in
            try Journal(db, actor, time: time, group: group).change(id, edit, expecting: revision)
        }
    }
}

extension TransactionRow {
    /// A row that is not deleted.
    static func current(_ db: Database, _ id: Int64) throws -> TransactionRow? {
        try PreparedStatement(
            db, "SELECT \(TransactionRow.columns) FROM transactions WHERE id = ? AND deleted_at IS NULL"
        ).first({ $0.bind(id) }, TransactionRow.init)
    }
}

extension TransactionRow {
    /// True if a value that a statement proves differs.
    fileprivate func isProvenOtherwise(than old: TransactionRow) -> Bool {
        amount != old.amount || date != old.date || type != old.type || userAccountID != old.userAccountID
            || status != old.status && old.status == .confirmed
    }
}

extension Journal {
    /// Call it within a write.
    func change(
        _ id: Int64, _ edit: TransactionEdit, expecting revision: Int64?
    ) throws -> TransactionRow {
        guard var old = try TransactionRow.current(db, id) else { throw StoreError.notFound("transaction \(id)") }
        if let revision, revision != old.revision {
            throw StoreError.conflict(
                "transaction \(id) was changed meanwhile: it has revision \(old.revision), not \(revision)")
        }
        try check(edit)
        let before = try values(id, old.mailID)
        let isCut = try edit.endsTransfer(old) && cutTransfer(of: id)
        if isCut { old = try TransactionRow.current(db, id) ?? old }
        var new = try edit.applied(to: old, db)
        try edit.chooseCategory(old, &new, self)
        try edit.findPayee(old, &new, db)
        if new.type != old.type || new.status != old.status { try endLinks(of: id) }
        if new.amount != old.amount { try refuseSplit(old, "change its amount") }
        if new.category != old.category || new.subcategory != old.subcategory {
            try refuseSplit(old, "choose one category for it")
        }
        if new.isProvenOtherwise(than: old) {
            try askReconciled(id, isConfirmed: edit.confirmsReconciled || actor.kind == .rule)
        }
        let givesDirection = try edit.type != nil && DraftDirection.isMissing(db, id)
        if edit.status == .confirmed, edit.type == nil { try DraftDirection.require(db, id) }
        guard new != old || isCut || givesDirection else { return old }
        try db.cachedStatement(
            sql: """
                UPDATE main.transactions SET ledger = ?, amount_minor = ?, currency = ?, transaction_type = ?, parsed_date = ?, parsed_time = ?, parsed_vendor = ?,
                  notes = ?, category_name = ?, subcategory = ?, account_name = ?, account_digits = ?, account_id = ?, user_account_id = ?, payee_id = ?, channel = ?, reference = ?,
                  vpa = ?, occurred_at = ?, category_by = ?, category_why = ?, user_edited_at = coalesce(?, user_edited_at), updated_at = ?, revision = revision + 1
                WHERE id = ?
                """
        ).execute(arguments: [
            new.ledger, new.amount.minorUnits, new.amount.currency.code, new.type.rawValue, new.date, new.time,
            new.vendor, new.notes, new.category,
            new.subcategory, new.accountName, new.accountDigits, new.accountID, new.userAccountID, new.payeeID,
            new.channel?.rawValue, new.reference, new.vpa, new.occurredAt, new.categoryBy?.rawValue, new.categoryWhy,
            actor.kind == .rule ? nil : time, time, id,
        ])
        if new.tags != old.tags { try tag(id, new.tags) }
        if givesDirection { try DraftDirection.setGiven(db, id) }
        if new.status != old.status { try ReviewRows.resolve(db, id, old.mailID, as: new.status, time: time) }
        try note(.changed, id, old.mailID, before: before)
        return try TransactionRow.current(db, id) ?? new
    }

    /// - Throws: `invalid` for a value that no transaction can have, or a row that does not exist.
    private func check(_ edit: TransactionEdit) throws {
        let problems = edit.problems
        guard problems.isEmpty else { throw StoreError.invalid(problems) }
        if let account = edit.accountID.new,
            try String.fetchOne(db, sql: "SELECT id FROM accounts WHERE id = ?", arguments: [account]) == nil
        {
            throw StoreError.missing("account_id", "there is no such account")
        }
        if let payee = edit.payeeID.new { try PayeeRow.checkUse(payee, "payee_id", db) }
        if let account = edit.userAccountID.new { try UserAccountRow.checkUse(account, "user_account_id", db) }
    }
}

extension TransactionEdit {
    /// True if the edit makes the row unfit for its transfer.
    fileprivate func endsTransfer(_ old: TransactionRow) -> Bool {
        old.type == .transfer && (type ?? .transfer) != .transfer || (status ?? .confirmed) != .confirmed
    }

    func applied(to old: TransactionRow, _ db: Database) throws -> TransactionRow {
        var new = old
        if let ledger { new.ledger = ledger }
        if let amount { new.amount = amount }
        if let type { new.type = type }
        if let status { new.status = status }
        if let date { new.date = date }
        new.time = time.applied(to: old.time)
        new.vendor = merchant.applied(to: old.vendor)
        new.notes = notes.applied(to: old.notes)
        if let category {
            new.category = try CategoryRow.spelling(ofCategory: category, db)
            if new.category != old.category { new.subcategory = nil }
        }
        if !subcategory.isKeep {
            new.subcategory = try subcategory.new.map {
                try CategoryRow.spelling(ofSubcategory: $0, in: new.category, db)
            }
        }
        new.accountName = accountName.applied(to: old.accountName)
        new.accountDigits = accountDigits.applied(to: old.accountDigits)
        new.accountID = accountID.applied(to: old.accountID)
        new.userAccountID = userAccountID.applied(to: old.userAccountID)
        new.payeeID = payeeID.applied(to: old.payeeID)
        new.channel = channel.applied(to: old.channel)
        new.reference = reference.applied(to: old.reference)
        new.vpa = vpa.applied(to: old.vpa)
        if let tags { new.tags = Tag.unique(tags) }
        new.occurredAt = Self.moved(old, to: new)
        return new
    }

    /// `occurred_at` after a correction of the wall-clock time: the offset stays. Noon replaces an unknown time.
    private static func moved(_ row: TransactionRow, to corrected: TransactionRow) -> UnixTime {
        row.occurredAt + (wallClock(corrected) - wallClock(row))
    }

    private static func wallClock(_ row: TransactionRow) -> UnixTime { UnixTime(row.date, row.time ?? .noon) }
}

extension CategoryRow {
    /// Category's own spelling; the given one if the category does not exist.
    static func spelling(ofCategory name: String, _ db: Database) throws -> String {
        try String.fetchOne(db.cachedStatement(sql: "SELECT name FROM categories WHERE name = ?"), arguments: [name])
            ?? name
    }

    static func spelling(ofSubcategory name: String, in category: String, _ db: Database) throws -> String {
        try String.fetchOne(
            db.cachedStatement(
                sql:
                    "SELECT s.name FROM subcategories s JOIN categories c ON c.id = s.category_id WHERE s.name = ? AND c.name = ?"
            ),
            arguments: [name, category]) ?? name
    }
}
