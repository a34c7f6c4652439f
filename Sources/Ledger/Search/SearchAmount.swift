/// Amounts of a search.
enum SearchAmount {
    private static let operators = [">=", "<=", ">", "<", "="]
    private static let signs: Set<Character> = ["₹", "$", "€", "£", "¥"]

    /// - Returns: `nil` if the word is text.
    static func term(_ word: String, _ currency: Currency) throws(SearchFault) -> SearchExpression.Term? {
        if let sign = operators.first(where: { word.hasPrefix($0) }) {
            let units = try number(word.dropFirst(sign.count), currency, after: sign)
            switch sign {
            case ">=": return .amount(from: units, to: .max)
            case "<=": return .amount(from: 0, to: units)
            case ">": return .amount(from: units + 1, to: .max)
            case "<": return .amount(from: 0, to: units - 1)
            default: return .amount(from: units, to: units)
            }
        }
        if let range = try range(word, currency) { return range }
        return units(word[...], currency).map { .number(text: word, minorUnits: $0) }
    }

    /// `500..700`, `500..` and `..700`; other words with two points are text.
    private static func range(_ word: String, _ currency: Currency) throws(SearchFault) -> SearchExpression.Term? {
        guard let points = word.firstRange(of: "..") else { return nil }
        let (low, high) = (word[..<points.lowerBound], word[points.upperBound...])
        guard !(low.isEmpty && high.isEmpty) else { return nil }
        let from = low.isEmpty ? 0 : units(low, currency)
        let to = high.isEmpty ? Int64.max : units(high, currency)
        guard let from, let to else { return nil }
        guard from <= to else { throw .amountOrder }
        return .amount(from: from, to: to)
    }

    private static func number(
        _ text: Substring, _ currency: Currency, after sign: String
    ) throws(SearchFault) -> Int64 {
        if let units = units(text, currency) { return units }
        throw .noAmount(sign)
    }

    private static func units(_ text: Substring, _ currency: Currency) -> Int64? {
        let digits = text.drop { signs.contains($0) }
        guard let first = digits.first, first.isASCII, first.isNumber, digits.last != ".", digits.last != "," else {
            return nil
        }
        return Money(typed: String(digits), currency: currency)?.minorUnits
    }
}
