/// `application/x-www-form-urlencoded` (WHATWG URL section 5): query strings and bodies of forms.
public enum FormEncoding {
    public static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
    }

    /// Total: an incomplete escape is kept as it is, and bytes that are not UTF-8 become U+FFFD.
    public static func decode(_ text: some StringProtocol) -> [(name: String, value: String)] { decode(text.utf8) }

    /// The same for bytes as received.
    /// - Parameter limit: the number of pairs after which the rest is ignored.
    public static func decode(
        _ bytes: some Collection<UInt8>, limit: Int = .max
    ) -> [(name: String, value: String)] {
        bytes.split(separator: UInt8(ascii: "&"), maxSplits: limit).prefix(limit).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (unescaped(parts[0]), parts.count > 1 ? unescaped(parts[1]) : "")
        }
    }

    private static func unescaped(_ text: some Collection<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"): bytes.append(PercentEncoding.escaped(&rest) ?? byte)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
