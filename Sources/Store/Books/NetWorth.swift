public import Chronology
internal import GRDB
public import Ledger

/// The sum of the balances of all accounts at the end of a day.
public struct NetWorth: Hashable, Sendable {
    public var day: CalendarDate
    /// In the home currency.
    public var total: Money
    /// Amounts in currencies without a rate on that day, by currency: not part of ``total``.
    public var unconverted: [Money]

    init(_ day: CalendarDate, _ home: Currency, _ rates: RateTable, _ sums: [Currency: Int64]) {
        self.day = day
        total = Money(minorUnits: 0, currency: home)
        unconverted = []
        for money in sums.amounts where money.minorUnits != 0 {
            if let converted = rates.convert(money, to: home, on: day) {
                total.minorUnits &+= converted.minorUnits
            } else {
                unconverted.append(money)
            }
        }
    }
}

extension UserAccountRow {
    /// False for a card of which only the spending is known: neither its limit nor an initial balance.
    public var hasBalance: Bool { type != .card || creditLimit != nil || initialDate != nil }
}

extension UserAccountRepository {
    /// Net worth at the end of each day of a span, in the home currency.
    ///
    /// Cards of which only the spending is known do not count. Accounts that are not in use count up to their last
    /// movement.
    public func netWorth(of span: DaySpan) throws(StoreError) -> [NetWorth] {
        let zone = access.store.zone
        return try netWorth(of: span) { account, db in
            try DailyMovements(of: account, until: span.last, in: zone, db)
        }
    }

    /// - Parameter movements: those of an account at least up to the last day; `nil` if a balance is printed.
    func netWorth(
        of span: DaySpan, _ movements: (UserAccountRow, Database) throws -> DailyMovements?
    ) throws(StoreError) -> [NetWorth] {
        let (home, zone) = (access.store.homeCurrency, access.store.zone)
        return try read { db in
            let rates = try RateTable(storedIn: db)
            var sums = [[Currency: Int64]](repeating: [:], count: span.days)
            for account in try UserAccountRow.all(db, merged: false) where account.hasBalance {
                try Self.add(account, span, to: &sums, try movements(account, db), zone, db)
            }
            return sums.enumerated().map { index, sums in
                NetWorth(CalendarDate(daysSince1970: span.first.daysSince1970 + index), home, rates, sums)
            }
        }
    }

    private static func add(
        _ account: UserAccountRow, _ span: DaySpan, to sums: inout [[Currency: Int64]], _ movements: DailyMovements?,
        _ zone: IANATimeZone, _ db: Database
    ) throws {
        if let movements {
            return add(account, span, to: &sums, movements.days.filter { $0.day <= span.last }, \.day) { $0.add($1) }
        }
        let start = try AccountLine.lastPrintedDay(of: account, until: span.first, in: zone, db)
        let lines = try AccountLine.booked(of: account, since: start, until: span.last, in: zone, db)
        add(account, span, to: &sums, lines, \.day) { $0.add($1) }
    }

    /// - Parameter steps: what changes the balance, in order.
    private static func add<Step>(
        _ account: UserAccountRow, _ span: DaySpan, to sums: inout [[Currency: Int64]], _ steps: [Step],
        _ day: (Step) -> CalendarDate, _ apply: (inout RunningBalance, Step) -> Void
    ) {
        let end = account.isActive ? span.last : steps.last.map(day)
        var running = RunningBalance(account)
        var rest = steps[...]
        for index in sums.indices {
            let today = CalendarDate(daysSince1970: span.first.daysSince1970 + index)
            while let step = rest.first, day(step) <= today {
                apply(&running, step)
                rest = rest.dropFirst()
            }
            running.advance(to: today)
            guard let end, today <= end else { return }
            sums[index][account.currency, default: 0] &+= running.balance
            for (currency, sum) in running.foreign { sums[index][currency, default: 0] &+= sum }
        }
    }
}
