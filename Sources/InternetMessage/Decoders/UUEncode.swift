/// uuencode, the transfer encoding of mail before MIME: POSIX `uuencode`, historical algorithm.
enum UUEncode {
    static func decode(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8] {
        var decoded: [UInt8] = []
        var start = range.lowerBound
        var hasBegun = false
        while start < range.upperBound {
            let end = min(bytes.index(of: ASCII.lf, from: start) ?? range.upperBound, range.upperBound)
            if !hasBegun {
                hasBegun = bytes.matches("begin ", at: start)
            } else if !decodeLine(bytes, start..<end, into: &decoded) {
                break
            }
            start = end + 1
        }
        return decoded
    }

    /// A line is its length as one digit, then groups of four digits for three bytes. One of length zero is the last.
    private static func decodeLine(_ bytes: borrowing Octets, _ line: Range<Int>, into decoded: inout [UInt8]) -> Bool {
        // Blanks are zeros, and are often lost at the end of a line.
        func digit(_ index: Int) -> UInt32 {
            index < line.upperBound ? UInt32((bytes[index] &- 32) & 63) : 0
        }
        guard !line.isEmpty, bytes[line.lowerBound] > 31 else { return !line.isEmpty }
        var left = Int(digit(line.lowerBound))
        if left == 0 { return false }
        var cursor = line.lowerBound + 1
        while left > 0, cursor < line.upperBound {
            let group = digit(cursor) << 18 | digit(cursor + 1) << 12 | digit(cursor + 2) << 6 | digit(cursor + 3)
            for shift: UInt32 in [16, 8, 0] where left > 0 {
                decoded.append(UInt8(truncatingIfNeeded: group >> shift))
                left -= 1
            }
            cursor += 4
        }
        return true
    }
}
