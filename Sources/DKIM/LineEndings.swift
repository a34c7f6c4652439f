import Glibc

/// Line ends as in transport (RFC 5321 section 2.3.8): CR LF. Files of this machine have LF.
enum LineEndings {
    /// True if every LF follows a CR.
    static func areTransported(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = 0
        while let base = bytes.baseAddress, cursor < bytes.count,
            let found = memchr(base + cursor, 10, bytes.count - cursor)
        {
            let lf = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if lf == 0 || bytes[lf - 1] != 13 { return false }
            cursor = lf + 1
        }
        return true
    }

    /// True if a CR is not followed by LF.
    static func haveBareCR(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = 0
        while let base = bytes.baseAddress, cursor < bytes.count,
            let found = memchr(base + cursor, 13, bytes.count - cursor)
        {
            let cr = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if cr + 1 == bytes.count || bytes[cr + 1] != 10 { return true }
            cursor = cr + 2
        }
        return false
    }

    /// The bytes with CR LF in place of each LF.
    static func transported(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 32)
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == 10, previous != 13 { result.append(13) }
            result.append(byte)
            previous = byte
        }
        return result
    }
}
