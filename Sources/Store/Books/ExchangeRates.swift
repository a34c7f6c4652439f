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
    public func table() throws(StoreError) -> RateTable { try read(Self.table) }

    static func table(_ db: Database) throws -> RateTable {
        RateTable(
            try Row.fetchAll(
                db.cachedStatement(sql: "SELECT day, base, quote, billionths, source FROM exchange_rates")
            ).compactMap(ExchangeRate.init))
    }

    /// Stores a rate that a person entered. It replaces the rate of that pair and day; an import does not replace it.
    public func set(_ rate: ExchangeRate) throws(StoreError) where Scope: WriteScope {
        let time = now()
        try write { db in try Self.put([rate], over: true, db, time) }
    }

    /// Stores imported rates. Those that a person entered stay.
    ///
    /// - Returns: the number of rates that are new or other than before.
    @discardableResult
    public func add(_ rates: [ExchangeRate]) throws(StoreError) -> Int where Scope: WriteScope {
        let time = now()
        return try write { db in try Self.put(rates, over: false, db, time) }
    }

    /// - Throws: `notFound`.
    public func delete(_ base: Currency, _ quote: Currency, on day: CalendarDate) throws(StoreError)
    where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: "DELETE FROM exchange_rates WHERE base = ? AND quote = ? AND day = ?",
                arguments: [base.code, quote.code, day])
            guard db.changesCount > 0 else {
                throw StoreError.notFound("rate of \(base.code) in \(quote.code) on \(day)")
            }
        }
    }

    @discardableResult
    private static func put(_ rates: [ExchangeRate], over: Bool, _ db: Database, _ time: UnixTime) throws -> Int {
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO exchange_rates (base, quote, day, billionths, source, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT DO UPDATE SET billionths = ?4, source = ?5, updated_at = ?6
                WHERE ?7 OR source <> 'person' AND (billionths <> ?4 OR source <> ?5)
                """)
        var count = 0
        for rate in rates {
            try insert.execute(arguments: [
                rate.base.code, rate.quote.code, rate.day, rate.billionths, rate.source.rawValue, time, over,
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
