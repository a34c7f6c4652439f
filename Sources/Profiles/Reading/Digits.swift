/// ASCII digits in a text, searched eight bytes at a time because digits are rare.
package enum Digits {
    /// First digit at or after `start`; `end` if there is none.
    @inline(__always)
    package static func next(in text: UnsafeBufferPointer<UInt8>, from start: Int, upTo end: Int) -> Int {
        let bytes = UnsafeRawBufferPointer(text)
        var at = start
        while at + 8 <= end {
            // Digits are 0x30 and more: their distance is below ten, so that adding 118 does not reach the top bit.
            let rest =
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) ^ 0x3030_3030_3030_3030
            let others = ((rest & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676) | rest
            let digits = ~others & 0x8080_8080_8080_8080
            if digits != 0 { return at + digits.trailingZeroBitCount >> 3 }
            at += 8
        }
        while at < end, text[at] &- 0x30 >= 10 { at += 1 }
        return at
    }
}
