/// The digits of an amount printed in any country, and the marks between them: `1,234.56`, `1.234,56`, `1 234,56`,
/// `1'234.56`, `١٬٢٣٤٫٥٦`.
struct LocalizedNumber {
    private enum Mark { case comma, point, apostrophe, blank, arabicDecimal, arabicGroup }

    /// Values 0...9, at most ``maximumDigits``.
    private(set) var digits: [UInt8] = []
    /// `at` is the number of digits before the mark.
    private var marks: [(mark: Mark, at: Int)] = []

    /// More do not fit into 64 bits.
    private static let maximumDigits = 18

    /// `nil` for anything but digits of any script and marks, or without digits.
    init?(_ text: ArraySlice<UInt8>) {
        var at = text.startIndex
        while at < text.endIndex {
            if let (digit, length) = DecimalDigit.read(text, at: at) {
                digits.append(digit)
                guard digits.count <= Self.maximumDigits else { return nil }
                at += length
            } else if let (mark, length) = Self.mark(text, at: at) {
                marks.append((mark, digits.count))
                at += length
            } else {
                return nil
            }
        }
        // A point or comma at the end is the sentence's.
        while let last = marks.last, last.at == digits.count { marks.removeLast() }
        if digits.isEmpty { return nil }
    }

    private static func mark(_ text: ArraySlice<UInt8>, at: Int) -> (Mark, length: Int)? {
        switch text[at] {
        case UInt8(ascii: ","): (.comma, 1)
        case UInt8(ascii: "."): (.point, 1)
        case UInt8(ascii: "'"): (.apostrophe, 1)
        case 0x20: (.blank, 1)
        default:
            if text[at...].starts(with: "’".utf8) {
                (.apostrophe, 3)
            } else if text[at...].starts(with: "٫".utf8) {
                (.arabicDecimal, 2)
            } else if text[at...].starts(with: "٬".utf8) {
                (.arabicGroup, 2)
            } else if text[at...].starts(with: "，".utf8) {
                (.comma, 3)
            } else {
                nil
            }
        }
    }

    /// The number of digits after the decimal mark; `nil` if it is ambiguous.
    /// - Parameter decimal: the bank's decimal mark, if it is known.
    func fractionDigits(exponent: Int, decimal: DecimalMark?) -> Int? {
        guard let last = marks.last else { return 0 }
        let after = digits.count - last.at
        let isAlone = marks.count == 1
        let isSingle = marks.lazy.filter { $0.mark == last.mark }.count == 1
        let isOwn = last.mark == .comma ? decimal == .comma : decimal != .comma
        let isDecimal: Bool
        switch last.mark {
        case .arabicDecimal: isDecimal = true
        case .apostrophe, .blank, .arabicGroup: isDecimal = false
        case .comma, .point:
            if !isSingle {
                isDecimal = false
            } else if after == 3 {
                if exponent == 3 {
                    // 1250.755 has no group of three digits before the mark.
                    isDecimal = isOwn || !isAlone || last.at > 3
                } else {
                    // 1.234 is ambiguous if the point is the decimal mark.
                    if isAlone, exponent != 0, last.mark == .point, decimal != .comma { return nil }
                    isDecimal = false
                }
            } else {
                isDecimal = true
            }
        }
        if isDecimal { return (1...3).contains(after) && areGroups(marks.dropLast()) ? after : nil }
        return after == 3 && areGroups(marks[...]) ? 0 : nil
    }

    /// True if the marks are of one kind and between groups of two or three digits, the last of three.
    private func areGroups(_ groups: ArraySlice<(mark: Mark, at: Int)>) -> Bool {
        guard let first = groups.first else { return true }
        guard groups.allSatisfy({ $0.mark == first.mark }), (1...3).contains(first.at) else { return false }
        let next = marks.dropFirst(groups.count).first?.at ?? digits.count
        let ends = groups.dropFirst().map(\.at) + [next]
        let lengths = zip(groups, ends).map { $1 - $0.at }
        return lengths.last == 3 && lengths.dropLast().allSatisfy { $0 == 2 || $0 == 3 }
    }
}

/// Decimal digits of the scripts in which banks print amounts.
package enum DecimalDigit {
    /// The value of the digit at `at`, and its number of bytes.
    package static func read(_ text: ArraySlice<UInt8>, at: Int) -> (value: UInt8, length: Int)? {
        let byte = text[at]
        if byte &- 0x30 < 10 { return (byte - 0x30, 1) }
        guard byte >= 0xC0 else { return nil }
        func next(_ offset: Int) -> UInt8 { at + offset < text.endIndex ? text[at + offset] : 0 }
        switch (byte, next(1)) {
        // Arabic-Indic, and its eastern form.
        case (0xD9, 0xA0...0xA9): return (next(1) - 0xA0, 2)
        case (0xDB, 0xB0...0xB9): return (next(1) - 0xB0, 2)
        // Devanagari, Bengali, Thai.
        case (0xE0, 0xA5) where (0xA6...0xAF).contains(next(2)): return (next(2) - 0xA6, 3)
        case (0xE0, 0xA7) where (0xA6...0xAF).contains(next(2)): return (next(2) - 0xA6, 3)
        case (0xE0, 0xB9) where (0x90...0x99).contains(next(2)): return (next(2) - 0x90, 3)
        // Full-width.
        case (0xEF, 0xBC) where (0x90...0x99).contains(next(2)): return (next(2) - 0x90, 3)
        default: return nil
        }
    }
}
