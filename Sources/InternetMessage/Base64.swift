/// Base64, RFC 2045 section 6.8. Other characters are passed over; padding may be missing, or stand between pieces
/// that were encoded one by one.
enum Base64 {
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: other, count: 256)
        for (value, byte) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated() {
            values[Int(byte)] = UInt8(value)
        }
        return values
    }()
    private static let other: UInt8 = 0xFF

    static func decode(_ bytes: borrowing Octets, _ range: Range<Int>) -> [UInt8] {
        bytes.extracting(range).withUnsafeBufferPointer { source in
            // Four digits give three bytes, and a piece that is cut short gives fewer.
            [UInt8](unsafeUninitializedCapacity: source.count / 4 * 3 + 3) { output, count in
                values.withUnsafeBufferPointer { count = decode(source, $0, into: output) }
            }
        }
    }

    private static func decode(
        _ source: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var written = 0
        var cursor = 0
        var group: UInt32 = 0
        var digits = 0
        while cursor < source.count {
            // Nearly all of it: four digits in a row. Both buffers have room for what is touched here.
            while digits == 0, cursor + 4 <= source.count, written + 3 <= output.count {
                let first = values[Int(source[cursor])]
                let second = values[Int(source[cursor + 1])]
                let third = values[Int(source[cursor + 2])]
                let fourth = values[Int(source[cursor + 3])]
                guard first | second | third | fourth < 64 else { break }
                output[written] = first << 2 | second >> 4
                output[written + 1] = second << 4 | third >> 2
                output[written + 2] = third << 6 | fourth
                written += 3
                cursor += 4
            }
            guard cursor < source.count else { break }
            let value = values[Int(source[cursor])]
            if value != other {
                group = group << 6 | UInt32(value)
                digits += 1
            }
            let ends = source[cursor] == ASCII.equals || cursor + 1 == source.count
            if digits == 4 || ends, digits > 1 {
                // Three, two or one bytes, at the top of the group's 24 bits.
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
