/// Lines that end with CR CR LF: a mail was stored with CR LF where lines end with LF alone, and its server put another CR before each LF
/// (seen of Courier's Maildirs). No border between parts would be found in it.
enum LineEnds {
    private static let (cr, lf): (UInt8, UInt8) = (0x0D, 0x0A)

    /// Judged by the first line.
    static func areDoubled(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstIndex(of: lf), end >= 2 else { return false }
        return bytes[end - 1] == cr && bytes[end - 2] == cr
    }

    /// Without the CR before a CR LF.
    static func single(_ bytes: [UInt8]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte == cr, index + 2 < bytes.count, bytes[index + 1] == cr, bytes[index + 2] == lf { continue }
            lines.append(byte)
        }
        return lines
    }
}
