public import Chronology

/// The cash at the end of each day to come, if what is known to come is paid and received on its day, and nothing else.
/// Payments by card do not count until their bill.
public struct CashForecast: Hashable, Sendable {
    public struct Day: Hashable, Sendable {
        public var day: CalendarDate
        public var balance: Money
    }

    /// From today on; never empty. What is late counts today.
    public let days: [Day]
    /// Balances and payments in currencies without a rate, by currency: not part of ``days``.
    public let unconverted: [Money]

    /// The first day with the lowest balance.
    public var lowest: Day {
        days.dropFirst().reduce(days[0]) { $1.balance.minorUnits < $0.balance.minorUnits ? $1 : $0 }
    }

    /// - Parameters:
    ///   - balances: what the accounts have today, in any currencies.
    ///   - currency: the currency of the forecast.
    ///   - items: dues in any order. Those that are not open do not count.
    ///   - cards: accounts whose payments are part of a bill.
    ///   - ahead: the days of the forecast, from today on.
    ///   - rates: rates of today for the other currencies.
    public init(
        from balances: [Money], in currency: Currency, _ items: [DueItem], cards: Set<Int64>, of ahead: DaySpan,
        _ rates: RateTable
    ) {
        let today = ahead.first
        var changes: [CalendarDate: Int64] = [:]
        var unconverted: [Currency: Int64] = [:]
        func add(_ amount: Money, on day: CalendarDate) {
            if let converted = rates.convert(amount, to: currency, on: today) {
                changes[max(day, today), default: 0] &+= converted.minorUnits
            } else {
                unconverted[amount.currency, default: 0] &+= amount.minorUnits
            }
        }
        for balance in balances { add(balance, on: today) }
        for item in items where item.state.isOpen && item.due.day <= ahead.last {
            if item.due.kind != .bill, let account = item.due.account, cards.contains(account) { continue }
            let rest = item.rest.minorUnits
            add(Money(minorUnits: item.due.isIncome ? rest : -rest, currency: item.rest.currency), on: item.due.day)
        }
        var sum: Int64 = 0
        days = (0..<ahead.days).map { offset in
            let day = CalendarDate(daysSince1970: today.daysSince1970 + offset)
            sum &+= changes[day] ?? 0
            return Day(day: day, balance: Money(minorUnits: sum, currency: currency))
        }
        self.unconverted = unconverted.filter { $0.value != 0 }.amounts
    }
}
