import Ledger

/// The text of a file in a format whose fields have names.
enum FormatText {
    /// Text in UTF-8, or else in ISO 8859-1, which older programs of banks write.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }

    /// The lines with their numbers from 1, without surrounding blanks.
    static func lines(_ bytes: ArraySlice<UInt8>) throws(StatementReadingError) -> [(number: Int, text: Substring)] {
        let lines = decoded(bytes).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.count <= maximumLines else { throw .tooLarge(limit: .lines, maximum: maximumLines) }
        return lines.enumerated().map { ($0.offset + 1, $0.element.trimmingBlanks) }
    }

    /// Ten for each movement of the busiest year.
    static let maximumLines = 1_000_000

    /// Words with one blank between them.
    static func collapsed(_ parts: [String?]) -> String {
        parts.compactMap(\.self).flatMap { $0.split(whereSeparator: { $0.isWhitespace }) }.joined(separator: " ")
    }

    /// A number without groups: `-12.50`, `+12,5`, `12`. Zeros beyond the minor unit are accepted.
    ///
    /// - Returns: minor units with their sign; `nil` if the text is not such a number, or too large.
    static func minorUnits(_ text: some StringProtocol, _ currency: Currency) -> Int64? {
        var digits = text.utf8[...]
        let sign = digits.first
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { digits.removeFirst() }
        let parts = digits.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",")
        }
        guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }) else { return nil }
        let whole = parts[0]
        let fraction = parts.count == 2 ? Array(parts[1]) : []
        let kept = fraction.prefix(currency.exponent)
        guard fraction.dropFirst(currency.exponent).allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
        var units: Int64 = 0
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: currency.exponent - kept.count)
        for byte in Array(whole) + kept + zeros {
            let (digit, isSmall) = byte.subtractingReportingOverflow(UInt8(ascii: "0"))
            guard !isSmall, digit < 10 else { return nil }
            units = units * 10 + Int64(digit)
            guard units <= Money.maximumMinorUnits else { return nil }
        }
        return sign == UInt8(ascii: "-") ? -units : units
    }
}

extension Substring {
    var trimmingBlanks: Substring {
        var text = self
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
