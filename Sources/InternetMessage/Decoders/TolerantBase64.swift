import Codecs

/// The Base64 decoder of mail bodies (RFC 2045 section 6.8), which accepts damage: it skips bytes outside the alphabet,
/// and padding may be missing or be between pieces that were encoded one by one.
///
/// The strict decoder of `Codecs` refuses all of that. This one also works on groups of four digits, for bodies of any
/// size.
enum TolerantBase64 {
    /// The value of each byte as the first, second, third and fourth digit of a group: four tables in one array.
    private static let values: [UInt32] = {
        var values = [UInt32](repeating: other, count: 4 * 256)
        for (value, byte) in Base64.standard.digits.enumerated() {
            for digit in 0..<4 { values[256 * digit + Int(byte)] = UInt32(value) << UInt32(18 - 6 * digit) }
        }
        return values
    }()
    /// The value of a byte outside the alphabet: greater than any group of 24 bits.
    private static let other: UInt32 = 1 << 31

    static func decode(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8] {
        bytes.extracting(range).withUnsafeBytes { source in
            // Four digits give three bytes, a truncated piece fewer. Groups are stored as words of four bytes.
            [UInt8](unsafeUninitializedCapacity: source.count / 4 * 3 + 4) { output, count in
                values.withUnsafeBufferPointer {
                    count = decode(source, $0, into: UnsafeMutableRawBufferPointer(output))
                }
            }
        }
    }

    private static func decode(
        _ source: UnsafeRawBufferPointer, _ values: UnsafeBufferPointer<UInt32>,
        into output: UnsafeMutableRawBufferPointer
    ) -> Int {
        var written = 0
        var cursor = 0
        var group: UInt32 = 0
        var digits = 0
        while cursor < source.count {
            // The usual case: four digits in a row.
            while digits == 0, cursor + 4 <= source.count, written + 4 <= output.count {
                let whole =
                    values[Int(source[cursor])] | values[256 + Int(source[cursor + 1])]
                    | values[512 + Int(source[cursor + 2])]
                    | values[768 + Int(source[cursor + 3])]
                guard whole < other else { break }
                output.storeBytes(of: (whole << 8).bigEndian, toByteOffset: written, as: UInt32.self)
                written += 3
                cursor += 4
            }
            guard cursor < source.count else { break }
            let value = values[768 + Int(source[cursor])]
            if value != other {
                group = group << 6 | value
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
}
