import Chronology
internal import GRDB
public import Ledger

extension RecurringRepository {
    /// All items by name, suspended ones included.
    public func all() throws(StoreError) -> [RecurringRow] { try read { db in try RecurringRow.all(db) } }

    public func find(_ id: Int64) throws(StoreError) -> RecurringRow? {
        try read { db in try RecurringRow.current(db, id) }
    }

    /// Recorded in the journal.
    /// - Throws: `invalid`; `conflict` if the account or category does not exist.
    @discardableResult
    public func add(
        _ item: RecurringItem, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> RecurringRow where Scope: WriteScope {
        let time = now()
        let today = today
        return try write { db in
            let values = try Self.values(item, today, db)
            try db.execute(
                sql: """
                    INSERT INTO main.recurring_items (name, user_account_id, transaction_type, currency, amount_minor, band_percent, rule,
                      starts_on, mode, is_active, category_name, subcategory, created_at, updated_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """, arguments: values + [time, time])
            let id = db.lastInsertedRowID
            _ = try Journal(db, actor, time: time, group: group).note(
                .added, .recurring, id, before: JournaledTable.recurring.absent)
            guard let row = try RecurringRow.current(db, id) else { throw StoreError.notFound("recurring item \(id)") }
            return row
        }
    }

    /// Recorded in the journal. Posted transactions stay unchanged.
    /// - Throws: as ``add(_:by:group:)``; `notFound`; `conflict` if `expecting` refuses the row as it is.
    @discardableResult
    public func update(
        _ id: Int64, _ item: RecurringItem, expecting: ((RecurringRow) -> Bool)? = nil, by actor: Actor,
        group: String? = nil
    ) throws(StoreError) -> RecurringRow where Scope: WriteScope {
        let time = now()
        let today = today
        return try write { db in
            let old = try Self.expected(id, expecting, db)
            guard old.item != item else { return old }
            let values = try Self.values(item, today, db)
            try Journal(db, actor, time: time, group: group).record(.changed, .recurring, id) {
                try db.execute(
                    sql: """
                        UPDATE main.recurring_items SET name = ?, user_account_id = ?, transaction_type = ?, currency = ?, amount_minor = ?,
                          band_percent = ?, rule = ?, starts_on = ?, mode = ?, is_active = ?, category_name = ?, subcategory = ?,
                          updated_at = ? WHERE id = ?
                        """, arguments: values + [time, id])
            }
            return try RecurringRow.current(db, id) ?? old
        }
    }

    /// Recorded in the journal. Posted transactions stay.
    public func delete(
        _ id: Int64, expecting: ((RecurringRow) -> Bool)? = nil, by actor: Actor, group: String? = nil
    ) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in
            _ = try Self.expected(id, expecting, db)
            try Journal(db, actor, time: time, group: group).record(.deleted, .recurring, id) {
                try db.execute(sql: "DELETE FROM main.recurring_items WHERE id = ?", arguments: [id])
            }
        }
    }

    private static func expected(
        _ id: Int64, _ expecting: ((RecurringRow) -> Bool)?, _ db: Database
    ) throws -> RecurringRow {
        guard let old = try RecurringRow.current(db, id) else { throw StoreError.notFound("recurring item \(id)") }
        if let expecting, !expecting(old) { throw StoreError.conflict("recurring item \(id) was changed meanwhile") }
        return old
    }

    /// Checked values of the columns from `name` to `subcategory`.
    private static func values(
        _ item: RecurringItem, _ today: CalendarDate, _ db: Database
    ) throws -> StatementArguments {
        let problems = item.problems(on: today)
        guard problems.isEmpty else { throw StoreError.invalid(problems) }
        if let account = item.account { try UserAccountRow.checkUse(account, "user_account_id", db) }
        if let category = item.category,
            try String.fetchOne(db, sql: "SELECT name FROM categories WHERE name = ?", arguments: [category]) == nil
        {
            throw StoreError.missing("category_name", "there is no such category")
        }
        return [
            item.name, item.account, item.type.rawValue, item.amount.currency.code, item.amount.minorUnits, item.band,
            item.rule.description, item.start, item.mode.rawValue, item.isActive, item.category, item.subcategory,
        ]
    }
}

extension RecurringRepository {
    /// Days of booked transactions in which recurring payments are searched: two yearly payments and their slack.
    private static var searchedDays: Int { 800 }
    /// Movements that are searched: 37 a day, several times those of a household. Of more, the newest are, so that a
    /// yearly payment may be missed, but no page waits for the search.
    private static var mostMovements: Int { 30_000 }

    /// Recurring payments among the booked transactions that are not an item yet.
    public func detected() throws(StoreError) -> [RecurringCandidate] {
        let today = today
        let span = DaySpan(days: Self.searchedDays, through: today)
        return try read { db in
            let known = try RecurringRow.all(db)
            let movements = try DueMovements.newest(Self.mostMovements, of: span, db)
            return RecurringDetection.find(movements, on: today).filter { candidate in
                !known.contains { $0.item.covers(candidate) }
            }
        }
    }

    /// The detected payment that has a transaction as evidence.
    public func detected(with transaction: Int64) throws(StoreError) -> RecurringCandidate? {
        try detected().first { $0.payments.contains { $0.id == transaction } }
    }

    /// Makes an item of a detected payment: in use, or refused, so that it is not proposed again.
    /// - Parameter transaction: one of its payments.
    /// - Throws: `notFound`.
    @discardableResult
    public func decide(
        _ transaction: Int64, isRecurring: Bool, by actor: Actor, group: String? = nil
    ) throws(StoreError) -> RecurringRow where Scope: WriteScope {
        guard let candidate = try detected(with: transaction) else {
            throw StoreError(
                kind: .notFound, path: path,
                message: "no recurring payment was detected with transaction \(transaction)")
        }
        var item = RecurringItem(candidate)
        item.isActive = isRecurring
        return try add(item, by: actor, group: group)
    }
}
