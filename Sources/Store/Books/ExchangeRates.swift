public import Chronology
internal import GRDB
public import Ledger

extension ExchangeRateRepository {
    /// Rates, the newest days first.
    ///
    /// - Parameter base: only rates of this currency, on either side.
    public func list(of base: Currency? = nil, limit: Int = 100) throws(StoreError) -> [ExchangeRate] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT day, base, quote, billionths, source FROM exchange_rates WHERE ?1 IS NULL OR ?1 IN (base, quote)
                        ORDER BY day DESC, base, quote LIMIT ?2
                        """), arguments: [base?.code, limit]
            ).compactMap(ExchangeRate.init)
        }
    }

    /// The currency in which totals are shown: `home_currency` of the configuration.
    public var home: Currency { access.store.homeCurrency }

    /// Every rate, for conversions.
    public func table() throws(StoreError) -> RateTable { try read { try RateTable(storedIn: $0) } }

    /// Stores a rate that a person entered, in place of the one of that pair and day. An import does not replace it.
    /// Recorded in the journal.
    ///
    /// - Returns: the group of the change for undo; `nil` if the rate is the same as before.
    @discardableResult
    public func set(_ rate: ExchangeRate, by actor: Actor) throws(StoreError) -> String? where Scope: WriteScope {
        let time = now()
        return try write { db in
            let journal = Journal(db, actor, time: time)
            guard let old = try Self.number(of: rate.base, rate.quote, on: rate.day, db) else {
                try Self.store([rate], db, time)
                guard let id = try Self.number(of: rate.base, rate.quote, on: rate.day, db) else { return nil }
                _ = try journal.note(.added, .exchangeRate, id, before: JournaledTable.exchangeRate.absent)
                return journal.group
            }
            let before = try journal.values(.exchangeRate, old)
            try db.execute(
                sql: """
                    UPDATE exchange_rates SET billionths = ?1, source = ?2, updated_at = ?3
                    WHERE id = ?4 AND (billionths <> ?1 OR source <> ?2)
                    """, arguments: [rate.billionths, rate.source.rawValue, time, old])
            return try journal.note(.changed, .exchangeRate, old, before: before) == nil ? nil : journal.group
        }
    }

    /// Stores imported rates. Those that a person entered stay; those that mails state are replaced.
    ///
    /// - Returns: the number of rates that are new or other than before.
    @discardableResult
    public func add(_ rates: [ExchangeRate]) throws(StoreError) -> Int where Scope: WriteScope {
        let time = now()
        return try write { db in try Self.store(rates, db, time) }
    }

    /// Recorded in the journal.
    ///
    /// - Returns: the group of the change for undo.
    /// - Throws: `notFound`.
    @discardableResult
    public func delete(
        _ base: Currency, _ quote: Currency, on day: CalendarDate, by actor: Actor
    ) throws(StoreError) -> String where Scope: WriteScope {
        let time = now()
        return try write { db in
            guard let id = try Self.number(of: base, quote, on: day, db) else {
                throw StoreError.notFound("rate of \(base.code) in \(quote.code) on \(day)")
            }
            let journal = Journal(db, actor, time: time)
            try journal.record(.deleted, .exchangeRate, id) {
                try db.execute(sql: "DELETE FROM exchange_rates WHERE id = ?", arguments: [id])
            }
            return journal.group
        }
    }

    private static func number(
        of base: Currency, _ quote: Currency, on day: CalendarDate, _ db: Database
    ) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM exchange_rates WHERE base = ? AND quote = ? AND day = ?"),
            arguments: [base.code, quote.code, day])
    }

    /// A rate that a person entered stays, and one that a mail states replaces none but an earlier one of a mail.
    @discardableResult
    static func store(_ rates: [ExchangeRate], _ db: Database, _ time: UnixTime) throws -> Int {
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO exchange_rates (base, quote, day, billionths, source, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (base, quote, day) DO UPDATE SET billionths = ?4, source = ?5, updated_at = ?6
                WHERE source <> 'person' AND (?5 <> 'mail' OR source = 'mail') AND (billionths <> ?4 OR source <> ?5)
                """)
        var count = 0
        for rate in rates {
            try insert.execute(arguments: [
                rate.base.code, rate.quote.code, rate.day, rate.billionths, rate.source.rawValue, time,
            ])
            count += db.changesCount
        }
        return count
    }
}

extension ExchangeRate {
    /// `nil` for a row that only another program can have written.
    fileprivate init?(_ row: Row) {
        guard let base = Currency(code: row[1] as String), let quote = Currency(code: row[2] as String),
            let source = Source(rawValue: row[4])
        else { return nil }
        self.init(day: row[0], base: base, quote: quote, billionths: row[3], source: source)
    }
}

extension RateTable {
    /// Every rate of the ledger.
    init(storedIn db: Database) throws {
        self.init(
            try Row.fetchAll(
                db.cachedStatement(sql: "SELECT day, base, quote, billionths, source FROM exchange_rates")
            ).compactMap(ExchangeRate.init))
    }
}
