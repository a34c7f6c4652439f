internal import GRDB
public import Ledger

extension Store {
    /// What a person says instead of what was read; `nil` leaves a field as it is.
    public struct Correction: Hashable, Sendable {
        public var amount: Money?
        public var type: TransactionType?
        public var date: CalendarDate?
        public var time: TimeOfDay?
        public var merchant: String?
        public var account: String?

        public init() {}

        public var isEmpty: Bool { self == Correction() }
    }

    /// Puts right what was read wrongly. The mail does not bring the old values back; the row says which fields were changed.
    ///
    /// The printed time zone stays: the instant moves by as much as day and time do.
    /// - Returns: whether this changed anything.
    @discardableResult
    public func correct(_ id: ReviewID, _ correction: Correction) throws(StoreError) -> Bool {
        let time = Instant.text(now())
        return try write { db in
            guard let transaction = try Self.find(db, id)?.transaction,
                let row = try PreparedStatement(db, "SELECT \(TransactionRow.columns) FROM transactions WHERE id = ?").first(
                    { $0.put(transaction) }, TransactionRow.init)
            else { throw notFound("draft \(id)") }
            var corrected = row
            if let amount = correction.amount { corrected.amount = amount }
            if let type = correction.type { corrected.type = type }
            if let date = correction.date { corrected.date = Instant.day(date) }
            if let time = correction.time { corrected.time = time.description }
            if let merchant = correction.merchant { corrected.vendor = merchant }
            if let account = correction.account { corrected.accountDigits = account }
            guard corrected != row else { return false }
            try db.execute(
                sql: """
                    UPDATE transactions SET amount_minor = ?, currency = ?, transaction_type = ?, parsed_date = ?, parsed_time = ?, parsed_vendor = ?,
                      account_digits = ?, occurred_at = ?, user_edited_at = ?, updated_at = ?, revision = revision + 1
                    WHERE id = ?
                    """,
                arguments: [
                    corrected.amount.minorUnits, corrected.amount.currency.code, corrected.type.rawValue, corrected.date, corrected.time, corrected.vendor,
                    corrected.accountDigits, Self.moved(row, to: corrected), time, time, transaction,
                ])
            return true
        }
    }

    /// `occurred_at` after the wall clock was corrected; noon stands for a time that is not known.
    private static func moved(_ row: TransactionRow, to corrected: TransactionRow) -> String {
        guard let instant = Instant.seconds(row.occurredAt), let old = wallClock(row), let new = wallClock(corrected) else { return row.occurredAt }
        return Instant.text(instant + new - old)
    }

    private static func wallClock(_ row: TransactionRow) -> Int64? {
        guard let day = CalendarDate(iso: row.date) else { return nil }
        return Int64(day.daysSince1970) * 86400 + Int64(row.time.flatMap { TimeOfDay(iso: $0) }?.secondsSinceMidnight ?? 12 * 3600)
    }
}
