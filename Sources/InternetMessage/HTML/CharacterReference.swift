/// Character references of the HTML standard, section 13.2.5.72 and the following: `&nbsp;`, `&#8377;`, `&#x20B9;`.
struct CharacterReference {
    /// One or two code points.
    let first: UInt32
    let second: UInt32?
    /// Bytes of the source that the reference takes, `&` included.
    let length: Int

    /// Reads the reference that begins with the `&` at `index`; nil when that is a mere ampersand.
    /// - Parameter inAttribute: in attribute values `&copy=1` and `&copyright` stay as they are.
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

    /// What a numeric reference stands for: numbers of no character become U+FFFD, and the C1 controls what
    /// windows-1252 has there.
    private static func scalar(_ value: UInt32) -> UInt32 {
        switch value {
        case 0x80...0x9F: Windows1252.scalar(UInt8(truncatingIfNeeded: value))
        case 0, 0xD800...0xDFFF, 0x110000...: 0xFFFD
        default: value
        }
    }
}

/// The code page that mail without a charset is most often written in.
enum Windows1252 {
    private static let high: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    static func scalar(_ byte: UInt8) -> UInt32 {
        byte &- 0x80 < 32 ? high[Int(byte &- 0x80)] : UInt32(byte)
    }

    /// The same text in UTF-8.
    static func decode(_ bytes: borrowing Octets) -> [UInt8] {
        var utf8: [UInt8] = []
        utf8.reserveCapacity(bytes.count + bytes.count / 8)
        var cursor = 0
        while cursor < bytes.count {
            let start = cursor
            cursor = bytes.endOfASCII(from: start)
            utf8.append(bytes, start..<cursor)
            guard cursor < bytes.count else { break }
            let scalar = scalar(bytes[cursor])
            if scalar < 0x800 {
                utf8.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
            } else {
                utf8.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
                utf8.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6) & 0x3F)
            }
            utf8.append(0x80 | UInt8(truncatingIfNeeded: scalar) & 0x3F)
            cursor += 1
        }
        return utf8
    }
}
