import FoundationEssentials

/// UUIDs in lower case (RFC 9562).
public enum UUIDText {
    /// A random one (section 5.4).
    public static func version4() -> String { UUID().uuidString.lowercased() }

    /// A UUID that sorts by its time (section 5.7), so that new rows are appended at the end of an index. Foundation
    /// makes none.
    /// - Parameter milliseconds: since 1970-01-01 UTC.
    public static func version7(at milliseconds: Int64) -> String {
        var random = SystemRandomNumberGenerator()
        let high = UInt64(bitPattern: milliseconds) << 16 | 0x7000 | random.next() & 0x0FFF
        let low = 1 << 63 | random.next() & (1 << 62 - 1)
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
            UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)).uuidString.lowercased()
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
