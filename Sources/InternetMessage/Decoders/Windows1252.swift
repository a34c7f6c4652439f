/// windows-1252 of the Encoding standard, the usual charset of mail that declares none.
enum Windows1252 {
    private static let high: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    /// True for the characters that windows-1252 has in place of control characters.
    static func isSpecial(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0xFF && high.contains(scalar.value) }

    static func scalar(_ byte: UInt8) -> UInt32 {
        byte &- 0x80 < 32 ? high[Int(byte &- 0x80)] : UInt32(byte)
    }

    /// Converts text to UTF-8.
    static func decode(_ bytes: borrowing Octets) -> [UInt8] {
        var utf8: [UInt8] = []
        utf8.reserveCapacity(bytes.count + bytes.count / 8)
        var cursor = 0
        while cursor < bytes.count {
            let start = cursor
            cursor = bytes.endOfASCII(from: start)
            utf8.append(bytes, start..<cursor)
            guard cursor < bytes.count else { break }
            utf8.append(utf8: scalar(bytes[cursor]))
            cursor += 1
        }
        return utf8
    }
}
