/// The sender of a bank's SMS: the name that the bank registered, without the operator's prefix and the category's
/// suffix.
///
/// In India a bank's SMS comes from `VM-HDFCBK` or `JM-HDFCBK-S`. Two letters name the operator and its region. The
/// header that is registered on the DLT platform follows, and since 2025 a letter for the category (TRAI, TCCCPR 2018
/// with its second amendment). Elsewhere it is an alphanumeric sender of at most eleven characters (GSM 03.40, section
/// 9.1.2.5) or a short code of digits. A telephone number is not a header.
public struct SMSHeader: Hashable, Sendable, CustomStringConvertible {
    /// The purpose that the sender registered.
    public enum Category: Character, Sendable {
        /// Advertising: reports no payment.
        case promotional = "P"
        case service = "S"
        case transactional = "T"
        case government = "G"
    }

    /// Upper case, such as `HDFCBK`.
    public let name: String
    public let category: Category?

    /// Longest alphanumeric sender (GSM 03.40, section 9.1.2.5).
    static let longestName = 11
    /// Longest short code. A longer row of digits is a telephone number.
    static let longestShortCode = 8
    /// Bytes of the longest header with prefix and suffix.
    public static let maximumBytes = longestName + 5

    /// Reads a header as a phone shows it, with or without prefix and suffix, in any case.
    ///
    /// - Returns: `nil` for a telephone number, a person's name and anything else.
    public init?(_ text: some StringProtocol) {
        // With some room for blanks.
        guard text.utf8.count <= 2 * Self.maximumBytes else { return nil }
        var bytes = Array(text.utf8)[...]
        while bytes.first == 0x20 { bytes.removeFirst() }
        while bytes.last == 0x20 { bytes.removeLast() }
        let upper = bytes.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
        var parts = upper.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        if parts.count > 1, parts[0].count == 2, parts[0].allSatisfy(Self.isLetterOrDigit) { parts.removeFirst() }
        var category: Category?
        if parts.count == 2, parts[1].count == 1 {
            category = Category(rawValue: Character(UnicodeScalar(parts[1][parts[1].startIndex])))
            guard category != nil else { return nil }
            parts.removeLast()
        }
        guard parts.count == 1, let name = parts.first, (3...Self.longestName).contains(name.count),
            name.allSatisfy(Self.isLetterOrDigit)
        else { return nil }
        if name.allSatisfy({ (0x30...0x39).contains($0) }), name.count > Self.longestShortCode { return nil }
        self.name = String(decoding: name, as: UTF8.self)
        self.category = category
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
    }

    /// Without the prefix, which names the operator and the region of the phone.
    public var description: String { category.map { "\(name)-\($0.rawValue)" } ?? name }
}
