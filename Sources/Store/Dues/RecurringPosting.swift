import Chronology
internal import GRDB
internal import Ledger

extension RecurringRepository {
    /// Occurrences that one transaction books: a mailbox waits for the write lock meanwhile.
    static var postedAtOnce: Int { 200 }

    /// Books every occurrence of the posted items that is due and not booked yet, also those of days on which the
    /// program did not run. Days are in UTC.
    ///
    /// The rows and `last_processed_date` are written in one transaction, and the key of an occurrence is UNIQUE: after
    /// a crash at any point, each occurrence is booked once. One that a person deleted keeps its key and is not
    /// booked again.
    /// - Returns: the number of booked occurrences.
    @discardableResult
    public func post() throws(StoreError) -> Int where Scope: WriteScope {
        let today = now().day()
        let due = try read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM recurring_items WHERE mode = 'posted' AND is_active AND starts_on <= ?1
                      AND (last_processed_date IS NULL OR last_processed_date < ?1)
                    """, arguments: [today])
        }
        var booked = 0
        for id in due {
            var isDone = false
            while !isDone {
                let batch = try post(id, until: today)
                booked += batch.booked
                isDone = batch.isDone
            }
        }
        return booked
    }

    private func post(
        _ id: Int64, until today: CalendarDate
    ) throws(StoreError) -> (booked: Int, isDone: Bool) where Scope: WriteScope {
        let time = now()
        let zone = access.store.zone
        return try write { db in
            // Read again: a person may have changed or deleted it since.
            guard let row = try RecurringRow.current(db, id), row.item.mode == .posted, row.item.isActive else {
                return (0, true)
            }
            let first = row.lastProcessed.map { max(row.item.start, CalendarDate(daysSince1970: $0.daysSince1970 + 1)) }
            guard let span = DaySpan(first ?? row.item.start, through: today) else { return (0, true) }
            let all = row.item.rule.occurrences(from: row.item.start, within: span)
            let days = all.prefix(Self.postedAtOnce)
            let isDone = days.count == all.count
            let rules = row.item.category == nil && !days.isEmpty ? try MappingRows.rules(db) : .empty
            var booked = 0
            for day in days {
                let key = RecurringItem.key(id, day)
                let isTaken = try Bool.fetchOne(
                    db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM transactions WHERE idempotency_key = ?)"),
                    arguments: [key])
                guard isTaken == false else { continue }
                let new = NewTransaction(amount: row.item.amount, type: row.item.type, date: day) {
                    $0.merchant = row.item.name
                    $0.userAccountID = row.item.account
                    $0.category = row.item.category
                    $0.subcategory = row.item.subcategory
                    $0.idempotencyKey = key
                }
                _ = try TransactionRepository<WriteTransaction>.insert(db, new, rules, zone, time: time)
                booked += 1
            }
            try db.execute(
                sql: "UPDATE main.recurring_items SET last_processed_date = ? WHERE id = ?",
                arguments: [isDone ? today : days.last ?? today, id])
            return (booked, isDone)
        }
    }
}
