import Glibc

/// The body canonicalization of RFC 6376 section 3.4.
enum CanonicalBody {
    case simple, relaxed

    /// The length of the canonical body, to which `l=` is compared.
    ///
    /// - Parameter body: lines that end with CR LF.
    func count(_ body: UnsafeBufferPointer<UInt8>) -> UInt64 { UInt64(bytes(body).count) }

    /// The canonical body.
    ///
    /// - Parameter body: lines that end with CR LF.
    func bytes(_ body: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count + 2)
        // Bytes up to the end of the last line that is not empty.
        var end = 0
        var start = 0
        while start < body.count {
            let line = Self.line(body, from: start)
            let before = bytes.count
            if self == .simple {
                bytes += body[start..<line.end]
            } else {
                Self.appendRelaxed(body[start..<line.end], to: &bytes)
            }
            let isEmpty = bytes.count == before
            bytes += [13, 10]
            if !isEmpty { end = bytes.count }
            start = line.next
        }
        bytes.removeLast(bytes.count - end)
        // An empty body is one line end in the simple form (section 3.4.3).
        return bytes.isEmpty && self == .simple ? [13, 10] : bytes
    }

    private static func line(_ body: UnsafeBufferPointer<UInt8>, from start: Int) -> (end: Int, next: Int) {
        var cursor = start
        while let base = body.baseAddress, cursor < body.count,
            let found = memchr(base + cursor, 10, body.count - cursor)
        {
            let lf = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if lf > start, body[lf - 1] == 13 { return (lf - 1, lf + 1) }
            cursor = lf + 1
        }
        return (body.count, body.count)
    }

    /// Appends a line in which each run of white space is one space, without white space at its end.
    private static func appendRelaxed(_ line: Slice<UnsafeBufferPointer<UInt8>>, to bytes: inout [UInt8]) {
        var isAfterSpace = false
        for byte in line {
            if byte == 32 || byte == 9 {
                isAfterSpace = true
            } else {
                if isAfterSpace { bytes.append(32) }
                bytes.append(byte)
                isAfterSpace = false
            }
        }
    }
}
