/// Iterates over a pattern in extended mode without building a tree: an escape, a class and a comment are one sign
/// each.
enum PatternSigns {
    /// Calls `body` with the offset and the first byte of each sign except comments.
    static func each(in bytes: [UInt8], _ body: (_ at: Int, _ sign: UInt8) -> Void) {
        var at = 0
        while at < bytes.count {
            let sign = bytes[at]
            if sign != UInt8(ascii: "#") { body(at, sign) }
            at = end(at, in: bytes)
        }
    }

    private static func end(_ start: Int, in bytes: [UInt8]) -> Int {
        var at = start + 1
        switch bytes[start] {
        case UInt8(ascii: "\\"): return at + 1
        case UInt8(ascii: "#"):
            while at < bytes.count, bytes[at] != 0x0A { at += 1 }
            return at
        case UInt8(ascii: "["):
            if at < bytes.count, bytes[at] == UInt8(ascii: "^") { at += 1 }
            if at < bytes.count, bytes[at] == UInt8(ascii: "]") { at += 1 }
            while at < bytes.count, bytes[at] != UInt8(ascii: "]") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
            return at + 1
        default: return at
        }
    }
}
