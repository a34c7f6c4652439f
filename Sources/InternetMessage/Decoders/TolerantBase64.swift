import Codecs

/// The Base64 decoder of mail bodies (RFC 2045 section 6.8), which accepts damage. It skips bytes outside the alphabet.
/// Padding may be missing, or may be between pieces that were encoded one by one.
///
/// The strict decoder of `Codecs` refuses all of that. This one also works on groups of four digits, for bodies of any
/// size.
enum TolerantBase64 {
    /// The value of two digits, by the two bytes as a little-endian number: half as many lookups as digits. A table of
    /// 128 KiB, of which the digits use a tenth.
    private static let pairs: [UInt16] = {
        var pairs = [UInt16](repeating: other, count: 1 << 16)
        for (first, one) in Base64.standard.digits.enumerated() {
            for (second, two) in Base64.standard.digits.enumerated() {
                pairs[Int(one) | Int(two) << 8] = UInt16(first << 6 | second)
            }
        }
        return pairs
    }()
    /// The value of two bytes of which one is outside the alphabet: it has a bit that no value of twelve bits has.
    private static let other: UInt16 = 1 << 15

    static func decode(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8] {
        bytes.extracting(range).withUnsafeBytes { source in
            // Four digits give three bytes, a truncated piece fewer. Groups are stored as words of four bytes.
            [UInt8](unsafeUninitializedCapacity: source.count / 4 * 3 + 4) { output, count in
                pairs.withUnsafeBufferPointer {
                    count = decode(source, $0, into: UnsafeMutableRawBufferPointer(output))
                }
            }
        }
    }

    private static func decode(
        _ source: UnsafeRawBufferPointer, _ pairs: UnsafeBufferPointer<UInt16>,
        into output: UnsafeMutableRawBufferPointer
    ) -> Int {
        var written = 0
        var cursor = 0
        var group: UInt32 = 0
        var digits = 0
        while cursor < source.count {
            if digits == 0 { decodeGroups(source, pairs, &cursor, into: output, &written) }
            guard cursor < source.count else { break }
            if let value = Base64.standard.value(of: source[cursor]) {
                group = group << 6 | UInt32(value)
                digits += 1
            }
            let ends = source[cursor] == ASCII.equals || cursor + 1 == source.count
            if digits == 4 || ends, digits > 1 {
                // One to three bytes, at the top of the group's 24 bits.
                group <<= UInt32(6 * (4 - digits))
                for index in 0..<(digits - 1) where written < output.count {
                    output[written] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index))
                    written += 1
                }
            }
            if digits == 4 || ends {
                group = 0
                digits = 0
            }
            cursor += 1
        }
        return written
    }

    /// Decodes the usual case: eight digits in a row.
    @inline(__always)
    private static func decodeGroups(
        _ source: UnsafeRawBufferPointer, _ pairs: UnsafeBufferPointer<UInt16>, _ cursor: inout Int,
        into output: UnsafeMutableRawBufferPointer, _ written: inout Int
    ) {
        func pair(_ offset: Int) -> UInt64 {
            UInt64(
                pairs[
                    Int(UInt16(littleEndian: source.loadUnaligned(fromByteOffset: cursor + offset, as: UInt16.self)))])
        }
        while cursor + 8 <= source.count, written + 8 <= output.count {
            let (first, second, third, fourth) = (pair(0), pair(2), pair(4), pair(6))
            guard (first | second | third | fourth) & UInt64(other) == 0 else { break }
            let whole = first << 52 | second << 40 | third << 28 | fourth << 16
            output.storeBytes(of: whole.bigEndian, toByteOffset: written, as: UInt64.self)
            cursor += 8
            written += 6
        }
        while cursor + 4 <= source.count, written + 4 <= output.count {
            let (first, second) = (pair(0), pair(2))
            guard (first | second) & UInt64(other) == 0 else { return }
            let whole = UInt32(truncatingIfNeeded: first << 20 | second << 8)
            output.storeBytes(of: whole.bigEndian, toByteOffset: written, as: UInt32.self)
            cursor += 4
            written += 3
        }
    }
}
