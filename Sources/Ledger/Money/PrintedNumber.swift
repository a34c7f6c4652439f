/// The digits of a printed amount and the separators between them.
struct PrintedNumber {
    /// Values 0...9, at most ``maximumDigits``.
    private(set) var digits: [UInt8] = []
    /// `at` is the number of digits before the separator.
    private var separators: [(byte: UInt8, at: Int)] = []

    /// More digits do not fit into 64 bits.
    private static let maximumDigits = 18

    /// `nil` for any byte but digits, commas, points and white space, or without digits.
    init?(_ text: ArraySlice<UInt8>) {
        digits.reserveCapacity(20)
        for byte in text {
            switch byte {
            case 0x30...0x39: digits.append(byte - 0x30)
            case UInt8(ascii: ","), UInt8(ascii: "."): separators.append((byte, digits.count))
            case UInt8(ascii: " "), UInt8(ascii: "\n"): continue
            default: return nil
            }
            if digits.count > Self.maximumDigits { return nil }
        }
        // In "500." the point ends the sentence.
        if let last = separators.last, last.at == digits.count, last.byte == UInt8(ascii: ".") {
            separators.removeLast()
        }
        if digits.isEmpty { return nil }
    }

    /// Number of digits after the decimal separator; `nil` if the separators are ambiguous.
    func fractionDigits(exponent: Int) -> Int? {
        guard let last = separators.last else { return 0 }
        var grouping = separators[...]
        let after = digits.count - last.at
        let isSingle = separators.lazy.filter { $0.byte == last.byte }.count == 1
        let isPoint = last.byte == UInt8(ascii: ".")
        var fraction = 0
        // A comma among commas only is a decimal one if fewer digits follow than a group has.
        let isDecimal =
            isSingle && ((after >= 1 && after <= max(exponent, 2)) || (isPoint && after == 3 && exponent == 3))
        if isDecimal {
            fraction = after
            grouping.removeLast()
        } else if after < 3 || (isPoint && isSingle) {
            return nil
        }
        // The other separators must be of one kind and between digits.
        if let kind = grouping.first?.byte {
            guard grouping.allSatisfy({ $0.byte == kind && $0.at > 0 && $0.at < digits.count }),
                zip(grouping, grouping.dropFirst()).allSatisfy({ $0.at < $1.at })
            else { return nil }
            if fraction > 0, kind == last.byte { return nil }
        }
        return fraction
    }
}
