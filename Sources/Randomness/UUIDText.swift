/// UUIDs in lower case (RFC 9562).
public enum UUIDText {
    /// A random one (section 5.4).
    public static func version4() -> String {
        var random = SystemRandomNumberGenerator()
        let high = random.next() & ~0xF000 | 0x4000
        let low = 1 << 63 | random.next() & (1 << 62 - 1)
        return text(high, low)
    }

    /// A UUID that sorts by its time (section 5.7), so that new rows are appended at the end of an index.
    /// - Parameter milliseconds: since 1970-01-01 UTC.
    public static func version7(at milliseconds: Int64) -> String {
        var random = SystemRandomNumberGenerator()
        let high = UInt64(bitPattern: milliseconds) << 16 | 0x7000 | random.next() & 0x0FFF
        let low = 1 << 63 | random.next() & (1 << 62 - 1)
        return text(high, low)
    }

    /// Made for every mail: Foundation formats with `snprintf` and gives upper case, some 8,000 instructions
    /// (callgrind, November 2026).
    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { bytes in
            var at = 0
            for number in [high, low] {
                for shift in stride(from: UInt64(60), through: 0, by: -4) {
                    if at == 8 || at == 13 || at == 18 || at == 23 {
                        bytes[at] = UInt8(ascii: "-")
                        at += 1
                    }
                    let digit = UInt8(truncatingIfNeeded: number >> shift & 15)
                    bytes[at] = digit < 10 ? 0x30 + digit : 0x57 + digit
                    at += 1
                }
            }
            return at
        }
    }

    /// True for any UUID version (RFC 9562 section 4), in either case. Foundation's parser accepts a sign as a digit.
    public static func isValid(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                let isHyphen = [8, 13, 18, 23].contains(index)
                return isHyphen ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
            }
    }
}
