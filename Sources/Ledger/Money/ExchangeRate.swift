public import Chronology

/// The price of one unit of a currency in another one, on a day.
public struct ExchangeRate: Hashable, Sendable {
    /// The origin of a rate.
    public enum Source: String, Hashable, Sendable, CaseIterable {
        /// Entered by a person.
        case person
        /// Euro foreign exchange reference rates of the European Central Bank.
        case ecb
        /// Reference rates of the Reserve Bank of India, which FBIL publishes.
        case rbi
        /// Derived from the two amounts of a payment abroad that its alert states.
        case mail
    }

    public var day: CalendarDate
    public var base: Currency
    public var quote: Currency
    /// Units of `quote` for one unit of `base`, in billionths: 1...``maximum``.
    public var billionths: Int64
    public var source: Source

    /// A million units. Products of two rates and an amount stay below 2^127.
    public static let maximum: Int64 = 1_000_000 * one
    static let one: Int64 = 1_000_000_000

    /// `nil` for a rate of a currency in itself, or one that is not in 1...``maximum``.
    public init?(day: CalendarDate, base: Currency, quote: Currency, billionths: Int64, source: Source) {
        guard base != quote, (1...Self.maximum).contains(billionths) else { return nil }
        (self.day, self.base, self.quote) = (day, base, quote)
        (self.billionths, self.source) = (billionths, source)
    }

    /// The rate at which a payment abroad was charged.
    ///
    /// - Parameters:
    ///   - foreign: the amount in the currency of the payee.
    ///   - charged: the same amount in the currency of the account.
    public init?(day: CalendarDate, of foreign: Money, charged: Money) {
        guard foreign.minorUnits > 0, charged.minorUnits > 0 else { return nil }
        var (value, divisor) = (Int128(charged.minorUnits) * Int128(Self.one), Int128(foreign.minorUnits))
        for _ in 0..<foreign.currency.exponent { value *= 10 }
        for _ in 0..<charged.currency.exponent { divisor *= 10 }
        guard let billionths = Int64(exactly: (value + divisor / 2) / divisor) else { return nil }
        self.init(
            day: day, base: foreign.currency, quote: charged.currency, billionths: billionths, source: .mail)
    }

    /// `83.0496`: without trailing zeros.
    public var decimal: String {
        let fraction = String(String(billionths % Self.one + Self.one).dropFirst())
        let digits = fraction.prefix(fraction.count - fraction.reversed().prefix { $0 == "0" }.count)
        return "\(billionths / Self.one)" + (digits.isEmpty ? "" : ".\(digits)")
    }

    /// Reads a plain decimal number with a point: `83.0496`. Digits after the ninth decimal are dropped.
    /// - Returns: billionths; `nil` for anything else, and for a number that is too large.
    public static func billionths(_ text: some StringProtocol) -> Int64? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts[0].isEmpty, parts[0].count <= 7,
            parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        var fraction = parts.count == 2 ? Array(parts[1].prefix(9)) : []
        guard parts.count == 1 || !fraction.isEmpty else { return nil }
        fraction += [UInt8](repeating: 0x30, count: 9 - fraction.count)
        return (Array(parts[0]) + fraction).reduce(into: Int64(0)) { $0 = $0 * 10 + Int64($1 - 0x30) }
    }
}
