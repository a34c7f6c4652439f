/// Percent-encoding of URLs (RFC 3986 section 2.1).
public enum PercentEncoding {
    /// Escapes every byte except unreserved characters (section 2.3) and those of `allowed`, so that by default the
    /// result fits into any part of a URL.
    public static func encode(_ text: String, allowing allowed: StaticString = "") -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) || allowed.withUTF8Buffer({ $0.contains(byte) }) {
                bytes.append(byte)
            } else {
                bytes += [
                    UInt8(ascii: "%"), Hexadecimal.upperDigit(byte >> 4), Hexadecimal.upperDigit(byte & 15),
                ]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `nil` for an incomplete escape, or if the result is not UTF-8.
    public static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                bytes.append(byte)
            } else if let escaped = escaped(&rest) {
                bytes.append(escaped)
            } else {
                return nil
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Removes and returns the byte of the two digits that follow a `%`; leaves `rest` alone if they are not digits.
    static func escaped(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        guard rest.count >= 2, let high = Hexadecimal.value(of: rest[rest.startIndex]),
            let low = Hexadecimal.value(of: rest[rest.startIndex + 1])
        else { return nil }
        rest = rest.dropFirst(2)
        return high << 4 | low
    }
}
