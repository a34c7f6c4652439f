/// Quoted-printable, RFC 2045 section 6.7; what is no escape stays as it stands.
enum QuotedPrintable {
    static func decode(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var cursor = range.lowerBound
        let end = range.upperBound
        while cursor < end {
            let escape = min(bytes.index(of: ASCII.equals, from: cursor) ?? end, end)
            decoded.append(bytes, cursor..<escape)
            guard escape < end else { break }
            cursor = escape + 1
            if cursor + 1 < end, let high = bytes[cursor].hexValue, let low = bytes[cursor + 1].hexValue {
                decoded.append(high << 4 | low)
                cursor += 2
            } else if let next = softBreak(bytes, cursor, end) {
                cursor = next
            } else {
                decoded.append(ASCII.equals)
            }
        }
        return decoded
    }

    /// The start of the next line if `=` is followed by nothing but blanks on its own.
    private static func softBreak(_ bytes: borrowing Octets, _ start: Int, _ end: Int) -> Int? {
        var cursor = start
        while cursor < end, bytes[cursor].isWSP { cursor += 1 }
        if cursor == end { return end }
        if bytes[cursor] == ASCII.lf { return cursor + 1 }
        guard bytes[cursor] == ASCII.cr else { return nil }
        return cursor + 1 < end && bytes[cursor + 1] == ASCII.lf ? cursor + 2 : nil
    }
}
