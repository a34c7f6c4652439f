/// A character reference of the HTML standard, section 13.2.5.72 and following: `&nbsp;`, `&#8377;`, `&#x20B9;`.
struct CharacterReference {
    /// The first of one or two code points.
    let first: UInt32
    let second: UInt32?
    /// Length in bytes of the source, including `&`.
    let length: Int

    /// Parses the reference at the `&` at `index`; nil if the ampersand is text.
    /// - Parameter inAttribute: true in attribute values, where `&copy=1` and `&copyright` are text.
    init?(_ bytes: borrowing Octets, at index: Int, end: Int, inAttribute: Bool = false) {
        let start = index + 1
        guard start < end else { return nil }
        if bytes[start] == UInt8(ascii: "#") {
            self.init(numeric: bytes, at: index, end: end)
        } else if bytes[start].isLetter {
            self.init(named: bytes, at: index, end: end, inAttribute: inAttribute)
        } else {
            return nil
        }
    }

    private init?(numeric bytes: borrowing Octets, at index: Int, end: Int) {
        var cursor = index + 2
        let isHex = cursor < end && bytes[cursor] | 0x20 == UInt8(ascii: "x")
        if isHex { cursor += 1 }
        let digits = cursor
        var value: UInt32 = 0
        while cursor < end {
            if isHex, let digit = bytes[cursor].hexValue {
                value = min(value << 4 | UInt32(digit), 0x110000)
            } else if !isHex, bytes[cursor].isDigit {
                value = min(value * 10 + UInt32(bytes[cursor] &- 48), 0x110000)
            } else {
                break
            }
            cursor += 1
        }
        guard cursor > digits else { return nil }
        if cursor < end, bytes[cursor] == ASCII.semicolon { cursor += 1 }
        first = Self.scalar(value)
        second = nil
        length = cursor - index
    }

    private init?(named bytes: borrowing Octets, at index: Int, end: Int, inAttribute: Bool) {
        guard let match = NamedReferences.longestMatch(bytes, from: index + 1, end: end) else { return nil }
        let after = index + 1 + match.length
        if inAttribute, bytes[after - 1] != ASCII.semicolon, after < end,
            bytes[after] == ASCII.equals || bytes[after].isLetter || bytes[after].isDigit
        {
            return nil
        }
        first = match.first
        second = match.second
        length = match.length + 1
    }

    /// Returns the code point of a numeric reference: U+FFFD for a number that is not a character, the windows-1252
    /// character for a C1 control.
    private static func scalar(_ value: UInt32) -> UInt32 {
        switch value {
        case 0x80...0x9F: Windows1252.scalar(UInt8(truncatingIfNeeded: value))
        case 0, 0xD800...0xDFFF, 0x110000...: 0xFFFD
        default: value
        }
    }
}
