/// RFC 4648 section 4, and section 5 for tokens.
enum Base64 {
    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let safe = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: some Collection<UInt8>) -> String { encode(bytes, standard, padded: true) }

    /// Safe in URLs and file names, without padding (RFC 7515 section 2).
    static func encodeSafe(_ bytes: some Collection<UInt8>) -> String { encode(bytes, safe, padded: false) }

    private static func encode(_ bytes: some Collection<UInt8>, _ alphabet: [UInt8], padded: Bool) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (word, bits) = (0, 0)
        for byte in bytes {
            word = (word << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 6 {
                bits -= 6
                result.append(alphabet[word >> bits & 63])
            }
        }
        if bits > 0 { result.append(alphabet[word << (6 - bits) & 63]) }
        while padded, result.count % 4 != 0 { result.append(UInt8(ascii: "=")) }
        return String(decoding: result, as: UTF8.self)
    }

    /// `nil` where a character is none of the alphabet, or where bits are left over.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var digits = Array(text)
        guard digits.count % 4 == 0 || digits.last != UInt8(ascii: "=") else { return nil }
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard digits.count % 4 != 1 else { return nil }
        var result: [UInt8] = []
        var (word, bits) = (0, 0)
        for digit in digits {
            guard let value = standard.firstIndex(of: digit) else { return nil }
            word = (word << 6 | value) & 0xFFFF
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            result.append(UInt8(word >> bits & 0xFF))
        }
        return word & (1 << bits - 1) == 0 ? result : nil
    }
}
