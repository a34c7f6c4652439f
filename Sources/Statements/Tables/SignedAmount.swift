import Ledger

/// An amount as statements and payment apps print it: `₹1,250.00`, `-Rs. 40`, `+ 299.00`, `INR -299.00`, `(50.00)`.
struct SignedAmount: Hashable {
    /// Minor units, at least 0.
    private(set) var units: Int64 = 0
    /// `nil` without a sign.
    private(set) var isNegative: Bool?
    /// `nil` if none is printed.
    private(set) var currency: Currency?

    /// - Parameter home: the account's currency, which decides what `$` means, and the digits of the minor unit.
    /// - Returns: `nil` for anything else, and for an amount with two signs.
    init?(_ text: String, home: Currency) {
        var rest = text[...].trimmingBlanks
        if rest.first == "(", rest.last == ")" {
            isNegative = true
            rest = rest.dropFirst().dropLast().trimmingBlanks
        }
        while let first = rest.first, !first.isNumber {
            if let sign = Self.sign(first) {
                guard isNegative == nil else { return nil }
                isNegative = sign
                rest = rest.dropFirst().trimmingBlanks
            } else {
                let mark = rest.prefix { !$0.isNumber && Self.sign($0) == nil }
                guard currency == nil, let named = Currency.named(mark, home: home) else { return nil }
                currency = named
                rest = rest.dropFirst(mark.count).trimmingBlanks
            }
        }
        if let code = rest.last, code.isLetter {
            let mark = rest.drop { !$0.isLetter }
            guard currency == nil, let named = Currency.named(mark, home: home) else { return nil }
            currency = named
            rest = rest.dropLast(mark.count).trimmingBlanks
        }
        let money = Money(localized: Array(rest.utf8)[...], currency: currency ?? home, decimal: nil)
        guard let money else { return nil }
        units = money.minorUnits
    }

    private static func sign(_ character: Character) -> Bool? {
        switch character {
        case "-", "\u{2212}", "\u{2013}": true
        case "+": false
        default: nil
        }
    }
}
