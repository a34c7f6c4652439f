/// Quoted-printable, RFC 2045 section 6.7. An invalid escape stays as it is.
enum QuotedPrintable {
    static func decode(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8] {
        bytes.extracting(range).withUnsafeBytes { source in
            // Decoding never lengthens. The last word may be stored beyond the end of the result.
            [UInt8](unsafeUninitializedCapacity: source.count + 8) { output, count in
                count = decode(source, into: UnsafeMutableRawBufferPointer(output))
            }
        }
    }

    private static func decode(_ source: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        let end = source.count
        var cursor = 0
        var written = 0
        while cursor < end {
            // Eight bytes at once, up to the next `=`. `written` is never greater than `cursor`, so there is room.
            while cursor + 8 <= end {
                let word = source.loadUnaligned(fromByteOffset: cursor, as: UInt64.self)
                output.storeBytes(of: word, toByteOffset: written, as: UInt64.self)
                let marks = equalsSigns(word)
                // A separate branch for the usual case: the position of the next word then depends on no bit count.
                if marks == 0 {
                    cursor += 8
                    written += 8
                } else {
                    let plain = marks.trailingZeroBitCount >> 3
                    cursor += plain
                    written += plain
                    break
                }
            }
            guard cursor < end else { break }
            let byte = source[cursor]
            cursor += 1
            if byte != ASCII.equals {
                output[written] = byte
                written += 1
            } else if cursor + 1 < end, source[cursor] == ASCII.cr, source[cursor + 1] == ASCII.lf {
                cursor += 2
            } else if cursor + 1 < end, let high = source[cursor].hexValue, let low = source[cursor + 1].hexValue {
                output[written] = high << 4 | low
                written += 1
                cursor += 2
            } else if let next = softBreak(source, cursor) {
                cursor = next
            } else {
                output[written] = ASCII.equals
                written += 1
            }
        }
        return written
    }

    /// Marks the bytes of a word that are `=`: the lowest set bit of the result is the top bit of the first one in
    /// memory order; 0 if there is none. Bits above it may be wrong because of borrows.
    @inline(__always)
    private static func equalsSigns(_ word: UInt64) -> UInt64 {
        let differing = UInt64(littleEndian: word) ^ 0x3D3D_3D3D_3D3D_3D3D
        return (differing &- 0x0101_0101_0101_0101) & ~differing & 0x8080_8080_8080_8080
    }

    /// Returns the start of the next line if only white space follows `=` on its line.
    private static func softBreak(_ source: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var cursor = start
        while cursor < source.count, source[cursor].isWSP { cursor += 1 }
        if cursor == source.count { return cursor }
        if source[cursor] == ASCII.lf { return cursor + 1 }
        guard source[cursor] == ASCII.cr else { return nil }
        return cursor + 1 < source.count && source[cursor + 1] == ASCII.lf ? cursor + 2 : nil
    }
}
