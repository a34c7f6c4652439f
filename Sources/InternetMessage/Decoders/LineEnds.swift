/// Repair of lines that end with CR CR LF. A program stored the message with CR LF where lines end with LF, and the
/// server added another CR to each (seen with Courier's Maildirs). No boundary between parts would be found.
enum LineEnds {
    private static let (cr, lf): (UInt8, UInt8) = (0x0D, 0x0A)

    /// Returns true if the first line ends with CR CR LF.
    static func areDoubled(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstIndex(of: lf), end >= 2 else { return false }
        return bytes[end - 1] == cr && bytes[end - 2] == cr
    }

    /// Removes each CR before CR LF.
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
