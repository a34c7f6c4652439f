/// The header canonicalization of RFC 6376 section 3.4.
enum CanonicalHeader {
    case simple, relaxed

    /// Appends a field without the line end after it.
    ///
    /// - Parameters:
    ///   - field: name, colon and value; lines end with CR LF, without the last end.
    ///   - colon: offset of the colon.
    func append(_ field: some Collection<UInt8>, colon: Int, to bytes: inout [UInt8]) {
        guard self == .relaxed else {
            bytes += field
            return
        }
        // Characters of a name are never white space, which is allowed before the colon.
        for byte in field.prefix(colon) where !Self.isSpace(byte) { bytes.append(Self.lowercased(byte)) }
        bytes.append(UInt8(ascii: ":"))
        let start = bytes.count
        var isAfterSpace = false
        for byte in field.dropFirst(colon + 1) {
            if Self.isSpace(byte) {
                isAfterSpace = true
            } else if byte != 13, byte != 10 {
                if isAfterSpace, bytes.count > start { bytes.append(32) }
                bytes.append(byte)
                isAfterSpace = false
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }
}
