public import Chronology

/// Exchange rates by pair and day, for conversions.
public struct RateTable: Sendable {
    private struct Pair: Hashable {
        var base: Currency
        var quote: Currency
    }

    /// The rates of a pair, in ascending order of days.
    private var rates: [Pair: [(day: CalendarDate, billionths: Int64)]] = [:]
    /// The currencies that have a rate with a currency, sorted.
    private var neighbours: [Currency: [Currency]] = [:]

    public init(_ rates: [ExchangeRate]) {
        for rate in rates.sorted(by: { $0.day < $1.day }) {
            let pair = Pair(base: rate.base, quote: rate.quote)
            if self.rates[pair] == nil {
                neighbours[rate.base, default: []].append(rate.quote)
                neighbours[rate.quote, default: []].append(rate.base)
            }
            self.rates[pair, default: []].append((rate.day, rate.billionths))
        }
        for key in neighbours.keys { neighbours[key]?.sort { $0.code < $1.code } }
    }

    /// An amount in another currency, at the newest rate on or before a day: that of the pair, otherwise the product of
    /// two rates with a third currency.
    ///
    /// - Returns: `nil` without a rate.
    public func convert(_ money: Money, to currency: Currency, on day: CalendarDate) -> Money? {
        if money.currency == currency { return money }
        guard let rate = rate(of: money.currency, in: currency, on: day) else { return nil }
        var (value, divisor) = (Int128(money.minorUnits) * rate, Int128(ExchangeRate.one))
        for _ in 0..<max(0, currency.exponent - money.currency.exponent) { value *= 10 }
        for _ in 0..<max(0, money.currency.exponent - currency.exponent) { divisor *= 10 }
        let half = value < 0 ? -divisor / 2 : divisor / 2
        return Int64(exactly: (value + half) / divisor).map { Money(minorUnits: $0, currency: currency) }
    }

    /// Billionths of `quote` for one unit of `base`.
    private func rate(of base: Currency, in quote: Currency, on day: CalendarDate) -> Int128? {
        if let rate = direct(base, quote, day) { return rate }
        for middle in neighbours[base] ?? [] where middle != quote {
            guard let first = direct(base, middle, day), let second = direct(middle, quote, day) else { continue }
            return first * second / Int128(ExchangeRate.one)
        }
        return nil
    }

    /// The rate of a pair or the inverse of the opposite one: the newer of the two.
    private func direct(_ base: Currency, _ quote: Currency, _ day: CalendarDate) -> Int128? {
        let straight = newest(Pair(base: base, quote: quote), day)
        let opposite = newest(Pair(base: quote, quote: base), day)
        if let opposite, straight.map({ $0.day < opposite.day }) ?? true {
            let one = Int128(ExchangeRate.one)
            return (one * one + Int128(opposite.billionths) / 2) / Int128(opposite.billionths)
        }
        return straight.map { Int128($0.billionths) }
    }

    private func newest(_ pair: Pair, _ day: CalendarDate) -> (day: CalendarDate, billionths: Int64)? {
        guard let rates = rates[pair] else { return nil }
        var (low, high) = (0, rates.count)
        while low < high {
            let middle = (low + high) / 2
            if rates[middle].day <= day { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : rates[low - 1]
    }
}
