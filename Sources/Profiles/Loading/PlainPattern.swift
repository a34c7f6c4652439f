/// A pattern in ordinary syntax, not in extended mode: a blank matches a blank.
struct PlainPattern {
    /// The same pattern for extended mode.
    let extended: String
    /// For each byte of `extended`, its byte in the original pattern.
    private let origin: [Int]

    init(_ text: String) {
        var bytes: [UInt8] = []
        var origin: [Int] = []
        var isEscaped = false
        for (index, byte) in text.utf8.enumerated() {
            var written: String?
            switch byte {
            case 0x20: written = "x20"
            case 0x09: written = "t"
            case 0x0A: written = "n"
            case 0x0D: written = "r"
            case UInt8(ascii: "#"): written = "#"
            default: break
            }
            // A comment group stays one: (?#…).
            if byte == UInt8(ascii: "#"), bytes.suffix(2) == Array("(?".utf8)[...] { written = nil }
            if let written {
                // Already escaped by the backslash before it.
                let escape = (isEscaped ? "" : "\\") + written
                bytes += escape.utf8
                origin += [Int](repeating: index, count: escape.utf8.count)
            } else {
                bytes.append(byte)
                origin.append(index)
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        extended = String(decoding: bytes, as: UTF8.self)
        self.origin = origin
    }

    /// Byte of the original pattern.
    func place(_ offset: Int) -> Int { offset >= 0 && offset < origin.count ? origin[offset] : (origin.last ?? -1) + 1 }
}
