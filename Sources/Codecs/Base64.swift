/// Base64 with a choice of alphabet and padding (RFC 4648 sections 4 and 5).
///
/// Foundation's coder has neither the URL-safe nor IMAP's alphabet, and its decoder accepts bits left over at the end.
public struct Base64: Sendable {
    /// RFC 4648 section 4, with padding.
    public static let standard = Base64("+/", isPadded: true)
    /// RFC 4648 section 5, without padding, as in JSON Web Tokens and PKCE.
    public static let urlSafe = Base64("-_", isPadded: false)
    /// The alphabet of IMAP's modified UTF-7, without padding (RFC 3501 section 5.1.3).
    public static let folderName = Base64("+,", isPadded: false)

    /// The 64 digits, in the order of their values.
    public let digits: [UInt8]
    /// The value of each byte as a digit; 64 for a byte that is not in the alphabet.
    private let values: [UInt8]
    private let isPadded: Bool

    private init(_ lastTwo: StaticString, isPadded: Bool) {
        digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(lastTwo)".utf8)
        var values = [UInt8](repeating: 64, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        self.values = values
        self.isPadded = isPadded
    }

    public func value(of digit: UInt8) -> UInt8? {
        let value = values[Int(digit)]
        return value < 64 ? value : nil
    }

    public func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> count & 63)])
            }
            bits &= (1 << count) - 1
        }
        if count > 0 { text.append(digits[Int(bits << (6 - count) & 63)]) }
        while isPadded, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes strictly: `nil` for a byte outside the alphabet, an impossible length, or non-zero bits left over.
    ///
    /// Padding may be missing, but may not be of the wrong length. An alphabet without padding refuses it.
    public func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var rest = Array(text)[...]
        if isPadded, rest.last == UInt8(ascii: "=") {
            guard rest.count % 4 == 0 else { return nil }
            for _ in 0..<2 where rest.last == UInt8(ascii: "=") { rest.removeLast() }
        }
        guard rest.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.count / 4 * 3 + 2)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for digit in rest {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
            bits &= (1 << count) - 1
        }
        return bits == 0 ? bytes : nil
    }
}
