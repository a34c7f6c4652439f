/// An amount of money: whole minor units (paise, cents) of one currency. Never a floating-point number.
public struct Money: Hashable, Sendable, CustomStringConvertible {
    public var minorUnits: Int64
    public var currency: Currency

    public init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Largest amount read from a mail, in minor units: more than any retail payment, and far from overflow.
    public static let maximumMinorUnits: Int64 = 1_000_000_000_000_000

    /// Reads an amount as printed: digits with grouping by rule, not by locale guess.
    ///
    /// `1,23,456.78` (Indian), `123,456.78`, `7,50000.00`, `1.234.567,89`, `3,40`, `.05`, `149.0` and `500` are read.
    /// The last separator is the decimal one if at most `exponent` digits (at least one) follow it and it occurs once;
    /// every other separator must be a grouping one. A lone separator before three digits is grouping if it is a comma
    /// and refused if it is a point (`1.234` may be either): `nil` means "cannot be read for certain".
    public init?(printed text: some Sequence<UInt8>, currency: Currency) {
        self.init(printed: Array(text)[...], currency: currency)
    }

    /// The same for a slice, without a copy.
    public init?(printed text: ArraySlice<UInt8>, currency: Currency) {
        guard let number = PrintedNumber(text), let fraction = number.fractionDigits(exponent: currency.exponent) else {
            return nil
        }
        self.init(digits: number.digits, fraction: fraction, currency: currency)
    }

    /// Reads an amount printed in any country: with decimal point or comma, groups by point, comma, blank or
    /// apostrophe, and digits of other scripts.
    ///
    /// - Parameter decimal: the bank's decimal mark, if it is known; used only if the number alone is ambiguous.
    public init?(localized text: ArraySlice<UInt8>, currency: Currency, decimal: DecimalMark?) {
        guard let number = LocalizedNumber(text),
            let fraction = number.fractionDigits(exponent: currency.exponent, decimal: decimal)
        else { return nil }
        self.init(digits: number.digits, fraction: fraction, currency: currency)
    }

    /// `nil` if there are more decimals than the minor unit has, or the amount is too large.
    private init?(digits: [UInt8], fraction: Int, currency: Currency) {
        var units: Int64 = 0
        for digit in digits.dropLast(fraction) { units = units * 10 + Int64(digit) }
        guard units <= Self.maximumMinorUnits else { return nil }
        var remaining = currency.exponent
        for digit in digits.suffix(fraction) {
            if remaining > 0 {
                units = units * 10 + Int64(digit)
                remaining -= 1
            } else if digit != 0 {
                return nil  // 12.345 rupees: more digits than the minor unit has
            }
        }
        for _ in 0..<remaining { units *= 10 }
        guard units <= Self.maximumMinorUnits else { return nil }
        self.init(minorUnits: units, currency: currency)
    }

    /// Reads a typed amount: like a printed one, but without groups that may be a slip.
    ///
    /// If all separators are commas, the last group has three digits and those before it two or three: `1,23,456.78`
    /// and `123,456.78` are read, `12,34` and `7,5000` are not. In `1.234,56` the point shows that the comma is the
    /// decimal separator.
    public init?(typed text: String, currency: Currency) {
        let whole = text.utf8.prefix { $0 != UInt8(ascii: ".") }
        let groups = whole.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { group in
            group.lazy.filter { $0 != UInt8(ascii: " ") }.count
        }
        if groups.count > 1 {
            let between = groups.dropFirst().dropLast()
            guard groups.last == 3, (1...3).contains(groups[0]),
                between.allSatisfy({ $0 == 2 }) || between.allSatisfy({ $0 == 3 })
            else { return nil }
        }
        self.init(printed: text.utf8, currency: currency)
    }

    /// Reads the form that programs write: ASCII digits without sign, groups or exponent, at most 13 before the point.
    /// After the point at most as many digits as the currency has, or two if the surplus digits are zeros.
    public init?(plain text: String, currency: Currency) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }), parts[0].count <= 13,
            parts.count == 1 || parts[1].count <= max(2, currency.exponent)
        else { return nil }
        self.init(
            digits: parts.joined().map { $0 - 0x30 }, fraction: parts.count == 2 ? parts[1].count : 0,
            currency: currency)
    }

    /// The remedy for an amount that ``init(typed:currency:)`` refuses.
    public static let typedForm = "write it as 1234.56; commas only group, as in 1,23,456.78"

    /// A plain decimal string without grouping: `1234.50`, `-3.00`; as many decimals as the currency has.
    public var decimal: String {
        let magnitude = String(minorUnits.magnitude)
        let exponent = currency.exponent
        let sign = minorUnits < 0 ? "-" : ""
        guard exponent > 0 else { return sign + magnitude }
        let padded = String(repeating: "0", count: max(0, exponent + 1 - magnitude.count)) + magnitude
        return sign + padded.dropLast(exponent) + "." + padded.suffix(exponent)
    }

    public var description: String { "\(currency.code) \(decimal)" }
}
