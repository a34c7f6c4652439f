import Chronology
import Ledger

/// The price of a foreign currency on a day, in the home currency.
struct ExportPrice: Hashable, Sendable {
    var day: CalendarDate
    var base: Currency
    var quote: Currency
    /// A plain decimal number: the price of one unit.
    var decimal: String
}

/// Gives each foreign currency a price on each day that has an entry in it.
struct PriceList: Sendable {
    private let rates: RateTable
    private let home: Currency
    /// The last day with a price, by currency: the entries come in the order of days.
    private var priced: [Currency: CalendarDate] = [:]

    init(_ rates: RateTable, home: Currency) {
        self.rates = rates
        self.home = home
    }

    /// The price of an entry's currency, unless its day has one already or no rate is known.
    mutating func price(of entry: ExportEntry) -> ExportPrice? {
        let currency = entry.amount.currency
        guard currency != home, priced[currency] != entry.day else { return nil }
        priced[currency] = entry.day
        return Self.decimal(of: currency, in: home, on: entry.day, rates).map {
            ExportPrice(day: entry.day, base: currency, quote: home, decimal: $0)
        }
    }

    /// Decimal places of a price in addition to those of the minor unit.
    private static let precision = 6

    private static func decimal(
        of base: Currency, in quote: Currency, on day: CalendarDate, _ rates: RateTable
    ) -> String? {
        let units = (0..<(precision + base.exponent)).reduce(into: Int64(1)) { value, _ in value *= 10 }
        guard let price = rates.convert(Money(minorUnits: units, currency: base), to: quote, on: day),
            price.minorUnits > 0
        else { return nil }
        let places = precision + quote.exponent
        let digits = String(price.minorUnits)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = padded.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        return padded.dropLast(places) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
