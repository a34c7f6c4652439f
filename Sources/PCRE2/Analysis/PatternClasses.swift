/// Reads character classes, such as `[^,;]`.
extension PatternReader {
    /// Parses a class from its opening bracket on. A class with an unknown item may match any character.
    mutating func characterClass() -> ByteSet {
        at += 1
        var set = ByteSet()
        let isInverted = peek() == UInt8(ascii: "^")
        if isInverted { at += 1 }
        var isFirst = true
        var previous: UInt8?
        /// Set if the class holds an unknown item, which may match any character.
        var isUncertain = false
        while let byte = peek(), isFirst || byte != UInt8(ascii: "]") {
            isFirst = false
            at += 1
            if byte == UInt8(ascii: "["), peek() == UInt8(ascii: ":") {
                isUncertain = true
                _ = skip(to: UInt8(ascii: "]"))
                continue
            }
            var single = byte
            if byte == UInt8(ascii: "\\"), let letter = peek() {
                at += 1
                if let group = Self.set(of: letter) {
                    set.formUnion(group)
                    previous = nil
                    continue
                }
                switch letter {
                case UInt8(ascii: "n"): single = 0x0A
                case UInt8(ascii: "t"): single = 0x09
                case UInt8(ascii: "r"): single = 0x0D
                case UInt8(ascii: "Q"), UInt8(ascii: "c"):
                    // The unknown item may include the closing bracket.
                    isLost = true
                    isUncertain = true
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: isUncertain = true
                default: single = letter
                }
            } else if byte == UInt8(ascii: "-"), let range = classRange(from: previous, &isUncertain) {
                for member in range { set.insert(member) }
                previous = nil
                continue
            }
            set.insert(single)
            previous = single < 0x80 ? single : nil
        }
        at += 1
        return isUncertain ? .any : isInverted ? set.inverted : set
    }

    /// Range of a class after its hyphen; `nil` if the hyphen is a literal.
    private mutating func classRange(from first: UInt8?, _ isUncertain: inout Bool) -> ClosedRange<UInt8>? {
        guard let first, let last = peek(), last != UInt8(ascii: "]"), last >= first, last < 0x80 else { return nil }
        at += 1
        if last == UInt8(ascii: "\\") {
            isUncertain = true
            at += 1
        }
        return first...last
    }
}
